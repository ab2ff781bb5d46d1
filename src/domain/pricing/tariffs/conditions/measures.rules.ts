import type { Words } from '../explanation-words.rules.ts';
import { forAmounts, type ParcelKind, type Situation } from '../shipment-terms.rules.ts';
import { decimalNumber, money } from '../units.rules.ts';

/** The measures of a shipment that conditions, brackets and `per` can count. A new measure is a new entry here. */

interface MeasureKind {
  /** Most decimals of a number that it is compared with. */
  readonly decimals: number;
  /** The description of the measure in the form. */
  readonly what: string;
  /** Whether it is known only of what happens after the shipment. */
  readonly isLate?: true;
  /** A whole number, in the engine's units. */
  readonly of: (situation: Situation) => number;
}

export const MEASURES = {
  chargeableKg: {
    decimals: 3,
    what: 'Chargeable weight, kg.',
    of: ({ chargeableGrams }) => chargeableGrams,
  },
  realKg: {
    decimals: 3,
    what: 'Real weight of the shipment, kg, without `minimums`.',
    of: ({ shipment }) => shipment.grams,
  },
  volumeM3: {
    decimals: 6,
    what: 'Volume of the shipment, cubic metres.',
    of: ({ shipment }) => shipment.volumeCm3,
  },
  parcels: { decimals: 0, what: 'Number of parcels.', of: ({ shipment }) => shipment.parcelCount },
  pallets: {
    decimals: 0,
    what: 'Number of pallets among the parcels.',
    of: ({ shipment }) => shipment.parcels.reduce((sum, { pallet, quantity }) => sum + (pallet ? quantity : 0), 0),
  },
  loadingMetres: {
    decimals: 2,
    what: 'Loading metres of its pallets.',
    of: ({ shipment }) => loadingMetres(shipment.parcels),
  },
  codAmount: {
    decimals: 2,
    what: 'EUR to be collected; 0 where nothing is.',
    of: ({ shipment }) => shipment.codCents,
  },
  insuredValue: {
    decimals: 2,
    what: 'EUR insured; 0 where nothing is.',
    of: ({ shipment }) => shipment.insuredCents,
  },
  ...forAmounts(
    ({ field, measure }): MeasureKind => ({ decimals: 2, what: measure, of: ({ shipment }) => shipment[field] ?? 0 }),
  ),
  monthlyShipments: {
    decimals: 0,
    what: 'Shipments of the month, as the quote states them; 0 where it does not.',
    of: ({ shipment }) => shipment.monthlyShipments,
  },
  storageDays: {
    decimals: 0,
    what: 'Days in storage; only in `afterShipment`.',
    isLate: true,
    of: ({ shipment }) => shipment.storageDays,
  },
  waitingMinutes: {
    decimals: 0,
    what: 'Minutes that the courier waited; only in `afterShipment`.',
    isLate: true,
    of: ({ shipment }) => shipment.waitingMinutes,
  },
} as const satisfies Record<string, MeasureKind>;
export type Measure = keyof typeof MEASURES;
export const MEASURE_NAMES = Object.keys(MEASURES) as [Measure, ...Measure[]];

const KINDS: Readonly<Record<Measure, MeasureKind>> = MEASURES;

export function measured(measure: Measure, situation: Situation): number {
  return KINDS[measure].of(situation);
}

/** Most decimals of each. */
export const decimalsOfMeasures = (): Readonly<Record<string, number>> =>
  Object.fromEntries(MEASURE_NAMES.map(name => [name, MEASURES[name].decimals]));

export const isLateMeasure = (measure: Measure) => KINDS[measure].isLate === true;

/** A vehicle is 2.4 m wide: a loading metre is 24,000 cm² of its floor, and holds twice as many stackable pallets. */
const CM2_OF_LOADING_METRE = 24_000;

/** Hundredths of a loading metre that pallets take, begun ones counting whole. */
export function loadingMetres(parcels: readonly ParcelKind[]): number {
  let halves = 0;
  for (const { pallet, floorCm2, quantity } of parcels) {
    if (pallet) halves += floorCm2 * quantity * (pallet.isStackable ? 1 : 2);
  }
  return Math.ceil((halves * 100) / (CM2_OF_LOADING_METRE * 2));
}

/** An amount with its unit: `30 kg`, `516.46`. */
export function amountText({ measures }: Words, measure: Measure, count: number): string {
  const units = measure in measures ? measures[measure as keyof Words['measures']] : undefined;
  if (units === undefined) return money(count);
  const number = decimalNumber(count, KINDS[measure].decimals);
  return `${number} ${number === 1 ? units[0] : units[1]}`;
}

/** Describes a measure of a shipment with its unit, for an explanation. */
export function measureText(words: Words, measure: Measure, situation: Situation): string {
  return amountText(words, measure, measured(measure, situation));
}
