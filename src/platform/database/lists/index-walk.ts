import { ms } from '../statements/sql.ts';
import type { ColumnType } from '../statements/statements.ts';

/**
 * Statements that walk along an index in its own order, for lists that are filtered. Conditions that the index does not
 * have are checked on the rows as they come, on no more than so many of them. So a page costs little however large the
 * table is and however few rows match: it may be short, and says up to where it has looked.
 */

/** An index of a table of companies, without its first column `company_id` and its last, the id. */
export interface WalkedIndex {
  /**
   * Columns before those that rows are sorted by. There is one stretch of the index for each row `each` of `stretches`,
   * which has a value of each of these columns: `p1`, `p2`.
   */
  readonly prefix?: readonly string[];
  /** An item of FROM: the number `n` of each stretch, and its values. */
  readonly stretches?: (value: Parameters['of']) => string;
  /** What the rows are sorted by before their id, which is a time; left out where they are sorted by id alone. */
  readonly key?: string;
  /** The condition of a partial index. */
  readonly condition?: string;
  /**
   * In place of an index: ids of rows that some numbers find. Where a number may have many, no more than a page looks
   * through, from the first on in the order of the walk (`bounded`).
   */
  readonly ids?: (value: Parameters['of'], bounded: BoundedIds) => string;
}

/** Adds to a select from one table: those of its rows that are within the bounds, from the first on. */
export type BoundedIds = (id: string, ...prefix: readonly (readonly [column: string, value: string])[]) => string;

export type Direction = 'asc' | 'desc';

export type ParameterType = ColumnType | `${ColumnType}[]`;

/** The parameters of a statement by name: a statement has those that its text names. `$1` is the company. */
export class Parameters {
  readonly #names: string[] = [];

