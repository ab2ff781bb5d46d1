/** JSON Schema, as far as the contract uses it. */
export interface JsonSchema {
  readonly [keyword: string]: unknown;
}

/** Schemas that are written once and referred to by name. */
export type Components = Record<string, JsonSchema>;

/** How an answer leaves: what is made of the operation's value, and what that makes of its described type. */
export interface Shape {
  /** The body; undefined for none. What is given is fresh from the execution, so nobody else sees it change. */
  readonly project: (value: unknown) => unknown;
  readonly describe: (schema: JsonSchema, components: Components) => JsonSchema | undefined;
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
      // JSON leaves undefined out.
      if ((record[field] as unknown[]).length === 0) record[field] = undefined;
      return record;
    },
    describe: inPlace(schema => ({
      ...schema,
      required: (schema.required as string[]).filter(name => name !== field),
    })),
  };
}

/**
 * The object whose decimals, texts in the graph, are JSON numbers: the domain has them as numbers, which a REST operation
 * passes on. And the objects in these lists likewise.
 */
export function numbers(fields: readonly string[], lists: Readonly<Record<string, Shape>> = {}): Shape {
  return {
    project: value => value,
    describe: inPlace((schema, components) => {
      const properties = { ...(schema.properties as Record<string, JsonSchema>) };
      for (const field of fields) {
        const { pattern: _, ...property } = properties[field] as JsonSchema;
        properties[field] = { ...property, type: 'number' };
      }
      for (const [field, shape] of Object.entries(lists)) {
        properties[field] = each(shape).describe(properties[field] as JsonSchema, components) as JsonSchema;
      }
      return { ...schema, properties };
    }),
  };
}

/** A shape for each element of a bare array. */
export function each(shape: Shape): Shape {
  return {
    project: value => (value as unknown[]).map(shape.project),
    describe: (schema, components) => ({ ...schema, items: shape.describe(schema.items as JsonSchema, components) }),
  };
}

/** The list in a field of the object. */
export function listIn(field: string): Shape {
  return {
    project: value => (value as Record<string, unknown>)[field],
    describe: ({ properties }) => {
      const { description: _, ...list } = (properties as Record<string, JsonSchema>)[field] as JsonSchema;
      return list;
    },
  };
}

/** Of a union: the bare list in a member's field, each element in its shape; another member in its own. */
export function listOr(field: string, element: Shape, other: Shape): Shape {
  return {
    project: value => {
      const list = (value as Record<string, unknown[]>)[field];
      return list ? list.map(element.project) : other.project(value);
    },
    describe: (schema, components) => ({
      ...schema,
      oneOf: (schema.oneOf as JsonSchema[]).map(member => {
        const list = (member.properties as Record<string, JsonSchema> | undefined)?.[field];
        return list ? each(element).describe(list, components) : other.describe(member, components);
      }),
    }),
  };
}

/** A change of an object's schema, made where it stands: among the components where it is only referred to. */
function inPlace(change: (schema: JsonSchema, components: Components) => JsonSchema): Shape['describe'] {
  return (schema, components) => {
    const name = typeof schema.$ref === 'string' ? schema.$ref.split('/').at(-1) : undefined;
    const component = name === undefined ? undefined : components[name];
    if (name === undefined || component === undefined) return change(schema, components);
    components[name] = change(component, components);
    return schema;
  };
}
