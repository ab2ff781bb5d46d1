import { csvLine, decimalComma } from '../../common/csv.rules.ts';
import type { Exclusion } from '../../pricing/tariffs/exclusion.rules.ts';
import type { Price } from '../../pricing/tariffs/price.rules.ts';
import { kilograms, money } from '../../pricing/tariffs/units.rules.ts';
import type { NotPriceable, Shipped } from '../shipped.rules.ts';
import type { PinnedTariff } from './simulation.rules.ts';

/** The CSV of a simulation: a line per shipment, four cells per tariff, EUR before VAT with a decimal comma. */

const OF_SHIPMENT = ['tracking_number', 'order_number', 'shipped_on', 'carrier_company_id', 'status', 'was'];
const OF_ALL = ['cheapest', 'cheapest_price', 'saved'];

/** The first line. Tariffs are numbered from 1, in their order. */
export function simulatedHeader(tariffs: readonly PinnedTariff[]): string {
  const ofTariffs = tariffs.flatMap(({ carrierCode, name, service }, i) => {
    const of = `${i + 1} ${carrierCode} ${name}${service == null ? '' : ` ${service}`}`;
    return [`${of}: price`, `${of}: zone`, `${of}: kg`, `${of}: service`];
  });
  return csvLine([...OF_SHIPMENT, ...OF_ALL, ...ofTariffs]);
}

/** @param cheapest position of the cheapest tariff; −1 if none applies */
export function simulatedLine(
  shipped: Shipped,
  before: Price | Exclusion,
  prices: readonly (Price | Exclusion)[],
  cheapest: number,
): string {
  const { trackingNumber, orderNumber, carrierConnectionId, statusCode, shipment } = shipped;
  const chosen = prices[cheapest];
  const saved = chosen?.ok && before.ok ? amount(before.totalCents - chosen.totalCents) : '';
  const cells = [
    trackingNumber,
    orderNumber ?? '',
    shipment.date,
    String(carrierConnectionId),
    statusCode,
    before.ok ? amount(before.totalCents) : before.code,
    cheapest < 0 ? '' : String(cheapest + 1),
    chosen?.ok ? amount(chosen.totalCents) : '',
    saved,
  ];
  for (const price of prices) {
    if (!price.ok) {
      cells.push('', price.code, '', '');
      continue;
    }
    const { totalCents, zone, chargeableGrams, version } = price;
    cells.push(amount(totalCents), zone.code, decimalComma(kilograms(chargeableGrams)), version.service?.code ?? '');
  }
  return csvLine(cells);
}

/**
 * The line of a shipment that no tariff can price.
 *
 * @param tariffs their number
 */
export function simulatedLineWithout(
  { trackingNumber, orderNumber, ...shipped }: NotPriceable,
  tariffs: number,
): string {
  const { carrierConnectionId, statusCode, missing } = shipped;
  const known = [trackingNumber, orderNumber ?? '', '', String(carrierConnectionId), statusCode];
  const empty: string[] = new Array(OF_ALL.length + 4 * tariffs).fill('');
  return csvLine([...known, missing.toUpperCase(), ...empty]);
}

function amount(cents: number): string {
  return decimalComma(money(cents));
}
