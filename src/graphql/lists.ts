import type { Count, Position, PositionPage, RowOfPage, ScannedPage } from '../platform/database/lists/index-scan.ts';
import { type IdPage, type ListEnd, type ListPage, MAX_COUNT, MAX_LIST } from '../platform/database/lists/page.ts';
import { invalid } from '../platform/fault.ts';
import { builder, type SchemaTypes } from './builder.ts';
import { COUNT } from './costs.ts';
import { bigintKey } from './node-id.ts';

/**
 * Lists of the graph. A list that takes arguments is a connection: paged in both directions, only forward through a list
 * that a cap keeps short and that may be requested whole, or only back from the end of a list, as a timeline.
 */

const DEFAULT_SIZE = 50;
const MAX_SIZE = 250;
const DEFAULT_LIST_SIZE = 100;

interface PageArgs {
  readonly first?: number | null | undefined;
  readonly last?: number | null | undefined;
  readonly before?: string | null | undefined;
  readonly after?: string | null | undefined;
}

type ListArgs = Pick<PageArgs, 'first' | 'after'>;
type EndArgs = Pick<PageArgs, 'last' | 'before'>;

interface PageBounds {
  readonly hasNextPage: boolean;
  readonly hasPreviousPage: boolean;
}

/** The source of a connection: rows, their keys, and the total. */
interface Rows<Row> {
  keyOf(row: Row): string | number;
  /** Counts up to `MAX_COUNT`; a smaller number is exact. Left out if the connection shows no total. */
  readonly count?: () => Promise<number | Count>;
}

interface Found<Row> extends PageBounds {
  readonly nodes: readonly Row[];
  /** The keys to continue from if they differ from the keys of the first or last row, because more rows were read. */
  readonly start?: string | undefined;
  readonly end?: string | undefined;
}

/**
 * A page of rows. It is read when a part is selected, and unselected parts are not made. A page that was read
 * with its record makes no promise: each of a list of shipments has a timeline.
 */
class Page<Row> {
  readonly #rows: Rows<Row>;
  #found: Found<Row> | Promise<Found<Row>> | (() => Promise<Found<Row>>);
  #count: Promise<Count> | undefined;

  constructor(found: Found<Row> | (() => Promise<Found<Row>>), rows: Rows<Row>) {
    this.#found = found;
    this.#rows = rows;
  }

  get nodes(): readonly Row[] | Promise<readonly Row[]> {
    const found = this.#found;
    // Without a closure, since it runs for every record of a list.
    return 'nodes' in found ? found.nodes : this.#then(({ nodes }) => nodes);
  }

  get edges() {
    return this.#then(({ nodes }) => nodes.map(node => new Edge(node, this.#rows)));
  }

  get pageInfo() {
    return this.#then(({ nodes, hasNextPage, hasPreviousPage, start, end }) => ({
      hasNextPage,
      hasPreviousPage,
      startCursor: start === undefined ? this.#cursorOf(nodes[0]) : cursorOf(start),
      endCursor: end === undefined ? this.#cursorOf(nodes.at(-1)) : cursorOf(end),
    }));
  }

  count(): Promise<Count> {
    this.#count ??= this.#counted();
    return this.#count;
  }

  async #counted(): Promise<Count> {
    const counted = (await this.#rows.count?.()) ?? 0;
    return typeof counted === 'number' ? { count: counted, isExact: counted < MAX_COUNT } : counted;
  }

  #then<Shown>(show: (found: Found<Row>) => Shown): Shown | Promise<Shown> {
    if (typeof this.#found === 'function') this.#found = this.#found();
    return this.#found instanceof Promise ? this.#found.then(show) : show(this.#found);
  }

  #cursorOf(row: Row | undefined): string | null {
    return row === undefined ? null : cursorOf(this.#rows.keyOf(row));
  }
}

/** A row of a page. Its cursor is made when it is selected. */
class Edge<Row> {
  readonly node: Row;
  readonly #rows: Rows<Row>;

  constructor(node: Row, rows: Rows<Row>) {
    this.node = node;
    this.#rows = rows;
  }

