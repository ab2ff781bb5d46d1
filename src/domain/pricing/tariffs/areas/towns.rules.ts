import type { IssueCode } from '../../../../platform/issue-codes.ts';
import { foldedName } from '../../../common/places/place-names.rules.ts';
import { isCountryCode } from '../../../common/places/places.rules.ts';
import { plainPostalCode } from './postal-patterns.rules.ts';

/**
 * Towns abroad, such as `CH Samnaun`. Their keys stand beside the keys of comuni, from which the country distinguishes
 * them.
 */

const TOWN = /^([A-Z]{2}) ([^()]+)(?:\(([^()]+)\))?$/;

/** A town as a rule names it: `DE Neustadt (67433)` has a postal code, and counts with that code alone. */
export function readTown(text: string): string | { readonly code: IssueCode; readonly message: string } {
  const [, countryCode = '', name = '', postalCode] = TOWN.exec(text) ?? [];
  if (countryCode === 'IT') return { code: 'not_allowed', message: 'is Italian: name it in municipalities' };
  if (foldedName(name) === '') {
    const message = 'must be a country and the name of a town in it, such as CH Samnaun or DE Neustadt (67433)';
    return { code: 'invalid_text', message };
  }
  if (!isCountryCode(countryCode)) {
    return { code: 'unknown_country', message: 'must begin with an assigned ISO 3166-1 alpha-2 country code' };
  }
  return keyOf(countryCode, name, postalCode);
}

/** The keys of a destination abroad, the most certain first. */
export function townKeys(countryCode: string, city: string, postalCode: string): readonly string[] {
  return [keyOf(countryCode, city, postalCode), keyOf(countryCode, city)];
}

function keyOf(countryCode: string, name: string, postalCode?: string): string {
  const town = `${countryCode}:${foldedName(name)}`;
  return postalCode === undefined ? town : `${town}|${plainPostalCode(countryCode, postalCode)}`;
}
