/** JSON Schema, as far as the contract uses it. */
export interface JsonSchema {
  readonly [keyword: string]: unknown;
}

/** Schemas that are written once and referred to by name. */
export type Components = Record<string, JsonSchema>;

/** The form of a response: how the operation's value is projected, and how that changes its schema. */
export interface Shape {
  /** The body; undefined for none. The value is fresh from the execution, so it may be changed in place. */
  readonly project: (value: unknown) => unknown;
  readonly describe: (schema: JsonSchema, components: Components) => JsonSchema | undefined;
}

/** The value unchanged: an object, or a bare array. */
export const asItIs: Shape = { project: value => value, describe: schema => schema };

/** The field of a mutation's payload that has its result, in its own shape. */
export function result(field: string, shape: Shape = asItIs): Shape {
  return {
    project: value => shape.project((value as Record<string, unknown>)[field]),
    describe: (schema, components) => shape.describe(givenOf(schema, field), components),
  };
}

/** The result with another field of the payload, a string, at its end; described as its own component. */
export function resultWith(
  field: string,
  added: string,
  { name, description, openapi }: { readonly name: string; readonly description: string; readonly openapi: JsonSchema },
): Shape {
  return {
    project: value => {
      const payload = value as Record<string, unknown>;
      return { ...(payload[field] as object), [added]: payload[added] };
    },
    describe: (schema, components) => {
      const given = givenOf(schema, field);
      const record = components[String(given.$ref).split('/').at(-1) ?? ''] as JsonSchema;
      const property = (schema.properties as Record<string, JsonSchema>)[added];
      components[name] = {
        ...record,
        properties: {
          ...(record.properties as object),
          [added]: { type: 'string', ...openapi, description: property?.description },
        },
        required: [...(record.required as string[]), added],
        description,
      };
      return { $ref: `#/components/schemas/${name}` };
    },
  };
}

function givenOf(payload: JsonSchema, field: string): JsonSchema {
  const { anyOf } = (payload.properties as Record<string, JsonSchema>)[field] as { anyOf: readonly JsonSchema[] };
  return anyOf[0] as JsonSchema;
}

/** No body. */
export const nothing: Shape = { project: () => undefined, describe: () => undefined };

/** The object with lists, and then with `shape`: the graph has connections in their place. */
export function listsIn(fields: readonly string[], shape: Shape): Shape {
  const inFields = inPlace(schema => {
    const properties = { ...(schema.properties as Record<string, JsonSchema>) };
    for (const field of fields) {
      const { properties: inner, description } = properties[field] as { properties?: Components; description: string };
      // Several endpoints describe the same component.
      if (inner) properties[field] = { ...inner.nodes, description };
    }
    return { ...schema, properties };
  });
  return {
    project: value => {
      const record = value as Record<string, unknown>;
      for (const field of fields) record[field] = (record[field] as { nodes: unknown }).nodes;
      return shape.project(record);
    },
    describe: (schema, components) => shape.describe(inFields(schema, components) as JsonSchema, components),
  };
}

/** The object without an empty list. */
export function withoutEmpty(field: string): Shape {
  return {
    project: value => {
      const record = value as Record<string, unknown>;
      // JSON omits undefined.
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
 * The object with its decimals, strings in the graph, as JSON numbers: the domain has them as numbers, which a REST
 * operation passes on. The objects in these lists are described in the same way.
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

export function listIn(field: string, element: Shape = asItIs): Shape {
  const list = each(element);
  return {
    project: value => list.project((value as Record<string, unknown>)[field]),
    describe: ({ properties }, components) => {
      const { description: _, ...schema } = (properties as Record<string, JsonSchema>)[field] as JsonSchema;
      return list.describe(schema, components);
    },
  };
}

/** The shape of a union: the bare list in a member's field, each element in its shape; another member in its own. */
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

/** Changes an object's schema in place, among the components if it is only referred to. */
function inPlace(change: (schema: JsonSchema, components: Components) => JsonSchema): Shape['describe'] {
  return (schema, components) => {
    const name = typeof schema.$ref === 'string' ? schema.$ref.split('/').at(-1) : undefined;
    const component = name === undefined ? undefined : components[name];
    if (name === undefined || component === undefined) return change(schema, components);
    components[name] = change(component, components);
    return schema;
  };
}
