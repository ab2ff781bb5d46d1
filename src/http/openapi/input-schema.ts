import { type GraphQLInputType, getNamedType } from 'graphql';
import { z } from 'zod';
import { schemaOfInput } from '../../graphql/input-schemas.ts';
import type { Components, JsonSchema } from '../rest/shape.ts';

/** Schema of a body, as the input's own zod schema states it. Inputs within it are written once, under their names. */
export function inputSchema(type: GraphQLInputType, components: Components): JsonSchema {
  const { name: typeName } = getNamedType(type);
  const schema = schemaOfInput(typeName);
  const name = schema?.meta()?.id;
  if (!schema || !name) throw new Error(`The input ${typeName} has no schema`);
  // What zod can't say (a decimal is a text or a number) the field's own metadata does.
  const stated = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as JsonSchema;
  const { $schema: _, $defs = {}, ...body } = stated;
  // Zod refers to the outermost as to the others where it has a name.
  for (const [inner, definition] of Object.entries({ [name]: body, ...($defs as Components) })) {
    components[inner] = inOpenApi(definition) as JsonSchema;
  }
  return { $ref: `#/components/schemas/${name}` };
}

/** A schema with the document's references, in which a type that may be null is one schema and not a choice of two. */
function inOpenApi(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(inOpenApi);
  if (typeof node !== 'object' || node === null) return node;
  const schema = Object.fromEntries(Object.entries(node).map(([name, value]) => [name, inOpenApi(value)]));
  if (typeof schema.$ref === 'string') schema.$ref = schema.$ref.replace('#/$defs/', '#/components/schemas/');
  return withoutChoice(schema);
}

function withoutChoice({ anyOf, ...others }: JsonSchema): JsonSchema {
  if (!Array.isArray(anyOf)) return others;
  const [schema, nothing] = anyOf as JsonSchema[];
  const isNullable = anyOf.length === 2 && nothing?.type === 'null';
  if (!isNullable || typeof schema?.type !== 'string') return { ...others, anyOf };
  const { enum: values } = schema;
  return {
    ...schema,
    type: [schema.type, 'null'],
    ...(Array.isArray(values) && { enum: [...values, null] }),
    ...others,
  };
}
