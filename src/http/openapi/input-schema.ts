import { z } from 'zod';
import type { InputSchema } from '../../platform/input.ts';
import type { Components, JsonSchema } from '../rest/shape.ts';

/** The schema of a body, from its zod schema. Nested inputs are written once, under their names. */
export function inputSchema(schema: InputSchema, components: Components): JsonSchema {
  const name = schema.meta()?.id;
  if (!name) throw new Error('The schema of a body has no name');
  // Rules that zod cannot state (a decimal is a string or a number) come from the field's own metadata.
  const stated = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as JsonSchema;
  const { $schema: _, $defs = {}, ...body } = stated;
  // zod refers to the outermost schema like to the others if it has a name.
  for (const [inner, definition] of Object.entries({ [name]: body, ...($defs as Components) })) {
    const { variants, ...described } = inOpenApi(definition) as JsonSchema & { variants?: Variants };
    components[inner] = variants ? choice(described as ObjectSchema, variants, components) : described;
  }
  return refTo(name);
}

/** Alternatives of an input, by the name of their schema: their required and optional fields. */
type Variants = Readonly<Record<string, Variant>>;

interface Variant {
  readonly title: string;
  readonly required: readonly string[];
  readonly optional?: readonly string[];
}

interface ObjectSchema extends JsonSchema {
  readonly description: string;
  readonly properties: Components;
}

/**
 * The choice between an object's alternatives, each with its own schema, so that generated types know which fields
 * belong together. Fields of the other alternatives may be null, as clients send missing values.
 */
function choice({ description, properties, ...object }: ObjectSchema, variants: Variants, components: Components) {
  const fieldsOf = ({ required, optional = [] }: Variant) => [...required, ...optional];
  const divided = new Set(Object.values(variants).flatMap(fieldsOf));
  const shared = Object.keys(properties).filter(field => !divided.has(field));
  for (const [name, variant] of Object.entries(variants)) {
    const { title, required } = variant;
    const own = fieldsOf(variant);
    const others = [...divided].filter(field => !own.includes(field));
    const schemas = [
      ...required.map(field => [field, notNull(properties[field] as JsonSchema)]),
      ...[...(variant.optional ?? []), ...shared].map(field => [field, properties[field]]),
      ...others.map(field => [field, { type: 'null', description: 'Left out, or null.' }]),
    ];
    components[name] = { title, ...object, properties: Object.fromEntries(schemas), required };
  }
  return { description, anyOf: Object.keys(variants).map(refTo) };
}

function refTo(name: string): JsonSchema {
  return { $ref: `#/components/schemas/${name}` };
}

function notNull({ type, anyOf, ...schema }: JsonSchema): JsonSchema {
  const isNull = (one: unknown) => (one as JsonSchema).type === 'null';
  if (Array.isArray(anyOf)) return { ...schema, ...anyOf.find(one => !isNull(one)) };
  return { ...schema, type: Array.isArray(type) ? type.find(one => one !== 'null') : type };
}

/** A schema with the document's references, in which a nullable type is one schema and not a choice of two. */
function inOpenApi(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(inOpenApi);
  if (typeof node !== 'object' || node === null) return node;
  const schema = Object.fromEntries(Object.entries(node).map(([name, value]) => [name, inOpenApi(value)]));
  if (typeof schema.$ref === 'string') schema.$ref = schema.$ref.replace('#/$defs/', '#/components/schemas/');
  return withoutChoice(withoutTypeBounds(schema));
}

const INT32 = 2 ** 31;

/** A 32-bit integer states its bounds by its format. */
function withoutTypeBounds({ minimum, maximum, ...schema }: JsonSchema): JsonSchema {
  return {
    ...schema,
    ...(minimum !== undefined && minimum !== -INT32 && { minimum }),
    ...(maximum !== undefined && maximum !== INT32 - 1 && { maximum }),
  };
}

function withoutChoice({ anyOf, ...others }: JsonSchema): JsonSchema {
  if (!Array.isArray(anyOf)) return others;
  const [schema, nothing] = anyOf as JsonSchema[];
  const isNullable = anyOf.length === 2 && nothing?.type === 'null';
  if (!isNullable || typeof schema?.type !== 'string') return { ...others, anyOf };
  const { enum: values, anyOf: forms } = schema;
  return {
    ...schema,
    type: [schema.type, 'null'],
    ...(Array.isArray(forms) && { anyOf: [...forms, { type: 'null' }] }),
    ...(Array.isArray(values) && { enum: [...values, null] }),
    ...others,
  };
}
