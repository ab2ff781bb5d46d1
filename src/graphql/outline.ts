import {
  type DocumentNode,
  type FieldNode,
  type FragmentDefinitionNode,
  type GraphQLSchema,
  Kind,
  type OperationDefinitionNode,
  OperationTypeNode,
  type SelectionSetNode,
  type ValueNode,
} from 'graphql';

// An outline of an operation, read from its document before it runs.

export interface Outline {
  readonly isMutation: boolean;
  readonly isSubscription: boolean;
  /** Whether it may change something: it has a mutation without the extension `changesNothing`. */
  readonly changes: boolean;
  /** Names of its root fields, one for each selection. */
  readonly names: readonly string[];
  /** How many items the lists of the root fields with these names contain; each field counts as one at least. */
  items(names: ReadonlySet<string>, variables: Readonly<Record<string, unknown>>): number;
}

/** The outline of a missing operation. */
export const NOTHING: Outline = { isMutation: false, isSubscription: false, changes: false, names: [], items: () => 0 };

export function outlineOf(
  schema: GraphQLSchema,
  node: OperationDefinitionNode,
  definitions: DocumentNode['definitions'],
): Outline {
  const isMutation = node.operation === OperationTypeNode.MUTATION;
  const fields = rootSelections(node, definitions);
  const names = fields.map(field => field.name.value);
  const mutations = schema.getMutationType()?.getFields() ?? {};
  return {
    isMutation,
    isSubscription: node.operation === OperationTypeNode.SUBSCRIPTION,
    changes: isMutation && names.some(name => mutations[name]?.extensions.changesNothing !== true),
    names,
    items: (counted, variables) =>
      fields.reduce((sum, field) => sum + (counted.has(field.name.value) ? itemsOf(field, node, variables) : 0), 0),
  };
}

/** Names of the root fields of an operation, one for each selection. */
export function rootFields(operation: OperationDefinitionNode, definitions: DocumentNode['definitions']): string[] {
  return rootSelections(operation, definitions).map(({ name }) => name.value);
}

function rootSelections(operation: OperationDefinitionNode, definitions: DocumentNode['definitions']): FieldNode[] {
  const fragments = fragmentsOf(definitions);
  const fields: FieldNode[] = [];
  const seen = new Set<SelectionSetNode>();
  const gather = (set: SelectionSetNode | undefined): void => {
    if (set === undefined || seen.has(set)) return;
    seen.add(set);
    for (const selection of set.selections) {
      if (selection.kind === Kind.FIELD) fields.push(selection);
      else if (selection.kind === Kind.INLINE_FRAGMENT) gather(selection.selectionSet);
      else gather(fragments.get(selection.name.value)?.selectionSet);
    }
  };
  gather(operation.selectionSet);
  return fields;
}

/** The number of items in the longest list of a field. */
function itemsOf(
  { arguments: given = [] }: FieldNode,
  { variableDefinitions = [] }: OperationDefinitionNode,
  variables: Readonly<Record<string, unknown>>,
): number {
  const lengthOf = (value: ValueNode | undefined): number => {
    if (value?.kind === Kind.LIST) return value.values.length;
    if (value?.kind !== Kind.VARIABLE) return 1;
    const name = value.name.value;
    const list = variables[name];
    if (list !== undefined) return Array.isArray(list) ? list.length : 1;
    return lengthOf(variableDefinitions.find(({ variable }) => variable.name.value === name)?.defaultValue);
  };
  return Math.max(1, ...given.map(({ value }) => lengthOf(value)));
}

export function fragmentsOf(definitions: DocumentNode['definitions']): ReadonlyMap<string, FragmentDefinitionNode> {
  return new Map(
    definitions.flatMap(node => (node.kind === Kind.FRAGMENT_DEFINITION ? [[node.name.value, node] as const] : [])),
  );
}
