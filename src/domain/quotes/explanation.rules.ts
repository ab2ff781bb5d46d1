import type { CompiledLine, CompiledSum, CompiledVersion } from '../tariffs/compile.rules.ts';
import { DECIMALS, decimalNumber, kilograms, MICRO, money, percent } from '../tariffs/units.rules.ts';
import { addUp, rateOn } from './amount.rules.ts';
import { NOT_CHARGED, type Price, type Shipment } from './quote.rules.ts';

/** How a line of a price was reckoned, for people: `2.9 % of 12.20 (base)`. */
export function calculation(price: Price, position: number, shipment: Shipment): string {
  const line = price.version.lines[position] as CompiledLine;
  const { charge, rates, component, allowance } = line;
  const [first = EMPTY] = charge.sums;
  switch (component) {
    case 'base':
      return baseCalculation(price);
    case 'fuel': {
      const rate = rateOn(rates, shipment.date);
      return `${share(rate?.ppm ?? 0, first.of, price)}, the rate from ${rate?.from}`;
    }
    case 'cod':
      return bounded(
        line,
        joined([first.fixed > 0 && money(first.fixed / MICRO), ofValue(first.ppm, shipment.codCents)]),
      );
    case 'insurance': {
      const { insuredCents } = shipment;
      if (allowance === 0) return bounded(line, ofValue(first.ppm, insuredCents));
      if (insuredCents <= allowance) return `${money(insuredCents)} lie within the allowance of ${money(allowance)}`;
      const above = `${ofValue(first.ppm, insuredCents - allowance)} (${money(insuredCents)} less ${money(allowance)})`;
      return bounded(line, above);
    }
    default: {
      const sums = charge.sums.map(sum => sumCalculation(sum, price, shipment));
      return bounded(line, sums.length > 1 ? `the greater of ${sums.join(' and ')}` : (sums[0] ?? ''));
    }
  }
}

const EMPTY: CompiledSum = { fixed: 0, perGram: 0, perParcel: 0, ppm: 0, of: [] };

function baseCalculation({ zone, band, steps }: Price): string {
  const upTo = `up to ${kg(zone.upTo[band] ?? 0)}: ${money(zone.prices[band] ?? 0)}`;
  return steps === 0
    ? upTo
    : `${upTo}, and ${steps} × ${money(zone.stepCents)} for each ${kg(zone.stepGrams)} begun beyond`;
}

/** What a line costs, for people, before anything is shipped: `3.00 a shipment + 0.5 a kg`. */
export function pricing(line: CompiledLine, version: CompiledVersion): string {
  const sums = line.charge.sums.map(({ fixed, perGram, perParcel, ppm, of }) =>
    joined([
      fixed > 0 && `${money(fixed / MICRO)} a shipment`,
      perGram > 0 && `${decimalNumber(perGram, DECIMALS.eurPerKg)} a kg`,
      perParcel > 0 && `${money(perParcel / MICRO)} a parcel`,
      ppm > 0 && `${percentage(ppm)} of ${of.map(position => version.lines[position]?.code).join(' + ')}`,
    ]),
  );
  return bounded(line, sums.length > 1 ? `the greater of ${sums.join(' and ')}` : (sums[0] ?? ''));
}

function sumCalculation(sum: CompiledSum, price: Price, { parcelCount }: Shipment): string {
  return joined([
    sum.fixed > 0 && money(sum.fixed / MICRO),
    sum.perGram > 0 && `${decimalNumber(sum.perGram, DECIMALS.eurPerKg)} × ${kg(price.chargeableGrams)}`,
    sum.perParcel > 0 && `${money(sum.perParcel / MICRO)} × ${parcelCount} ${parcelCount === 1 ? 'parcel' : 'parcels'}`,
    sum.ppm > 0 && share(sum.ppm, sum.of, price),
  ]);
}

/** A percentage of lines, with their amounts and names. */
function share(ppm: number, of: readonly number[], { amounts, version }: Price): string {
  const charged = of.filter(position => (amounts[position] ?? NOT_CHARGED) >= 0);
  const names = charged.map(position => version.lines[position]?.code).join(' + ') || 'nothing';
  return `${percentage(ppm)} of ${money(addUp(of, amounts))} (${names})`;
}

function bounded({ charge: { minimum, maximum } }: CompiledLine, text: string): string {
  const least = minimum > 0 ? `, at least ${money(minimum / MICRO)}` : '';
  const most = Number.isFinite(maximum) ? `, at most ${money(maximum / MICRO)}` : '';
  return text + least + most;
}

const joined = (parts: readonly (string | false)[]) => parts.filter(Boolean).join(' + ') || money(0);
const ofValue = (ppm: number, cents: number) => `${percentage(ppm)} of ${money(cents)}`;
const kg = (grams: number) => `${kilograms(grams)} kg`;
const percentage = (ppm: number) => `${percent(ppm)} %`;

/** How the chargeable weight was found, for people. */
export function weightCalculation({ version, realGrams, volumetricGrams, chargeableGrams }: Price): string {
  const { perParcel, stepGrams, numerator } = version.weight;
  const greater =
    numerator === 0
      ? `real ${kg(realGrams)}`
      : `the greater of real ${kg(realGrams)} and volumetric ${kg(volumetricGrams)}`;
  return `${greater}, of ${perParcel ? 'each parcel' : 'the shipment'}, rounded up to ${kg(stepGrams)}: ${kg(chargeableGrams)}`;
}
