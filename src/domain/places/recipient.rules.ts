import type { Checks } from '../checks.rules.ts';
import { isCountryCode, postalCodeFits, postalCodeHint } from './places.rules.ts';

/** Whom a parcel goes to, as queries may show it. */
export interface Recipient {
  readonly companyName: string | null;
  readonly address: string;
  readonly postalCode: string;
  readonly city: string;
  readonly province: string | null;
  /** ISO 3166-1 alpha-2. */
  readonly countryCode: string;
}

/** How to reach them: stored apart, and no query shows it. */
export interface Contact {
  readonly email: string | null;
  readonly telephone: string | null;
}

export interface RecipientInput {
  companyName?: string | null;
  address: string;
  postalCode: string;
  city: string;
  province?: string | null;
  countryCode?: string | null;
  email?: string | null;
  telephone?: string | null;
}

type Path = readonly (string | number)[];

export function checkRecipient(
  checks: Checks,
  path: Path,
  input: RecipientInput,
): { recipient: Recipient; contact: Contact } {
  const countryCode = checkCountry(checks, [...path, 'countryCode'], input.countryCode ?? 'IT');
  const postalCode = checks.text([...path, 'postalCode'], input.postalCode, 20);
  checkPostalCode(checks, [...path, 'postalCode'], countryCode, postalCode);
  return {
    recipient: {
      companyName: checks.optionalText([...path, 'companyName'], input.companyName ?? null),
      address: checks.text([...path, 'address'], input.address),
      postalCode,
      city: checks.text([...path, 'city'], input.city),
      province: checks.optionalText([...path, 'province'], input.province ?? null),
      countryCode,
    },
    contact: {
      email: checks.optionalText([...path, 'email'], input.email ?? null, 320),
      telephone: checks.optionalText([...path, 'telephone'], input.telephone ?? null, 50),
    },
  };
}

/** An assigned ISO 3166-1 alpha-2 code, accepted in either case and answered in upper. */
export function checkCountry(checks: Checks, path: Path, value: string | null): string {
  // Letters of ASCII only: toUpperCase makes IT of a dotless ı and a t.
  const given = (value ?? '').trim();
  const country = /^[A-Za-z]{2}$/.test(given) ? given.toUpperCase() : '';
  if (value === null) checks.add(path, 'required', 'must not be null');
  else if (!isCountryCode(country)) {
    checks.add(path, 'unknown_country', 'must be an assigned ISO 3166-1 alpha-2 country code, such as IT');
  }
  return country;
}

/** Whether a postal code has the form its country's have; countries without a known form take any. */
export function checkPostalCode(checks: Checks, path: Path, country: string, postalCode: string): void {
  if (postalCode !== '' && isCountryCode(country) && !postalCodeFits(country, postalCode)) {
    const hint = postalCodeHint(country);
    checks.add(
      path,
      'invalid_postal_code',
      `does not have the form of a postal code of ${country}${hint ? ` (${hint})` : ''}`,
    );
  }
}
