// Cases of the second format that are reckoned by hand, a table at a time.
import { describe, expect, test } from 'vitest';
import type { z } from 'zod';
import { price } from '../../src/domain/quotes/quote.rules.ts';
import type { Exclusion, Price } from '../../src/domain/quotes/quote-terms.rules.ts';
import { compileTariff } from '../../src/domain/tariffs/compile.rules.ts';
import type { References } from '../../src/domain/tariffs/references.rules.ts';
import { readTariff } from '../../src/domain/tariffs/tariff.check.rules.ts';
import type { tariffFormat } from '../../src/domain/tariffs/tariff.format.rules.ts';
import { type Ask, type Shown, shipmentOf, shown } from './quote-support.ts';

export type SecondInput = z.input<typeof tariffFormat>;
export type SecondVersionInput = SecondInput['versions'][number];
export type SecondZoneInput = SecondVersionInput['zones'][number];
export type SecondLineInput = NonNullable<SecondVersionInput['surcharges']>[number];

export const zone = (overrides: Partial<SecondZoneInput> = {}): SecondZoneInput => ({
  code: 'all',
  name: 'Ovunque',
  to: { anywhere: true },
  bands: [{ upToKg: 1000, price: 10 }],
  ...overrides,
});

/** One zone for everywhere, 10.00 up to 1,000 kg, real weight rounded up to 1 kg. */
export const second = (...versions: Partial<SecondVersionInput>[]): SecondInput => ({
  format: 2,
  name: 'Listino',
  versions: versions.map(overrides => ({
    label: '2026',
    validFrom: '2026-01-01',
    weight: { per: 'shipment', roundUp: [{ toKg: 1 }] },
    zones: [zone()],
    ...overrides,
  })),
});

export const line = (
  code: string,
  linePrice: SecondLineInput['price'],
  when?: SecondLineInput['when'],
): SecondLineInput => ({ code, description: code, price: linePrice, ...(when && { when }) });

/** A tariff with one surcharge. */
export const surcharge = (linePrice: SecondLineInput['price'], when?: SecondLineInput['when']) => ({
  surcharges: [line('extra', linePrice, when)],
});

export function priceSecond(document: SecondInput, ask: Ask, references?: References): Price | Exclusion {
  return price(compileTariff(readTariff(document, [], { references }), references), shipmentOf(ask));
}

interface Case {
  readonly name: string;
  readonly version: Partial<SecondVersionInput>;
  readonly ask?: Ask;
  readonly is: Shown;
  readonly why: string;
}

export const secondCases = (title: string, table: readonly Case[]) =>
  describe(title, () => {
    test.each(table)('$name: $why', ({ version, ask = {}, is }) => {
      expect(shown(priceSecond(second(version), ask))).toMatchObject(is);
    });
  });

/** Parcels as `count × (kg, sides)`. */
export const parcels = (...kinds: [count: number, kg: number, a: number, b: number, c: number][]): Ask => ({
  parcels: kinds.map(([quantity, kg, ...sides]) => ({ kg, sides, quantity })),
});
