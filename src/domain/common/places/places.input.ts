import { z } from 'zod';
import type { Issue } from '../../../platform/fault.ts';
import { graphqlTypes } from '../../../platform/input.ts';
import { oneLine } from '../../../platform/plain-text.ts';
import { add, addWrongType, anything, mustBe, textIssue } from '../fields.input.ts';
import { isCountryCode } from './places.rules.ts';
import { postalCodeIssue, readPostalCode } from './postal-codes.rules.ts';

/** The fields of addresses. */

const COUNTRY = 'an assigned ISO 3166-1 alpha-2 country code, such as IT';
const JSON_SCHEMA = { pattern: '^[A-Za-z]{2}$', examples: ['IT'] };

/** An assigned ISO 3166-1 alpha-2 code, accepted in either case and returned in upper case. */
export function country() {
  return z.string(mustBe(COUNTRY)).check(readCountry).meta(JSON_SCHEMA);
}

/** The code of a country; Italy if it is absent or null. */
export function countryOrItaly() {
  const schema = anything<string, string | null>(payload => {
    payload.value ??= 'IT';
    if (typeof payload.value === 'string') readCountry(payload as z.core.ParsePayload<string>);
    else addWrongType(payload, COUNTRY);
  }).meta({ type: ['string', 'null'], ...JSON_SCHEMA });
  graphqlTypes.add(schema, { name: 'String' });
  return schema.default('IT');
}

function readCountry(payload: z.core.ParsePayload<string>): void {
  // Letters of ASCII only: toUpperCase makes IT of a dotless ı and a t.
  const code = oneLine(payload.value);
  if (/^[A-Za-z]{2}$/.test(code)) payload.value = code.toUpperCase();
  if (!isCountryCode(payload.value)) add(payload, { code: 'unknown_country', message: `must be ${COUNTRY}` });
}

const MAX_POSTAL_CODE = 20;

/** A postal code, or none: `readInCountry` reads it, and knows whether the country needs one. Empty if absent or null. */
export function postalCode() {
  const schema = anything<string, string | null>(payload => {
    payload.value ??= '';
    if (typeof payload.value === 'string') readPostalText(payload as z.core.ParsePayload<string>);
    else addWrongType(payload, 'a string');
  }).meta({ type: ['string', 'null'], maxLength: MAX_POSTAL_CODE });
  graphqlTypes.add(schema, { name: 'String' });
  return schema.default('');
}

/** A postal code of a change, which is left alone if it is absent. */
export function changedPostalCode() {
  return z.string(mustBe('a string')).check(readPostalText).meta({ maxLength: MAX_POSTAL_CODE });
}

function readPostalText(payload: z.core.ParsePayload<string>): void {
  payload.value = oneLine(payload.value);
  if (payload.value !== '') add(payload, textIssue(payload.value, MAX_POSTAL_CODE));
}

/**
 * A rule across fields: reads the postal code, and puts it into the form of its country, as the check of a field does
 * that needs no other field. Rules after it see that form.
 */
export function readInCountry(fields: { postalCode?: string | undefined }, country: string | undefined): Issue[] {
  if (country === undefined || fields.postalCode === undefined) return [];
  const read = readPostalCode(country, fields.postalCode);
  if (read === undefined) return [{ path: ['postalCode'], ...postalCodeIssue(country, fields.postalCode) }];
  fields.postalCode = read;
  return [];
}