  /**
   * PostgreSQL does not see the value when it plans, and so keeps one plan. It must not choose another index for a value
   * that it believes to be rare: what it believes may be of yesterday.
   */
  readonly of = (name: string, type: ParameterType): string => {
    if (!this.#names.includes(name)) this.#names.push(name);
    return `(select $${this.#names.indexOf(name) + 2}::${type})`;
  };

  /** The values in the order of the statement, without the company. */
  valuesOf(values: Readonly<Record<string, unknown>>): unknown[] {
    return this.#names.map(name => values[name] ?? null);
  }
}

/** The row that a walk has come to: milliseconds since 1970 where it is sorted by a time, and an id. */
export interface Position {
  readonly key: number | null;
  readonly id: number;
}

/** Between two positions, both exclusive; null is the end of the index. */
export interface Stretch {
  readonly low: Position | null;
  readonly high: Position | null;
}

/** More than any id, and exact as a number. */
export const MAX_ID = 2 ** 53 - 1;

/** Parameters of the bounds of a walk. */
export function boundsOf({ low, high }: Stretch): Readonly<Record<string, unknown>> {
  const time = (position: Position | null, end: string) =>
    position?.key == null ? end : new Date(position.key).toISOString();
  return {
    lowKey: time(low, '-infinity'),
    lowId: low?.id ?? 0,
    highKey: time(high, 'infinity'),
    highId: high?.id ?? MAX_ID,
  };
}

/**
 * The rows of a walk: `n` of their stretch, the columns of the table, and `list_key`. The bounds are compared with whole
 * rows of the index, prefix and all: no other index has this order, so that PostgreSQL can take no other.
 */
function walk(table: string, index: WalkedIndex, direction: Direction, { of }: Parameters): string {
  if (index.ids) return walkOfIds(table, index.ids, direction, of);
  const { prefix = [], stretches, key, condition = 'true' } = index;
  const values = prefix.map((_, i) => `each.p${i + 1}`);
  const bound = (side: 'low' | 'high') => {
    const time = key === undefined ? [] : [of(`${side}Key`, 'timestamptz')];
    return [...values, ...time, of(`${side}Id`, 'bigint')].join(', ');
  };
  const columns = [...prefix, ...(key === undefined ? [] : [key]), 'r.id'];
  return `select each.n, w.* from ${stretches?.(of) ?? '(select 1 as n) each'} cross join lateral (
      select r.*, ${key ?? 'null::timestamptz'} as list_key from ${table} r
        where r.company_id = $1 and ${condition} and (${columns.join(', ')}) > (${bound('low')}) and (${columns.join(', ')}) < (${bound('high')})
        order by ${columns.map(column => `${column} ${direction}`).join(', ')} limit ${of('window', 'bigint')}
    ) w`;
}

/** Materialized: otherwise the rows might be looked for along the ids. */
function walkOfIds(
  table: string,
  ids: NonNullable<WalkedIndex['ids']>,
  direction: Direction,
  of: Parameters['of'],
): string {
  const bounded: BoundedIds = (id, ...prefix) => {
    const columns = [...prefix.map(([column]) => column), id];
    const values = prefix.map(([, value]) => value);
    const bound = (side: 'low' | 'high') => [...values, of(`${side}Id`, 'bigint')].join(', ');
    return `(${columns.join(', ')}) > (${bound('low')}) and (${columns.join(', ')}) < (${bound('high')})
      order by ${columns.map(column => `${column} ${direction}`).join(', ')} limit ${of('window', 'bigint')}`;
  };
  return `select 1 as n, w.*, null::timestamptz as list_key
    from (with found as materialized (${ids(of, bounded)})
      select distinct id from found where id > ${of('lowId', 'bigint')} and id < ${of('highId', 'bigint')}
        order by id ${direction} limit ${of('window', 'bigint')}) each
    cross join lateral (select r.* from ${table} r where r.company_id = $1 and r.id = each.id limit 1) w`;
}

/** What is walked along an index. */
export interface Listed {
  readonly table: string;
  /** The name of a row of it. */
  readonly as: string;
  readonly index: WalkedIndex;
  /** Tables that belong to the row. */
  readonly joins: string;
  /** What a row and the joined must be. */
  readonly condition: (value: Parameters['of']) => string;
}

/** A row of a page, and up to where it was looked: null where there is nothing beyond. A page without rows has one of nulls. */
export interface WalkedRow {
  readonly id: number | null;
  readonly listKey: number | null;
  readonly reachedKey: number | null;
  readonly reachedId: number | null;
}

/**
 * A page. Where there are several stretches, each is looked through up to another row: the page ends where the first of
 * those that go on ends.
 */
export function walkedPage(
  { table, as, index, joins, condition }: Listed,
  direction: Direction,
  select: string,
  parameters: Parameters,
): string {
  const { of } = parameters;
  const back = direction === 'asc' ? 'desc' : 'asc';
  const isSorted = index.key !== undefined;
  const position = (row: string) => (isSorted ? `${row}list_key, ${row}id` : `${row}id`);
  const order = (row: string, to: Direction) => (isSorted ? `${row}list_key ${to}, ${row}id ${to}` : `${row}id ${to}`);
  const compared = isSorted ? `(${as}.list_key, ${as}.id)` : `${as}.id`;
  return `with looked as materialized (${walk(table, index, direction, parameters)}),
    ends as (
      select distinct on (n) n, list_key, id from looked
        where n in (select n from looked group by n having count(*) >= ${of('window', 'bigint')}) order by n, ${order('', back)}
    ), reached as (select list_key, id from ends order by ${order('', direction)} limit 1),
    page as (
      select ${select}, ${ms(`${as}.list_key`)} as "listKey" from looked ${as} ${joins}
        where coalesce(${compared} ${direction === 'asc' ? '<=' : '>='} (select ${position('')} from reached), true)
          and ${condition(of)}
        order by ${order(`${as}.`, direction)} limit ${of('limit', 'bigint')}
    )
    select ${ms('reached.list_key')} as "reachedKey", reached.id as "reachedId", p.*
      from (select id from company where id = $1) own left join reached on true left join page p on true
      order by p."listKey" ${direction}, p.id ${direction}`;
}

/** How many rows of a stretch were looked through, and how many of them are counted. */
export interface WalkedCount {
  readonly n: number;
  readonly group: string | null;
  readonly looked: number;
  readonly count: number;
}

/** Counts by stretch and by a group. */
export function walkedCount(
  { table, as, index, joins, condition }: Listed,
  group: string,
  parameters: Parameters,
): string {
  return `select ${as}.n::integer, ${group} as "group", count(*)::integer as looked,
      count(*) filter (where ${condition(parameters.of)})::integer as count
    from (${walk(table, index, 'desc', parameters)}) ${as} ${joins} group by 1, 2`;
}

/** Where a page lies in the order of a list, by what a cursor holds; both ends are exclusive. */
export interface PositionPage {
  readonly after: Position | null;
  readonly before: Position | null;
  readonly limit: number;
  /** From its end back. */
  readonly inverted: boolean;
}

/** Rows of a page in the order in which they were walked along, and where the walk stopped before the end of the index. */
export interface WalkedPage<Row> {
  readonly rows: readonly (Row & { readonly listKey: number | null })[];
  readonly reached: Position | null;
}

/** The other way where a page is read from its end. */
export function directionOf(direction: Direction, { inverted }: PositionPage): Direction {
  return inverted ? OPPOSITE[direction] : direction;
}

const OPPOSITE = { asc: 'desc', desc: 'asc' } as const;

/** The part of an index that a page may be in: within a range of times (from the first on, before the last), and between cursors. */
export function stretchOf(
  direction: Direction,
  { from, to }: { readonly from?: Date | null | undefined; readonly to?: Date | null | undefined },
  { after, before }: Pick<PositionPage, 'after' | 'before'>,
): Stretch {
  const start = from == null ? null : { key: from.getTime(), id: 0 };
  const end = to == null ? null : { key: to.getTime(), id: 0 };
  const [low, high] = direction === 'asc' ? [after, before] : [before, after];
  return { low: further(start, low, 1), high: further(end, high, -1) };
}

/** Of two bounds the one that leaves less: the later one of lower bounds (1), the earlier one of upper bounds (-1). */
function further(one: Position | null, other: Position | null, sign: 1 | -1): Position | null {
  if (one === null || other === null) return one ?? other;
  const difference = (one.key ?? 0) - (other.key ?? 0) || one.id - other.id;
  return difference * sign >= 0 ? one : other;
}

/** What the statement of a page returned. */
export function walkedPageOf<Row extends WalkedRow>(found: readonly Row[]): WalkedPage<Row> {
  const [first] = found;
  const reached = first?.reachedId == null ? null : { key: first.reachedKey, id: first.reachedId };
  return { rows: found.filter(({ id }) => id !== null), reached };
}

/** How many there are: exactly, or at least so many. */
export interface Count {
  readonly count: number;
  readonly isExact: boolean;
}

/** Counts by group; a group is counted to its end if each stretch that it was met in was. */
export function groupsOf(counts: readonly WalkedCount[], window: number): Map<string | null, Count> {
  const lookedThrough = Map.groupBy(counts, ({ n }) => n);
  const cut = new Set(
    [...lookedThrough].filter(([, of]) => of.reduce((sum, { looked }) => sum + looked, 0) >= window).map(([n]) => n),
  );
  const groups = [...Map.groupBy(counts, ({ group }) => group)].map(([group, of]) => {
    const count = of.reduce((sum, one) => sum + one.count, 0);
    return [group, { count, isExact: !of.some(({ n }) => cut.has(n)) }] as const;
  });
  return new Map(groups);
}

/** All of them together, up to a most. */
export function totalOf(counts: readonly WalkedCount[], window: number, max: number): Count {
  const groups = [...groupsOf(counts, window).values()];
  const count = groups.reduce((sum, one) => sum + one.count, 0);
  return { count: Math.min(count, max), isExact: count < max && groups.every(({ isExact }) => isExact) };
}
