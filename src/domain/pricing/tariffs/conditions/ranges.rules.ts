import { z } from 'zod';
import type { TariffIssues } from '../check/check-issues.rules.ts';
import type { Path } from '../format/tariff-document.rules.ts';
import { scaled } from '../units.rules.ts';

const MAX_VALUE = 1_000_000;

/** The range of a number. */
export const range = z
  .strictObject({
    from: z.number().min(0).max(MAX_VALUE).describe('This or more.').optional(),
    over: z.number().min(0).max(MAX_VALUE).describe('More than this.').optional(),
    upTo: z.number().min(0).max(MAX_VALUE).describe('This or less.').optional(),
    below: z.number().min(0).max(MAX_VALUE).describe('Less than this.').optional(),
  })
  .describe('A number lies in it where all that is given holds.')
  .meta({ id: 'Range', minProperties: 1 });

export type Range = z.infer<typeof range>;

/** A range of numbers, including both ends. */
export interface CompiledRange {
  readonly least: number;
  readonly most: number;
}

/** Every measure is a whole number in the engine, so that an open end is one more or less. */
export function compileRange({ from, over, upTo, below }: Range, decimals: number): CompiledRange {
  const units = (value: number) => scaled(value, decimals) ?? Number.NaN;
  return {
    least: Math.max(from === undefined ? 0 : units(from), over === undefined ? 0 : units(over) + 1),
    most: Math.min(
      upTo === undefined ? Number.POSITIVE_INFINITY : units(upTo),
      below === undefined ? Number.POSITIVE_INFINITY : units(below) - 1,
    ),
  };
}

/** Reports an empty range, or one that states an end twice. */
export function checkRange(issues: TariffIssues, path: Path, range: Range): void {
  checkNotEmpty(issues, path, range);
  const { from, over, upTo, below } = range;
  if (from !== undefined && over !== undefined)
    issues.add([...path, 'over'], 'not_allowed', 'cannot be combined with from');
  if (upTo !== undefined && below !== undefined)
    issues.add([...path, 'below'], 'not_allowed', 'cannot be combined with upTo');
  const least = from ?? over;
  const most = upTo ?? below;
  if (least === undefined || most === undefined) return;
  const isEmpty = from !== undefined && upTo !== undefined ? upTo < from : most <= least;
  if (isEmpty)
    issues.add([...path, upTo === undefined ? 'below' : 'upTo'], 'out_of_range', `must be more than ${least}`);
}

export function checkNotEmpty(issues: TariffIssues, path: Path, value: object): void {
  if (Object.values(value).every(one => one === undefined))
    issues.add(path, 'required', 'must have at least one field');
}
