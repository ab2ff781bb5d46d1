import type {
  CompiledBand,
  CompiledCharge,
  CompiledLine,
  CompiledSum,
  CompiledSumRules,
  CompiledZone,
  Rate,
} from '../tariffs/compiled-tariff.rules.ts';
import { MAX_TOTAL_CENTS, MICRO, roundToCents } from '../tariffs/units.rules.ts';
import { countParcels, measured, type Situation } from './condition.rules.ts';
import { NOT_CHARGED, type Shipment } from './quote-terms.rules.ts';

// The amounts of tariff lines for a shipment.

/** Beyond priced amounts: keeps prices of many small steps within exact numbers. */
const MOST_CENTS = 4 * MAX_TOTAL_CENTS;

/** A line's amount, rounded half up to the cent by itself. */
export function amountOf(
  { charge }: Pick<CompiledLine, 'charge'>,
  amounts: readonly number[],
  situation: Situation,
): number {
  const { sums, minimum, maximum, brackets, above } = charge;
  if (brackets !== undefined) return amountInBracket(charge, amounts, situation);
  if (above > 0 && isWithin(charge, amounts, situation.shipment)) return 0;
  let greatest = sumOf(sums[0] as CompiledSum, amounts, situation, above);
  for (let i = 1; i < sums.length; i++) {
    greatest = Math.max(greatest, sumOf(sums[i] as CompiledSum, amounts, situation, 0));
  }
  return roundToCents(Math.min(Math.max(greatest, minimum), maximum));
}

function amountInBracket(charge: CompiledCharge, amounts: readonly number[], situation: Situation): number {
  return amountOf({ charge: bracketOf(charge, situation) }, amounts, situation);
}

/** The charge of the matching bracket, within the bounds of the whole. */
export function bracketOf({ brackets, minimum, maximum }: CompiledCharge, situation: Situation): CompiledCharge {
  if (brackets === undefined) throw new Error('A charge has no brackets');
  const value = measured(brackets.by, situation);
  const charge = brackets.charges[brackets.upTo.findIndex(upTo => value <= upTo)] as CompiledCharge;
  const bounded = (bound: number) => Math.min(Math.max(bound, minimum), maximum);
  return { ...charge, minimum: bounded(charge.minimum), maximum: bounded(charge.maximum) };
}

/** Whether a percentage excludes its whole base. */
function isWithin({ sums: [sum], above }: CompiledCharge, amounts: readonly number[], shipment: Shipment): boolean {
  return sum !== undefined && amountUnder(sum, amounts, shipment) <= above;
}

/** The base of a percentage, in cents. */
export function amountUnder(
  { of, ofCod, ofInsured }: CompiledSum,
  amounts: readonly number[],
  shipment: Shipment,
): number {
  return addUp(of, amounts) + (ofCod ? shipment.codCents : 0) + (ofInsured ? shipment.insuredCents : 0);
}

/** The rate in force on a day. */
export function rateOn(rates: readonly Rate[], date: string): Rate | undefined {
  return rates.findLast(({ from }) => from <= date);
}

function sumOf(sum: CompiledSum, amounts: readonly number[], situation: Situation, above: number): number {
  const { shipment, chargeableGrams } = situation;
  const { rates, more } = sum;
  const ppm = rates === undefined ? sum.ppm : (rateOn(rates, shipment.date)?.ppm ?? 0);
  let microCents = sum.fixed + sum.perGram * chargeableGrams + sum.perParcel * shipment.parcelCount;
  if (ppm !== 0) microCents += ppm * (amountUnder(sum, amounts, shipment) - above);
  return more === undefined ? microCents : microCents + furtherSum(more, situation);
}

function furtherSum(rules: CompiledSumRules, situation: Situation): number {
  let microCents = rules.perGram * Math.max(0, situation.chargeableGrams - rules.aboveGrams);
  if (rules.perParcel !== 0) microCents += rules.perParcel * chargedParcels(rules, situation.shipment);
  for (const per of rules.per) {
    const cents = per.cents * stepsOf(per, situation);
    microCents += Math.max(-MOST_CENTS, Math.min(cents, MOST_CENTS)) * MICRO;
  }
  return microCents;
}

/** The number of parcels that a price per parcel counts. */
export function chargedParcels({ parcel, afterParcels }: CompiledSumRules, shipment: Shipment): number {
  const count = parcel === undefined ? shipment.parcelCount : countParcels(parcel, shipment.parcels);
  return Math.max(0, count - afterParcels);
}

/** The number of started steps of a `per`. */
export function stepsOf({ measure, above, every }: CompiledSumRules['per'][number], situation: Situation): number {
  return Math.ceil(Math.max(0, measured(measure, situation) - above) / every);
}

/** The sum of lines in cents, without those that are not charged. */
export function addUp(positions: readonly number[], amounts: readonly number[]): number {
  let cents = 0;
  for (const position of positions) {
    const amount = amounts[position] as number;
    if (amount !== NOT_CHARGED) cents += amount;
  }
  return cents;
}

/** The price of a band in cents, with its additional prices. */
export function bandAmount(priceCents: number, { perGram, per100Kg, minimum }: CompiledBand, grams: number): number {
  const quintali = Math.ceil(grams / 100_000);
  return roundToCents(Math.max(priceCents * MICRO + perGram * grams + per100Kg * quintali * MICRO, minimum));
}

/** The price of weight beyond the last band, in started steps. Undefined above the maximum weight. */
export function beyondBands(
  { beyond, upTo }: CompiledZone,
  grams: number,
): { readonly steps: number; readonly cents: number } | undefined {
  let from = upTo.at(-1) ?? 0;
  let [steps, cents] = [0, 0];
  for (const step of beyond) {
    const count = Math.ceil((Math.min(grams, step.upTo) - from) / step.stepGrams);
    steps += count;
    cents += count * step.stepCents;
    if (grams <= step.upTo) return { steps, cents };
    from = step.upTo;
  }
  return undefined;
}
