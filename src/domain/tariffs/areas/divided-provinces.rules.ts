import { provincesOfCap, regionOfProvince } from '../../places/italy.rules.ts';

/**
 * Provinces that were taken out of others since CAPs exist, each with those that its comuni belonged to, the latest first:
 * the eight of 1992 (D.Lgs. 248–254 and 27 March 1992), MB, FM and BT of 2004 (laws 146, 147 and 148), and Sardinia's of
 * 2001 (regional law 9), 2016 (law 2) and 2025 (law 7 of 2021). Read at ISTAT, "Codici statistici delle unità
 * amministrative territoriali", on 2026-11-28.
 */
export const DIVIDED_PROVINCES: ReadonlyMap<string, readonly string[]> = new Map([
  ['BI', ['VC']],
  ['KR', ['CZ']],
  ['LC', ['CO', 'BG']],
  ['LO', ['MI']],
  ['PO', ['FI']],
  ['RN', ['FC']],
  ['VB', ['NO']],
  ['VV', ['CZ']],
  ['MB', ['MI']],
  ['FM', ['AP']],
  ['BT', ['BA', 'FG']],
  ['OT', ['SS', 'NU']],
  ['OG', ['NU']],
  ['CI', ['SU', 'CA']],
  ['VS', ['SU', 'CA']],
  ['SU', ['CA']],
]);

/** The provinces that were taken out of one. */
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
  if (isSardinia) return former;
  const provinces = provincesOfCap(cap);
  const before = former?.filter(one => provinces.includes(one)) ?? [];
  const since = provinces.includes(province) ? [] : provinces.filter(one => isFormerOf(province, one));
  return [...before, ...since];
}

function isFormerOf(province: string, later: string): boolean {
  return DIVIDED_PROVINCES.get(later)?.includes(province) === true;
}
