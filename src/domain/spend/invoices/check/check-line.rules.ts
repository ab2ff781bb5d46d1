import type { CompiledTariff } from '../../../pricing/tariffs/compile/compiled-tariff.rules.ts';
import { vatByRate } from '../../../pricing/tariffs/engine/quote.rules.ts';
import type { Price } from '../../../pricing/tariffs/price.rules.ts';
import type { Shipment } from '../../../pricing/tariffs/shipment-terms.rules.ts';
import { kgText, money, NOT_CHARGED, percent, roundToCents } from '../../../pricing/tariffs/units.rules.ts';
import {
  type BilledCharge,
  type BilledLine,
  netOf,
  numberOf,
  sumOf,
  vatOf,
  vatStatedBy,
} from '../billed-line.rules.ts';
import { CHARGE_KINDS, type ChargeKind, isComponentKind, isDutyKind } from '../reading/invoice-mapping.format.rules.ts';
import { billsBase, dueFor, type Part, partsOf } from './billed-parts.rules.ts';
import { amountsIn, type Calculation, calculationOf, withAmounts } from './calculation.rules.ts';
import { explainPart, unknownCharge } from './charge-findings.rules.ts';
import { eventFindings, type Tracked } from './event-findings.rules.ts';
import type { Explanation, Finding } from './finding-codes.rules.ts';
import type { PossiblePrices } from './possible-prices.rules.ts';
import { isUncertain, uncertainFindings } from './uncertain-findings.rules.ts';

/**
 * Compares a line of an invoice with the price of its shipment. Each difference is explained by the fewest errors: the
 * price with these errors equals the billed amount to the cent. So the differences before VAT add up to the excess of
 * the line.
 */

/** The basis of a comparison. */
interface Due {
  readonly tariff: CompiledTariff;
  readonly price: Price;
  readonly shipment: Shipment;
  /** The prices by terms that are missing; undefined if none decides. */
  readonly possible: PossiblePrices | undefined;
  /** The charges that invoices can bill, by their mapping. */
  readonly covers: readonly ChargeKind[];
  /** Undefined without tracking of the shipment. */
  readonly tracked: Tracked | undefined;
  readonly billedBefore: BilledBefore;
}

/** The charges of earlier lines for a shipment. */
export interface BilledBefore {
  /** Their charges, as a sum of `kindsOf`. */
  readonly kinds: number;
  /** The excess of the billed amounts over the due ones; less than zero if the lines left out a part of the price. */
  readonly overCents: number;
  readonly numbers: readonly string[];
}

export const NOTHING_BEFORE: BilledBefore = { kinds: 0, overCents: 0, numbers: [] };

/** Charges that may legitimately repeat. */
const REPEATED: ReadonlySet<ChargeKind> = new Set(['redelivery', 'address_change', 'waiting', 'duties']);
const MOST_PASSES = 3;

/** The kinds of charges as a bit mask. A correction bills no price of its own. */
export function kindsOf({ charges, isCorrection }: Pick<BilledLine, 'charges' | 'isCorrection'>): number {
  let bits = 0;
  for (const charge of charges) {
    const isCounted = charge.cents > 0 && !(isCorrection && isOfPrice(charge));
    if (isCounted) for (const kind of charge.kinds) bits |= bitOf(kind);
  }
  return bits;
}

const bitOf = (kind: ChargeKind) => 1 << CHARGE_KINDS.indexOf(kind);

export function checkLine(line: BilledLine, due: Due): Finding[] {
  const { left, duplicate } = withoutDuplicates(line, due.billedBefore);
  const remaining: BilledLine = { ...line, charges: left };
  const { findings, billed } = componentFindings(remaining, due);
  const events = eventFindings(remaining, due);
  const found = [...(duplicate ? [duplicate] : []), ...findings, ...events, ...totalFinding(line)];
  return [...found, ...vatFinding(line, due, billed)];
}

/** Whether the base price is among some charges. */
export function hasBase({ kinds }: BilledBefore): boolean {
  return (kinds & bitOf('base')) !== 0;
}

/** Whether a line corrects components of a price that were billed earlier. */
export function correctsPrice({ isCorrection, charges }: BilledLine): boolean {
  return isCorrection === true && charges.some(isOfPrice);
}

function isOfPrice({ kinds: [kind], lines, cents }: BilledCharge): boolean {
  return cents !== 0 && (kind === undefined ? lines.length > 0 : isComponentKind(kind));
}

/**
 * If the base price was billed earlier, a line that bills it again is a duplicate as a whole. A correction, and another
 * package of the shipment, may bill what earlier lines did not.
 */
function withoutDuplicates(
  line: BilledLine,
  { kinds: billedBefore, overCents, numbers }: BilledBefore,
): { readonly left: readonly BilledCharge[]; readonly duplicate: Finding | undefined } {
  const isCorrection = correctsPrice(line);
  const isAgain = isCorrection || (billsBase(line) && (billedBefore & bitOf('base')) !== 0);
  const isDuplicate = (charge: BilledCharge) => {
    const { kinds, cents } = charge;
    if (isCorrection) return isOfPrice(charge);
    if (cents <= 0) return false;
    if (isAgain && isOfPrice(charge)) return true;
    return kinds.some(kind => !REPEATED.has(kind) && (billedBefore & bitOf(kind)) !== 0);
  };
  const duplicates = line.charges.filter(isDuplicate);
  const cents = sumOf(duplicates);
  if (duplicates.length === 0) return { left: line.charges, duplicate: undefined };
  const left = line.charges.filter(charge => !duplicates.includes(charge));
  const isOther = isCorrection || !numbers.includes(numberOf(line) ?? '');
  const missing = isAgain && isOther ? Math.min(Math.max(0, -overCents), Math.max(0, cents)) : 0;
  const amountCents = cents - missing;
  if (amountCents === 0) return { left, duplicate: undefined };
  const names = duplicates.map(({ name }) => name).join(', ');
  const { chargeableGrams: grams } = line;
  const explanation: Explanation = words => {
    if (!isCorrection) return words.billedBefore(names);
    const amount = grams === null ? money(cents) : words.byWeight(money(cents), kgText(grams));
    return words.correction(names, amount, money(missing));
  };
  const amounts = { amountCents, billedCents: cents, dueCents: missing };
  return { left, duplicate: { code: isCorrection ? 'correction' : 'duplicate', ...amounts, rule: null, explanation } };
}

