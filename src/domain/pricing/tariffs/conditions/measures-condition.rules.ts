import type { z } from 'zod';
import type { TariffIssues } from '../check/check-issues.rules.ts';
import type { Path } from '../format/tariff-document.rules.ts';
import { conditionKind } from './condition-kind.rules.ts';
import { isLateMeasure, MEASURE_NAMES, MEASURES, type Measure, measured } from './measures.rules.ts';
import { type CompiledRange, checkRange, compileRange, type Range, range } from './ranges.rules.ts';

interface MeasuredRange extends CompiledRange {
  readonly measure: Measure;
}

type RangeForms = Record<Measure, z.ZodOptional<typeof range>>;

const form = Object.fromEntries(
  MEASURE_NAMES.map(name => [name, range.describe(MEASURES[name].what).optional()]),
) as RangeForms;

const rangesOf = (given: Readonly<Record<string, unknown>>) =>
  MEASURE_NAMES.flatMap(measure => {
    const one = given[measure] as Range | undefined;
    return one ? [[measure, one] as const] : [];
  });

/** Adds that a measure is of what happens after the shipment, where a line is charged before. */
export function checkMeasure(issues: TariffIssues, path: Path, measure: Measure, isLate = false): void {
  if (isLate || !isLateMeasure(measure)) return;
  issues.add(path, 'not_allowed', 'must not be counted before the shipment: only afterShipment has it');
}

/** Measures of the shipment that lie in ranges. */
export const measuresCondition = conditionKind({
  form,
  isEarly: false,
  isCostly: false,
  guide: ['a measure', 'the number lies in the range'],
  words: {},
  check: (issues, path, given, { isLate }) => {
    for (const [measure, one] of rangesOf(given)) {
      checkMeasure(issues, [...path, measure], measure, isLate);
      checkRange(issues, [...path, measure], one);
    }
  },
  compile: (given): readonly MeasuredRange[] | undefined => {
    const ranges = rangesOf(given);
    if (ranges.length === 0) return undefined;
    return ranges.map(([measure, one]) => ({ measure, ...compileRange(one, MEASURES[measure].decimals) }));
  },
  holds: (ranges, situation) => {
    for (const { measure, least, most } of ranges) {
      const value = measured(measure, situation);
      if (value < least || value > most) return false;
    }
    return true;
  },
});
