import { eventCharge } from '../../../pricing/quotes/after-shipment/after-shipment.rules.ts';
import type { Price } from '../../../pricing/tariffs/price.rules.ts';
import type { Shipment } from '../../../pricing/tariffs/shipment-terms.rules.ts';
import { money } from '../../../pricing/tariffs/units.rules.ts';
import type { BilledLine } from '../billed-line.rules.ts';
import type { EventKind } from '../reading/invoice-mapping.format.rules.ts';
import { eventCharges } from './billed-parts.rules.ts';
import { ruleAt } from './calculation.rules.ts';
import type { Explanation, Finding, FindingCode } from './finding-codes.rules.ts';
import type { PossiblePrices } from './possible-prices.rules.ts';
import { withinPossible } from './uncertain-findings.rules.ts';

/** Compares charges for events after a shipment with its tracking. */

/** The facts in the tracking of a shipment. */
export interface Tracked {
  /** Days of storage, including the first and the last; 0 for none. */
  readonly storageDays: number;
  readonly hasReturned: boolean;
}

/** The basis of the comparison. */
interface EventsDue {
  readonly price: Price;
  readonly shipment: Shipment;
  /** Undefined without tracking of the shipment. */
  readonly tracked: Tracked | undefined;
  readonly possible: PossiblePrices | undefined;
}

/** Differences of a line's charges for events. There are none if the tariff has no prices for events. */
export function eventFindings(line: BilledLine, due: EventsDue): Finding[] {
  const findings: Finding[] = [];
  for (const { event, cents } of eventCharges(line)) {
    const finding = eventFinding(event, cents, line, due);
    if (finding) findings.push(finding);
  }
  return findings;
}

function eventFinding(
  event: EventKind,
  cents: number,
  line: BilledLine,
  { price: due, shipment, tracked, possible }: EventsDue,
): Finding | undefined {
  const waitingMinutes = line.waitingMinutes ?? 0;
  const days = daysOf(line, tracked);
  const charge = (storageDays: number) => eventCharge(due, shipment, { on: event, storageDays, waitingMinutes });
  const found = charge(days.due ?? 0);
  const rule = found?.rule ?? ruleAt(due.version, ['afterShipment']);
  const finding = (code: FindingCode, dueCents: number, explanation: Explanation): Finding => ({
    code: Math.abs(cents - dueCents) === 1 ? 'rounding' : code,
    amountCents: cents - dueCents,
    billedCents: cents,
    dueCents,
    rule,
    explanation,
  });
  if (due.version.events.length === 0) return notChecked(cents, words => words.noEvents, null);
  if (event === 'storage' && tracked?.storageDays === 0) return finding('storage', 0, words => words.noStorage);
  if (event === 'return' && tracked?.hasReturned === false) return finding('return', 0, words => words.noReturn);
  // Without days or minutes, an amount cannot be checked.
  if (event === 'storage' && days.due === null) {
    return notChecked(cents, words => words.daysUnknown, rule);
  }
  if (event === 'waiting' && line.waitingMinutes === null) {
    return notChecked(cents, words => words.minutesUnknown, rule);
  }
  const happened = { on: event, storageDays: days.due ?? 0, waitingMinutes };
  const range = withinPossible(
    cents,
    found?.cents ?? 0,
    possible,
    other => eventCharge(other.price, other.shipment, happened)?.cents ?? 0,
  );
  if (range.isWithin) return notChecked(cents, range.reason, rule);
  const dueCents = range.dueCents;
  if (dueCents === cents) return undefined;
  const price: Explanation = words => (found ? `${found.code} ${found.calculation(words)}` : money(0));
  if (event !== 'storage')
    return finding(event === 'return' ? 'return' : 'after_shipment', dueCents, words => words.due(price(words)));
  const isOfDays = days.billed !== null && days.due !== null && days.billed > days.due;
  const explanation: Explanation = words => {
    const text = words.daysDue(days.due ?? 0, price(words));
    return isOfDays ? words.chargedDays(days.billed ?? 0, text) : words.due(text);
  };
  const code = isOfDays || charge((days.due ?? 0) + 1)?.cents === cents ? 'storage_days' : 'storage';
  return finding(code, dueCents, explanation);
}

/** A charge that counts as due, because nothing contradicts it. */
function notChecked(cents: number, explanation: Explanation, rule: Finding['rule']): Finding {
  return { code: 'not_checked', amountCents: 0, billedCents: cents, dueCents: cents, rule, explanation };
}

/** The carrier's days are used if they are fewer than those in the tracking. */
function daysOf({ storageDays: billed }: BilledLine, tracked: Tracked | undefined) {
  const due = billed === null ? (tracked?.storageDays ?? null) : Math.min(billed, tracked?.storageDays ?? billed);
  return { billed, due };
}
