import type { ExcludingVersion, Exclusion } from '../exclusion.rules.ts';
import type { Words } from '../explanation-words.rules.ts';
import type { CompiledPalletClass } from '../pallets/pallet-classes.rules.ts';
import {
  type PalletZone,
  type PricedPallets,
  palletPricesText,
  priceByNumber,
  pricesOf,
} from '../pallets/pallet-prices.rules.ts';
import type { ParcelKind, Situation } from '../shipment-terms.rules.ts';
import { type CompiledWeight, weighSome } from '../weight/chargeable-weight.rules.ts';
import { type CompiledByParcel, type PricedParcels, parcelPricesText, priceByParcel } from './parcel-bands.rules.ts';
import { type BandZone, priceByWeight, type WeightPrice, weightPriceText } from './weight-bands.rules.ts';

/** The base price in a zone: of pallets by their number, and of the other parcels by weight. */
export interface BasePrice extends WeightPrice {
  /** −1 for none. Where bands price each parcel, this is the band of the dearest. */
  readonly band: number;
  /** The weight for which bands are used: less than the chargeable weight if pallets are priced by their number. */
  readonly grams: number;
  readonly pallets: readonly PricedPallets[];
  /** The dearest first; none where bands price the weight of the shipment. */
  readonly parcels: readonly PricedParcels[];
}

/** The parts of a version and of a zone that base prices depend on. */
interface WeighingVersion extends ExcludingVersion {
  readonly weight: CompiledWeight;
}
interface PricedZone extends BandZone, PalletZone {
  /** Undefined where bands price the weight of the shipment. */
  readonly byParcel: CompiledByParcel | undefined;
}

export function basePrice(version: WeighingVersion, zone: PricedZone, situation: Situation): BasePrice | Exclusion {
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
  version: WeighingVersion,
  zone: PricedZone,
  situation: Situation,
  parcels: readonly ParcelKind[],
  weight: number,
): BasePrice | Exclusion {
  if (zone.byParcel === undefined) return priceByWeight(version, zone, weight);
  return priceByParcel(version, zone, zone.byParcel, situation, parcels);
}

export function basePriceText(
  words: Words,
  { palletClasses }: { readonly palletClasses: readonly CompiledPalletClass[] | undefined },
  zone: PricedZone,
  base: BasePrice,
): string {
  const texts = base.pallets.map(some => palletPricesText(words, palletClasses, zone, some));
  if (base.parcels.length > 0) texts.push(parcelPricesText(words, zone, base.parcels));
  else if (base.band >= 0) texts.push(weightPriceText(words, zone, base));
  return texts.join(' + ');
}
