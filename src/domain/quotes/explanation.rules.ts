import type { CompiledCharge, CompiledLine, CompiledSum, CompiledVersion } from '../tariffs/compiled-tariff.rules.ts';
import { DECIMALS, decimalNumber, kilograms, MICRO, money, percent } from '../tariffs/units.rules.ts';
import { amountUnder, bracketOf, chargedParcels, rateOn, stepsOf } from './amount.rules.ts';
import { measured, type Situation } from './condition.rules.ts';
import { amountText, measureText, per100KgText } from './measure-text.rules.ts';
import { NOT_CHARGED, type Price, type PricedPallets, type Shipment } from './quote-terms.rules.ts';

/** The calculation of a line of a price, for people: `2.9 % of 12.20 (base)`. */
export function calculation(price: Price, position: number, shipment: Shipment): string {
  const { charge, component } = price.version.lines[position] as CompiledLine;
  if (component === 'base') return baseCalculation(price);
  const text = chargeCalculation(charge, price, situationOf(price, shipment));
  const isCut = price.cutCents > 0 && (price.amounts[position] ?? 0) <= 0 && charge.minimum < 0;
  return isCut ? `${text}, as far as the total does not fall below 0.00` : text;
}

export function situationOf({ zone, origin, chargeableGrams }: Price, shipment: Shipment): Situation {
  return { shipment, zone: zone.index, origin, chargeableGrams };
}

export function chargeCalculation(
  charge: CompiledCharge,
  price: Pick<Price, 'amounts' | 'version'>,
  situation: Situation,
): string {
  const { brackets, above, sums } = charge;
  if (brackets) {
    const reached = brackets.upTo.find(upTo => measured(brackets.by, situation) <= upTo) ?? 0;
    const reach = Number.isFinite(reached) ? `up to ${amountText(brackets.by, reached)}` : 'above the last bracket';
    const of = measureText(brackets.by, situation);
    return `${of}, ${reach}: ${chargeCalculation(bracketOf(charge, situation), price, situation)}`;
  }
  const [first] = sums;
  if (above > 0 && first) {
    const value = amountUnder(first, price.amounts, situation.shipment);
    if (value <= above) return `${money(value)} lie within the allowance of ${money(above)}`;
  }
  const texts = sums.map(sum => sumCalculation(sum, price, situation, above));
  return bounded(charge, texts.length > 1 ? `the greater of ${texts.join(' and ')}` : (texts[0] ?? ''));
}

function baseCalculation({ zone, base: { band, steps, grams, pallets } }: Price): string {
  const byNumber = pallets.map(some => palletsCalculation(zone, some));
  return [...byNumber, ...(band < 0 ? [] : [bandCalculation(zone, band, steps, grams)])].join(' + ');
}

/** `3 pallets EUR, up to 4: 120.00`, or `6 pallets EUR: 120.00 for 4, and 2 × 35.00`. */
function palletsCalculation(zone: Price['zone'], { position, count, cents }: PricedPallets): string {
  const { types = new Set<string>(), upTo = new Float64Array(), prices, eachCents = 0 } = zone.pallets[position] ?? {};
  const what = `${count} ${count === 1 ? 'pallet' : 'pallets'} ${[...types].join(', ')}`;
  const reached = upTo.find(most => count <= most);
  if (reached !== undefined) return `${what}, up to ${reached}: ${money(cents)}`;
  const last = upTo.at(-1) ?? 0;
  return `${what}: ${money(prices?.at(-1) ?? 0)} for ${last}, and ${count - last} × ${money(eachCents)}`;
}

