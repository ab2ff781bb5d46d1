import { kgText, parcelsText } from '../../tariffs/charges/charge-kind.rules.ts';
import { chargeCalculation, chargePricing, joined } from '../../tariffs/charges/charge-text.rules.ts';
import type { CompiledLine, CompiledVersion } from '../../tariffs/compile/compiled-tariff.rules.ts';
import type { Situation } from '../../tariffs/conditions/situation.rules.ts';
import { palletTypesText, withPalletClasses } from '../../tariffs/pallets/pallet-classes.rules.ts';
import { DECIMALS, decimalNumber, MICRO, money, percent } from '../../tariffs/units.rules.ts';
import { weightIn } from '../price/quote.rules.ts';
import type { Price, PricedPallets, PricedParcels, Shipment } from '../quote-terms.rules.ts';

/** The calculation of a line of a price, for people: `2.9 % of 12.20 (base)`. */
export function calculation(price: Price, position: number, shipment: Shipment): string {
  const { charge, component } = price.version.lines[position] as CompiledLine;
  if (component === 'base') return baseCalculation(price);
  const text = chargeCalculation(charge, price, situationOf(price, shipment));
  const isCut = price.cutCents > 0 && (price.amounts[position] ?? 0) <= 0 && charge.minimum < 0;
  return isCut ? `${text}, as far as the total does not fall below 0.00` : text;
}

/** The facts that the engine has looked at. */
export function situationOf({ version, zone, origin, chargeableGrams }: Price, shipment: Shipment): Situation {
  const priced = withPalletClasses(version.palletClasses, shipment);
  return { shipment: priced, zone: zone.index, origin, chargeableGrams };
}

function baseCalculation({ version, zone, base: { band, steps, grams, pallets, parcels } }: Price): string {
  const byNumber = pallets.map(some => palletsCalculation(version, zone, some));
  if (parcels.length > 0) return [...byNumber, parcelsCalculation(zone, parcels)].join(' + ');
  return [...byNumber, ...(band < 0 ? [] : [bandCalculation(zone, band, steps, grams)])].join(' + ');
}

/** `1 parcel up to 10 kg: 6.00; 2 parcels up to 3 kg: 4.50 each; each parcel after the dearest less 10 %`. */
function parcelsCalculation(zone: Price['zone'], parcels: readonly PricedParcels[]): string {
  const priced = parcels.map(({ count, band, steps, grams }) => {
    return `${parcelsText(count)} ${bandCalculation(zone, band, steps, grams)}${count > 1 ? ' each' : ''}`;
  });
  const discount = MICRO - (zone.byParcel?.furtherPpm ?? MICRO);
  const isReduced = discount > 0 && parcels.reduce((sum, { count }) => sum + count, 0) > 1;
  return [...priced, ...(isReduced ? [`each parcel after the dearest less ${percent(discount)} %`] : [])].join('; ');
}

/** `3 pallets EUR, up to 4: 120.00`, or `6 pallets EUR: 120.00 for 4, and 2 × 35.00`. */
function palletsCalculation(
  { palletClasses }: CompiledVersion,
  zone: Price['zone'],
  { position, count, cents }: PricedPallets,
): string {
  const { types = new Set<string>(), upTo = new Float64Array(), prices, eachCents = 0 } = zone.pallets[position] ?? {};
  const what = `${count} ${count === 1 ? 'pallet' : 'pallets'} ${palletTypesText(types, palletClasses)}`;
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
        rules.perGram > 0 && `${decimalNumber(rules.perGram, DECIMALS.eurPerKg)} × ${kgText(charged)}`,
        rules.per100Kg > 0 && per100KgText(rules.per100Kg, charged),
      ])
    : money(price);
  const least = rules && rules.minimum > 0 ? `, at least ${money(rules.minimum / MICRO)}` : '';
  const upTo = `up to ${kgText(limit)}: ${parts}${least}`;
  if (steps === 0) return upTo;
  const [only, ...others] = zone.beyond;
  if (only && others.length === 0)
    return `${upTo}, and ${steps} × ${money(only.stepCents)} for each ${kgText(only.stepGrams)} begun beyond`;
  let from = limit;
  const beyond: string[] = [];
  for (const { upTo: end, stepGrams, stepCents } of zone.beyond) {
    if (grams <= from) break;
    const count = Math.ceil((Math.min(grams, end) - from) / stepGrams);
    beyond.push(`${count} × ${money(stepCents)} for each ${kgText(stepGrams)} begun beyond ${kgText(from)}`);
    from = end;
  }
  return `${upTo}, and ${beyond.join(', and ')}`;
}

/** The price of a line for people, before anything is shipped: `3.00 a shipment + 0.5 a kg`. */
export function pricing({ charge }: CompiledLine, version: CompiledVersion): string {
  return chargePricing(charge, version);
}

/** The calculation of the chargeable weight, for people. */
export function weightCalculation({ version, zone, realGrams, volumetricGrams, chargeableGrams }: Price): string {
  const { perParcel, stepGrams, numerator, more } = weightIn(version, zone);
  const hasVolume = more ? more.volumetric.length > 0 || more.gramsPerLoadingMetre > 0 : numerator > 0;
  const greater = hasVolume
    ? `the greater of real ${kgText(realGrams)} and volumetric ${kgText(volumetricGrams)}`
    : `real ${kgText(realGrams)}`;
  const least = more && more.minimums.length > 0 ? ', with the least weights of parcels' : '';
  const step = more ? 'rounded up' : `rounded up to ${kgText(stepGrams)}`;
  return `${greater}, of ${perParcel ? 'each parcel' : 'the shipment'}${least}, ${step}: ${kgText(chargeableGrams)}`;
}

/** `12.00 × 3 for each 100 kg begun of 250 kg`. */
function per100KgText(cents: number, grams: number): string {
  return `${money(cents)} × ${Math.ceil(grams / 100_000)} for each 100 kg begun of ${kgText(grams)}`;
}
