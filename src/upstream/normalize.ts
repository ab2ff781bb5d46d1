import type { CarrierEvent, KnownAddress } from '../domain/carriers/carrier.port.ts';

// What carriers send, in the form in which it is recorded and compared.

/** Of a carrier's response any part may be missing. */
export type Maybe<Value> = Value | null | undefined;
export type List<Value> = Maybe<readonly Maybe<Value>[]>;
/** What is in a list. */
export type Item<Of extends List<unknown>> = NonNullable<NonNullable<Of>[number]>;

/** As long as recorded events may be. */
const MAX_CODE = 100;
const MAX_TEXT = 1000;
const MAX_PLACE = 200;
const MAX_READ = 10_000;
/** No shipment has more; the newest are kept. */
const MAX_EVENTS = 500;

/** One line of text without control characters, `max` characters at most; null where there is none. */
export function textOf(value: string | null | undefined, max = MAX_PLACE): string | null {
  const text = (value ?? '')
    // Before anything that goes by each character: white space shrinks, but not from so far.
    .slice(0, MAX_READ)
    .toWellFormed()
    .replace(/[\s\p{Cc}]+/gu, ' ')
    .trim();
  if (text === '') return null;
  // As a person counts characters.
  return text.length <= max ? text : [...text].slice(0, max).join('').trim();
}

/** An address from what a carrier says of it. */
export function knownAddress(parts: { readonly [Field in keyof KnownAddress]?: KnownAddress[Field] | undefined }) {
  const { streetLine1, streetLine2, city, zip, province, country, transitTimeHours = null } = parts;
  return {
    streetLine1: textOf(streetLine1),
    streetLine2: textOf(streetLine2),
    city: textOf(city),
    zip: textOf(zip),
    province: textOf(province),
    country: textOf(country)?.toUpperCase() ?? null,
    transitTimeHours,
  } satisfies KnownAddress;
}

/** Events as they are recorded, from oldest to newest; those that say nothing at all are left out. */
export function carrierEvents(
  received: readonly {
    readonly timestamp: string;
    readonly code?: string | null | undefined;
    readonly description?: string | null | undefined;
    readonly location?: string | null | undefined;
    readonly note?: string | null | undefined;
  }[],
): readonly CarrierEvent[] {
  return received
    .map(({ timestamp, code, description, location, note }) => ({
      timestamp,
      carrierStatusCode: textOf(code, MAX_CODE),
      description: textOf(description, MAX_TEXT),
      location: textOf(location),
      note: textOf(note, MAX_TEXT),
    }))
    .filter(({ carrierStatusCode, description }) => carrierStatusCode !== null || description !== null)
    .slice(-MAX_EVENTS);
}

/** A number or a postal code without the blanks and dots that people group it by. */
export function plainNumber(number: string): string {
  return number.replace(/[\s.]+/g, '').toUpperCase();
}

/** A tracking number in a path, which Mesh takes as it is: what a merchant wrote must not lead to another path. */
export function pathSegment(number: string): string {
  return encodeURIComponent(number.replaceAll('.', '').toWellFormed());
}
