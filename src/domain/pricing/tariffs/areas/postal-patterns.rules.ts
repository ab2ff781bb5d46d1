import { enclaveOf } from '../../../common/places/places.rules.ts';
import { postalCodeFits } from '../../../common/places/postal-codes.rules.ts';

// How postal codes are written in tariffs.

/** Whether a pattern is a postal code of a country, or the beginning of some. */
export function isWholeOrBeginning(countryCode: string, pattern: string): boolean {
  if (!/^[A-Z0-9][A-Z0-9 -]{0,20}\*?$/i.test(pattern)) return false;
  if (pattern.endsWith('*')) return countryCode !== 'IT' || /^\d{1,4}\*$/.test(pattern);
  return postalCodeFits(countryCode, pattern);
}

/**
 * Returns the country that CAPs, or beginnings of CAPs, belong to. San Marino and the Vatican own their CAPs even where
 * an address gives Italy as the country.
 */
export function ownerOf(from: string, to: string): string {
  return enclaveOf(from.replace('*', '').padEnd(5, '0'), to.replace('*', '').padEnd(5, '9')) ?? 'IT';
}

/** How postal codes are compared: without spaces, hyphens and a country's own letters before them (`LV-1073`). */
export function plainPostalCode(countryCode: string, postalCode: string): string {
  const plain = postalCode.toUpperCase().replace(/[\s-]+/g, '');
  return plain.startsWith(countryCode) ? plain.slice(countryCode.length) : plain;
}

/** By country and length, since the forms of a country differ in their separators alone. */
const wholeLengths = new Set<string>();

/**
 * Whether the digits of an end of a range are a whole code, or the part of one before its blank or hyphen (`PT 1000`,
 * `FR 57`). Shorter ones can be whole codes whose first zeros a spreadsheet has dropped: 100 for 00100.
 */
export function isWholeEnd(countryCode: string, digits: string): boolean {
  const key = countryCode + digits.length;
  if (wholeLengths.has(key)) return true;
  const isWhole = WRITTEN.some(write => postalCodeFits(countryCode, write(countryCode, digits)));
  const isGroup = !isWhole && REST_OF_CODE.some(rest => postalCodeFits(countryCode, digits + rest));
  if (isWhole || isGroup) wholeLengths.add(key);
  return isWhole || isGroup;
}

/** How digits without separators stand in the forms of countries. */
const WRITTEN: readonly ((countryCode: string, digits: string) => string)[] = [
  (_, digits) => digits,
  (countryCode, digits) => `${countryCode}-${digits}`,
  ...[2, 3, 4, 5].flatMap(at =>
    [' ', '-'].map(separator => (_: string, digits: string) => digits.slice(0, at) + separator + digits.slice(at)),
  ),
];
const REST_OF_CODE = [' ', '-'].flatMap(separator =>
  ['00', '000', '0000', '00000', 'AA'].map(rest => separator + rest),
);

/** Both readings of a range with short ends, for its message: as beginnings, and as codes that lost their zeros. */
export function wholeRanges(countryCode: string, from: string, to: string): readonly string[] {
  const isWhole = (length: number) => isWholeEnd(countryCode, from.padEnd(length, '0'));
  const length = [2, 3, 4, 5, 6, 7, 8, 9, 10].find(one => one > from.length && isWhole(one));
  if (length === undefined) return [];
  const ranges = [
    [from.padEnd(length, '0'), to.padEnd(length, '9')],
    [from.padStart(length, '0'), to.padStart(length, '0')],
  ];
  return ranges.map(ends => ends.join('-'));
}
