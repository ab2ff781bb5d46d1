import { z } from 'zod';
import { knownNames, type TariffIssues } from '../check/check-issues.rules.ts';
import type { Words } from '../explanation-words.rules.ts';
import { day } from '../format/parts.format.rules.ts';
import type { Path } from '../format/tariff-document.rules.ts';
import { forAmounts, type Shipment } from '../shipment-terms.rules.ts';
import { money, NOT_CHARGED, percent, ppmOf } from '../units.rules.ts';
import { chargeKind, type ExplainedAmounts, type LineRules, rejectNegative } from './charge-kind.rules.ts';

/** A percentage from a day on. */
interface Rate {
  readonly from: string;
  readonly ppm: number;
}

/** A percentage, in millionths, of lines and values. */
interface Share {
  readonly ppm: number;
  /** In the place of `ppm`. */
  readonly rates: readonly Rate[] | undefined;
  /** Positions of lines. */
  readonly of: readonly number[];
  readonly values: readonly Value[];
}

/** Amounts to which a percentage can apply besides lines: the field of a shipment that has each. */
const VALUES = {
  codAmount: { field: 'codCents' },
  insuredValue: { field: 'insuredCents' },
  ...forAmounts(({ field }) => ({ field })),
} as const;
type Value = (typeof VALUES)[keyof typeof VALUES];

/** The names of amounts, besides lines, to which a percentage can apply. */
export const VALUE_NAMES: ReadonlySet<string> = new Set(Object.keys(VALUES));

const inWords = (names: ReadonlySet<string>) =>
  [...names]
    .map(name => `\`${name}\``)
    .join(', ')
    .replace(/, (?=[^,]*$)/, ' and ');

/** Returns the amount in cents to which a percentage applies. */
export function amountUnder({ of, values }: Share, amounts: readonly number[], shipment: Shipment): number {
  let cents = 0;
  for (const { field } of values) cents += shipment[field] ?? 0;
  for (const position of of) {
    const amount = amounts[position] as number;
    if (amount !== NOT_CHARGED) cents += amount;
  }
  return cents;
}

/** The rate in force on a day. */
function rateOn(rates: readonly Rate[], date: string): Rate | undefined {
  return rates.findLast(({ from }) => from <= date);
}

const percentage = z.number().min(-100).max(300).describe('Percent, at most 4 decimals; below 0 for a discount.');

/** A percentage of lines, or of the amount collected or insured: one, by date, or by an index of the carrier. */
export const percentageCharge = chargeKind({
  form: {
    percent: percentage.optional(),
    rates: z
      .array(z.strictObject({ from: day, percent: percentage }))
      .min(1)
      .max(1_000)
      .describe('Instead of `percent`: by date, ascending; the first not after `validFrom`.')
      .optional(),
    index: z
      .string()
      .regex(/^[a-z][a-z0-9_]{0,39}$/)
      .describe("Instead of `percent`: the carrier's index of this name, by date.")
      .optional(),
    of: z
      .array(z.string().regex(/^[a-z][A-Za-z0-9_]{0,39}$/))
      .min(1)
      .max(100)
      .describe(
        `Lines by code, all lines of \`base\`, \`surcharges\`, \`fuel\`, \`options\`, \`cod\` or \`insurance\`, or the amounts ${inWords(VALUE_NAMES)}.`,
      )
      .optional(),
  },
  parts: ['percent', 'rates', 'index'],
  needs: { percent: ['of'], rates: ['of'], index: ['of'] },
  units: { percent: 'percent' },
  guide: ['`percent`, `rates` or `index`, with `of`', 'a percentage of the lines and amounts in `of`'],
  words: { percent: 'percent', rates: 'rate from', of: 'percentage of' },
  isCalculated: ({ percent: share = 0, rates, index }) => share !== 0 || rates !== undefined || index !== undefined,
  check: (issues, path, given, rules) => {
    const { percent: share, rates, index, of } = given;
    const shares = Object.entries({ percent: share, rates, index }).filter(([, one]) => one !== undefined);
    const [first, second] = shares;
    if (second) issues.add([...path, second[0]], 'not_allowed', `cannot be combined with ${first?.[0]}`);
    if (first && of === undefined)
      issues.add([...path, 'of'], 'required', `must be given: ${first[0]} and of go together`);
    if (!first && of !== undefined)
      issues.add([...path, 'percent'], 'required', 'must be given: percent and of go together');
    if (rates) checkRates(issues, [...path, 'rates'], rates, rules);
    if (index !== undefined) checkIndex(issues, [...path, 'index'], index, rules);
    rejectNegative(issues, [...path, 'percent'], share, rules);
  },
  compile: ({ percent: share, rates, index, of }, { references, positionsOf }): Share | undefined => {
    if (of === undefined) return undefined;
    const dated = index === undefined ? rates : (references.indexes.get(index) ?? []);
    return {
      ppm: ppmOf(share),
      rates: dated?.map(rate => ({ from: rate.from, ppm: ppmOf(rate.percent) })),
      of: positionsOf(of),
      values: Object.entries(VALUES).flatMap(([name, value]) => (of.includes(name) ? [value] : [])),
    };
  },
  apply: (share, amounts, { shipment }, above) => {
    const ppm = share.rates === undefined ? share.ppm : (rateOn(share.rates, shipment.date)?.ppm ?? 0);
    return ppm === 0 ? 0 : ppm * (amountUnder(share, amounts, shipment) - above);
  },
  pricing: (share, { version, words }, above) => {
    if (isNothing(share)) return '';
    const names = namesOf(words, share, version, () => true);
    const what = share.rates ? words.percentByDate : percentText(share.ppm);
    return words.percentOf(what, names.join(' + ')) + (above > 0 ? words.above(money(above)) : '');
  },
  explain: (share, price, { shipment }, above) => {
    if (isNothing(share)) return '';
    const rate = share.rates && rateOn(share.rates, shipment.date);
    const { words } = price;
    const since = rate ? words.rateFrom(rate.from) : '';
    return words.percentOf(percentText(rate?.ppm ?? share.ppm), ofText(share, price, shipment, above)) + since;
  },
});

