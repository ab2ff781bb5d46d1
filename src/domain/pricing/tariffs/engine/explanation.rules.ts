import type { RuleOfArea } from '../areas/area.rules.ts';
import { basePriceText } from '../bands/base-price.rules.ts';
import { chargeCalculation } from '../charges/charge.rules.ts';
import type { CompiledLine } from '../compile/compiled-tariff.rules.ts';
import type { Words } from '../explanation-words.rules.ts';
import { withPalletClasses } from '../pallets/pallet-classes.rules.ts';
import type { Price } from '../price.rules.ts';
import type { Shipment, Situation } from '../shipment-terms.rules.ts';

/** The calculation of a line of a price, for people: `2.9 % of 12.20 (base)`. */
export function calculation(words: Words, price: Price, position: number, shipment: Shipment): string {
  const { charge, component } = price.version.lines[position] as CompiledLine;
  if (component === 'base') return basePriceText(words, price.version, price.zone, price.base);
  const text = chargeCalculation(charge, { ...price, words }, situationOf(price, shipment));
  const isCut = price.cutCents > 0 && (price.amounts[position] ?? 0) <= 0 && charge.minimum < 0;
  return isCut ? words.reduced(text) : text;
}

/** The place that a rule names: as the tariff writes it, or in words where it names none. */
export function placeText(words: Words, { kind, place, list }: RuleOfArea): string {
  const named =
    kind === 'same_province'
      ? words.sameProvince
      : kind === 'same_region'
        ? words.sameRegion
        : kind === 'default'
          ? words.anywhere
          : place;
  return list === undefined ? named : words.ofList(named, list);
}

/** The facts that the engine has looked at. */
export function situationOf({ version, zone, origin, chargeableGrams }: Price, shipment: Shipment): Situation {
  const priced = withPalletClasses(version.palletClasses, shipment);
  return { shipment: priced, zone: zone.index, origin, chargeableGrams };
}
