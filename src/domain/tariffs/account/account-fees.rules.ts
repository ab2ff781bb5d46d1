import { cents, DECIMALS, MICRO, money, percent, ppmOf, scaled } from '../units.rules.ts';
import type { Account } from './account-fees.format.rules.ts';

/** Calculates the charges of an account for months of shipments, in whole cents. */

export interface CompiledFee {
  readonly code: string;
  readonly description: string;
  readonly per: 'month' | 'pickup';
  readonly cents: number;
  /** Path in the account. */
  readonly path: readonly (string | number)[];
}

export interface CompiledAccount {
  readonly fees: readonly CompiledFee[];
  readonly minimum: Omit<CompiledFee, 'per'> | undefined;
  readonly bonus: CompiledBonus | undefined;
}

interface CompiledBonus {
  readonly code: string;
  readonly description: string;
  readonly by: 'shipments' | 'spend';
  /** Ascending; `from` is shipments or cents. */
  readonly steps: readonly { readonly from: number; readonly ppm: number }[];
}

export function compileAccount({ fees, minimum, bonus }: Account): CompiledAccount {
  return {
    fees: fees.map(({ price, ...fee }, i) => ({ ...fee, cents: cents(price), path: ['fees', i] })),
    minimum: minimum && {
      code: minimum.code,
      description: minimum.description,
      cents: cents(minimum.price),
      path: ['minimum'],
    },
    bonus: bonus && {
      code: bonus.code,
      description: bonus.description,
      by: bonus.by,
      steps: bonus.steps.map(step => ({
        from: scaled(step.from, bonus.by === 'shipments' ? 0 : DECIMALS.money) ?? Number.NaN,
        ppm: ppmOf(step.percent),
      })),
    },
  };
}

interface Dated {
  readonly validFrom: string;
  readonly validUntil: string;
}

/**
 * Returns the version that counts for the account in the month of a day: the version in force on the first day of the
 * month, or else on the day itself.
 */
export function accountVersion<Version extends Dated>(versions: readonly Version[], day: string): Version | undefined {
  const on = (date: string) => versions.find(({ validFrom, validUntil }) => validFrom <= date && date <= validUntil);
  return on(`${day.slice(0, 7)}-01`) ?? on(day);
}

/** Shipments and pickups of a month. */
export interface AccountMonth {
  readonly shipments: number;
  readonly netCents: number;
  readonly pickups: number;
}

/** An amount for the account. */
export interface AccountCharge {
  readonly code: string;
  readonly description: string;
  readonly cents: number;
  readonly calculation: string;
}

/** Everything that is charged for a month. */
export function chargesOfMonth({ fees, minimum }: CompiledAccount, month: AccountMonth): AccountCharge[] {
  const charges = fees.map(({ code, description, per, cents: each }): AccountCharge => {
    if (per === 'month') return { code, description, cents: each, calculation: money(each) };
    const { pickups } = month;
    const calculation = `${money(each)} × ${pickups} ${pickups === 1 ? 'pickup' : 'pickups'}`;
    return { code, description, cents: each * pickups, calculation };
  });
  return minimum ? [...charges, chargeToMinimum(minimum, month.netCents)] : charges;
}

/** Charges the difference between the prices of a month's shipments and the minimum of the month. */
export function chargeToMinimum(
  { code, description, cents: least }: Omit<CompiledFee, 'per'>,
  netCents: number,
): AccountCharge {
  const calculation = `minimum ${money(least)}; the shipments come to ${money(netCents)}`;
  return { code, description, cents: Math.max(0, least - netCents), calculation };
}

/** A bonus for shipments of some days, as if the whole year were like them. Below zero, or zero if no step is reached. */
export function bonusFor(
  { code, description, by, steps }: CompiledBonus,
  { shipments, netCents }: Pick<AccountMonth, 'shipments' | 'netCents'>,
  days: number,
): AccountCharge {
  const volume = by === 'shipments' ? shipments : netCents;
  const ofYear = Math.floor((volume * 365) / Math.min(days, 365));
  const ppm = steps.findLast(({ from }) => from <= ofYear)?.ppm ?? 0;
  const unit = by === 'shipments' ? `${ofYear} shipments` : money(ofYear);
  const calculation = `${unit} in a year of 365 days like these ${days}: ${percent(ppm)} % of ${money(netCents)}`;
  return { code, description, cents: 0 - shareOf(netCents, ppm), calculation };
}

/**
 * Calculates a share, rounded half up. The prices of a year's shipments can exceed the exact numbers of the engine, so
 * it calculates with BigInt.
 */
function shareOf(netCents: number, ppm: number): number {
  const micro = BigInt(MICRO);
  return Number((BigInt(netCents) * BigInt(ppm) + micro / 2n) / micro);
}
