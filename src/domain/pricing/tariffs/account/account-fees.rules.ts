import { z } from 'zod';
import type { TariffIssues } from '../check/check-issues.rules.ts';
import type { Words } from '../explanation-words.rules.ts';
import { lineCode, price, ruleFields, text } from '../format/parts.format.rules.ts';
import type { Path } from '../format/tariff-document.rules.ts';
import { cents, DECIMALS, MICRO, money, percent, ppmOf, scaled } from '../units.rules.ts';

/** Charges for the account of a contract, outside of the prices of shipments, in whole cents. */

const named = {
  code: lineCode,
  description: text.describe('The description in Italian.'),
};

const fee = z
  .strictObject({
    ...named,
    per: z.enum(['month', 'pickup']).describe('Charged once a month, or for each pickup.'),
    price,
  })
  .meta({ id: 'AccountFee' });

const minimum = z
  .strictObject({ ...named, price: price.describe('EUR that the shipments of a month come to at least, before VAT.') })
  .describe('What the shipments of a month lack to this amount is charged.')
  .meta({ id: 'AccountMinimum' });

const bonus = z
  .strictObject({
    ...named,
    by: z.enum(['shipments', 'spend']).describe('The volume of a year: the number of shipments, or EUR before VAT.'),
    steps: z
      .array(
        z.strictObject({
          from: z.number().min(0).max(1_000_000_000).describe('From this volume on.'),
          percent: z.number().positive().max(100).describe('Percent of all shipments of the year, at most 4 decimals.'),
        }),
      )
      .min(1)
      .max(50)
      .describe('Ascending; the last that is reached counts for the whole year.'),
  })
  .describe('What the carrier pays back after a year. Only simulations show it.')
  .meta({ id: 'AccountBonus' });

const account = z
  .strictObject({
    fees: z.array(fee).max(20).default([]),
    minimum: minimum.optional(),
    bonus: bonus.optional(),
  })
  .describe(
    'The charges for the account. No price of a shipment includes them; simulations and checks of invoices know it.',
  )
  .meta({ id: 'Account' });

type Account = z.infer<typeof account>;

export const accountFees = ruleFields({
  form: { account: account.optional() },
  words: { fees: 'fees', bonus: 'bonus', steps: 'steps' },
  units: {},
});

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

/** Checks rules that the form of an account cannot express: codes must be unique, and steps must ascend. */
export function checkAccount(issues: TariffIssues, path: Path, { fees, minimum, bonus }: Account): void {
  if (fees.length === 0 && minimum === undefined && bonus === undefined)
    issues.add(path, 'required', 'must have at least one of fees, minimum, bonus');
  const codes = new Set<string>();
  const named = [
    ...fees.map(({ code }, i) => ({ code, at: ['fees', i] })),
    ...(minimum ? [{ code: minimum.code, at: ['minimum'] }] : []),
    ...(bonus ? [{ code: bonus.code, at: ['bonus'] }] : []),
  ];
  for (const { code, at } of named) {
    if (codes.has(code)) issues.add([...path, ...at, 'code'], 'duplicate', `is the code of another: ${code}`);
    codes.add(code);
  }
  if (!bonus) return;
  const decimals = bonus.by === 'shipments' ? 0 : 2;
  for (const [i, { from }] of bonus.steps.entries()) {
    const at = [...path, 'bonus', 'steps', i, 'from'];
    const before = bonus.steps[i - 1]?.from;
    if (scaled(from, decimals) === undefined) issues.add(at, 'too_precise', `must have at most ${decimals} decimals`);
    if (before !== undefined && from <= before)
      issues.add(at, 'overlap', `must be more than the one before, ${before}`);
  }
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
  readonly calculation: (words: Words) => string;
}

/** Everything that is charged for a month. */
export function chargesOfMonth({ fees, minimum }: CompiledAccount, month: AccountMonth): AccountCharge[] {
  const charges = fees.map(({ code, description, per, cents: each }): AccountCharge => {
    if (per === 'month') return { code, description, cents: each, calculation: () => money(each) };
    const { pickups } = month;
    const calculation = (words: Words) => `${money(each)} × ${words.pickups(pickups)}`;
    return { code, description, cents: each * pickups, calculation };
  });
  return minimum ? [...charges, chargeToMinimum(minimum, month.netCents)] : charges;
}

/** Charges the difference between the prices of a month's shipments and the minimum of the month. */
export function chargeToMinimum(
  { code, description, cents: least }: Omit<CompiledFee, 'per'>,
  netCents: number,
): AccountCharge {
  const calculation = (words: Words) => words.toMinimum(money(least), money(netCents));
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
  const calculation = (words: Words) => {
    const volumeOfYear = by === 'shipments' ? words.shipments(ofYear) : money(ofYear);
    return words.inYearLike(volumeOfYear, days, words.percentOf(`${percent(ppm)} %`, money(netCents)));
  };
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
