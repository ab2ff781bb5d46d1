import type { ParcelKind, Shipment } from '../../quotes/quote-terms.rules.ts';
import { findRule } from '../area.rules.ts';
import type { CompiledCondition, CompiledParcelTest, CompiledTests } from '../compiled-tariff.rules.ts';
import type { Measure, ParcelMeasure } from './condition.format.rules.ts';

/** Evaluates conditions of tariffs for a shipment. */

/** The input of a condition: the shipment, and its zone and weight on a version. */
export interface Situation {
  readonly shipment: Shipment;
  /** An index. */
  readonly zone: number;
  /** An index; −1 for none. */
  readonly origin: number;
  readonly chargeableGrams: number;
}

export function holds(condition: CompiledCondition | undefined, situation: Situation): boolean {
  if (condition === undefined) return true;
  const { shipment } = situation;
  return (
    (condition.zones?.has(situation.zone) ?? true) &&
    situation.chargeableGrams >= condition.fromGrams &&
    shipment.heaviestGrams >= condition.parcelFromGrams &&
    shipment.longestSide > condition.longestSideOver &&
    shipment.sumOfSides > condition.sumOfSidesOver &&
    (condition.table === undefined || findRule(condition.table, shipment.destination, shipment.origin) >= 0) &&
    (condition.more === undefined || testsHold(condition.more, situation))
  );
}

function testsHold(tests: CompiledTests, situation: Situation): boolean {
  const { shipment, origin } = situation;
  const { origins, from, until, payments, options, ranges, parcels, allOf, anyOf, noneOf } = tests;
  return (
    (origins === undefined || origins.has(origin)) &&
    from <= shipment.date &&
    shipment.date <= until &&
    (payments === undefined || (shipment.codCents > 0 && payments.has(shipment.codPayment))) &&
    (options === undefined || options.some(code => shipment.options.includes(code))) &&
    ranges.every(({ measure, least, most }) => {
      const value = measured(measure, situation);
      return least <= value && value <= most;
    }) &&
    parcels.every(test => shipment.parcels.some(parcel => parcelFits(test, parcel))) &&
    allOf.every(one => holds(one, situation)) &&
    (anyOf.length === 0 || anyOf.some(one => holds(one, situation))) &&
    !noneOf.some(one => holds(one, situation))
  );
}

/** A whole number, in the engine's units. */
export function measured(measure: Measure, { shipment, chargeableGrams }: Situation): number {
  switch (measure) {
    case 'chargeableKg':
      return chargeableGrams;
    case 'realKg':
      return shipment.grams;
    case 'volumeM3':
      return shipment.volumeCm3;
    case 'parcels':
      return shipment.parcelCount;
    case 'pallets':
      return shipment.parcels.reduce((sum, { pallet, quantity }) => sum + (pallet ? quantity : 0), 0);
    case 'loadingMetres':
      return loadingMetres(shipment.parcels);
    case 'codAmount':
      return shipment.codCents;
    case 'insuredValue':
      return shipment.insuredCents;
    case 'monthlyShipments':
      return shipment.monthlyShipments;
    case 'storageDays':
      return shipment.storageDays;
    case 'waitingMinutes':
      return shipment.waitingMinutes;
  }
}

/** A vehicle is 2.4 m wide: a loading metre is 24,000 cm² of its floor, or twice that for stackable pallets. */
const CM2_OF_LOADING_METRE = 24_000;

/** Hundredths of a loading metre that pallets take, rounded up. */
export function loadingMetres(parcels: readonly ParcelKind[]): number {
  let halves = 0;
  for (const { pallet, floorCm2, quantity } of parcels) {
    if (pallet) halves += floorCm2 * quantity * (pallet.isStackable ? 1 : 2);
  }
  return Math.ceil((halves * 100) / (CM2_OF_LOADING_METRE * 2));
}

export function parcelFits(test: CompiledParcelTest, parcel: ParcelKind): boolean {
  const { ranges, palletTypes, isPallet, isStackable, anyOf, noneOf } = test;
  const { pallet } = parcel;
  return (
    ranges.every(({ measure, least, most }) => {
      const value = measuredParcel(measure, parcel);
      return least <= value && value <= most;
    }) &&
    (palletTypes === undefined || (pallet !== undefined && palletTypes.has(pallet.type))) &&
    (isPallet === undefined || isPallet === (pallet !== undefined)) &&
    (isStackable === undefined || isStackable === (pallet?.isStackable ?? true)) &&
    (anyOf.length === 0 || anyOf.some(one => parcelFits(one, parcel))) &&
    !noneOf.some(one => parcelFits(one, parcel))
  );
}

/** A whole number, in the engine's units; not a number if only totals are known, so that no range matches. */
function measuredParcel(measure: ParcelMeasure, parcel: ParcelKind): number {
  const { grams, volumeCm3, share, longestSide, secondSide, sumOfSides } = parcel;
  if (measure === 'weightKg') return Math.ceil(grams / share);
  if (measure === 'volumeM3') return Math.ceil(volumeCm3 / share);
  if (longestSide === 0) return Number.NaN;
  switch (measure) {
    case 'longestSideCm':
      return longestSide;
    case 'secondSideCm':
      return secondSide;
    case 'sumOfSidesCm':
      return sumOfSides;
    case 'girthCm':
      return girthOf(parcel);
  }
}

/** The longest side and twice the two others. */
export function girthOf({ longestSide, sumOfSides }: Pick<ParcelKind, 'longestSide' | 'sumOfSides'>): number {
  return 2 * sumOfSides - longestSide;
}

/** The number of a shipment's parcels that pass a test. */
export function countParcels(test: CompiledParcelTest, parcels: readonly ParcelKind[]): number {
  return parcels.reduce((sum, parcel) => sum + (parcelFits(test, parcel) ? parcel.quantity : 0), 0);
}
