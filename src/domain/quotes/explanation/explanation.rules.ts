import { basePriceText } from '../../tariffs/bands/base-price.rules.ts';
import { chargeCalculation } from '../../tariffs/charges/charge.rules.ts';
import type { CompiledLine } from '../../tariffs/compile/compiled-tariff.rules.ts';
import type { Situation } from '../../tariffs/conditions/situation.rules.ts';
import { withPalletClasses } from '../../tariffs/pallets/pallet-classes.rules.ts';
import type { Price, Shipment } from '../quote-terms.rules.ts';

/** The calculation of a line of a price, for people: `2.9 % of 12.20 (base)`. */
export function calculation(price: Price, position: number, shipment: Shipment): string {
  const { charge, component } = price.version.lines[position] as CompiledLine;
  if (component === 'base') return basePriceText(price.version, price.zone, price.base);
  const text = chargeCalculation(charge, price, situationOf(price, shipment));
  const isCut = price.cutCents > 0 && (price.amounts[position] ?? 0) <= 0 && charge.minimum < 0;
  return isCut ? `${text}, as far as the total does not fall below 0.00` : text;
}

/** The facts that the engine has looked at. */
export function situationOf({ version, zone, origin, chargeableGrams }: Price, shipment: Shipment): Situation {
  const priced = withPalletClasses(version.palletClasses, shipment);
  return { shipment: priced, zone: zone.index, origin, chargeableGrams };
}
