import { ms } from '../statements/sql.ts';
import type { ColumnType } from '../statements/statements.ts';

/**
 * Statements that scan an index in its own order, for filtered lists. Conditions that the index does not serve are
 * checked on the scanned rows, up to a limit. So a page costs little however large the table is and however few rows
 * match: it may be short, and states the position up to which it looked.
 */

/** An index of a table of companies, without its first column `company_id` and its last, the id. */
export interface ScannedIndex {
  /**
   * Columns before the columns of the sort order. The index has one range for each row `each` of `ranges`, which has a
   * value for each of these columns: `p1`, `p2`.
   */
  readonly prefix?: readonly string[];
  /** An item of FROM: the number `n` of each range, and its values. */
  readonly ranges?: (value: Parameters['of']) => string;
  /** The time by which rows are sorted before their id; left out if they are sorted by id alone. */
  readonly key?: string;
  readonly condition?: string;
  /**
   * In place of an index: ids of rows that some numbers find. If a number may have many, no more than a page looks
   * through, in the order of the scan (`bounded`).
   */
  readonly ids?: (value: Parameters['of'], bounded: BoundedIds) => string;
}

/** Restricts a select from one table to its first rows within the bounds. */
export type BoundedIds = (id: string, ...prefix: readonly (readonly [column: string, value: string])[]) => string;

export type Direction = 'asc' | 'desc';

export type ParameterType = ColumnType | `${ColumnType}[]`;

/** The parameters of a statement by name: those that its text names. `$1` is the company. */
export class Parameters {
  readonly #names: string[] = [];

