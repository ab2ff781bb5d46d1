import { laneOf, laneOfProvince } from './lane.rules.ts';
import type { CellRow } from './promise-table.rules.ts';

/** What a group's own deliveries say; null where they are too few for a quantile so high. */
export interface TransitTimes extends Omit<CellRow, 'expected' | 'latest'> {
  readonly expected: number | null;
  readonly latest: number | null;
  /** Of all deliveries of the group. */
  readonly longest: number;
}

/**
 * Fills in the quantiles that groups are too small for: with thirty deliveries there is no time within which 98 of 100
 * come, and the longest of them is short of it. So that of the next coarser group counts, where it is later.
 */
export function withCoarser(rows: readonly TransitTimes[]): CellRow[] {
  const known = new Map<string, CellRow>();
  for (const { longest, ...row } of rows.toSorted((a, b) => b.level - a.level)) {
    const coarser = coarserKeys(row)
      .map(key => known.get(key))
      .find(found => found !== undefined);
    const expected = row.expected ?? Math.max(longest, coarser?.expected ?? 0);
    const latest = row.latest ?? Math.max(longest, coarser?.latest ?? 0);
    known.set(keyOf(row, row.level, row.destination), { ...row, expected, latest });
  }
  return [...known.values()];
}

type Group = Pick<CellRow, 'carrierCompanyId' | 'kind' | 'level' | 'destination'>;

const keyOf = (
  { carrierCompanyId, kind }: Pick<Group, 'carrierCompanyId' | 'kind'>,
  level: number,
  destination: string,
) => `${carrierCompanyId}|${kind}|${level}|${destination}`;

/** The groups that a group lies in, from the next one on. */
function coarserKeys(group: Group): string[] {
  const { level, destination } = group;
  const lane = level === 0 ? laneOfPostalCode(destination) : level === 1 ? laneOfProvince(destination) : undefined;
  const levels = [undefined, lane?.[1], lane?.[2], ''];
  return levels.flatMap((name, at) => (at > level && name !== undefined ? [keyOf(group, at, name)] : []));
}

/** The lane of a postal code as `laneOf` has it. */
function laneOfPostalCode(postalCode: string) {
  const [, country, plain] = /^([A-Z]{2}) (.*)$/.exec(postalCode) ?? [];
  return country === undefined ? laneOf('IT', postalCode) : laneOf(country, plain ?? '');
}
