import { price } from '../../quotes/quote.rules.ts';
import { NOT_CHARGED, type Price, type Shipment } from '../../quotes/quote-terms.rules.ts';
import type { CompiledCharge, CompiledLine, CompiledVersion, Path } from '../../tariffs/compiled-tariff.rules.ts';
import { pathIn } from '../../tariffs/second.rules.ts';
import { MICRO } from '../../tariffs/units.rules.ts';

/**
 * A price as it is due, and as it would be if something of it were as it was billed: another weight or zone, another amount
 * of a line. What depends on that, such as fuel, is priced anew by the same engine, on a version that differs in that alone.
 */
export interface Reckoning {
  readonly version: CompiledVersion;
  readonly shipment: Shipment;
  readonly price: Price;
  /** Where the zone stands in the version, also once another one takes its place. */
  readonly slot: number;
}

export function reckoning(due: Price, shipment: Shipment): Reckoning {
  return { version: due.version, shipment, price: due, slot: due.zone.index };
}

/** The price if such a weight is charged; undefined where the tariff has none then. */
export function withWeight(of: Reckoning, grams: number): Reckoning | undefined {
  // The weight that counts is rounded up to a step: this one, where the shipment is not heavier.
  const weight = { perParcel: false, stepGrams: grams, numerator: 0, denominator: 1, more: undefined };
  const shipment = { ...of.shipment, grams: Math.max(1, Math.min(of.shipment.grams, grams)) };
  return priced({ ...of, shipment, version: { ...of.version, weight } });
}

/** The price if the shipment belongs to another zone. */
export function withZone(of: Reckoning, index: number): Reckoning | undefined {
  const zone = of.version.zones[index];
  if (zone === undefined || zone.notServed !== undefined) return undefined;
  return priced({ ...of, version: { ...of.version, zones: of.version.zones.with(of.slot, zone) } });
}

/** An amount of a line, by the position of the line. */
export type Amount = readonly [position: number, cents: number];

/** The price if lines cost such amounts, whether or not they are due. */
export function withAmounts(of: Reckoning, amounts: readonly Amount[]): Reckoning | undefined {
  const lines = [...of.version.lines];
  let { zones } = of.version;
  for (const [position, cents] of amounts) {
    if (position === 0) {
      const prices = { upTo: Float64Array.of(Number.POSITIVE_INFINITY), prices: Float64Array.of(cents) };
      zones = zones.with(of.slot, { ...of.price.zone, ...prices, bands: undefined, beyond: [], pallets: [] });
    }
    const line = lines[position];
    if (position === 0 || line === undefined) continue;
    // Surcharges alone are charged without being asked for.
    const due = { component: 'surcharges', condition: undefined, rivals: undefined } as const;
    lines[position] = { ...line, ...due, charge: fixedCharge(cents) };
  }
  return priced({ ...of, version: { ...of.version, lines, zones } });
}

/** Amounts of some lines as a price has them, so that they stay. */
export function amountsIn({ amounts }: Price, positions: readonly number[]): Amount[] {
  return positions.flatMap(position => {
    const cents = amounts[position];
    return cents === undefined || cents === NOT_CHARGED ? [] : [[position, cents] as const];
  });
}

function priced(of: Reckoning): Reckoning | undefined {
  const found = price({ name: '', versions: [of.version], bytes: 0 }, of.shipment);
  return found.ok ? { ...of, price: found } : undefined;
}

function fixedCharge(cents: number): CompiledCharge {
  const parts = { perGram: 0, perParcel: 0, ppm: 0, rates: undefined, of: [], ofCod: false, ofInsured: false };
  return {
    sums: [{ fixed: cents * MICRO, ...parts, more: undefined }],
    above: 0,
    minimum: Number.NEGATIVE_INFINITY,
    maximum: Number.POSITIVE_INFINITY,
    brackets: undefined,
  };
}

/** Where something of a version stands in the tariff. */
export function ruleAt(version: CompiledVersion, path: Path): Path {
  return ['versions', version.index, ...pathIn(version, path)];
}

/** The rule of a line; of the base price its band. */
export function ruleOfLine({ price: { version, zone, base } }: Reckoning, position: number): Path {
  if (position > 0) return ruleAt(version, (version.lines[position] as CompiledLine).path);
  return ruleAt(version, ['zones', zone.index, ...(base.band < 0 ? ['pallets'] : ['bands', base.band])]);
}
