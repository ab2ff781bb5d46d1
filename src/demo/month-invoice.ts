import { pricesAsShipped } from '../domain/spend/shipped-prices.service.ts';
import type { Tenant } from '../platform/database/tenancy/tenancy.ts';
import { MONTH } from './month-shipments.ts';

/** BRT's invoice for the month of the demo company. It has five mistakes. */

/** A line of the invoice, with amounts in cents. */
interface Billed {
  readonly number: string;
  readonly day: string;
  readonly grams: number;
  readonly base: number;
  readonly surcharges: number;
  readonly fuel: number;
  readonly vatPercent: number;
}

/** Errors in the invoice, by the position of the shipment. */
const MISTAKES: Readonly<Record<number, (line: Billed) => readonly Billed[]>> = {
  // A higher weight class: 12 kg in place of 8.
  2: line => [{ ...line, grams: 12_000, base: 960, surcharges: 28, fuel: 82 }],
  // A surcharge for a place that is not remote.
  16: line => [{ ...line, surcharges: line.surcharges + 550 }],
  // Fuel of another month.
  24: line => [{ ...line, fuel: Math.round(line.fuel * 1.2) }],
  // Billed twice.
  31: line => [line, line],
  // A shipment of somebody else.
  39: line => [line, { ...line, number: '084007026199999' }],
};

/** The invoice as CSV. Each run makes equal text. */
export async function invoiceOfMonth(tenant: Tenant, carrierConnectionId: number): Promise<string> {
  const numbers = MONTH.map(({ trackingNumber }) => trackingNumber);
  const prices = await pricesAsShipped(tenant, carrierConnectionId, numbers);
  const lines = MONTH.flatMap(({ trackingNumber: number, shippedAt }, i) => {
    const price = prices.get(number);
    if (!price) return [];
    const { base, surcharges, fuel } = price.components;
    const line = {
      number,
      day: shippedAt.toISOString().slice(0, 10),
      grams: price.chargeableGrams,
      base,
      surcharges,
      fuel,
      vatPercent: price.vatPpm / 10_000,
    };
    return MISTAKES[i]?.(line) ?? [line];
  });
  const header = 'tracking_number;date;chargeable_kg;base;surcharges;fuel;net;vat_percent';
  return `${[header, ...lines.map(cellsOf)].join('\r\n')}\r\n`;
}

function cellsOf({ number, day, grams, base, surcharges, fuel, vatPercent }: Billed): string {
  const net = base + surcharges + fuel;
  const [year, month, date] = day.split('-');
  return [
    ...[number, `${date}/${month}/${year}`, italian(grams / 1_000, 1)],
    ...[base, surcharges, fuel, net].map(cents => italian(cents / 100, 2)),
    vatPercent,
  ].join(';');
}

const italian = (value: number, decimals: number) => value.toFixed(decimals).replace('.', ',');
