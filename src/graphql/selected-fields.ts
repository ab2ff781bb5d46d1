import {
  type FieldNode,
  type FragmentDefinitionNode,
  type GraphQLField,
  GraphQLIncludeDirective,
  type GraphQLNamedType,
  type GraphQLResolveInfo,
  GraphQLSkipDirective,
  getArgumentValues,
  getDirectiveValues,
  getNamedType,
  isInterfaceType,
  isObjectType,
  Kind,
  type SelectionNode,
  type SelectionSetNode,
} from 'graphql';
import type { Scope } from '../platform/scopes.ts';

/** The fields below a running field: the scopes that they need, besides its own, and whether one of them is selected. */

/** The parts of a running operation that the walk needs. */
type Running = Pick<GraphQLResolveInfo, 'schema' | 'fieldNodes' | 'fragments' | 'returnType' | 'variableValues'>;

/** The scope that a field needs, without the scopes of the fields below it. */
export function scopeOf(field: GraphQLField<unknown, unknown> | undefined): Scope | undefined {
  const options = field?.extensions.pothosOptions as { readonly authScopes?: { readonly scope?: Scope } } | undefined;
  return options?.authScopes?.scope;
}

/** A scope that the selection of a running field needs and the caller lacks. */
export function lackingScope(info: Running, scopes: ReadonlySet<string>): Scope | undefined {
  for (const { field } of selected(info.fieldNodes, getNamedType(info.returnType), info)) {
    const scope = scopeOf(field);
    if (scope !== undefined && !scopes.has(scope)) return scope;
  }
  return undefined;
}

/**
 * Whether a field of a type is selected at any depth, so that its values can be read with the records of a list.
 *
 * @param isMeant whether that is worth it for the arguments of the field
 */
export function isSelected<Args extends object>(
  info: Running,
  typeName: string,
  fieldName: string,
  isMeant: (args: Args) => boolean = () => true,
): boolean {
  for (const { type, field, node } of selected(info.fieldNodes, getNamedType(info.returnType), info)) {
    if (field.name !== fieldName || type.name !== typeName) continue;
    if (isMeant(getArgumentValues(field, node, info.variableValues) as Args)) return true;
  }
  return false;
}

interface Selected {
  readonly type: GraphQLNamedType;
  readonly field: GraphQLField<unknown, unknown>;
  readonly node: FieldNode;
}

function* selected(nodes: readonly FieldNode[], type: GraphQLNamedType, running: Running): Generator<Selected> {
  for (const { selectionSet } of nodes) if (selectionSet) yield* within(selectionSet, type, running);
}

function* within({ selections }: SelectionSetNode, type: GraphQLNamedType, running: Running): Generator<Selected> {
  for (const node of selections) {
    if (isLeftOut(node, running)) continue;
    if (node.kind === Kind.FIELD) {
      const field = isObjectType(type) || isInterfaceType(type) ? type.getFields()[node.name.value] : undefined;
      if (field === undefined) continue;
      yield { type, field, node };
      yield* selected([node], getNamedType(field.type), running);
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
