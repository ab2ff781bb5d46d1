import { enclaveOf } from '../../places/places.rules.ts';
import { postalCodeFits } from '../../places/postal-codes.rules.ts';

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