/** Differences of the price's components, and the amounts of its lines as they were billed. */
function componentFindings(line: BilledLine, { price, shipment, covers, tariff, possible }: Due) {
  const all = partsOf(line, covers, price.version);
  const uncertain = all.filter(part => isUncertain(part, price, possible));
  const parts = all.filter(part => !uncertain.includes(part));
  const findings: Finding[] = uncertainFindings(uncertain, price, possible);
  const covered: Pick<Part, 'positions'> = { positions: [...new Set(parts.flatMap(({ positions }) => positions))] };
  let at: Calculation = calculationOf(price, shipment);
  for (const part of parts.filter(({ positions }) => positions.length === 0)) {
    if (part.cents === 0) continue;
    const amounts = { amountCents: part.cents, billedCents: part.cents, dueCents: 0 };
    findings.push({ ...unknownCharge(part, price.version), ...amounts });
  }
  // A part can depend on one that is explained later.
  for (let pass = 0; pass < MOST_PASSES; pass++) {
    const wrong = parts.filter(part => part.positions.length > 0 && dueFor(part, at.price) !== part.cents);
    if (wrong.length === 0) break;
    for (const part of wrong) {
      const dueCents = dueFor(part, at.price);
      if (dueCents === part.cents) continue;
      const steps = explainPart(part, line, at, tariff);
      const last = steps.at(-1);
      // A correctly billed part stays constant: a carrier need not have charged fuel on an undue surcharge.
      const end = last && keeping(parts, part, at, last.to);
      for (const { to, ...step } of steps) {
        const next = to === last?.to ? (end ?? to) : to;
        const amountCents = dueFor(covered, next.price) - dueFor(covered, at.price);
        findings.push({ ...step, amountCents, billedCents: part.cents, dueCents });
        at = next;
      }
    }
  }
  return { findings, billed: billedAmounts(at.price, uncertain) };
}

/** The amounts of a price, some of them as they were billed. */
function billedAmounts({ amounts }: Price, parts: readonly Part[]): readonly number[] {
  const billed = [...amounts];
  for (const { positions, cents } of parts) {
    for (const [i, position] of positions.entries()) billed[position] = i === 0 ? cents : NOT_CHARGED;
  }
  return billed;
}

/** The price after a step, with the parts that agreed before unchanged. */
function keeping(parts: readonly Part[], changed: Part, before: Calculation, after: Calculation): Calculation {
  const lost = parts.filter(
    part =>
      part !== changed &&
      part.positions.length > 0 &&
      dueFor(part, before.price) === part.cents &&
      dueFor(part, after.price) !== part.cents,
  );
  const kept = lost.flatMap(({ positions }) => amountsIn(before.price, positions));
  return kept.length === 0 ? after : (withAmounts(after, kept) ?? after);
}

/** Reports a stated total that differs from the sum of the charges. */
export function totalFinding(line: BilledLine): Finding[] {
  const { netCents, charges } = line;
  const sum = sumOf(charges);
  if (netCents === null || netCents === sum) return [];
  const amounts = { amountCents: netCents - sum, billedCents: netCents, dueCents: sum };
  const explanation: Explanation = words => words.chargesComeTo(money(sum));
  return [{ code: Math.abs(netCents - sum) === 1 ? 'rounding' : 'total', ...amounts, rule: null, explanation }];
}

/** VAT on the billed amount, due or not: the rest is corrected with the other differences. */
function vatFinding(line: BilledLine, { price }: Due, billed: readonly number[]): Finding[] {
  const stated = vatStatedBy(line);
  // Duties and taxes that were advanced are billed without VAT, and their line states the sum.
  if (stated === 'nothing' || line.charges.some(({ kinds }) => isDutyKind(kinds[0]))) return [];
  const net = netOf(line);
  const { version, vatPpm } = price;
  const ofLines = version.hasLineVat ? vatByRate(version, billed, vatPpm) : [];
  // One percentage cannot state that lines of the tariff have other rates, such as an exempt insurance.
  const rates = [vatPpm, ...ofLines.flatMap(one => (one.net === 0 ? [] : one.ppm))];
  if (stated === 'percentage' && rates.includes(line.vatPpm ?? vatPpm)) return [];
  const others = net - ofLines.reduce((sum, one) => sum + one.net, 0);
  const dueCents = ofLines.reduce((sum, { vat }) => sum + vat, 0) + roundToCents(others * vatPpm);
  const billedCents = vatOf(line);
  // A carrier that rounds VAT once per invoice may distribute it over lines in any way.
  if (Math.abs(billedCents - dueCents) <= 1) return [];
  const explanation: Explanation = words => words.due(words.percentOf(`${percent(vatPpm)} %`, money(net)));
  const amounts = { amountCents: billedCents - dueCents, billedCents, dueCents };
  return [{ code: 'vat', ...amounts, rule: null, explanation }];
}
