import { type ReadNumber, readNumber } from '../../../common/tables/cell-values.rules.ts';

/** Ranges of numbers as people write them in a cell: `> 30`, `>= 10 <= 50`. */

const SIGNS = { from: '>=', over: '>', upTo: '<=', below: '<' } as const;
type Bound = keyof typeof SIGNS;
type Bounds = Partial<Record<Bound, number>>;

const BOUND_OF = new Map(Object.entries(SIGNS).map(([bound, sign]) => [sign as string, bound as Bound]));
const PART = /(>=|<=|>|<|≥|≤)\s*(\d[\d.,]*)(?!\w)/g;

export function rangeText(range: Readonly<Bounds>): string {
  return Object.entries(SIGNS)
    .flatMap(([bound, sign]) => {
      const value = range[bound as Bound];
      return value === undefined ? [] : [`${sign} ${unambiguous(value)}`];
    })
    .join(' ');
}

/** With a fourth decimal after three, which could be thousands otherwise. */
function unambiguous(value: number): string {
  return String(value).replace(/\.\d{3}$/, decimals => `${decimals}0`);
}

/** The range; undefined for a text that is not a range, and the number in it that cannot be read. */
export function readRange(text: string): Bounds | Extract<ReadNumber, { wrong: string }> | undefined {
  const range: Bounds = {};
  for (const [, sign = '', digits = ''] of text.matchAll(PART)) {
    const bound = BOUND_OF.get(sign.replace('≥', '>=').replace('≤', '<='));
    if (bound === undefined || range[bound] !== undefined) return undefined;
    // A comma after it separates the bounds.
    const read = readNumber(digits.replace(/(?<![.,])[.,]+$/, ''), 'count', undefined);
    if ('wrong' in read) return read;
    range[bound] = Number(read.decimal);
  }
  const rest = text.replaceAll(PART, '').replaceAll(/\b(?:and|e)\b|[\s,;]/g, '');
  return rest === '' && Object.keys(range).length > 0 ? range : undefined;
}
