/** JSON Schema, as far as the contract uses it. */
export interface JsonSchema {
  readonly [keyword: string]: unknown;
}

/** How an answer leaves: what is made of the operation's value, and what that makes of its described type. */
export interface Shape {
  /** The body; undefined for none. */
  readonly project: (value: unknown) => unknown;
  readonly describe: (schema: JsonSchema) => JsonSchema | undefined;
}

/** The value as it is: an object, or a bare array. */
export const asItIs: Shape = { project: value => value, describe: schema => schema };

/** No body. */
export const nothing: Shape = { project: () => undefined, describe: () => undefined };

/** The object without a list that is empty. */
export function withoutEmpty(field: string): Shape {
  return {
    project: value => {
      const record = value as Record<string, unknown>;
      // Fresh from the execution, so nobody else sees it change; JSON leaves undefined out.
      if ((record[field] as unknown[]).length === 0) record[field] = undefined;
      return record;
    },
    describe: schema => ({ ...schema, required: (schema.required as string[]).filter(name => name !== field) }),
  };
}

/** A shape for each element of a bare array. */
export function each(shape: Shape): Shape {
  return {
    project: value => (value as unknown[]).map(shape.project),
    describe: schema => ({ ...schema, items: shape.describe(schema.items as JsonSchema) }),
  };
}
