import { type Days, dayAfter, lengthOf } from '../../common/period.rules.ts';
import {
  type AccountCharge,
  type AccountMonth,
  accountVersion,
  bonusFor,
  chargesOfMonth,
} from '../../pricing/tariffs/account/account-fees.rules.ts';
import type { CompiledTariff } from '../../pricing/tariffs/compile/compiled-tariff.rules.ts';
import { versionAt } from '../../pricing/tariffs/engine/quote.rules.ts';
import { WORDS } from '../../pricing/tariffs/explanation-words.rules.ts';
import type { Price } from '../../pricing/tariffs/price.rules.ts';
import type { Shipped } from '../shipped.rules.ts';

/** The charges of an account for the months of a simulation, beside the prices of shipments. */

/** The shipments of a month on a tariff. */
interface MonthSum extends Omit<AccountMonth, 'pickups'> {
  shipments: number;
  netCents: number;
  /** Days on which something left, as a bit mask by warehouse. */
  readonly pickupDays: Record<number, number>;
}

/** By month, `YYYY-MM`. */
export type MonthSums = Record<string, MonthSum>;

export function countInMonth(sums: MonthSums, { shipment }: Shipped, { totalCents }: Price): void {
  const month = shipment.date.slice(0, 7);
  sums[month] ??= { shipments: 0, netCents: 0, pickupDays: {} };
  const sum = sums[month];
  const { warehouseId } = shipment.origin;
  sum.shipments++;
  sum.netCents += totalCents;
  sum.pickupDays[warehouseId] = (sum.pickupDays[warehouseId] ?? 0) | (1 << (Number(shipment.date.slice(8)) - 1));
}

/** A bonus as it is stored. Simulations that were stored before version 1.1 have the text in English alone. */
export interface SimulatedBonus extends Omit<AccountCharge, 'calculation'> {
  readonly calculation: string;
  readonly calculationIt?: string;
}

/** An amount of the account in all months. */
export interface AccountSum extends Omit<AccountCharge, 'calculation'> {
  /** Months in which it is charged. */
  months: number;
  cents: number;
}

export interface SimulatedAccount {
  readonly charges: readonly AccountSum[];
  /** Undefined if the tariff has none. */
  readonly bonus?: SimulatedBonus;
}

export const NO_ACCOUNT: SimulatedAccount = { charges: [] };

/**
 * The charges of each month that has a day in the period, and the bonus. The version on the first day of a month counts
 * for the month, or else the version on its last day in the period.
 *
 * @param pricedOn the day of all shipments; null for the day of each
 */
export function accountOf(
  { versions }: CompiledTariff,
  months: MonthSums,
  period: Days,
  pricedOn: string | null,
): SimulatedAccount {
  const sums = new Map<string, AccountSum>();
  for (const [month, last] of monthsOf(period)) {
    const version = pricedOn === null ? accountVersion(versions, last) : versionAt(versions, pricedOn);
    if (version?.account === undefined) continue;
    for (const { code, description, cents } of chargesOfMonth(version.account, asMonth(months[month]))) {
      const sum = sums.get(code) ?? { code, description, months: 0, cents: 0 };
      sums.set(code, sum);
      if (cents > 0) sum.months++;
      sum.cents += cents;
    }
  }
  const bonus = versionAt(versions, pricedOn ?? period.to)?.account?.bonus;
  const charges = [...sums.values()];
  if (!bonus) return { charges };
  const { calculation, ...due } = bonusFor(bonus, allOf(months), lengthOf(period));
  const texts = { calculation: calculation(WORDS.en), calculationIt: calculation(WORDS.it) };
  return { charges, bonus: { ...due, ...texts } };
}

/** The months of a period, each with its last day in the period. */
function* monthsOf({ from, to }: Days): Generator<readonly [month: string, last: string]> {
  for (let day = from; day <= to; day = dayAfter(day)) {
    const next = dayAfter(day);
    if (day === to || next.slice(0, 7) !== day.slice(0, 7)) yield [day.slice(0, 7), day];
  }
}

function asMonth(sum: MonthSum | undefined): AccountMonth {
  if (sum === undefined) return { shipments: 0, netCents: 0, pickups: 0 };
  const { shipments, netCents, pickupDays } = sum;
  return { shipments, netCents, pickups: Object.values(pickupDays).reduce((days, mask) => days + bitsIn(mask), 0) };
}

function allOf(months: MonthSums): Pick<AccountMonth, 'shipments' | 'netCents'> {
  const all = { shipments: 0, netCents: 0 };
  for (const { shipments, netCents } of Object.values(months)) {
    all.shipments += shipments;
    all.netCents += netCents;
  }
  return all;
}

function bitsIn(mask: number): number {
  let bits = 0;
  for (let left = mask >>> 0; left > 0; left >>>= 1) bits += left & 1;
  return bits;
}

/** The sum of the charges of an account, without the bonus. */
export function accountCents(account: SimulatedAccount): number {
  return account.charges.reduce((sum, { cents }) => sum + cents, 0);
}