function bandCalculation(zone: Price['zone'], band: number, steps: number, grams: number): string {
  const limit = zone.upTo[band] ?? 0;
  const price = zone.prices[band] ?? 0;
  const rules = zone.bands?.[band];
  const charged = Math.min(grams, limit);
  const parts = rules
    ? joined([
        price > 0 && money(price),
        rules.perGram > 0 && `${decimalNumber(rules.perGram, DECIMALS.eurPerKg)} × ${kg(charged)}`,
        rules.per100Kg > 0 && per100KgText(rules.per100Kg, charged),
      ])
    : money(price);
  const least = rules && rules.minimum > 0 ? `, at least ${money(rules.minimum / MICRO)}` : '';
  const upTo = `up to ${kg(limit)}: ${parts}${least}`;
  if (steps === 0) return upTo;
  const [only, ...others] = zone.beyond;
  if (only && others.length === 0)
    return `${upTo}, and ${steps} × ${money(only.stepCents)} for each ${kg(only.stepGrams)} begun beyond`;
  let from = limit;
  const beyond: string[] = [];
  for (const { upTo: end, stepGrams, stepCents } of zone.beyond) {
    if (grams <= from) break;
    const count = Math.ceil((Math.min(grams, end) - from) / stepGrams);
    beyond.push(`${count} × ${money(stepCents)} for each ${kg(stepGrams)} begun beyond ${kg(from)}`);
    from = end;
  }
  return `${upTo}, and ${beyond.join(', and ')}`;
}

/** The price of a line for people, before anything is shipped: `3.00 a shipment + 0.5 a kg`. */
export function pricing({ charge }: CompiledLine, version: CompiledVersion): string {
  return chargePricing(charge, version);
}

function chargePricing({ sums, brackets, above, ...bounds }: CompiledCharge, version: CompiledVersion): string {
  if (brackets) {
    const texts = brackets.charges.map((charge, i) => {
      const upTo = brackets.upTo[i] ?? Number.POSITIVE_INFINITY;
      const reach = Number.isFinite(upTo) ? `up to ${amountText(brackets.by, upTo)}` : 'above';
      return `${reach}: ${chargePricing(charge, version)}`;
    });
    return bounded(bounds, texts.join('; '));
  }
  const texts = sums.map(sum => sumPricing(sum, version, above));
  return bounded(bounds, texts.length > 1 ? `the greater of ${texts.join(' and ')}` : (texts[0] ?? ''));
}

function sumPricing(sum: CompiledSum, version: CompiledVersion, above: number): string {
  const { fixed, perGram, perParcel, ppm, rates, more } = sum;
  const names = namesOf(sum, position => version.lines[position]?.code);
  const over = above > 0 ? ` above ${money(above)}` : '';
  const share = rates ? 'a percentage by date' : ppm !== 0 && percentage(ppm);
  return joined([
    fixed !== 0 && `${money(fixed / MICRO)} a shipment`,
    perGram !== 0 && `${decimalNumber(perGram, DECIMALS.eurPerKg)} a kg`,
    perParcel !== 0 && `${money(perParcel / MICRO)} a parcel`,
    more !== undefined &&
      more.perGram !== 0 &&
      `${decimalNumber(more.perGram, DECIMALS.eurPerKg)} a kg above ${kg(more.aboveGrams)}`,
    more !== undefined &&
      more.perParcel !== 0 &&
      `${money(more.perParcel / MICRO)} a parcel${more.parcel ? ' that it is for' : ''}${more.afterParcels > 0 ? ` after the first ${more.afterParcels}` : ''}`,
    ...(more?.per ?? []).map(
      ({ cents, measure, every, above: from }) =>
        `${money(cents)} for each ${amountText(measure, every)} begun${from > 0 ? ` above ${amountText(measure, from)}` : ''}`,
    ),
    share && `${share} of ${names.join(' + ')}${over}`,
  ]);
}

function sumCalculation(
  sum: CompiledSum,
  price: Pick<Price, 'amounts' | 'version'>,
  situation: Situation,
  above: number,
): string {
  const { fixed, perGram, perParcel, ppm, rates, more } = sum;
  const { shipment, chargeableGrams } = situation;
  const rate = rates && rateOn(rates, shipment.date);
  const since = rate ? `, the rate from ${rate.from}` : '';
  return joined([
    fixed !== 0 && money(fixed / MICRO),
    perGram !== 0 && `${decimalNumber(perGram, DECIMALS.eurPerKg)} × ${kg(chargeableGrams)}`,
    perParcel !== 0 && `${money(perParcel / MICRO)} × ${parcels(shipment.parcelCount)}`,
    ...(more ? furtherCalculations(more, situation) : []),
    (ppm !== 0 || rates !== undefined) && `${share(sum, rate?.ppm ?? ppm, price, shipment, above)}${since}`,
  ]);
}

