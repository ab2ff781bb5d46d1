/** Ranges of numbers as people write them in a cell: `> 30`, `>= 10 <= 50`. */

const SIGNS = { from: '>=', over: '>', upTo: '<=', below: '<' } as const;
type Bound = keyof typeof SIGNS;

const BOUND_OF = new Map(Object.entries(SIGNS).map(([bound, sign]) => [sign as string, bound as Bound]));
const PART = /(>=|<=|>|<|≥|≤)\s*(\d+(?:[.,]\d+)?)/g;

export function rangeText(range: Readonly<Partial<Record<Bound, number>>>): string {
  return Object.entries(SIGNS)
    .flatMap(([bound, sign]) => {
      const value = range[bound as Bound];
      return value === undefined ? [] : [`${sign} ${value}`];
    })
    .join(' ');
}

/** Undefined for a text that is not a range. A number may have a sign for its decimals, but none for thousands. */
export function readRange(text: string): Partial<Record<Bound, number>> | undefined {
  const range: Partial<Record<Bound, number>> = {};
  for (const [, sign = '', digits = ''] of text.matchAll(PART)) {
    const bound = BOUND_OF.get(sign.replace('≥', '>=').replace('≤', '<='));
    if (bound === undefined || range[bound] !== undefined) return undefined;
    range[bound] = Number(digits.replace(',', '.'));
  }
  const rest = text.replaceAll(PART, '').replaceAll(/[\s,;]|and|e/g, '');
  return rest === '' && Object.keys(range).length > 0 ? range : undefined;
}
