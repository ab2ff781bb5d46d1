import { amountOf, chargePricing } from '../../../pricing/tariffs/charges/charge.rules.ts';
import type { CompiledSum } from '../../../pricing/tariffs/charges/charge-kinds.rules.ts';
import type {
  CompiledLine,
  CompiledTariff,
  CompiledVersion,
} from '../../../pricing/tariffs/compile/compiled-tariff.rules.ts';
import { calculation, situationOf } from '../../../pricing/tariffs/engine/explanation.rules.ts';
import { isAsked } from '../../../pricing/tariffs/engine/offer.rules.ts';
import { money, NOT_CHARGED, percent } from '../../../pricing/tariffs/units.rules.ts';
import type { BilledLine } from '../billed-line.rules.ts';
import { explainBase, type Step } from './base-findings.rules.ts';
import { dueFor, type Part } from './billed-parts.rules.ts';
import { type Amount, amountsIn, type Calculation, ruleAt, ruleOfLine, withAmounts } from './calculation.rules.ts';
import type { Explanation, FindingCode } from './finding-codes.rules.ts';

/** Explains why a charge differs from the due one. */

/** The steps from the due to the billed amount, for one part of a line. Empty if the tariff does not have it. */
export function explainPart(part: Part, line: BilledLine, from: Calculation, tariff: CompiledTariff): Step[] {
  const found =
    explainBase(part, line, from, tariff) ??
    one(notDue(part, from)) ??
    one(otherMonth(part, from, tariff)) ??
    one(otherAmount(part, line, from));
  return found ?? [];
}

const one = (step: Step | undefined) => step && [step];

/** A surcharge or an option that does not apply to this shipment, and costs exactly the excess. */
function notDue(part: Part, from: Calculation): Step | undefined {
  const { price, version, shipment } = from;
  const difference = part.cents - dueFor(part, price);
  if (difference <= 0) return undefined;
  const situation = situationOf(price, shipment);
  for (const position of part.positions) {
    const line = version.lines[position] as CompiledLine;
    if (price.amounts[position] !== NOT_CHARGED || !['surcharges', 'options'].includes(line.component)) continue;
    const cents = amountOf(line.charge, price.amounts, situation);
    // With dependent amounts in one charge, or alone; a charge for it alone matches any amount.
    const whole = withAmounts(from, [[position, cents]]);
    const isAlone = part.positions.length === 1 || cents === difference;
    const alone = isAlone ? withPart(part, from, [position, difference]) : undefined;
    const to = whole && dueFor(part, whole.price) === part.cents ? whole : alone;
    if (to === undefined) continue;
    const isOption = line.component === 'options';
    const why = isOption && !isAsked(line, shipment) ? 'wasNotOrdered' : 'doesNotApply';
    const explanation: Explanation = words =>
      `${line.code} (${line.description}), ${chargePricing(line.charge, { version, words })}: ${words[why]}`;
    return { code: isOption ? 'option' : 'surcharge_not_due', to, rule: ruleOfLine(from, position), explanation };
  }
  return undefined;
}

/** The price with another amount of one line of a part, and the others of the part as they are. */
function withPart({ positions }: Part, from: Calculation, amount: Amount): Calculation | undefined {
  return withAmounts(from, [...amountsIn(from.price, positions), amount]);
}

/** Fuel at a percentage of another period. */
function otherMonth(part: Part, from: Calculation, tariff: CompiledTariff): Step | undefined {
  const { price, version, shipment } = from;
  const position = part.positions.find(
    at => version.lines[at]?.component === 'fuel' && price.amounts[at] !== NOT_CHARGED,
  );
  if (position === undefined) return undefined;
  const line = version.lines[position] as CompiledLine;
  const due = price.amounts[position] as number;
  const wanted = due + part.cents - dueFor(part, price);
  const situation = situationOf(price, shipment);
  for (const { ppm, from: since } of nearest(ratesOf(line, tariff), shipment.date)) {
    const sums = line.charge.sums.map(sum => withPercentage(sum, ppm));
    if (amountOf({ ...line.charge, sums }, price.amounts, situation) !== wanted) continue;
    const to = withPart(part, from, [position, wanted]);
    const explanation: Explanation = words =>
      words.chargedRateFrom(percent(ppm), since, calculation(words, price, position, shipment));
    return to && { code: 'fuel_month', to, rule: ruleOfLine(from, position), explanation };
  }
  return undefined;
}

