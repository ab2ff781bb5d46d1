import {
  type FragmentDefinitionNode,
  type GraphQLEnumType,
  GraphQLNonNull,
  type GraphQLObjectType,
  type GraphQLOutputType,
  type GraphQLUnionType,
  isEnumType,
  isListType,
  isNonNullType,
  isObjectType,
  isUnionType,
  Kind,
  type SelectionSetNode,
} from 'graphql';
import type { Components, JsonSchema } from '../rest/shape.ts';

export const SCALARS: Readonly<Record<string, JsonSchema>> = {
  ID: { type: 'string' },
  String: { type: 'string' },
  Int: { type: 'integer', format: 'int32' },
  Float: { type: 'number' },
  Boolean: { type: 'boolean' },
  DateTime: { type: 'string', format: 'date-time' },
  Decimal: { type: 'string', pattern: '^\\d+(\\.\\d+)?$' },
  Money: { type: 'string', pattern: '^\\d+\\.\\d{2}$' },
  URL: { type: 'string', format: 'uri' },
  UUID: { type: 'string', format: 'uuid' },
};

/** The schema of a selection's result; a selection of one fragment is written once, under the fragment's name. */
export function outputSchema(
  type: GraphQLOutputType,
  selections: SelectionSetNode | undefined,
  fragments: ReadonlyMap<string, FragmentDefinitionNode>,
  components: Components,
): JsonSchema {
  if (!isNonNullType(type)) return orNull(outputSchema(new GraphQLNonNull(type), selections, fragments, components));
  const inner = type.ofType;
  if (isListType(inner)) return { type: 'array', items: outputSchema(inner.ofType, selections, fragments, components) };
  if (isUnionType(inner)) return { oneOf: memberSchemas(inner, selections as SelectionSetNode, fragments, components) };
  if (!isObjectType(inner)) return isEnumType(inner) ? enumSchema(inner) : { ...SCALARS[inner.name] };
  const [first, second] = selections?.selections ?? [];
  if (first?.kind === Kind.FRAGMENT_SPREAD && !second) {
    const fragment = fragments.get(first.name.value) as FragmentDefinitionNode;
    const name = fragment.name.value;
    components[name] ??= objectSchema(inner, fragment.selectionSet, fragments, components);
    return { $ref: `#/components/schemas/${name}` };
  }
  return objectSchema(inner, selections as SelectionSetNode, fragments, components);
}

/** Schemas of a union's members, each selected by an inline fragment. */
function memberSchemas(
  union: GraphQLUnionType,
  { selections }: SelectionSetNode,
  fragments: ReadonlyMap<string, FragmentDefinitionNode>,
  components: Components,
): JsonSchema[] {
  return union.getTypes().map(member => {
    const selection = selections.find(
      one => one.kind === Kind.INLINE_FRAGMENT && one.typeCondition?.name.value === member.name,
    );
    if (selection?.kind !== Kind.INLINE_FRAGMENT) throw new Error(`${union.name} is selected without ${member.name}`);
    return outputSchema(new GraphQLNonNull(member), selection.selectionSet, fragments, components);
  });
}

function objectSchema(
  type: GraphQLObjectType,
  selections: SelectionSetNode,
  fragments: ReadonlyMap<string, FragmentDefinitionNode>,
  components: Components,
): JsonSchema {
  const properties: Record<string, JsonSchema> = {};
  for (const selection of selections.selections) {
    if (selection.kind !== Kind.FIELD)
      throw new Error(`Operations of the REST table select fields or one fragment, in ${type.name}`);
    const field = type.getFields()[selection.name.value];
    if (!field) throw new Error(`${type.name} has no field ${selection.name.value}`);
    const stated = field.extensions.openapi as JsonSchema | undefined;
    properties[(selection.alias ?? selection.name).value] = described(
      { ...outputSchema(field.type, selection.selectionSet, fragments, components), ...stated },
      (stated?.description as string | undefined) ?? field.description,
    );
  }
  return described(
    // Open, because fields may be added.
    { type: 'object', properties, required: Object.keys(properties) },
    type.description,
  );
}

function orNull(schema: JsonSchema): JsonSchema {
  if (typeof schema.type !== 'string') return { anyOf: [schema, { type: 'null' }] };
  return {
    ...schema,
    type: [schema.type, 'null'],
  };
}

/** A value that may get more alternatives: callers must not fail at unknown ones. */
export function extensibleEnum(values: readonly string[]): JsonSchema {
  return { type: 'string', 'x-extensible-enum': values };
}

/** REST shows the values of enums. */
function enumSchema(type: GraphQLEnumType): JsonSchema {
  return extensibleEnum(
    type
      .getValues()
      .map(({ value }) => value)
      .toSorted(),
  );
}

function described(schema: JsonSchema, description: string | null | undefined): JsonSchema {
  return description ? { ...schema, description } : schema;
}