function furtherCalculations(more: NonNullable<CompiledSum['more']>, situation: Situation): (string | false)[] {
  const { perGram, aboveGrams, perParcel, per } = more;
  const { chargeableGrams, shipment } = situation;
  return [
    perGram !== 0 &&
      `${decimalNumber(perGram, DECIMALS.eurPerKg)} × ${kg(Math.max(0, chargeableGrams - aboveGrams))} above ${kg(aboveGrams)}`,
    perParcel !== 0 && `${money(perParcel / MICRO)} × ${parcels(chargedParcels(more, shipment))}`,
    ...per.map(one => {
      const from = one.above > 0 ? ` above ${amountText(one.measure, one.above)}` : '';
      const each = `${amountText(one.measure, one.every)} begun${from}`;
      return `${money(one.cents)} × ${stepsOf(one, situation)} for each ${each} of ${measureText(one.measure, situation)}`;
    }),
  ];
}

/** A percentage of lines and values, with their amounts and names. */
function share(
  sum: CompiledSum,
  ppm: number,
  { amounts, version }: Pick<Price, 'amounts' | 'version'>,
  shipment: Shipment,
  above: number,
): string {
  const value = amountUnder(sum, amounts, shipment);
  const isValue = sum.of.length === 0 && sum.ofCod !== sum.ofInsured;
  const less = above > 0 ? ` (${money(value)} less ${money(above)})` : '';
  if (isValue) return `${percentage(ppm)} of ${money(value - above)}${less}`;
  const charged = namesOf(sum, position =>
    (amounts[position] ?? NOT_CHARGED) === NOT_CHARGED ? undefined : version.lines[position]?.code,
  );
  return `${percentage(ppm)} of ${money(value - above)}${less} (${charged.join(' + ') || 'nothing'})`;
}

function namesOf({ of, ofCod, ofInsured }: CompiledSum, codeOf: (position: number) => string | undefined): string[] {
  const codes = of.map(codeOf).filter(code => code !== undefined);
  return [...codes, ...(ofCod ? ['the amount collected'] : []), ...(ofInsured ? ['the value insured'] : [])];
}

function bounded({ minimum, maximum }: Pick<CompiledCharge, 'minimum' | 'maximum'>, text: string): string {
  const least = minimum !== 0 && Number.isFinite(minimum) ? `, at least ${money(minimum / MICRO)}` : '';
  const most = Number.isFinite(maximum) ? `, at most ${money(maximum / MICRO)}` : '';
  return text + least + most;
}

const joined = (parts: readonly (string | false | undefined)[]) => parts.filter(Boolean).join(' + ') || money(0);
const parcels = (count: number) => `${count} ${count === 1 ? 'parcel' : 'parcels'}`;
const kg = (grams: number) => `${kilograms(grams)} kg`;
const percentage = (ppm: number) => `${percent(ppm)} %`;

/** The calculation of the chargeable weight, for people. */
export function weightCalculation({ version, realGrams, volumetricGrams, chargeableGrams }: Price): string {
  const { perParcel, stepGrams, numerator, more } = version.weight;
  const hasVolume = more ? more.volumetric.length > 0 || more.gramsPerLoadingMetre > 0 : numerator > 0;
  const greater = hasVolume
    ? `the greater of real ${kg(realGrams)} and volumetric ${kg(volumetricGrams)}`
    : `real ${kg(realGrams)}`;
  const least = more && more.minimums.length > 0 ? ', with the least weights of parcels' : '';
  const step = more ? 'rounded up' : `rounded up to ${kg(stepGrams)}`;
  return `${greater}, of ${perParcel ? 'each parcel' : 'the shipment'}${least}, ${step}: ${kg(chargeableGrams)}`;
}