/** A sum with another percentage. */
function withPercentage(sum: CompiledSum, ppm: number): CompiledSum {
  const { percentageCharge: share } = sum;
  return share ? { ...sum, percentageCharge: { ...share, ppm, rates: undefined } } : sum;
}

interface DatedRate {
  readonly ppm: number;
  readonly from: string;
}

/** Every percentage of a fuel line, and of the line with its code in other versions. */
function ratesOf(line: CompiledLine, { versions }: CompiledTariff): DatedRate[] {
  if (line.charge.sums.length !== 1) return [];
  return versions.flatMap(({ lines, validFrom }) =>
    lines
      .filter(({ component, code }) => component === 'fuel' && code === line.code)
      .flatMap(({ charge }) => charge.sums.flatMap(({ percentageCharge: share }) => share ?? []))
      .flatMap(({ rates, ppm }) => rates ?? [{ ppm, from: validFrom }]),
  );
}

/** Rates in the order of the distance of their start from a day. */
function nearest(rates: readonly DatedRate[], day: string): DatedRate[] {
  const distance = ({ from }: DatedRate) => Math.abs(Date.parse(from) - Date.parse(day));
  return rates.toSorted((a, b) => distance(a) - distance(b));
}

/** The code of an amount that nothing explains. */
export const OTHER_AMOUNT: Readonly<Record<Part['kinds'][number], FindingCode>> = {
  base: 'base_price',
  surcharges: 'surcharge_amount',
  fuel: 'fuel',
  options: 'option',
  cod: 'cod_fee',
  insurance: 'insurance',
};

/** An unexplained amount: it is put on a charged line, so that dependent amounts follow. */
function otherAmount(part: Part, line: BilledLine, from: Calculation): Step | undefined {
  const { price, version, shipment } = from;
  const due = dueFor(part, price);
  const difference = part.cents - due;
  const charged = part.positions.filter(at => price.amounts[at] !== NOT_CHARGED);
  const [position = part.positions[0]] = charged;
  if (position === undefined) return undefined;
  const isCharged = charged.length > 0;
  const before = isCharged ? (price.amounts[position] as number) : 0;
  const to = withPart(part, from, [position, before + difference]);
  if (to === undefined) return undefined;
  const { fuelPpm } = line;
  const explanation: Explanation = words => {
    const dues = charged.map(at => `${version.lines[at]?.code} ${calculation(words, price, at, shipment)}`);
    const [amount, text] = [money(part.cents), dues.join('; ') || money(0)];
    const hasPercent = fuelPpm !== null && part.kinds.includes('fuel');
    return hasPercent ? words.chargedAt(amount, percent(fuelPpm), text) : words.charged(amount, text);
  };
  const isRounding = isCharged && Math.abs(difference) === 1;
  const code = isRounding ? 'rounding' : OTHER_AMOUNT[part.kinds[0] ?? 'surcharges'];
  const isOfMany = charged.length > 1 && position > 0;
  const rule = isOfMany ? ruleAt(version, [part.kinds[0] as string]) : ruleOfLine(from, position);
  return { code, to, rule, explanation };
}

/** A billed charge that the tariff does not have. */
export function unknownCharge(part: Part, version: CompiledVersion): Pick<Step, 'code' | 'rule' | 'explanation'> {
  const [kind = 'surcharges'] = part.kinds;
  const code = kind === 'surcharges' ? 'surcharge_not_due' : OTHER_AMOUNT[kind];
  const names = part.names.join(', ');
  return { code, rule: ruleAt(version, []), explanation: words => words.tariffHasNo(names || words.components[kind]) };
}
