import { decimalsOfMeasures } from '../conditions/measures.rules.ts';
import { PARCEL_MEASURES } from '../conditions/parcel-condition.rules.ts';
import { decimalsOfField } from '../format/field-units.format.rules.ts';
import { type Path, pathOf, spotsIn } from '../format/tariff-document.rules.ts';
import { decimalNumber, scaledSigned } from '../units.rules.ts';

const OF_MEASURE: Readonly<Record<string, number>> = { ...decimalsOfMeasures(), ...PARCEL_MEASURES };
const IN_RANGES: ReadonlySet<string> = new Set(['from', 'over', 'upTo', 'below']);
const IN_STEPS: ReadonlySet<string> = new Set(['every', 'above']);

/** Finds numbers with too many decimals, which would otherwise be cut off without an error. */
export function decimalsIn(document: object): { path: Path; message: string }[] {
  return [...numbersIn(document)]
    .filter(({ count }) => count === undefined)
    .map(({ spot, name, decimals }) => ({
      path: [...pathOf(spot), name],
      message: `must have at most ${decimals} decimals`,
    }));
}

/** Writes numbers such as 0.30000000000000004 as 0.3, so that numbers of the tariff can be compared with each other. */
export function roundDecimals(document: object): void {
  for (const { spot, name, decimals, count } of numbersIn(document)) {
    if (count !== undefined) Object.assign(spot.value, { [name]: decimalNumber(count, decimals) });
  }
}

/** Every number whose decimals are limited, as a count of its last place; undefined where it has more. */
function* numbersIn(document: object) {
  for (const spot of spotsIn(document, field => field === 'to' || field === 'of')) {
    for (const [name, value] of Object.entries(spot.value)) {
      if (typeof value !== 'number') continue;
      const decimals = decimalsOf(name, spot.value, String(spot.step), spot.around?.around?.value);
      if (decimals !== undefined) yield { spot, name, decimals, count: scaledSigned(value, decimals) };
    }
  }
}

/**
 * Returns how many decimals a number may have. In ranges, brackets and steps this depends on the measure, which a field
 * beside or around the number names.
 */
function decimalsOf(name: string, holder: object, step: string, aroundList: unknown): number | undefined {
  if (IN_STEPS.has(name) && 'measure' in holder) return OF_MEASURE[String(holder.measure)];
  if (IN_RANGES.has(name)) {
    const by = aroundList as { by?: unknown } | undefined;
    return OF_MEASURE[step] ?? OF_MEASURE[String(by?.by)];
  }
  return decimalsOfField(name);
}