function checkRates(
  issues: TariffIssues,
  path: Path,
  rates: readonly { readonly from: string; readonly percent: number }[],
  rules: LineRules,
): void {
  for (const [i, { from, percent: share }] of rates.entries()) {
    const before = rates[i - 1]?.from;
    const at = [...path, i, 'from'];
    const { validFrom } = rules;
    if (before === undefined && from > validFrom) issues.add(at, 'gap', `must not come after validFrom, ${validFrom}`);
    if (before !== undefined && from <= before) issues.add(at, 'overlap', `must come after the rate before, ${before}`);
    rejectNegative(issues, [...path, i, 'percent'], share, rules);
  }
}

function checkIndex(issues: TariffIssues, path: Path, name: string, { validFrom }: LineRules): void {
  const { references } = issues;
  if (!references) return;
  const [first] = references.indexes.get(name) ?? [];
  if (!first) {
    const message = `names the index "${name}", which the carrier does not have: ${knownNames(references.indexes.keys())}`;
    issues.add(path, 'unknown_index', message);
  } else if (first.from > validFrom) {
    issues.add(path, 'gap', `must have a percentage from validFrom, ${validFrom}, or before`);
  }
}

/** Whether a percentage is 0: it names lines only for `above`. */
const isNothing = ({ ppm, rates }: Share) => ppm === 0 && rates === undefined;
const percentText = (ppm: number) => `${percent(ppm)} %`;

/** Lines and values, with their amounts and names. */
function ofText(
  share: Share,
  { amounts, version, words }: ExplainedAmounts,
  shipment: Shipment,
  above: number,
): string {
  const value = amountUnder(share, amounts, shipment);
  const isValue = share.of.length === 0 && share.values.length === 1;
  const amount = money(value - above) + (above > 0 ? words.less(money(value), money(above)) : '');
  if (isValue) return amount;
  const isCharged = (position: number) => (amounts[position] ?? NOT_CHARGED) !== NOT_CHARGED;
  return `${amount} (${namesOf(words, share, version, isCharged).join(' + ') || words.nothing})`;
}

function namesOf(
  words: Words,
  { of, values }: Share,
  { lines }: ExplainedAmounts['version'],
  isNamed: (position: number) => boolean,
): string[] {
  const codes = of.filter(isNamed).flatMap(position => lines[position]?.code ?? []);
  return [...codes, ...values.map(({ field }) => words.values[field])];
}
