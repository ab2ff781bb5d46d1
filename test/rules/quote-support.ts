import type { z } from 'zod';
import { destinationsAt } from '../../src/domain/pricing/tariffs/areas/area.rules.ts';
import { readTariff } from '../../src/domain/pricing/tariffs/check/tariff.check.rules.ts';
import { compileTariff } from '../../src/domain/pricing/tariffs/compile/compile.rules.ts';
import type { CompiledTariff } from '../../src/domain/pricing/tariffs/compile/compiled-tariff.rules.ts';
import { price } from '../../src/domain/pricing/tariffs/engine/quote.rules.ts';
import type { Exclusion } from '../../src/domain/pricing/tariffs/exclusion.rules.ts';
import type { tariffFormat } from '../../src/domain/pricing/tariffs/format/tariff.format.rules.ts';
import type { Price } from '../../src/domain/pricing/tariffs/price.rules.ts';
import type { Pallet, ParcelKind, Shipment } from '../../src/domain/pricing/tariffs/shipment-terms.rules.ts';
import { NOT_CHARGED } from '../../src/domain/pricing/tariffs/units.rules.ts';
import { Fault, pointer } from '../../src/platform/fault.ts';

export type TariffInput = z.input<typeof tariffFormat>;
export type VersionInput = TariffInput['versions'][number];
export type ZoneInput = VersionInput['zones'][number];
export type LineInput = NonNullable<VersionInput['surcharges']>[number];

export interface Place {
  readonly countryCode: string;
  readonly postalCode: string;
  readonly city: string;
  readonly province?: string;
}

export const PALERMO: Place = { countryCode: 'IT', postalCode: '90139', city: 'Palermo', province: 'PA' };

export interface ParcelAsk {
  readonly kg: number;
  /** Centimetres. */
  readonly sides: readonly [number, number, number];
  readonly quantity?: number;
  readonly pallet?: Pallet;
}

/** A shipment as people say it: kilograms, centimetres and euros. */
export interface Ask {
  readonly to?: Place;
  /** Where the warehouse is: a country, or a place. */
  readonly from?: string | Place;
  readonly warehouse?: number;
  readonly parcels?: readonly ParcelAsk[];
  /** Instead of parcels: `kg` and cm³ in all, of so many equal parcels. */
  readonly totals?: { readonly kg: number; readonly cm3?: number; readonly parcels?: number };
  readonly cod?: number;
  readonly payment?: Shipment['codPayment'];
  readonly monthly?: number;
  readonly recipient?: Shipment['recipientType'];
  readonly days?: number;
  readonly minutes?: number;
  readonly insured?: number;
  readonly goods?: number;
  readonly duties?: number;
  readonly options?: readonly string[];
  readonly service?: string;
  readonly date?: string;
}

const hundredths = (euro: number) => Math.round(euro * 100);

export function shipmentOf(ask: Ask): Shipment {
  const { to = PALERMO, totals, cod = 0, insured = 0, options = [], date = '2026-06-15' } = ask;
  const { from = 'IT', warehouse = 1, payment = 'cash', monthly = 0, days = 0, minutes = 0 } = ask;
  const place = typeof from === 'string' ? { countryCode: from, postalCode: '20121', city: 'Milano' } : from;
  const common = {
    origin: { warehouseId: warehouse, country: place.countryCode, place: destinationsAt(place)[0] },
    destination: destinationsAt(to)[0],
    codCents: hundredths(cod),
    codPayment: payment,
    monthlyShipments: monthly,
    recipientType: ask.recipient,
    goodsCents: hundredths(ask.goods ?? 0),
    dutiesCents: hundredths(ask.duties ?? 0),
    storageDays: days,
    waitingMinutes: minutes,
    insuredCents: hundredths(insured),
    options,
    service: ask.service,
    date,
  };
  if (totals) {
    const { kg, cm3 = 0, parcels: count = 1 } = totals;
    const grams = Math.round(kg * 1000);
    return {
      ...common,
      parcels: [
        {
          grams,
          volumeCm3: cm3,
          share: count,
          quantity: count,
          longestSide: 0,
          secondSide: 0,
          sumOfSides: 0,
          height: 0,
          floorCm2: 0,
          pallet: undefined,
        },
      ],
      parcelCount: count,
      grams,
      volumeCm3: cm3,
      heaviestGrams: Math.ceil(grams / count),
      longestSide: 0,
      sumOfSides: 0,
    };
  }
  const asked = ask.parcels ?? [{ kg: 1, sides: [10, 10, 10] }];
  const parcels = asked.map(
    ({ kg, sides: [a, b, c], quantity = 1, pallet }): ParcelKind => ({
      grams: Math.round(kg * 1000),
      // In whole hundredths: 80 × 73 × 27.6 is more than 161,184 in floating point.
      volumeCm3: Math.ceil((hundredths(a) * hundredths(b) * hundredths(c)) / 1_000_000),
      share: 1,
      quantity,
      longestSide: hundredths([a, b, c].toSorted((x, y) => y - x)[0] ?? 0),
      secondSide: hundredths([a, b, c].toSorted((x, y) => y - x)[1] ?? 0),
      sumOfSides: hundredths(a + b + c),
      height: hundredths(c),
      floorCm2: Math.ceil((hundredths(a) * hundredths(b)) / 10_000),
      pallet,
    }),
  );
  const sum = (of: (parcel: ParcelKind) => number) =>
    parcels.reduce((total, parcel) => total + of(parcel) * parcel.quantity, 0);
  return {
    ...common,
    parcels,
    parcelCount: sum(() => 1),
    grams: sum(({ grams }) => grams),
    volumeCm3: sum(({ volumeCm3 }) => volumeCm3),
    heaviestGrams: Math.max(...parcels.map(({ grams }) => grams)),
    longestSide: Math.max(...asked.map(({ sides }) => hundredths(Math.max(...sides)))),
    sumOfSides: Math.max(...asked.map(({ sides: [a, b, c] }) => hundredths(a + b + c))),
  };
}

