import { decimalsOfMeasures } from '../conditions/measures.rules.ts';
import { PARCEL_MEASURES } from '../conditions/parcel-condition.rules.ts';
import { decimalsOfField } from '../format/field-units.format.rules.ts';
import { type Path, pathOf, spotsIn } from '../format/tariff-document.rules.ts';
import { scaledSigned } from '../units.rules.ts';

const OF_MEASURE: Readonly<Record<string, number>> = { ...decimalsOfMeasures(), ...PARCEL_MEASURES };
const IN_RANGES: ReadonlySet<string> = new Set(['from', 'over', 'upTo', 'below']);
const IN_STEPS: ReadonlySet<string> = new Set(['every', 'above']);

/** Finds numbers with too many decimals, which would otherwise be cut off without an error. */
export function decimalsIn(document: object): { path: Path; message: string }[] {
  const found: { path: Path; message: string }[] = [];
  for (const spot of spotsIn(document, field => field === 'to' || field === 'of')) {
    for (const [name, value] of Object.entries(spot.value)) {
      if (typeof value !== 'number') continue;
      const decimals = decimalsOf(name, spot.value, String(spot.step), spot.around?.around?.value);
      if (decimals === undefined || scaledSigned(value, decimals) !== undefined) continue;
      found.push({ path: [...pathOf(spot), name], message: `must have at most ${decimals} decimals` });
    }
  }
  return found;
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
