import { RECIPIENT_TYPES, type RecipientType } from '../../../common/places/recipient.rules.ts';
import type { CompiledVersion } from '../../../pricing/tariffs/compile/compiled-tariff.rules.ts';
import { forAmounts, type StatedAmount } from '../../../pricing/tariffs/shipment-terms.rules.ts';
import { MAX_VALUE_CENTS } from '../../../pricing/tariffs/units.rules.ts';

/** Finds in a compiled version on which values of terms that may be missing its prices depend. */

/** The values that a version tells apart. */
interface Distinguished {
  /** Numbers of shipments a month, one for each price. */
  readonly shipmentNumbers: readonly number[];
  /** Types of pallets, and one that no rule names; none if pallets do not matter. */
  readonly palletTypes: readonly string[];
  /** Both, or none if prices do not depend on it. */
  readonly recipientTypes: readonly RecipientType[];
  /** Cents, at least one for each price, and the most that is stated. */
  readonly amounts: Readonly<Record<StatedAmount, readonly number[]>>;
}

const known = new WeakMap<CompiledVersion, Distinguished>();

/** Variants of a version in the explanation of a difference are not asked, so that each is looked through once. */
export function distinguishedBy(version: CompiledVersion): Distinguished {
  const found = known.get(version) ?? read(version);
  known.set(version, found);
  return found;
}

/** No quote states more. */
const MOST_SHIPMENTS = 10_000_000;
const OF_PALLETS: ReadonlySet<unknown> = new Set(['pallets', 'loadingMetres']);
const UNNAMED_TYPE = '-';

/** The measures that may be missing, with the most of each, and the field of a shipment that percentages are of. */
const COUNTED = [
  { measure: 'monthlyShipments', most: MOST_SHIPMENTS, field: undefined } as const,
  ...Object.values(forAmounts(({ field }, measure) => ({ measure, most: MAX_VALUE_CENTS, field }))),
];

function read({ lines, events, weight, zones, palletClasses = [] }: CompiledVersion): Distinguished {
  const numbers = {
    monthlyShipments: new Set<number>(),
    ...forAmounts(() => new Set<number>()),
  };
  const types = new Set<string>();
  let hasRecipients = false;
  let hasPallets = zones.some(({ pallets }) => pallets.length > 0) || (weight.more?.gramsPerLoadingMetre ?? 0) > 0;
  for (const one of rulesIn([lines, events, weight.more, zones.map(({ pallets }) => pallets)])) {
    for (const { measure, most, field } of COUNTED) {
      const isCounted = one.measure === measure || one.by === measure;
      const isShared = field !== undefined && one.field === field;
      if (!isCounted && !isShared) continue;
      const bounds = isCounted ? boundsOf(one) : [];
      for (const number of [0, most, ...bounds]) numbers[measure].add(Math.max(0, Math.min(number, most)));
    }
    if (one.recipientCondition !== undefined) hasRecipients = true;
    if (OF_PALLETS.has(one.measure) || OF_PALLETS.has(one.by)) hasPallets = true;
    if (one.isPallet !== undefined || one.isStackable !== undefined) hasPallets = true;
    for (const named of [one.palletTypes, one.types]) {
      if (!(named instanceof Set)) continue;
      hasPallets = true;
      for (const type of named) types.add(String(type));
    }
  }
  // The bounds of classes decide, and not their names.
  for (const { code } of palletClasses) types.delete(code);
  return {
    shipmentNumbers: [...numbers.monthlyShipments],
    palletTypes: hasPallets ? [...types, UNNAMED_TYPE] : [],
    recipientTypes: hasRecipients ? RECIPIENT_TYPES : [],
    amounts: forAmounts((_, name) => [...numbers[name]]),
  };
}

type Rule = Readonly<Record<string, unknown>>;

/** A number in each range, bracket or step: its end, and the next one. */
function boundsOf({ least, most, upTo, above }: Rule): number[] {
  const ends = [least, most, above, ...(upTo instanceof Float64Array ? upTo : [])];
  const numbers = ends.filter(end => typeof end === 'number' && Number.isFinite(end)) as number[];
  return numbers.flatMap(end => [end - 1, end, end + 1]);
}

/** The objects of a compiled rule, without its tables of places. */
function* rulesIn(value: unknown): Generator<Rule> {
  if (typeof value !== 'object' || value === null) return;
  if (value instanceof Set || value instanceof Map || ArrayBuffer.isView(value)) return;
  if (!Array.isArray(value)) yield value as Rule;
  for (const [name, inner] of Object.entries(value)) if (name !== 'placesCondition') yield* rulesIn(inner);
}
