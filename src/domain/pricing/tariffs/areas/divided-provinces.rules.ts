import { SPLIT_FROM } from '../../../common/places/former-provinces.rules.ts';
import { provincesOfCap, regionOfProvince } from '../../../common/places/italy.rules.ts';

/** Provinces that were split off before any tariff in use was written; their CAPs begin like the older province's. */
const LONG_AGO: ReadonlySet<string> = new Set(['PN', 'IS', 'OR']);

/** Sardinia's provinces of 2001 (regional law 9), 2016 (law 2) and 2025 (law 7 of 2021), which kept the older CAPs. */
const SARDINIA: readonly (readonly [string, readonly string[]])[] = [
  ['OT', ['SS', 'NU']],
  ['OG', ['NU']],
  ['CI', ['SU', 'CA']],
  ['VS', ['SU', 'CA']],
  ['SU', ['CA']],
];

/** How the CAPs of Sardinia's older provinces begin. */
const SARDINIAN_CAPS: Readonly<Record<string, string>> = { SS: '07', NU: '08', CA: '09', SU: '09' };

/** Provinces that a tariff may still take for a part of others, each with those that its comuni belonged to, the latest first. */
export const DIVIDED_PROVINCES: ReadonlyMap<string, readonly string[]> = new Map([
  ...[...SPLIT_FROM].filter(([province]) => !LONG_AGO.has(province)),
  ...SARDINIA,
]);

/** The provinces that were split off from a province. */
export function takenOutOf(province: string): readonly string[] {
  return [...DIVIDED_PROVINCES].filter(([, former]) => former.includes(province)).map(([code]) => code);
}

/**
 * Other provinces whose rules hold for a place of a province, in their order: those that its CAP had before, and the one
 * that the CAP has had since, where the province is a former one (20900 with MI is in MB). A CAP that was new with its
 * province, such as Monza's 20900, never had another one. In Sardinia the CAPs stayed.
 */
export function formerAndLater(province: string, cap: string): readonly string[] {
  const former = DIVIDED_PROVINCES.get(province);
  const isSardinia = former !== undefined && regionOfProvince(province) === 'Sardegna';
  if (isSardinia) return former.filter(one => SARDINIAN_CAPS[one]?.includes(cap.slice(0, 2)));
  const provinces = provincesOfCap(cap);
  const before = former?.filter(one => provinces.includes(one)) ?? [];
  const since = provinces.includes(province) ? [] : provinces.filter(one => isFormerOf(province, one));
  return [...before, ...since];
}

function isFormerOf(province: string, later: string): boolean {
  return DIVIDED_PROVINCES.get(later)?.includes(province) === true;
}