  /**
   * Hides the value from the planner, so that PostgreSQL keeps one plan. It must not choose another index for a value
   * that its statistics, which may be old, take for rare.
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

/** The position of a scan: milliseconds since 1970 if it is sorted by a time, and an id. */
export interface Position {
  readonly key: number | null;
  readonly id: number;
}

/** The keys between two positions, both exclusive; null is the end of the index. */
export interface KeyRange {
  readonly low: Position | null;
  readonly high: Position | null;
}

/** More than any id, and exact as a number. */
const MAX_ID = 2 ** 53 - 1;

/** Parameters of the bounds of a scan. */
export function boundsOf({ low, high }: KeyRange): Readonly<Record<string, unknown>> {
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
 * The rows of a scan: `n` of their range, the columns of the table, and `list_key`. The bounds are compared with whole
 * rows of the index, including its prefix: no other index has this order, so PostgreSQL can use no other.
 */
function scan(table: string, index: ScannedIndex, direction: Direction, { of }: Parameters): string {
  if (index.ids) return scanOfIds(table, index.ids, direction, of);
  const { prefix = [], ranges, key, condition = 'true' } = index;
  const values = prefix.map((_, i) => `each.p${i + 1}`);
  const bound = (side: 'low' | 'high') => {
    const time = key === undefined ? [] : [of(`${side}Key`, 'timestamptz')];
    return [...values, ...time, of(`${side}Id`, 'bigint')].join(', ');
  };
  const columns = [...prefix, ...(key === undefined ? [] : [key]), 'r.id'];
  return `select each.n, w.* from ${ranges?.(of) ?? '(select 1 as n) each'} cross join lateral (
      select r.*, ${key ?? 'null::timestamptz'} as list_key from ${table} r
        where r.company_id = $1 and ${condition} and (${columns.join(', ')}) > (${bound('low')}) and (${columns.join(', ')}) < (${bound('high')})
        order by ${columns.map(column => `${column} ${direction}`).join(', ')} limit ${of('window', 'bigint')}
    ) w`;
}

/** Materialized, because PostgreSQL might otherwise scan along the ids. */
function scanOfIds(
  table: string,
  ids: NonNullable<ScannedIndex['ids']>,
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

/** A table whose rows an index scan finds. */
export interface Listed {
  readonly table: string;
  /** The alias of its rows. */
  readonly as: string;
  readonly index: ScannedIndex;
  readonly joins: string;
  /** The condition on a row and the joined ones. */
  readonly condition: (value: Parameters['of']) => string;
}

/** A row of a page, and the position that was reached: null at the end. A page without rows has one row of nulls. */
export interface ScannedRow {
  readonly id: number | null;
  readonly listKey: number | null;
  readonly reachedKey: number | null;
  readonly reachedId: number | null;
}

/** A page. It ends at the first end of a range that continues, because ranges reach different positions. */
export function scannedPage(
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
  return `with looked as materialized (${scan(table, index, direction, parameters)}),
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

/** The number of scanned rows of a range, and of matching ones. */
export interface ScanCount {
  readonly n: number;
  readonly group: string | null;
  readonly looked: number;
  readonly count: number;
}

/** Counts by range and by a group. */
export function scanCount(
  { table, as, index, joins, condition }: Listed,
  group: string,
  parameters: Parameters,
): string {
  return `select ${as}.n::integer, ${group} as "group", count(*)::integer as looked,
      count(*) filter (where ${condition(parameters.of)})::integer as count
    from (${scan(table, index, 'desc', parameters)}) ${as} ${joins} group by 1, 2`;
}

/** The position of a page in a list, by its cursors; both ends are exclusive. */
export interface PositionPage {
  readonly after: Position | null;
  readonly before: Position | null;
  readonly limit: number;
  /** Backwards from the end. */
  readonly inverted: boolean;
}

/** A row of a page, with the time by which the page is sorted. */
export type RowOfPage<Row> = Row & { readonly listKey?: number | null };

/** Rows of a page in the order of the scan, and where the scan stopped before the end of the index. */
export interface ScannedPage<Row> {
  readonly rows: readonly RowOfPage<Row>[];
  readonly reached: Position | null;
}

/** The inverse direction for a page that is read from its end. */
export function directionOf(direction: Direction, { inverted }: PositionPage): Direction {
  return inverted ? OPPOSITE[direction] : direction;
}

const OPPOSITE = { asc: 'desc', desc: 'asc' } as const;

/** The range of an index for a page: within a range of times (without its end), and between cursors. */
export function keyRangeOf(
  direction: Direction,
  { from, to }: { readonly from?: Date | null | undefined; readonly to?: Date | null | undefined },
  { after, before }: Pick<PositionPage, 'after' | 'before'>,
): KeyRange {
  const start = from == null ? null : { key: from.getTime(), id: 0 };
  const end = to == null ? null : { key: to.getTime(), id: 0 };
  const [low, high] = direction === 'asc' ? [after, before] : [before, after];
  return { low: further(start, low, 1), high: further(end, high, -1) };
}

/** The narrower of two bounds: the later of lower bounds (1), the earlier of upper bounds (-1). */
function further(one: Position | null, other: Position | null, sign: 1 | -1): Position | null {
  if (one === null || other === null) return one ?? other;
  const difference = (one.key ?? 0) - (other.key ?? 0) || one.id - other.id;
  return difference * sign >= 0 ? one : other;
}

export function scannedPageOf<Row extends ScannedRow>(found: readonly Row[]): ScannedPage<Row> {
  const [first] = found;
  const reached = first?.reachedId == null ? null : { key: first.reachedKey, id: first.reachedId };
  return { rows: found.filter(({ id }) => id !== null), reached };
}

/** A number: exact, or a lower bound. */
export interface Count {
  readonly count: number;
  readonly isExact: boolean;
}

/** Counts by group; a group is exact if each range with its rows was scanned to its end. */
export function groupsOf(counts: readonly ScanCount[], window: number): Map<string | null, Count> {
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

/** The sum of all counts, up to a limit. */
export function totalOf(counts: readonly ScanCount[], window: number, max: number): Count {
  const groups = [...groupsOf(counts, window).values()];
  const count = groups.reduce((sum, one) => sum + one.count, 0);
  return { count: Math.min(count, max), isExact: count < max && groups.every(({ isExact }) => isExact) };
}