/** One zone for everywhere, 5.00 up to 10 kg, real weight rounded up to 1 kg. */
export function versionWith(overrides: Partial<VersionInput> = {}): VersionInput {
  return {
    label: '2026',
    validFrom: '2026-01-01',
    weight: { per: 'shipment', roundUp: [{ toKg: 1 }] },
    zones: [zoneWith()],
    ...overrides,
  };
}

export function zoneWith(overrides: Partial<ZoneInput> = {}): ZoneInput {
  return { code: 'all', name: 'Ovunque', to: { anywhere: true }, bands: [{ upToKg: 10, price: 5 }], ...overrides };
}

export function lineWith(code: string, linePrice: LineInput['price'], when?: LineInput['when']): LineInput {
  return { code, description: code, price: linePrice, ...(when && { when }) };
}

export function tariffWith(...versions: Partial<VersionInput>[]): TariffInput {
  return { format: 2, name: 'Listino', versions: (versions.length > 0 ? versions : [{}]).map(versionWith) };
}

export function compiled(document: TariffInput): CompiledTariff {
  return compileTariff(readTariff(document));
}

export function priceOf(document: TariffInput, ask: Ask): Price | Exclusion {
  return price(compiled(document), shipmentOf(ask));
}

/** `2634` is `26.34`. */
export function euro(cents: number): string {
  const digits = String(Math.abs(cents)).padStart(3, '0');
  return `${cents < 0 ? '-' : ''}${digits.slice(0, -2)}.${digits.slice(-2)}`;
}

/** A price or an exclusion, in the words of the tables of cases: amounts as `26.34`. */
export function shown(result: Price | Exclusion) {
  if (!result.ok) return { excluded: result.code, rule: pointer(result.rule) };
  const { version, zone, amounts, components, vatPpm } = result;
  const lines: Record<string, string> = {};
  for (const [i, { code }] of version.lines.entries()) {
    const amount = amounts[i] ?? NOT_CHARGED;
    if (amount !== NOT_CHARGED) lines[code] = euro(amount);
  }
  return {
    version: version.label,
    service: version.service?.code,
    zone: zone.code,
    grams: result.chargeableGrams,
    volumetricGrams: result.volumetricGrams,
    steps: result.base.steps,
    base: euro(components.base),
    surcharges: euro(components.surcharges),
    fuel: euro(components.fuel),
    options: euro(components.options),
    cod: euro(components.cod),
    insurance: euro(components.insurance),
    lines,
    total: euro(result.totalCents),
    vatPercent: vatPpm / 10_000,
    vat: euro(result.vatCents),
    gross: euro(result.grossCents),
  };
}

export type Shown = Partial<Extract<ReturnType<typeof shown>, { base: string }>> | { excluded: string; rule?: string };

/** The errors of a document, as `pointer code`; empty if there are none. */
export function problemsOf(document: unknown): string[] {
  try {
    readTariff(document);
    return [];
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    return (error.options.issues ?? []).map(({ path, code }) => `${pointer(path)} ${code}`);
  }
}
