import { z } from 'zod';
import { absence, add, text } from '../fields.input.ts';
import { isCountryCode } from './places.rules.ts';

/** The fields of addresses. */

/** An assigned ISO 3166-1 alpha-2 code, accepted in either case and returned in upper case. */
export function country() {
  const allowed = 'must be an assigned ISO 3166-1 alpha-2 country code, such as IT';
  return (
    z
      .string({ error: ({ input }) => absence(input) ?? allowed })
      // Letters of ASCII only: toUpperCase makes IT of a dotless ı and a t.
      .overwrite(value => (/^\s*[A-Za-z]{2}\s*$/.test(value) ? value.trim().toUpperCase() : value))
      .check(payload =>
        add(payload, isCountryCode(payload.value) ? undefined : { code: 'unknown_country', message: allowed }),
      )
      .meta({ pattern: '^[A-Za-z]{2}$', examples: ['IT'] })
  );
}

/** The code of a country, which is Italy where it is absent or null. */
export function countryOrItaly() {
  return country()
    .nullable()
    .transform(value => value ?? 'IT')
    .prefault('IT');
}

/** A postal code; whether it has the form of its country's is a rule across fields. */
export function postalCode() {
  return text(20);
}
