import { type Price, price, type Shipment } from '../../quotes/quote.rules.ts';
import type { CompiledCharge, CompiledLine, CompiledVersion, Path } from '../../tariffs/compiled-tariff.rules.ts';
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

/** The price if a line costs such an amount, whether or not it is due. */
export function withAmount(of: Reckoning, position: number, cents: number): Reckoning | undefined {
  const { version, slot } = of;
  if (position === 0) {
    const prices = { upTo: Float64Array.of(Number.POSITIVE_INFINITY), prices: Float64Array.of(cents) };
    const zone = { ...of.price.zone, ...prices, bands: undefined, beyond: [], pallets: [] };
    return priced({ ...of, version: { ...version, zones: version.zones.with(slot, zone) } });
  }
  const line = version.lines[position];
  if (line === undefined) return undefined;
  // Surcharges alone are charged without being asked for.
  const fixed = {
    component: 'surcharges',
    condition: undefined,
    rivals: undefined,
    charge: fixedCharge(cents),
  } as const;
  return priced({ ...of, version: { ...version, lines: version.lines.with(position, { ...line, ...fixed }) } });
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
  return ['versions', version.index, ...version.pathOf(path)];
}

/** The rule of a line; of the base price its band. */
export function ruleOfLine({ price: { version, zone, base } }: Reckoning, position: number): Path {
  if (position > 0) return ruleAt(version, (version.lines[position] as CompiledLine).path);
  return ruleAt(version, ['zones', zone.index, ...(base.band < 0 ? ['pallets'] : ['bands', base.band])]);
}
