// Quotes that are calculated by hand, a table of cases at a time.
import { describe, expect, test } from 'vitest';
import {
  type Ask,
  lineWith,
  type Place,
  priceOf,
  type Shown,
  shown,
  tariffWith,
  type VersionInput,
  zoneWith,
} from './quote-support.ts';

// Every expected number here was calculated by hand, as the case shows; none comes from the engine.

export const italian = (postalCode: string, city: string, province?: string): Place => ({
  countryCode: 'IT',
  postalCode,
  city,
  ...(province && { province }),
});
export const abroad = (countryCode: string, postalCode: string): Place => ({
  countryCode,
  postalCode,
  city: 'Somewhere',
});

interface Case {
  readonly name: string;
  readonly version: Partial<VersionInput>;
  readonly ask?: Ask;
  readonly is: Shown;
  readonly why: string;
}

export const cases = (title: string, table: readonly Case[]) =>
  describe(title, () => {
    test.each(table)('$name: $why', ({ version, ask = {}, is }) => {
      const result = shown(priceOf(tariffWith(version), ask));
      if ('excluded' in is) expect(result).toMatchObject(is);
      else expect(result).toMatchObject({ ...is });
    });
  });
export const toTheGram = { per: 'shipment' as const, roundUp: [{ toKg: 0.001 }] };
export const weighing = (kg: number, cm3 = 0, parcels = 1): Ask => ({ totals: { kg, cm3, parcels } });

export const flat = (price: number, upToKg = 100) => [zoneWith({ bands: [{ upToKg, price }] })];
export const fuel = (percent: number, of: string[]) => [
  lineWith('fuel', { rates: [{ from: '2026-01-01', percent }], of }),
];
export const area = lineWith('area', { fixed: 12 });
export const sized = (a: number, b: number, c: number, kg = 1): Ask => ({
  to: italian('20121', 'Milano', 'MI'),
  parcels: [
    { kg: 0.5, sides: [1, 1, 1] },
    { kg, sides: [a, b, c] },
  ],
});
export const MILAN = { to: italian('20121', 'Milano', 'MI') };
