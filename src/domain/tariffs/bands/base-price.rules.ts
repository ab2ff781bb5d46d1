import type { CompiledVersion, CompiledZone } from '../compile/compiled-tariff.rules.ts';
import type { Situation } from '../conditions/situation.rules.ts';
import type { Exclusion } from '../exclusion.rules.ts';
import type { Words } from '../explanation-words.rules.ts';
import { type PricedPallets, palletPricesText, priceByNumber, pricesOf } from '../pallets/pallet-prices.rules.ts';
import type { ParcelKind } from '../shipment-terms.rules.ts';
import { weighSome } from '../weight/chargeable-weight.rules.ts';
import { type PricedParcels, parcelPricesText, priceByParcel } from './parcel-bands.rules.ts';
import { priceByWeight, weightPriceText } from './weight-bands.rules.ts';

/** The base price in a zone: of pallets by their number, and of the other parcels by weight. */
export interface BasePrice {
  readonly ok: true;
  readonly cents: number;
  /**
   * Index into the zone's bands: the one it falls in, or the last where `steps` go beyond it. −1 for none. Where bands price
   * each parcel, these are of the dearest.
   */
  readonly band: number;
  readonly steps: number;
  /** The weight for which bands are used: less than the chargeable weight if pallets are priced by their number. */
  readonly grams: number;
  readonly pallets: readonly PricedPallets[];
  /** The dearest first; none where bands price the weight of the shipment. */
  readonly parcels: readonly PricedParcels[];
}

export function basePrice(version: CompiledVersion, zone: CompiledZone, situation: Situation): BasePrice | Exclusion {
  const { parcels } = situation.shipment;
  const { chargeableGrams } = situation;
  if (zone.pallets.length === 0) return byBands(version, zone, situation, parcels, chargeableGrams);
  const pallets = priceByNumber(version, zone, parcels);
  if (!('length' in pallets)) return pallets;
  if (pallets.length === 0) return byBands(version, zone, situation, parcels, chargeableGrams);
  const cents = pallets.reduce((sum, some) => sum + some.cents, 0);
  const others = parcels.filter(parcel => pricesOf(zone, parcel) === undefined);
  if (others.length === 0) return { ok: true, cents, band: -1, steps: 0, grams: 0, pallets, parcels: [] };
  const weight = zone.byParcel ? 0 : weighSome(version.weight, situation, others).chargeableGrams;
  const rest = byBands(version, zone, situation, others, weight);
  return rest.ok ? { ...rest, cents: rest.cents + cents, pallets } : rest;
}

/** @param weight of the parcels together, for bands that price the shipment */
function byBands(
  version: CompiledVersion,
  zone: CompiledZone,
  situation: Situation,
  parcels: readonly ParcelKind[],
  weight: number,
): BasePrice | Exclusion {
  if (zone.byParcel === undefined) return priceByWeight(version, zone, weight);
  return priceByParcel(version, zone, zone.byParcel, situation, parcels);
}

export function basePriceText(words: Words, version: CompiledVersion, zone: CompiledZone, base: BasePrice): string {
  const texts = base.pallets.map(some => palletPricesText(words, version, zone, some));
  if (base.parcels.length > 0) texts.push(parcelPricesText(words, zone, base.parcels));
  else if (base.band >= 0) texts.push(weightPriceText(words, zone, base));
  return texts.join(' + ');
}
