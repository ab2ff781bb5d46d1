/** Prices that are calculated by hand, a table of cases at a time. */

import { describe, expect, test } from 'vitest';
import { readTariff } from '../../src/domain/pricing/tariffs/check/tariff.check.rules.ts';
import { compileTariff } from '../../src/domain/pricing/tariffs/compile/compile.rules.ts';
import { price } from '../../src/domain/pricing/tariffs/engine/quote.rules.ts';
import type { Exclusion } from '../../src/domain/pricing/tariffs/exclusion.rules.ts';
import type { Price } from '../../src/domain/pricing/tariffs/price.rules.ts';
import type { References } from '../../src/domain/pricing/tariffs/references/references.rules.ts';
import {
  type Ask,
  type LineInput,
  lineWith as line,
  type Shown,
  shipmentOf,
  shown,
  type TariffInput,
  type VersionInput,
  type ZoneInput,
} from './quote-support.ts';

export type { LineInput, TariffInput, VersionInput, ZoneInput };
export { line };

export const zone = (overrides: Partial<ZoneInput> = {}): ZoneInput => ({
  code: 'all',
  name: 'Ovunque',
  to: { anywhere: true },
  bands: [{ upToKg: 1000, price: 10 }],
  ...overrides,
});

/** One zone for everywhere, 10.00 up to 1,000 kg, real weight rounded up to 1 kg. */
export const tariffOf = (...versions: Partial<VersionInput>[]): TariffInput => ({
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

/** A tariff with one surcharge. */
export const surcharge = (linePrice: LineInput['price'], when?: LineInput['when']) => ({
  surcharges: [line('extra', linePrice, when)],
});

export function priceOn(document: TariffInput, ask: Ask, references?: References): Price | Exclusion {
  return price(compileTariff(readTariff(document, [], { references }), references), shipmentOf(ask));
}

interface Case {
  readonly name: string;
  readonly version: Partial<VersionInput>;
  readonly ask?: Ask;
  readonly is: Shown;
  readonly why: string;
}

export const tariffCases = (title: string, table: readonly Case[]) =>
  describe(title, () => {
    test.each(table)('$name: $why', ({ version, ask = {}, is }) => {
      expect(shown(priceOn(tariffOf(version), ask))).toMatchObject(is);
    });
  });

/** Parcels as `count × (kg, sides)`. */
export const parcels = (...kinds: [count: number, kg: number, a: number, b: number, c: number][]): Ask => ({
  parcels: kinds.map(([quantity, kg, ...sides]) => ({ kg, sides, quantity })),
});
