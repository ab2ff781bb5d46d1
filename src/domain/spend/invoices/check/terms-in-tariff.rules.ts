import type { CompiledVersion } from '../../../tariffs/compile/compiled-tariff.rules.ts';

/** Finds in a compiled version where its prices depend on the volume of the month or on pallets. */

/** The values that a version tells apart. */
interface Distinguished {
  /** Numbers of shipments a month, one for each price. */
  readonly shipmentNumbers: readonly number[];
  /** Types of pallets, and one that no rule names; none if pallets do not matter. */
  readonly palletTypes: readonly string[];
}

export function shipmentNumbersIn(version: CompiledVersion): readonly number[] {
  return distinguishedBy(version).shipmentNumbers;
}

export function palletTypesIn(version: CompiledVersion): readonly string[] {
  return distinguishedBy(version).palletTypes;
}

const known = new WeakMap<CompiledVersion, Distinguished>();

/** Variants of a version in the explanation of a difference are not asked, so that each is looked through once. */
function distinguishedBy(version: CompiledVersion): Distinguished {
  const found = known.get(version) ?? read(version);
  known.set(version, found);
  return found;
}

/** No quote states more. */
const MOST_SHIPMENTS = 10_000_000;
const OF_PALLETS: ReadonlySet<unknown> = new Set(['pallets', 'loadingMetres']);
const UNNAMED_TYPE = '-';

function read({ lines, events, weight, zones }: CompiledVersion): Distinguished {
  const numbers = new Set<number>();
  const types = new Set<string>();
  let hasPallets = zones.some(({ pallets }) => pallets.length > 0) || (weight.more?.gramsPerLoadingMetre ?? 0) > 0;
  for (const one of rulesIn([lines, events, weight.more, zones.map(({ pallets }) => pallets)])) {
    if (one.measure === 'monthlyShipments' || one.by === 'monthlyShipments') {
      for (const number of boundsOf(one)) numbers.add(Math.max(0, Math.min(number, MOST_SHIPMENTS)));
    }
    if (OF_PALLETS.has(one.measure) || OF_PALLETS.has(one.by)) hasPallets = true;
    if (one.isPallet !== undefined || one.isStackable !== undefined) hasPallets = true;
    for (const named of [one.palletTypes, one.types]) {
      if (!(named instanceof Set)) continue;
      hasPallets = true;
      for (const type of named) types.add(String(type));
    }
  }
  return { shipmentNumbers: [...numbers], palletTypes: hasPallets ? [...types, UNNAMED_TYPE] : [] };
}

type Rule = Readonly<Record<string, unknown>>;

/** A number in each range, bracket or step: its end, and the next one. */
function boundsOf({ least, most, upTo, above }: Rule): number[] {
  const ends = [least, most, above, ...(upTo instanceof Float64Array ? upTo : [])];
  const numbers = ends.filter(end => typeof end === 'number' && Number.isFinite(end)) as number[];
  return [0, MOST_SHIPMENTS, ...numbers.flatMap(end => [end - 1, end, end + 1])];
}

/** The objects of a compiled rule, without its tables of places. */
function* rulesIn(value: unknown): Generator<Rule> {
  if (typeof value !== 'object' || value === null) return;
  if (value instanceof Set || value instanceof Map || ArrayBuffer.isView(value)) return;
  if (!Array.isArray(value)) yield value as Rule;
  for (const [name, inner] of Object.entries(value)) if (name !== 'placesCondition') yield* rulesIn(inner);
}
