import type { Issue } from '../../platform/fault.ts';
import { postalCodeFits, postalCodeHint } from './places.rules.ts';

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

/** Whether the person was taken out of it: a recipient that is sent always has a street. */
export function isAnonymized({ address }: Recipient): boolean {
  return address === '';
}

/** How to reach them: stored apart, and no query shows it. */
export interface Contact {
  readonly email: string | null;
  readonly telephone: string | null;
}

/** Whether a postal code has the form of its country's; countries without a known form accept any. */
export function postalCodeIssues(
  path: Issue['path'],
  country: string | undefined,
  postalCode: string | undefined,
): readonly Issue[] {
  if (country === undefined || postalCode === undefined || postalCodeFits(country, postalCode)) return [];
  const hint = postalCodeHint(country);
  const message = `must have the form of a postal code of ${country}${hint ? ` (${hint})` : ''}`;
  return [{ path, code: 'invalid_postal_code', message }];
}
