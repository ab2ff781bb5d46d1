import { priceIn } from '../../../pricing/quotes/price/province.rules.ts';
import type { CompiledTariff, CompiledVersion } from '../../../pricing/tariffs/compile/compiled-tariff.rules.ts';
import { versionAt } from '../../../pricing/tariffs/engine/quote.rules.ts';
import type { Price } from '../../../pricing/tariffs/price.rules.ts';
import type { Shipment } from '../../../pricing/tariffs/shipment-terms.rules.ts';
import type { Shipped } from '../../shipped.rules.ts';
import type { Explanation } from './finding-codes.rules.ts';
import { TERMS, type TermedShipment, type TermName } from './terms.rules.ts';

/** The prices that a shipment can have if terms are missing on which the tariff depends. */

/** One of the prices, with the shipment as it would be. */
export interface PossiblePrice {
  readonly price: Price;
  readonly shipment: Shipment;
}

/** Prices that differ from each other, and the terms that decide. */
export interface PossiblePrices {
  readonly prices: readonly PossiblePrice[];
  /** `not checked: how the cash was paid is not known` */
  readonly reason: Explanation;
}

/** A tariff can have thousands of combinations, which would hold the event loop. */
const MOST_COMBINATIONS = 500;

interface Combination {
  readonly shipment: Shipment;
  readonly changed: readonly TermName[];
}

/**
 * All prices by the missing terms, without the price of `termed.shipment` itself. Undefined if they do not matter to
 * the price of the shipment.
 *
 * @param assumed the price without the missing terms; undefined if there is none
 */
export function possiblePrices(
  { shipment, unknown }: TermedShipment,
  assumed: Price | undefined,
  { destinations }: Shipped,
  tariff: CompiledTariff,
): PossiblePrices | undefined {
  const version = unknown.length === 0 ? undefined : versionAt(tariff.versions, shipment.date);
  if (version === undefined) return undefined;
  const deciding = new Set<TermName>();
  const prices: PossiblePrice[] = [];
  for (const { shipment: other, changed } of combinations(shipment, unknown, version)) {
    const price = priceIn(tariff, other, destinations);
    if (!price.ok) continue;
    if (assumed !== undefined && isSame(price, assumed) && assumed.version.events.length === 0) continue;
    prices.push({ price, shipment: other });
    const isExplained = changed.some(name => deciding.has(name));
    if (!isExplained && !(assumed && isSame(price, assumed))) for (const name of changed) deciding.add(name);
  }
  if (prices.length === 0) return undefined;
  return { prices, reason: reasonOf(deciding.size > 0 ? [...deciding] : unknown) };
}

function isSame(one: Price, other: Price): boolean {
  return one.amounts.every((amount, position) => amount === other.amounts[position]);
}

function reasonOf(names: readonly TermName[]): Explanation {
  return words => words.notChecked(names.map(name => words.isUnknown[name]).join('; '));
}

/** Every combination of other values of the terms, those with the fewest changes first. */
function combinations(shipment: Shipment, names: readonly TermName[], version: CompiledVersion): Combination[] {
  let all: Combination[] = [{ shipment, changed: [] }];
  for (const name of names) {
    const next = [...all];
    for (const one of all) {
      for (const other of TERMS[name].others(one.shipment, version)) {
        if (next.length > MOST_COMBINATIONS) break;
        next.push({ shipment: other, changed: [...one.changed, name] });
      }
    }
    all = next;
  }
  return all.slice(1).toSorted((one, other) => one.changed.length - other.changed.length);
}
