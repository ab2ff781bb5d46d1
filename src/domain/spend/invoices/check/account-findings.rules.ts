import {
  type AccountCharge,
  accountVersion,
  type CompiledFee,
  chargeToMinimum,
} from '../../../pricing/tariffs/account/account-fees.rules.ts';
import type { CompiledTariff, CompiledVersion } from '../../../pricing/tariffs/compile/compiled-tariff.rules.ts';
import { money } from '../../../pricing/tariffs/units.rules.ts';
import type { BilledCharge, BilledLine } from '../billed-line.rules.ts';
import { isAccountKind } from '../reading/invoice-mapping.format.rules.ts';
import { ruleAt } from './calculation.rules.ts';
import type { Explanation, Finding } from './finding-codes.rules.ts';

/** Compares charges for the account with the fees and the minimum of the tariff. */

/** A line with charges for the account. */
interface AccountLine {
  readonly line: BilledLine;
  /** The date of its invoice. */
  readonly date: string;
}

/** The data of other lines that decide what an account owes. */
export interface AccountContext {
  /** The date of the invoice. */
  readonly date: string;
  /** Lines that were billed earlier, on any invoice of the connection. */
  readonly earlier: readonly AccountLine[];
  /** The sum of all lines with shipments, by month. */
  readonly spendCents: Readonly<Record<string, number>>;
}

/** A fee or the minimum. */
interface Rule extends Omit<CompiledFee, 'per'> {
  readonly per: CompiledFee['per'] | 'minimum';
}

export function accountCharges({ charges }: Pick<BilledLine, 'charges'>): BilledCharge[] {
  return charges.filter(({ kinds, cents }) => isAccountKind(kinds[0]) && cents !== 0);
}

/** Checks lines in the order in which they were billed. */
export class AccountCheck {
  readonly #tariff: CompiledTariff;
  readonly #context: AccountContext;
  /** Monthly fees that were billed: month and code. */
  readonly #billed = new Set<string>();

  constructor(tariff: CompiledTariff, context: AccountContext) {
    this.#tariff = tariff;
    this.#context = context;
    for (const { line, date } of context.earlier) this.#findings(line, date);
  }

  findings(line: BilledLine): Finding[] {
    return this.#findings(line, this.#context.date);
  }

  #findings(line: BilledLine, date: string): Finding[] {
    const day = line.date ?? date;
    const version = accountVersion(this.#tariff.versions, day);
    return accountCharges(line).flatMap(charge => this.#finding(charge, line, day.slice(0, 7), version) ?? []);
  }

  #finding(
    charge: BilledCharge,
    line: BilledLine,
    month: string,
    version: CompiledVersion | undefined,
  ): Finding | undefined {
    const { cents } = charge;
    if (version?.account === undefined) return notChecked(cents, words => words.noFees, null);
    const { fees, minimum } = version.account;
    const rules: Rule[] = [...fees, ...(minimum ? [{ ...minimum, per: 'minimum' } as const] : [])];
    const isBilled = ({ per, code }: Rule) => per !== 'pickup' && this.#billed.has(`${month} ${code}`);
    const dueOf = (rule: Rule) => this.#dueOf(rule, line, month);
    const charged = rulesOf(charge, line, rules, rule => (isBilled(rule) ? undefined : dueOf(rule)?.cents));
    const rule = charged[0] ? ruleAt(version, ['account', ...charged[0].path]) : ruleAt(version, ['account']);
    if (charged.length === 0) {
      return notChecked(cents, words => words.feeUnknown(codesOf(rules)), rule);
    }
    const areBilled = charged.every(isBilled);
    const dues = charged.filter(one => !isBilled(one)).map(dueOf);
    for (const { code } of charged) this.#billed.add(`${month} ${code}`);
    if (dues.includes(undefined)) return notChecked(cents, words => words.pickupsUnknown, rule);
    const known = dues as AccountCharge[];
    const dueCents = known.reduce((sum, due) => sum + due.cents, 0);
    if (dueCents === cents) return undefined;
    const amounts = { amountCents: cents - dueCents, billedCents: cents, dueCents, rule };
    if (areBilled) {
      return { code: 'duplicate', ...amounts, explanation: words => words.billedInMonth(codesOf(charged), month) };
    }
    const explanation: Explanation = words =>
      words.charged(money(cents), known.map(({ code, calculation }) => `${code} ${calculation(words)}`).join('; '));
    return { code: Math.abs(cents - dueCents) === 1 ? 'rounding' : 'account_fee', ...amounts, explanation };
  }

  /** Undefined if the number of pickups is missing. */
  #dueOf(rule: Rule, { pickups }: BilledLine, month: string): AccountCharge | undefined {
    const { code, description, cents } = rule;
    if (rule.per === 'minimum') return chargeToMinimum(rule, this.#context.spendCents[month] ?? 0);
    if (rule.per === 'month') return { code, description, cents, calculation: () => money(cents) };
    if (pickups === null) return undefined;
    return { code, description, cents: cents * pickups, calculation: () => `${money(cents)} × ${pickups}` };
  }
}

/** The rules that a charge covers: those that it names, or else one that costs it, or else the only one. */
function rulesOf(
  { lines, name, cents }: BilledCharge,
  { pickups }: BilledLine,
  rules: readonly Rule[],
  dueOf: (rule: Rule) => number | undefined,
): readonly Rule[] {
  const called = name.trim().toLowerCase();
  const named = rules.filter(({ code }) => lines.includes(code));
  if (named.length > 0) return named;
  const byName = rules.find(({ code, description }) => code === called || description.toLowerCase() === called);
  if (byName) return [byName];
  const priced = rules.find(rule => dueOf(rule) === cents);
  if (priced) return [priced];
  const possible = pickups === null ? rules : rules.filter(({ per }) => per === 'pickup');
  return possible.length === 1 ? possible : [];
}

const codesOf = (rules: readonly Rule[]) => rules.map(({ code }) => code).join(', ');

function notChecked(cents: number, why: Explanation, rule: Finding['rule']): Finding {
  const amounts = { amountCents: 0, billedCents: cents, dueCents: cents };
  return { code: 'not_checked', ...amounts, rule, explanation: words => words.notChecked(why(words)) };
}
