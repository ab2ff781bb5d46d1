import type { CompiledCharge } from '../../../pricing/tariffs/charges/charge.rules.ts';
import { EMPTY_SUM } from '../../../pricing/tariffs/charges/charge-kinds.rules.ts';
import type { CompiledLine, CompiledVersion, Path } from '../../../pricing/tariffs/compile/compiled-tariff.rules.ts';
import { price } from '../../../pricing/tariffs/engine/quote.rules.ts';
import type { Price } from '../../../pricing/tariffs/price.rules.ts';
import type { Shipment } from '../../../pricing/tariffs/shipment-terms.rules.ts';
import { MICRO, NOT_CHARGED } from '../../../pricing/tariffs/units.rules.ts';

/**
 * A due price, and its variants with a detail as it was billed: another weight or zone, another amount of a line.
 * Dependent amounts, such as fuel, are priced again by the engine, on a version that differs only in that detail.
 */
export interface Calculation {
  readonly version: CompiledVersion;
  readonly shipment: Shipment;
  readonly price: Price;
  /** The index of the zone in the version, also for a variant with another zone. */
  readonly slot: number;
}

export function calculationOf(due: Price, shipment: Shipment): Calculation {
  return { version: due.version, shipment, price: due, slot: due.zone.index };
}

/** The price with another weight; undefined if the tariff has none for it, or prices several parcels one by one. */
export function withWeight(of: Calculation, grams: number): Calculation | undefined {
  const { parcels, parcelCount } = of.shipment;
  const isByParcel = of.price.zone.byParcel !== undefined;
  if (isByParcel && parcelCount > 1) return undefined;
  // The chargeable weight is rounded up to this step, unless the shipment is heavier.
  const weight = { perParcel: false, stepGrams: grams, numerator: 0, denominator: 1, more: undefined };
  const lighter = Math.max(1, Math.min(of.shipment.grams, grams));
  const shipment = {
    ...of.shipment,
    grams: lighter,
    parcels: isByParcel ? parcels.map(one => ({ ...one, grams: lighter })) : parcels,
  };
  return priced({ ...of, shipment, version: { ...of.version, weight } });
}

/** The price by another service of the tariff, with the weight that there is. */
export function withService(of: Calculation, other: CompiledVersion): Calculation | undefined {
  const version = { ...other, weight: of.version.weight };
  const found = priced({ ...of, version, shipment: { ...of.shipment, service: other.service?.code } });
  return found && { ...found, slot: found.price.zone.index };
}

/** The price in another zone. */
export function withZone(of: Calculation, index: number): Calculation | undefined {
  const zone = of.version.zones[index];
  if (zone === undefined || zone.notServed !== undefined) return undefined;
  return priced({ ...of, version: { ...of.version, zones: of.version.zones.with(of.slot, zone) } });
}

/** An amount of a line, by the position of the line. */
export type Amount = readonly [position: number, cents: number];

/** The price with other amounts of lines, due or not. */
export function withAmounts(of: Calculation, amounts: readonly Amount[]): Calculation | undefined {
  const lines = [...of.version.lines];
  let { zones } = of.version;
  for (const [position, cents] of amounts) {
    if (position === 0) {
      const prices = { upTo: Float64Array.of(Number.POSITIVE_INFINITY), prices: Float64Array.of(cents) };
      zones = zones.with(of.slot, {
        ...of.price.zone,
        ...prices,
        bands: undefined,
        beyond: [],
        byParcel: undefined,
        pallets: [],
      });
    }
    const line = lines[position];
    if (position === 0 || line === undefined) continue;
    // Only surcharges are charged without a request.
    const due = { component: 'surcharges', condition: undefined, rivals: undefined } as const;
    lines[position] = { ...line, ...due, charge: fixedCharge(cents) };
  }
  return priced({ ...of, version: { ...of.version, lines, zones } });
}

/** Amounts of some lines in a price, to keep them constant. */
export function amountsIn({ amounts }: Price, positions: readonly number[]): Amount[] {
  return positions.flatMap(position => {
    const cents = amounts[position];
    return cents === undefined || cents === NOT_CHARGED ? [] : [[position, cents] as const];
  });
}

function priced(of: Calculation): Calculation | undefined {
  const found = price({ versions: [of.version] }, of.shipment);
  return found.ok ? { ...of, price: found } : undefined;
}

function fixedCharge(cents: number): CompiledCharge {
  return {
    sums: [{ ...EMPTY_SUM, fixedCharge: cents * MICRO }],
    above: 0,
    minimum: Number.NEGATIVE_INFINITY,
    maximum: Number.POSITIVE_INFINITY,
    brackets: undefined,
  };
}

/** The path of a version's rule in the tariff. */
export function ruleAt(version: CompiledVersion, path: Path): Path {
  return ['versions', version.index, ...path];
}

/** The rule of a line; for the base price its band. */
export function ruleOfLine({ price }: Calculation, position: number): Path {
  return ruleOfPosition(price, position);
}

/** The rule of a price's line, by its position. */
export function ruleOfPosition({ version, zone, base }: Price, position: number): Path {
  if (position > 0) return ruleAt(version, (version.lines[position] as CompiledLine).path);
  return ruleAt(version, ['zones', zone.index, ...(base.band < 0 ? ['pallets'] : ['bands', base.band])]);
}
