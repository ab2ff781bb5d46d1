import {
  type DocumentNode,
  type GraphQLInputType,
  type GraphQLSchema,
  getOperationAST,
  isEnumType,
  isInputObjectType,
  isListType,
  isNonNullType,
  isRequiredInputField,
  typeFromAST,
} from 'graphql';
import { variableDescriptions } from '../../graphql/variable-places.ts';
import { SCALARS } from '../openapi/json-schema.ts';
import type { JsonSchema } from '../rest/shape.ts';

/**
 * The JSON Schema of a tool's arguments: the variables of its operation, each described as the argument or input field
 * that takes it. Input types are written out where they stand, because several assistants do not follow references.
 */
export function argumentSchema(schema: GraphQLSchema, document: DocumentNode) {
  const { variableDefinitions = [] } = getOperationAST(document) ?? {};
  const descriptions = variableDescriptions(schema, document);
  const properties: Record<string, JsonSchema> = {};
  const required: string[] = [];
  for (const { variable, type: typeNode, defaultValue } of variableDefinitions) {
    const name = variable.name.value;
    const type = typeFromAST(schema, typeNode) as GraphQLInputType;
    properties[name] = described(type, descriptions.get(name));
    if (isNonNullType(type) && !defaultValue) required.push(name);
  }
  return { type: 'object' as const, properties, required, additionalProperties: false };
}

function described(type: GraphQLInputType, description: string | null | undefined): JsonSchema {
  return { ...inputSchema(type), ...(description && { description }) };
}

/** Scalars that callers send in another form than responses have, or that responses of REST do not have. */
const SENT: Readonly<Record<string, JsonSchema>> = {
  Decimal: { type: 'number' },
  Date: { type: 'string', format: 'date' },
  JSON: {},
};

function inputSchema(type: GraphQLInputType): JsonSchema {
  if (isNonNullType(type)) return inputSchema(type.ofType);
  if (isListType(type)) return { type: 'array', items: inputSchema(type.ofType) };
  if (isEnumType(type)) return { type: 'string', enum: type.getValues().map(({ name }) => name) };
  if (!isInputObjectType(type)) return { ...(SENT[type.name] ?? SCALARS[type.name]) };
  // Former names are accepted, but assistants need not learn them.
  const fields = Object.values(type.getFields()).filter(({ deprecationReason }) => deprecationReason == null);
  return {
    type: 'object',
    properties: Object.fromEntries(fields.map(field => [field.name, described(field.type, field.description)])),
    required: fields.filter(isRequiredInputField).map(({ name }) => name),
    additionalProperties: false,
    ...(type.isOneOf && { minProperties: 1, maxProperties: 1 }),
  };
}
