import type { CarrierEvent, KnownAddress } from '../domain/shipping/carriers/carrier.port.ts';
import { oneLine } from '../platform/plain-text.ts';

// Normalizes carriers' data to the form in which it is stored and compared.

/** Any part of a carrier's response may be missing. */
export type Maybe<Value> = Value | null | undefined;
export type List<Value> = Maybe<readonly Maybe<Value>[]>;
export type Item<Of extends List<unknown>> = NonNullable<NonNullable<Of>[number]>;

/** The limit of stored events. */
const MAX_CODE = 100;
const MAX_TEXT = 1000;
const MAX_PLACE = 200;
const MAX_READ = 10_000;
/** A shipment keeps this many events, the newest. */
const MAX_EVENTS = 500;

/** One line of text without control characters, at most `max` characters; null if it is empty. */
export function textOf(value: string | null | undefined, max = MAX_PLACE): string | null {
  // Cut first, because white space may shrink, but not by more.
  const text = oneLine(
    (value ?? '')
      .slice(0, MAX_READ)
      .toWellFormed()
      .replace(/\p{Cc}+/gu, ' '),
  );
  if (text === '') return null;
  // Counts code points, not UTF-16 units.
  return text.length <= max ? text : [...text].slice(0, max).join('').trim();
}

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

/** Events as they are stored, from oldest to newest; events without any content are left out. */
export function carrierEvents(
  received: readonly {
    readonly timestamp: string;
    readonly code?: string | null | undefined;
    /** The carrier's wider code. */
    readonly group?: string | null | undefined;
    readonly description?: string | null | undefined;
    readonly location?: string | null | undefined;
    readonly note?: string | null | undefined;
  }[],
): readonly CarrierEvent[] {
  return received
    .map(({ timestamp, code, group, description, location, note }) => ({
      timestamp,
      carrierStatusCode: textOf(code, MAX_CODE),
      carrierStatusGroup: textOf(group, MAX_CODE) ?? undefined,
      description: textOf(description, MAX_TEXT),
      location: textOf(location),
      note: textOf(note, MAX_TEXT),
    }))
    .filter(({ carrierStatusCode, description }) => carrierStatusCode !== null || description !== null)
    .slice(-MAX_EVENTS);
}

const LETTERS: Readonly<Record<string, string>> = {
  ß: 'ss',
  æ: 'ae',
  Æ: 'AE',
  œ: 'oe',
  Œ: 'OE',
  ø: 'o',
  Ø: 'O',
  ł: 'l',
  Ł: 'L',
  đ: 'd',
  Đ: 'D',
  ð: 'd',
  Ð: 'D',
  þ: 'th',
  Þ: 'Th',
  ı: 'i',
};

/** A name of a place in ASCII, as registers without accents have it: Mondovì is Mondovi, Łódź is Lodz. */
export function asciiText(text: string): string {
  return text
    .normalize('NFD')
    .replace(/\p{M}+/gu, '')
    .replace(/[ßæÆœŒøØłŁđĐðÐþÞı]/g, letter => LETTERS[letter] ?? letter)
    .replace(/[‘’]/g, "'");
}

/** A number or a postal code without grouping blanks and dots. */
export function plainNumber(number: string): string {
  return number.replace(/[\s.]+/g, '').toUpperCase();
}

/** A tracking number in a path, which Mesh does not escape: a merchant's text must not lead to another path. */
export function pathSegment(number: string): string {
  return encodeURIComponent(number.replaceAll('.', '').toWellFormed());
}
