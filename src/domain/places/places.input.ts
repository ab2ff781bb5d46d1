import { z } from 'zod';
import { graphqlTypes } from '../../platform/input.ts';
import { oneLine } from '../../platform/plain-text.ts';
import { add, addWrongType, anything, mustBe, text } from '../common/fields.input.ts';
import { isCountryCode } from './places.rules.ts';

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

/** A postal code; a rule across fields checks its country's format. */
export function postalCode() {
  return text(20);
}
