import SchemaBuilder, {
  BasePlugin,
  isThenable,
  type PothosOutputFieldConfig,
  type SchemaTypes,
  unwrapOutputFieldType,
} from '@pothos/core';
import type { FieldNode, FragmentDefinitionNode, GraphQLFieldResolver, SelectionSetNode } from 'graphql';
import { Kind } from 'graphql';
import { CHARACTERS_PER_UNIT, TURN_UNITS, type Work } from '../platform/limits/work.ts';
import type { RequestContext } from './context.ts';
import { MUTATION } from './costs.ts';

declare global {
  namespace PothosSchemaTypes {
    export interface Plugins<Types extends SchemaTypes> {
      work: WorkPlugin<Types>;
    }
  }
}

/** The parts of a resolver's parameters that counting needs. */
interface Selected {
  readonly fieldNodes: readonly FieldNode[];
  readonly fragments: Readonly<Record<string, FragmentDefinitionNode>>;
}

/**
 * Counts the work of a request while its operation runs. Every field that resolves to objects counts their selected
 * values, so nested lists are counted by their real lengths. Fields no longer resolve when the work is over, and long
 * lists are divided among several turns of the event loop. Scalar fields without a price are counted with their object,
 * because a function for each would cost more than the value.
 */
class WorkPlugin<Types extends SchemaTypes> extends BasePlugin<Types> {
  override wrapResolve(
    resolver: GraphQLFieldResolver<unknown, Types['Context'], object>,
    fieldConfig: PothosOutputFieldConfig<Types>,
  ): GraphQLFieldResolver<unknown, Types['Context'], object> {
    const isRoot =
      fieldConfig.kind === 'Query' || fieldConfig.kind === 'Mutation' || fieldConfig.kind === 'Subscription';
    const price = priceOf(fieldConfig);
    const isOfObjects = this.#isOfObjects(fieldConfig);
    const counts = this.#textCounts(fieldConfig, price);
    if (counts) textFields.set(`${fieldConfig.parentType}.${fieldConfig.name}`, counts);
    if (counts === 'result') return countingText(resolver as GraphQLFieldResolver<unknown, unknown, object>);
    if (!isRoot && price === 0 && !isOfObjects) return resolver;
    return (parent, args, context, info) => {
      const { work } = context as RequestContext;
      const units = typeof price === 'number' ? price : price(args);
      if (units > 0) work.spend(units);
      if (work.isOver) return work.never;
      const result = resolver(parent, args, context, info);
      return isThenable(result) ? result.then(value => counted(work, value, info)) : counted(work, result, info);
    };
  }

  #textCounts(
    { name, type, extensions }: PothosOutputFieldConfig<Types>,
    price: ReturnType<typeof priceOf>,
  ): TextCounts | undefined {
    const { name: typeName } = this.buildCache.getTypeConfig(unwrapOutputFieldType(type));
    if (!TEXTS.has(typeName)) return undefined;
    if (extensions?.countsText === true) return 'itself';
    if (price !== 0) return 'price';
    const isOwn = extensions?.pothosExposedField === name && typeName !== 'JSON' && type.kind !== 'List';
    return isOwn ? 'object' : 'result';
  }

  #isOfObjects({ type }: PothosOutputFieldConfig<Types>): boolean {
    const { graphqlKind } = this.buildCache.getTypeConfig(unwrapOutputFieldType(type));
    return graphqlKind === 'Object' || graphqlKind === 'Interface' || graphqlKind === 'Union';
  }
}

/** The cost of a field beside the values of its response: its stated work, or else its price for documents. */
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

/**
 * Where the characters of a field are counted: with its object, in its result, by the resolver before it reads them
 * (the extension `countsText`), or not at all, because its price covers the largest text.
 */
type TextCounts = 'object' | 'result' | 'itself' | 'price';

/** Every field of the graph that has texts of any length, as `Type.field`. */
export const textFields = new Map<string, TextCounts>();

/** Scalars whose length a caller may determine. Others, such as times and numbers, have a bounded length. */
export const TEXTS: ReadonlySet<string> = new Set(['String', 'JSON', 'URL']);

function countingText(resolver: GraphQLFieldResolver<unknown, unknown, object>): typeof resolver {
  return (parent, args, context, info) => {
    const { work } = context as RequestContext;
    if (work.isOver) return work.never;
    const result = resolver(parent, args, context, info);
    return isThenable(result) ? result.then(value => countedText(work, value)) : countedText(work, result);
  };
}

