import { decimalNumber, money } from '../units.rules.ts';
import { MEASURES, type Measure } from './condition.format.rules.ts';
import { measured, type Situation } from './condition.rules.ts';

/** Measures of a tariff in the words of an explanation. */

const UNITS: Readonly<Record<Measure, string>> = {
  chargeableKg: ' kg',
  realKg: ' kg',
  volumeM3: ' m³',
  parcels: ' parcels',
  pallets: ' pallets',
  loadingMetres: ' loading metres',
  codAmount: '',
  insuredValue: '',
  monthlyShipments: ' shipments a month',
  storageDays: ' days',
  waitingMinutes: ' minutes',
};

/** An amount with its unit: `30 kg`, `516.46`. */
export function amountText(measure: Measure, count: number): string {
  const decimals = MEASURES[measure];
  if (measure === 'codAmount' || measure === 'insuredValue') return money(count);
  const number = decimalNumber(count, decimals);
  const unit = number === 1 ? UNITS[measure].replace(/s( a month)?$/, '$1') : UNITS[measure];
  return `${number}${unit}`;
}

/** The measured value of a shipment. */
export function measureText(measure: Measure, situation: Situation): string {
  return amountText(measure, measured(measure, situation));
}

/** `12.00 × 3 for each 100 kg begun of 250 kg`. */
export function per100KgText(cents: number, grams: number): string {
  return `${money(cents)} × ${Math.ceil(grams / 100_000)} for each 100 kg begun of ${decimalNumber(grams, 3)} kg`;
}
