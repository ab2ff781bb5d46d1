import SchemaBuilder, {
  BasePlugin,
  isThenable,
  type PothosOutputFieldConfig,
  type SchemaTypes,
  unwrapOutputFieldType,
} from '@pothos/core';
import type { FieldNode, FragmentDefinitionNode, GraphQLFieldResolver, SelectionSetNode } from 'graphql';
import { Kind } from 'graphql';
import type { Work } from '../platform/limits/work.ts';
import type { RequestContext } from './context.ts';
import { MUTATION } from './costs.ts';

declare global {
  namespace PothosSchemaTypes {
    export interface Plugins<Types extends SchemaTypes> {
      work: WorkPlugin<Types>;
    }
  }
}

/** Of a resolver, what counting needs. */
interface Selected {
  readonly fieldNodes: readonly FieldNode[];
  readonly fragments: Readonly<Record<string, FragmentDefinitionNode>>;
}

/**
 * Counts the work of a request while its operation runs. Every field that resolves to objects counts the values that are
 * selected of them, so that lists within lists are counted by their real lengths. Fields stop to resolve when the work
 * is over, and long lists are divided among several turns of the event loop.
 *
 * Scalar fields without a price are counted with their object: a function for each would cost more than the value.
 */
class WorkPlugin<Types extends SchemaTypes> extends BasePlugin<Types> {
  override wrapResolve(
    resolver: GraphQLFieldResolver<unknown, Types['Context'], object>,
    fieldConfig: PothosOutputFieldConfig<Types>,
  ): GraphQLFieldResolver<unknown, Types['Context'], object> {
    const isRoot =
      fieldConfig.kind === 'Query' || fieldConfig.kind === 'Mutation' || fieldConfig.kind === 'Subscription';
    const price = priceOf(fieldConfig);
    if (!isRoot && price === 0 && !this.#isOfObjects(fieldConfig)) return resolver;
    return (parent, args, context, info) => {
      const { work } = context as RequestContext;
      const units = typeof price === 'number' ? price : price(args);
      if (units > 0) work.spend(units);
      if (work.isOver) return work.never;
      const result = resolver(parent, args, context, info);
      return isThenable(result) ? result.then(value => counted(work, value, info)) : counted(work, result, info);
    };
  }

  #isOfObjects({ type }: PothosOutputFieldConfig<Types>): boolean {
    const { graphqlKind } = this.buildCache.getTypeConfig(unwrapOutputFieldType(type));
    return graphqlKind === 'Object' || graphqlKind === 'Interface' || graphqlKind === 'Union';
  }
}

/** What a field costs beside the values of its response: its price for documents, unless it states another for the work. */
function priceOf<Types extends SchemaTypes>({
  kind,
  extensions,
  pothosOptions,
}: PothosOutputFieldConfig<Types>): number | ((args: object) => number) {
  const base = kind === 'Mutation' ? MUTATION : 0;
  const stated = extensions?.work ?? (pothosOptions as { complexity?: unknown }).complexity;
  if (typeof stated === 'function' && extensions?.work === stated) return args => base + Number(stated(args));
  return base + (typeof stated === 'number' ? stated : 0);
}

function counted(work: Work, value: unknown, info: Selected): unknown {
  if (value === null || typeof value !== 'object') return value;
  const names = selectedValues(info);
  // The object itself, and its values.
  const unitsOfEach = 1 + names.length;
  if (!Array.isArray(value)) {
    spendOn(work, value, names);
    return continued(work, value, unitsOfEach);
  }
  for (const element of value) if (element !== null && typeof element === 'object') spendOn(work, element, names);
  const units = value.length * unitsOfEach;
  return units > work.turnUnits ? divided(work, value, unitsOfEach) : continued(work, value, units);
}

/** The value now, in a later turn of the event loop, or never where the work is over. */
function continued(work: Work, value: unknown, units: number): unknown {
  if (work.isOver) return work.never;
  const turn = work.turn(units);
  return turn === undefined ? value : turn.then(() => value);
}

/** A long list, whose elements come in portions of a turn each. */
function divided(work: Work, list: readonly unknown[], unitsOfEach: number): unknown {
  if (work.isOver) return work.never;
  const size = Math.max(1, Math.floor(work.turnUnits / unitsOfEach));
  const portions = Array.from({ length: Math.ceil(list.length / size) }, () => work.turn(size * unitsOfEach));
  return list.map((element, i) => {
    const portion = portions[Math.floor(i / size)];
    return portion === undefined ? element : portion.then(() => element);
  });
}

function spendOn(work: Work, object: object, names: readonly string[]): void {
  const record = object as Record<string, unknown>;
  let characters = 0;
  for (const name of names) {
    const value = record[name];
    if (typeof value === 'string') characters += value.length;
  }
  work.spend(1 + names.length);
  if (characters > 0) work.spendText(characters);
}

const known = new WeakMap<FieldNode, readonly string[]>();

/** Names of the scalar fields that are selected of an object, once for each key of the response. */
function selectedValues({ fieldNodes, fragments }: Selected): readonly string[] {
  const [node] = fieldNodes;
  if (node === undefined) return [];
  // Several nodes are merged into one field: what is selected depends on all of them.
  if (fieldNodes.length > 1) return namesOf(fieldNodes, fragments);
  let names = known.get(node);
  if (names === undefined) {
    names = namesOf(fieldNodes, fragments);
    known.set(node, names);
  }
  return names;
}

function namesOf(nodes: readonly FieldNode[], fragments: Selected['fragments']): readonly string[] {
  const byKey = new Map<string, string>();
  const seen = new Set<string>();
  const gather = (set: SelectionSetNode | undefined): void => {
    for (const selection of set?.selections ?? []) {
      if (selection.kind === Kind.FIELD) {
        if (selection.selectionSet === undefined) {
          byKey.set((selection.alias ?? selection.name).value, selection.name.value);
        }
      } else if (selection.kind === Kind.INLINE_FRAGMENT) gather(selection.selectionSet);
      else if (!seen.has(selection.name.value)) {
        seen.add(selection.name.value);
        gather(fragments[selection.name.value]?.selectionSet);
      }
    }
  };
  for (const node of nodes) gather(node.selectionSet);
  return [...byKey.values()];
}

SchemaBuilder.registerPlugin('work', WorkPlugin);
