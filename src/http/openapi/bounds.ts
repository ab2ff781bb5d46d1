import type { JsonSchema } from '../rest/shape.ts';

const MAX_INT32 = 2_147_483_647;
/** No text the service keeps or says is longer: what may be sent in is shorter yet, or a URL. */
const MAX_TEXT = 2048;
/** Control characters are refused where a text comes in, and taken out of what carriers say. */
const PLAIN_TEXT = '^[^\\u0000-\\u001f\\u007f]*$';
const LENGTHS: Readonly<Record<string, number>> = { uuid: 36, 'date-time': 35 };

/** What holds for every value of a type, where its schema says nothing closer. */
const BOUNDS: Readonly<Record<string, (schema: JsonSchema) => JsonSchema>> = {
  string: ({ format, pattern, enum: values, const: value }) => {
    if (values !== undefined || value !== undefined) return {};
    const isFree = format === undefined && pattern === undefined;
    return { maxLength: LENGTHS[String(format)] ?? MAX_TEXT, ...(isFree && { pattern: PLAIN_TEXT }) };
  },
  // Identifiers, counts and hours: PostgreSQL and GraphQL both have them in 32 bits.
  integer: () => ({ format: 'int32', minimum: 0, maximum: MAX_INT32 }),
  // What a list holds has an integer for its identifier.
  array: () => ({ maxItems: MAX_INT32 }),
};

/** A document in which every schema says how long or large its values can be, so that generated code can rely on it. */
export function bounded<Node>(node: Node): Node {
  if (Array.isArray(node)) return node.map(bounded) as Node;
  if (typeof node !== 'object' || node === null) return node;
  const schema = Object.fromEntries(
    // Examples are answers, not schemas.
    Object.entries(node).map(([name, value]) => [name, name.startsWith('example') ? value : bounded(value)]),
  );
  const [type] = [schema.type].flat();
  return { ...(typeof type === 'string' && BOUNDS[type]?.(schema)), ...schema } as Node;
}
