import { type GraphQLInputType, getNamedType, isInputObjectType, isInterfaceType } from 'graphql';
import { globalId, readGlobalId } from '../../../src/graphql/node-id.ts';
import type { Caller } from '../../support/world.ts';
import { argumentsForOne, type Ids, SDL } from './sdl.ts';
import { documentAlong, wayTo } from './way.ts';

/** Something that a caller can name: as the other company has it, and of the same form as nobody has it. */
export interface Reference {
  readonly theirs: number | string;
  readonly nobodys: number | string;
}

export interface References {
  readonly ints: readonly Reference[];
  readonly texts: readonly Reference[];
}

/** A place among the arguments of a field that takes a reference. */
export interface Slot {
  readonly path: readonly string[];
  readonly isInt: boolean;
}

/** Carriers are everybody's. */
const SHARED = new Set(['Carrier']);

/** The types of things that have a global id and belong to one company. */
export const NODE_TYPES: readonly string[] = (() => {
  const node = SDL.getType('Node');
  const types = isInterfaceType(node) ? SDL.getPossibleTypes(node) : [];
  return types.map(({ name }) => name).filter(name => !SHARED.has(name));
})();

/** A global id of each type that a company has something of, by the name of the type. */
export async function nodeIds(caller: Caller, ids: Ids): Promise<Map<string, string>> {
  const found = new Map<string, string>();
  for (const name of NODE_TYPES) {
    const way = wayTo(name, ids, { argumentsOf: field => argumentsForOne(field, ids) });
    const { data } = way ? await caller.graphql(documentAlong(way, '__typename theId: id')) : {};
    const id = idIn(data);
    // The client of the tests reads the key of a global id.
    if (id !== undefined) found.set(name, globalId(name, id));
  }
  return found;
}

function idIn(value: unknown): string | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  if ('theId' in value) return String(value.theId);
  for (const inner of Object.values(value)) {
    const id = idIn(inner);
    if (id !== undefined) return id;
  }
  return undefined;
}

/** Everything of a company that an argument could name. */
export function referencesTo(theirs: Ids, nodes: ReadonlyMap<string, string>): References {
  const values = Object.entries(theirs).flatMap(([name, value]) =>
    name === 'url' || name.endsWith('Cursor') ? [] : [value as number | string],
  );
  const ints = values.filter(value => typeof value === 'number').map(value => ({ theirs: value, nobodys: far(value) }));
  const texts = new Set([...values.filter(value => typeof value === 'string'), ...nodes.values()]);
  return {
    ints,
    texts: [
      ...Array.from(texts, value => ({ theirs: value, nobodys: neverLike(value) })),
      // An id may be a number in a text, which is of four bytes too.
      ...ints.map(({ theirs: value, nobodys }) => ({ theirs: String(value), nobodys: String(nobodys) })),
    ],
  };
}

/**
 * Every field that takes a number or a text, whatever its name: a field that takes no reference shows nothing of the
 * other company either.
 */
export function slotsOf(type: GraphQLInputType, path: readonly string[]): Slot[] {
  const named = getNamedType(type);
  if (isInputObjectType(named)) {
    return Object.values(named.getFields()).flatMap(field => slotsOf(field.type, [...path, field.name]));
  }
  return ['Int', 'ID', 'String'].includes(named.name) ? [{ path, isInt: named.name === 'Int' }] : [];
}

export function isUuid(value: unknown): boolean {
  return /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(String(value));
}

/** A number with as many digits, since a longer one could exceed a limit. */
function far(id: number): number {
  return id + 1_000_000;
}

/** A text of equal form and length. */
function neverLike(value: string): string {
  const named = readGlobalId(value);
  if (named) return globalId(named.type, neverLike(named.key));
  if (isUuid(value)) return value.replace(/.$/, last => ((Number.parseInt(last, 16) + 8) % 16).toString(16));
  if (/^\d+$/.test(value)) return String(far(Number(value)));
  return value.replace(/x(?=\W|$)/i, x => (x === 'x' ? 'y' : 'Y'));
}
