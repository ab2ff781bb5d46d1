import { csvText, decimalComma } from '../../csv.rules.ts';
import type { Exclusion, Price } from '../../quotes/quote.rules.ts';
import { kilograms, money } from '../../tariffs/units.rules.ts';
import type { NotPriceable, Shipped } from '../shipped.rules.ts';
import type { PinnedTariff } from './simulation.rules.ts';

/**
 * The CSV of a simulation: a line for each shipment, with three cells for each tariff. Amounts are EUR before VAT, with a
 * decimal comma.
 */

const OF_SHIPMENT = ['tracking_number', 'order_number', 'shipped_on', 'carrier_company_id', 'status', 'was'];
const OF_ALL = ['cheapest', 'cheapest_price', 'saved'];

/** The first line. Tariffs are numbered from 1, in their order. */
export function csvHeader(tariffs: readonly PinnedTariff[]): string {
  const ofTariffs = tariffs.flatMap(({ carrierCode, name }, i) => {
    const of = `${i + 1} ${carrierCode} ${name}`;
    return [`${of}: price`, `${of}: zone`, `${of}: kg`];
  });
  return line([...OF_SHIPMENT, ...OF_ALL, ...ofTariffs].map(csvText));
}

/** @param cheapest position of the cheapest tariff; −1 where none applies */
export function csvLine(
  shipped: Shipped,
  before: Price | Exclusion,
  prices: readonly (Price | Exclusion)[],
  cheapest: number,
): string {
  const { trackingNumber, orderNumber, carrierCompanyId, statusCode, shipment } = shipped;
  const chosen = prices[cheapest];
  const saved = chosen?.ok && before.ok ? amount(before.totalCents - chosen.totalCents) : '';
  const cells = [
    csvText(trackingNumber),
    csvText(orderNumber ?? ''),
    shipment.date,
    String(carrierCompanyId),
    statusCode,
    before.ok ? amount(before.totalCents) : before.code,
    cheapest < 0 ? '' : String(cheapest + 1),
    chosen?.ok ? amount(chosen.totalCents) : '',
    saved,
  ];
  for (const price of prices) {
    if (price.ok)
      cells.push(amount(price.totalCents), csvText(price.zone.code), decimalComma(kilograms(price.chargeableGrams)));
    else cells.push('', price.code, '');
  }
  return line(cells);
}

/**
 * The line of a shipment that no tariff can price.
 *
 * @param tariffs how many there are
 */
export function csvLineWithout({ trackingNumber, orderNumber, ...shipped }: NotPriceable, tariffs: number): string {
  const { carrierCompanyId, statusCode, missing } = shipped;
  const known = [csvText(trackingNumber), csvText(orderNumber ?? ''), '', String(carrierCompanyId), statusCode];
  const empty: string[] = new Array(OF_ALL.length + 3 * tariffs).fill('');
  return line([...known, missing.toUpperCase(), ...empty]);
}

function amount(cents: number): string {
  return decimalComma(money(cents));
}

function line(cells: readonly string[]): string {
  return `${cells.join(';')}\r\n`;
}
