import { z } from 'zod';
import type { TariffIssues } from '../check/check-issues.rules.ts';
import { amountText } from '../conditions/measures.rules.ts';
import type { ExcludingVersion, Exclusion } from '../exclusion.rules.ts';
import type { Words } from '../explanation-words.rules.ts';
import { ruleFields } from '../format/parts.format.rules.ts';
import type { Path } from '../format/tariff-document.rules.ts';
import type { ParcelKind, Situation } from '../shipment-terms.rules.ts';
import { MICRO, percent, ppmOf, roundToCents } from '../units.rules.ts';
import { type CompiledWeight, weighOne } from '../weight/chargeable-weight.rules.ts';
import { type BandZone, priceByWeight, type WeightPrice, weightPriceText } from './weight-bands.rules.ts';

/** Bands that price each parcel by its own weight: the dearest whole, and the others less a discount. */
export const parcelBands = ruleFields({
  form: {
    bandsPer: z
      .enum(['shipment', 'parcel'])
      .describe(
        'What a band prices: the weight of the shipment (left out), or each parcel by its own weight. The prices of the parcels are added. `weight.per` says only how a weight is found.',
      )
      .optional(),
    furtherParcelsDiscount: z
      .number()
      .positive()
      .max(100)
      .describe('With `bandsPer` `parcel`: percent off each parcel but the dearest, at most 4 decimals.')
      .optional(),
  },
  words: { bandsPer: 'bands price each', furtherParcelsDiscount: 'discount on further parcels' },
  units: { furtherParcelsDiscount: 'percent' },
});

type Given = z.infer<z.ZodObject<typeof parcelBands.form>>;

export interface CompiledByParcel {
  /** The share of its price that each parcel except the dearest costs, in millionths. */
  readonly furtherPpm: number;
}

/** Parcels that bands price one by one: some of one weight. `cents` is the price of each, without a discount. */
export interface PricedParcels extends Pick<WeightPrice, 'grams' | 'band' | 'steps' | 'cents'> {
  readonly count: number;
}

export function checkByParcel(issues: TariffIssues, path: Path, { bandsPer, furtherParcelsDiscount }: Given): void {
  if (furtherParcelsDiscount === undefined || bandsPer === 'parcel') return;
  const message =
    'must be given as parcel with furtherParcelsDiscount: `weight.per` adds the weights of parcels, and does not price them one by one';
  issues.add([...path, 'bandsPer'], 'required', message);
}

export function compileByParcel({ bandsPer, furtherParcelsDiscount }: Given): CompiledByParcel | undefined {
  return bandsPer === 'parcel' ? { furtherPpm: MICRO - ppmOf(furtherParcelsDiscount) } : undefined;
}

/** The prices of parcels, added. */
export function priceByParcel(
  version: ExcludingVersion & { readonly weight: CompiledWeight },
  zone: BandZone,
  { furtherPpm }: CompiledByParcel,
  situation: Situation,
  parcels: readonly ParcelKind[],
): (WeightPrice & { readonly pallets: readonly never[]; readonly parcels: readonly PricedParcels[] }) | Exclusion {
  const counts = new Map<number, number>();
  for (const parcel of parcels) {
    const grams = weighOne(version.weight, situation, parcel).chargeableGrams;
    counts.set(grams, (counts.get(grams) ?? 0) + parcel.quantity);
  }
  const priced: PricedParcels[] = [];
  let tooHeavy: Exclusion | undefined;
  for (const grams of [...counts.keys()].sort((a, b) => b - a)) {
    const each = priceByWeight(version, zone, grams);
    if (each.ok) priced.push({ ...each, count: counts.get(grams) ?? 0 });
    else tooHeavy ??= each;
  }
  // A heavier parcel can be cheaper, where prices do not ascend.
  const [dearest] = priced.sort((a, b) => b.cents - a.cents);
  if (tooHeavy !== undefined || dearest === undefined) return tooHeavy ?? priceByWeight(version, zone, 0);
  const further = (cents: number) => roundToCents(cents * furtherPpm);
  const all = priced.reduce((sum, { count, cents }) => sum + count * further(cents), 0);
  const { band, steps, grams } = dearest;
  const cents = all - further(dearest.cents) + dearest.cents;
  return { ok: true, cents, band, steps, grams, pallets: [], parcels: priced };
}

/** `1 parcel up to 10 kg: 6.00; 2 parcels up to 3 kg: 4.50 each; each parcel after the dearest less 10 %` */
export function parcelPricesText(
  words: Words,
  zone: BandZone & { readonly byParcel: CompiledByParcel | undefined },
  parcels: readonly PricedParcels[],
): string {
  const priced = parcels.map(one => {
    const each = one.count > 1 ? words.each : '';
    return `${amountText(words, 'parcels', one.count)} ${weightPriceText(words, zone, one)}${each}`;
  });
  const discount = MICRO - (zone.byParcel?.furtherPpm ?? MICRO);
  const isReduced = discount > 0 && parcels.reduce((sum, { count }) => sum + count, 0) > 1;
  return [...priced, ...(isReduced ? [words.furtherParcels(percent(discount))] : [])].join('; ');
}