function countedText(work: Work, value: unknown): unknown {
  const characters = charactersOf(value);
  if (characters > 0) work.spendText(characters);
  return work.isOver ? work.never : value;
}

/** Characters of the strings in a value as JSON, without separators. */
function charactersOf(value: unknown): number {
  if (typeof value === 'string') return value.length;
  if (typeof value !== 'object' || value === null) return 0;
  let sum = 0;
  if (Array.isArray(value)) for (const item of value) sum += 1 + charactersOf(item);
  else for (const [key, member] of Object.entries(value)) sum += key.length + charactersOf(member);
  return sum;
}

function counted(work: Work, value: unknown, info: Selected): unknown {
  if (value === null || typeof value !== 'object') return value;
  const selected = selectedValues(info);
  const { names } = selected;
  // One for the object, and one for each value.
  const unitsOfEach = 1 + names.length;
  if (!Array.isArray(value)) {
    spendOn(work, value, selected);
    // A connection has no values itself. If it waited, the reads of a list's records would come in several statements.
    if (names.length === 0) return work.isOver ? work.never : value;
    return continued(work, value, unitsOfEach);
  }
  for (const element of value) if (element !== null && typeof element === 'object') spendOn(work, element, selected);
  const units = value.length * unitsOfEach;
  return units > TURN_UNITS ? divided(work, value, unitsOfEach) : continued(work, value, units);
}

/** The value: now, in a later turn of the event loop, or never if the work is over. */
function continued(work: Work, value: unknown, units: number): unknown {
  if (work.isOver) return work.never;
  const turn = work.turn(units);
  return turn === undefined ? value : turn.then(() => value);
}

/** A long list, whose elements are resolved in portions, one per turn. */
function divided(work: Work, list: readonly unknown[], unitsOfEach: number): unknown {
  if (work.isOver) return work.never;
  const size = Math.max(1, Math.floor(TURN_UNITS / unitsOfEach));
  const portions = Array.from({ length: Math.ceil(list.length / size) }, () => work.turn(size * unitsOfEach));
  return list.map((element, i) => {
    const portion = portions[Math.floor(i / size)];
    return portion === undefined ? element : portion.then(() => element);
  });
}

/** The selected fields of an object. */
interface SelectedValues {
  /** Names of its scalar fields, once for each key of the response. */
  readonly names: readonly string[];
  /** Characters of keys beyond the cost of a value: a long alias is repeated for each object of the response. */
  readonly longKeys: number;
}

function spendOn(work: Work, object: object, { names, longKeys }: SelectedValues): void {
  const record = object as Record<string, unknown>;
  let characters = longKeys;
  for (const name of names) {
    const value = record[name];
    if (typeof value === 'string') characters += value.length;
  }
  work.spend(1 + names.length);
  if (characters > 0) work.spendText(characters);
}

const known = new WeakMap<FieldNode, SelectedValues>();
const NOTHING: SelectedValues = { names: [], longKeys: 0 };

function selectedValues({ fieldNodes, fragments }: Selected): SelectedValues {
  const [node] = fieldNodes;
  if (node === undefined) return NOTHING;
  // Several nodes are merged into one field: the selection depends on all of them.
  if (fieldNodes.length > 1) return valuesOf(fieldNodes, fragments);
  let values = known.get(node);
  if (values === undefined) {
    values = valuesOf(fieldNodes, fragments);
    known.set(node, values);
  }
  return values;
}

function valuesOf(nodes: readonly FieldNode[], fragments: Selected['fragments']): SelectedValues {
  const byKey = new Map<string, string>();
  const keys = new Set<string>();
  const seen = new Set<string>();
  const gather = (set: SelectionSetNode | undefined): void => {
    for (const selection of set?.selections ?? []) {
      if (selection.kind === Kind.FIELD) {
        const key = (selection.alias ?? selection.name).value;
        keys.add(key);
        if (selection.selectionSet === undefined) byKey.set(key, selection.name.value);
      } else if (selection.kind === Kind.INLINE_FRAGMENT) gather(selection.selectionSet);
      else if (!seen.has(selection.name.value)) {
        seen.add(selection.name.value);
        gather(fragments[selection.name.value]?.selectionSet);
      }
    }
  };
  for (const node of nodes) gather(node.selectionSet);
  const longKeys = [...keys].reduce((sum, { length }) => sum + Math.max(0, length - CHARACTERS_PER_UNIT), 0);
  return { names: [...byKey.values()], longKeys };
}

SchemaBuilder.registerPlugin('work', WorkPlugin);