  get cursor(): string {
    return cursorOf(this.#rows.keyOf(this.node));
  }
}

function cursorOf(key: string | number): string {
  return Buffer.from(`id:${key}`).toString('base64url');
}

/** The connection of a type, `XConnection` with its `XEdge`. */
export function connectionOf<Row>(
  type: PothosSchemaTypes.ObjectRef<SchemaTypes, Row>,
  { isCounted = true }: { readonly isCounted?: boolean } = {},
): PothosSchemaTypes.ObjectRef<SchemaTypes, Page<Row>> {
  const { name } = type;
  return builder.connectionObject(
    {
      type,
      name: `${name}Connection`,
      fields: t => {
        const nodes = t.field({
          type: [type],
          description: 'The page, without cursors.',
          // The connection counts them already, so that a list costs the same with and without this level.
          complexity: { field: 0, multiplier: 1 },
          resolve: page => (page as unknown as Page<Row>).nodes as never,
        });
        const totalCount = t.int({
          description: `Number of records in the whole list, at most ${MAX_COUNT}. If \`isTotalCountExact\` is false, there are at least as many.`,
          complexity: COUNT,
          resolve: async page => (await (page as unknown as Page<Row>).count()).count,
        });
        const isTotalCountExact = t.boolean({
          description: 'Whether `totalCount` is exact. Counting stops after a limited number of records.',
          complexity: COUNT,
          resolve: async page => (await (page as unknown as Page<Row>).count()).isExact,
        });
        return { nodes, ...(isCounted && { totalCount, isTotalCountExact }) };
      },
    },
    { name: `${name}Edge` },
  ) as never;
}

/** Arguments of a connection that is paged in both directions. */
export const PAGE_ARGS = builder.args(t => ({
  first: t.int({ description: `How many at most, from the start; 1 to ${MAX_SIZE}.` }),
  after: t.string({ description: 'Only those after this cursor.' }),
  last: t.int({ description: `How many at most, from the end; 1 to ${MAX_SIZE}. Not together with \`first\`.` }),
  before: t.string({ description: 'Only those before this cursor.' }),
}));

/** Arguments of a connection that leads forward through a list. */
export const LIST_ARGS = builder.args(t => ({
  first: t.int({ defaultValue: DEFAULT_LIST_SIZE, description: `How many at most, 1 to ${MAX_LIST}.` }),
  after: t.string({ description: 'Only those after this cursor.' }),
}));

/** Arguments of a connection that leads back from the end of a list, whose last records matter most. */
export const END_ARGS = builder.args(t => ({
  last: t.int({ defaultValue: DEFAULT_LIST_SIZE, description: `How many at most, from the end; 1 to ${MAX_LIST}.` }),
  before: t.string({ description: 'Only those before this cursor.' }),
}));

/** The cost of a connection: its selection for each record of the page. */
export function pageCost({ first, last }: Pick<PageArgs, 'first' | 'last'>) {
  return { multiplier: Math.min(first ?? last ?? DEFAULT_SIZE, MAX_SIZE) };
}

/** The cost of a list: its selection for each possible entry. */
export function listCost({ first, last }: Pick<PageArgs, 'first' | 'last'>) {
  return { multiplier: Math.min(first ?? last ?? DEFAULT_LIST_SIZE, MAX_LIST) };
}

/** A page of rows in the order of their ids. @throws Fault `validation_failed` */
export function pageById<Row extends { readonly id: number }>(
  args: PageArgs,
  count: () => Promise<number>,
  read: (page: IdPage) => Promise<readonly Row[]>,
): Page<Row> {
  const readIds = async ({ before, after, ...page }: PositionPage) => {
    return { rows: await read({ ...page, before: before?.id ?? null, after: after?.id ?? null }), reached: null };
  };
  return pageByPosition(args, null, count, readIds);
}

/**
 * A page of rows that are sorted by a time and their ids, or by ids alone. A short page need not be the last.
 *
 * @param sortedBy names the time in cursors, which are valid for no other list
 * @throws Fault `validation_failed`
 */
export function pageByPosition<Row extends { readonly id: number }>(
  args: PageArgs,
  sortedBy: string | null,
  count: () => Promise<number | Count>,
  read: (page: PositionPage) => Promise<ScannedPage<Row>>,
): Page<Row> {
  checkSize('first', args.first, MAX_SIZE);
  checkSize('last', args.last, MAX_SIZE);
  if (args.first != null && args.last != null) {
    throw invalid([{ path: ['last'], code: 'not_allowed', message: 'must be left out where `first` is given' }]);
  }
  const readKey = (text: string) => positionIn(sortedBy, text);
  const before = keyIn('before', args.before, readKey);
  const after = keyIn('after', args.after, readKey);
  const size = args.first ?? args.last ?? DEFAULT_SIZE;
  const inverted = args.last != null || (args.first == null && before !== null && after === null);
  const textOf = ({ key, id }: Position) => (sortedBy === null ? String(id) : `${sortedBy}.${key}.${id}`);
  const readPage = async (): Promise<Found<RowOfPage<Row>>> => {
    const { rows: found, reached } = await read({ before, after, limit: size + 1, inverted });
    const isFull = found.length > size;
    const rows = isFull ? found.slice(0, size) : found;
    const hasMore = isFull || reached !== null;
    const further = isFull || reached === null ? undefined : textOf(reached);
    // The row of a cursor exists beyond the page, because the cursor was given out with it.
    return inverted
      ? {
          nodes: rows.toReversed(),
          hasNextPage: before !== null,
          hasPreviousPage: hasMore || after !== null,
          start: further,
        }
      : { nodes: rows, hasNextPage: hasMore || before !== null, hasPreviousPage: after !== null, end: further };
  };
  return new Page(readPage, { keyOf: ({ listKey: key = null, id }) => textOf({ key, id }), count });
}

/** The last millisecond of the year 9999. */
const LAST_TIME = 253_402_300_799_999;

/** A position as a cursor has it: an id, or `updated.1764000000000.17`. */
function positionIn(sortedBy: string | null, text: string): Position | undefined {
  if (sortedBy === null) {
    const id = bigintKey(text);
    return id === undefined ? undefined : { key: null, id };
  }
  const [, name, key, digits = ''] = /^(\w+)\.(-?\d{1,15})\.(\d{1,15})$/.exec(text) ?? [];
  const time = Number(key);
  return name === sortedBy && time >= 0 && time <= LAST_TIME ? { key: time, id: Number(digits) } : undefined;
}

/**
 * A part of a list, as a page.
 *
 * @param readKey the key in a cursor; undefined for an invalid text
 * @param loaded the whole list, if it was read with its record
 * @throws Fault `validation_failed`
 */
export function listPage<Row, Key>(
  args: ListArgs,
  readKey: (text: string) => Key | undefined,
  rows: Rows<Row>,
  read: (page: ListPage<Key>) => Promise<readonly Row[]>,
  loaded?: readonly Row[],
): Page<Row> {
  const size = sizeOf('first', args.first);
  const after = keyIn('after', args.after, readKey);
  const pageOf = (found: readonly Row[]): Found<Row> => {
    const hasNextPage = found.length > size;
    return { nodes: hasNextPage ? found.slice(0, size) : found, hasNextPage, hasPreviousPage: after !== null };
  };
  if (loaded && after === null) return new Page(pageOf(loaded), rows);
  return new Page(async () => pageOf(await read({ after, limit: size + 1 })), rows);
}

/**
 * The end of a list of rows with ids, in the order of the list.
 *
 * @param read returns as many of the last rows as it is asked for, before the one with an id
 * @param loaded the whole list, if it was read with its record
 * @throws Fault `validation_failed`
 */
export function endPage<Row extends { readonly id: number }>(
  args: EndArgs,
  read: (page: ListEnd) => Promise<readonly Row[]>,
  loaded?: readonly Row[],
): Page<Row> {
  const size = sizeOf('last', args.last);
  const before = keyIn('before', args.before, bigintKey);
  if (loaded && before === null) return new Page<Row>(endOf(loaded, size, false), BY_ID);
  return new Page<Row>(async () => endOf(await read({ before, limit: size + 1 }), size, before !== null), BY_ID);
}

const BY_ID: Rows<{ readonly id: number }> = { keyOf: ({ id }) => id };

function endOf<Row>(found: readonly Row[], size: number, hasNextPage: boolean): Found<Row> {
  const hasPreviousPage = found.length > size;
  return { nodes: hasPreviousPage ? found.slice(-size) : found, hasNextPage, hasPreviousPage };
}

function keyIn<Key>(
  name: 'before' | 'after',
  cursor: string | null | undefined,
  readKey: (text: string) => Key | undefined,
): Key | null {
  if (cursor == null) return null;
  const [, text] = /^id:(.+)$/s.exec(Buffer.from(cursor, 'base64url').toString()) ?? [];
  const key = text === undefined ? undefined : readKey(text);
  if (key !== undefined) return key;
  throw invalid([{ path: [name], code: 'invalid_cursor', message: 'is not a cursor of an earlier page' }]);
}

/** The number of entries to return, with its default. @throws Fault `validation_failed` */
function sizeOf(name: 'first' | 'last', size: number | null | undefined): number {
  checkSize(name, size, MAX_LIST);
  return size ?? DEFAULT_LIST_SIZE;
}

/** @throws Fault `validation_failed` */
export function checkSize(name: 'first' | 'last', size: number | null | undefined, max: number): void {
  if (size == null || (size >= 1 && size <= max)) return;
  throw invalid([{ path: [name], code: 'out_of_range', message: `must be from 1 to ${max}` }]);
}

/** Finds something for each of some names, in their order. A rejected name has its error in its place. */
export async function eachByItself<Name, Found>(
  names: readonly Name[],
  find: (name: Name, i: number) => Promise<Found>,
): Promise<Found[]> {
  const settled = await Promise.allSettled(names.map(find));
  return settled.map(one => (one.status === 'fulfilled' ? one.value : one.reason));
}
