import {
  type FieldNode,
  type FragmentDefinitionNode,
  type GraphQLField,
  GraphQLIncludeDirective,
  type GraphQLNamedType,
  type GraphQLResolveInfo,
  GraphQLSkipDirective,
  getDirectiveValues,
  getNamedType,
  isInterfaceType,
  isObjectType,
  Kind,
  type SelectionNode,
  type SelectionSetNode,
} from 'graphql';
import type { Scope } from '../platform/scopes.ts';

/** The scopes that the fields of a selection need, besides the scope of the field that they are selected on. */

/** The parts of a running operation that the walk needs. */
type Running = Pick<GraphQLResolveInfo, 'schema' | 'fieldNodes' | 'fragments' | 'returnType' | 'variableValues'>;

/** The scope that a field needs, without the scopes of the fields below it. */
export function scopeOf(field: GraphQLField<unknown, unknown> | undefined): Scope | undefined {
  const options = field?.extensions.pothosOptions as { readonly authScopes?: { readonly scope?: Scope } } | undefined;
  return options?.authScopes?.scope;
}

/** A scope that the selection of a running field needs and the caller lacks. */
export function lackingScope(info: Running, scopes: ReadonlySet<string>): Scope | undefined {
  for (const scope of selected(info.fieldNodes, getNamedType(info.returnType), info)) {
    if (!scopes.has(scope)) return scope;
  }
  return undefined;
}

function* selected(nodes: readonly FieldNode[], type: GraphQLNamedType, running: Running): Generator<Scope> {
  for (const { selectionSet } of nodes) if (selectionSet) yield* within(selectionSet, type, running);
}

function* within({ selections }: SelectionSetNode, type: GraphQLNamedType, running: Running): Generator<Scope> {
  for (const node of selections) {
    if (isLeftOut(node, running)) continue;
    if (node.kind === Kind.FIELD) {
      const field = isObjectType(type) || isInterfaceType(type) ? type.getFields()[node.name.value] : undefined;
      const scope = scopeOf(field);
      if (scope !== undefined) yield scope;
      if (field) yield* selected([node], getNamedType(field.type), running);
      continue;
    }
    const fragment: Pick<FragmentDefinitionNode, 'selectionSet'> & { typeCondition?: { name: { value: string } } } =
      node.kind === Kind.FRAGMENT_SPREAD
        ? (running.fragments[node.name.value] as FragmentDefinitionNode)
        : (node as never);
    const name = fragment.typeCondition?.name.value;
    const condition = name === undefined ? type : running.schema.getType(name);
    if (condition) yield* within(fragment.selectionSet, condition, running);
  }
}

function isLeftOut(node: SelectionNode, { variableValues }: Running): boolean {
  if (!node.directives?.length) return false;
  const { if: skips } = getDirectiveValues(GraphQLSkipDirective, node, variableValues) ?? { if: false };
  const { if: includes } = getDirectiveValues(GraphQLIncludeDirective, node, variableValues) ?? { if: true };
  return skips === true || includes === false;
}
