import { areaTable } from '../area-table.rules.ts';
import type {
  CompiledCondition,
  CompiledParcelTest,
  CompiledRange,
  CompiledSetting,
  CompiledTests,
} from '../compiled-tariff.rules.ts';
import type { References } from '../references.rules.ts';
import { grams, scaled, side } from '../units.rules.ts';
import {
  type Condition,
  MEASURES,
  type Measure,
  PARCEL_MEASURES,
  type ParcelCondition,
  type ParcelMeasure,
  type ParcelTest,
  type Range,
  type Test,
} from './condition.format.rules.ts';

/** What the names in conditions mean in a version. */
export interface Names {
  readonly zones: ReadonlyMap<string, number>;
  readonly origins: ReadonlyMap<string, number>;
  readonly references: References;
}

const FIRST_DAY = '0000-01-01';
const LAST_DAY = '9999-12-31';

/** Makes a condition ready: what few conditions have is apart, so that it costs the others nothing. */
export function compileCondition(when: Condition, names: Names): CompiledCondition {
  const { zones, to, chargeableKg, parcel, allOf = [], ...others } = when;
  const parcels = [parcel, ...allOf.map(onlyParcel)].filter(one => one !== undefined);
  const least = leastOf(parcels);
  const weighed = chargeableKg && isOnly(chargeableKg, 'from');
  const more = compileTests(
    {
      ...others,
      ...(chargeableKg && !weighed && { chargeableKg }),
      ...(parcels.length > 0 && !least && { some: parcels }),
    },
    allOf.filter(test => onlyParcel(test) === undefined),
    names,
  );
  return {
    zones: zones && new Set(zones.map(code => names.zones.get(code) ?? -1)),
    table: to && areaTable([to], names.references.lists),
    fromGrams: weighed ? grams(chargeableKg.from) : 0,
    parcelFromGrams: 0,
    longestSideOver: -1,
    sumOfSidesOver: -1,
    ...least,
    more,
  };
}

/** A condition on which the weight depends; what it says of parcels is of the one that is weighed. */
export function compileSetting(when: Condition | undefined, names: Names): CompiledSetting {
  if (!when) return { condition: undefined, parcel: undefined };
  const { parcel, ...others } = when;
  const hasOthers = Object.keys(others).length > 0;
  return {
    condition: hasOthers ? compileCondition(others, names) : undefined,
    parcel: parcel && compileParcel(parcel),
  };
}

/** The parcel that a test is about and nothing else. */
function onlyParcel(test: Test): ParcelCondition | undefined {
  return test.parcel && Object.keys(test).length === 1 ? test.parcel : undefined;
}

/**
 * Conditions that hold for a parcel if they hold for the heaviest or the largest, which every shipment knows. Undefined where
 * one of them is about more.
 */
function leastOf(parcels: readonly ParcelCondition[]): Partial<CompiledCondition> | undefined {
  const least: Record<string, number> = {};
  for (const parcel of parcels) {
    const [[name, range] = ['', {}], ...others] = Object.entries(parcel) as [string, Range][];
    const [field, value] =
      name === 'weightKg' && isOnly(range, 'from')
        ? ['parcelFromGrams', grams(range.from)]
        : name === 'longestSideCm' && isOnly(range, 'over')
          ? ['longestSideOver', side(range.over)]
          : name === 'sumOfSidesCm' && isOnly(range, 'over')
            ? ['sumOfSidesOver', side(range.over)]
            : [undefined, 0];
    if (others.length > 0 || field === undefined || field in least) return undefined;
    least[field] = value;
  }
  return least;
}

function isOnly(range: Range, bound: keyof Range): boolean {
  return Object.keys(range).length === 1 && range[bound] !== undefined;
}

type Others = Omit<Condition, 'zones' | 'to' | 'parcel' | 'allOf'> & { readonly some?: readonly ParcelCondition[] };

function compileTests(
  { origins, dates, codPayments, options, anyOf = [], noneOf = [], some = [], ...measures }: Others,
  allOf: readonly Test[],
  names: Names,
): CompiledTests | undefined {
  const ranges = Object.entries(measures as Partial<Record<Measure, Range>>).flatMap(([measure, range]) =>
    range ? [rangeOf(measure as Measure, range, MEASURES[measure as Measure])] : [],
  );
  const all = (some: readonly Test[]): CompiledCondition[] => some.map(test => compileCondition(test, names));
  const tests = {
    origins: origins && new Set(origins.map(code => names.origins.get(code) ?? -1)),
    from: dates?.from ?? FIRST_DAY,
    until: dates?.until ?? LAST_DAY,
    payments: codPayments && new Set<string>(codPayments),
    options,
    ranges,
    parcels: some.map(compileParcel),
    allOf: all(allOf),
    anyOf: all(anyOf),
    noneOf: all(noneOf),
  };
  const lists = [ranges, tests.parcels, allOf, anyOf, noneOf];
  const isEmpty = !origins && !dates && !codPayments && !options && lists.every(list => list.length === 0);
  return isEmpty ? undefined : tests;
}

export function compileParcel({ anyOf = [], noneOf = [], ...own }: ParcelCondition): CompiledParcelTest {
  const test = ({ palletTypes, isPallet, isStackable, ...measures }: ParcelTest) => ({
    ranges: Object.entries(measures as Partial<Record<ParcelMeasure, Range>>).flatMap(([measure, range]) =>
      range ? [rangeOf(measure as ParcelMeasure, range, PARCEL_MEASURES[measure as ParcelMeasure])] : [],
    ),
    palletTypes: palletTypes && new Set(palletTypes),
    isPallet,
    isStackable,
    anyOf: [],
    noneOf: [],
  });
  return { ...test(own), anyOf: anyOf.map(test), noneOf: noneOf.map(test) };
}

/** Every measure is a whole number in the engine, so that an open end is one more or less. */
function rangeOf<Name extends Measure | ParcelMeasure>(
  measure: Name,
  { from, over, upTo, below }: Range,
  decimals: number,
): { measure: Name; least: number; most: number } & Omit<CompiledRange, 'measure'> {
  const units = (value: number) => scaled(value, decimals) ?? Number.NaN;
  return {
    measure,
    least: Math.max(from === undefined ? 0 : units(from), over === undefined ? 0 : units(over) + 1),
    most: Math.min(
      upTo === undefined ? Number.POSITIVE_INFINITY : units(upTo),
      below === undefined ? Number.POSITIVE_INFINITY : units(below) - 1,
    ),
  };
}
