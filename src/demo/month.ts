import { listConnections } from '../domain/carriers/carriers.service.ts';
import { upsertOrders } from '../domain/orders/orders.service.ts';
import { pricesAsShipped } from '../domain/spend/shipped-prices.service.ts';
import { exportTariffOf, importTariff } from '../domain/tariffs/tariff.service.ts';
import { recordTrackingEvents } from '../domain/tracking/events.service.ts';
import { upsertShipments } from '../domain/tracking/shipments.service.ts';
import { listWarehouses } from '../domain/warehouses/warehouses.service.ts';
import { OPERATOR } from '../platform/database/tenancy/actor.ts';
import type { CompanyId } from '../platform/database/tenancy/company-id.ts';
import { Tenant } from '../platform/database/tenancy/tenancy.ts';
import { createLog } from '../platform/telemetry/log.ts';
import type { DemoTools } from './company.ts';

/**
 * A month of shipments of the demo company, the carrier's next tariff, and its invoice for the month, which has errors:
 * the data to try simulations and invoices on. Each run makes equal data.
 */

const SHIPMENTS = 40;
const CARRIER = 'BRT';
const NEXT_YEAR = { label: 'Esempio 2027', validFrom: '2027-01-01' };
/** The price increase of next year's tariff. */
const INCREASE = 1.035;

const PLACES = [
  { postalCode: '20121', city: 'Milano', province: 'MI' },
  { postalCode: '00185', city: 'Roma', province: 'RM' },
  { postalCode: '80133', city: 'Napoli', province: 'NA' },
  { postalCode: '90139', city: 'Palermo', province: 'PA' },
  { postalCode: '10121', city: 'Torino', province: 'TO' },
  { postalCode: '09124', city: 'Cagliari', province: 'CA' },
  { postalCode: '50122', city: 'Firenze', province: 'FI' },
  { postalCode: '30121', city: 'Venezia', province: 'VE' },
];
const WEIGHTS = ['2', '4.5', '8', '14', '27'];

interface Sent {
  readonly orderNumber: string;
  readonly trackingNumber: string;
  /** A day of October 2026. */
  readonly day: string;
  readonly place: (typeof PLACES)[number];
  readonly weight: string;
}

const SENT: readonly Sent[] = Array.from({ length: SHIPMENTS }, (_, i) => ({
  orderNumber: `OTT-${String(i + 1).padStart(3, '0')}`,
  trackingNumber: `0840070261${String(i + 1).padStart(5, '0')}`,
  day: `2026-10-${String(1 + Math.floor((i * 3) / 4)).padStart(2, '0')}`,
  place: PLACES[i % PLACES.length] as Sent['place'],
  weight: WEIGHTS[i % WEIGHTS.length] as string,
}));

/** Adds the month, and returns the carrier's invoice as CSV. */
export async function addMonth(tools: DemoTools, companyId: CompanyId): Promise<string> {
  const tenant = new Tenant(companyId, tools.database, { actor: OPERATOR });
  const connections = await listConnections(tenant);
  const carrierCompanyId = connections.find(({ carrierCode }) => carrierCode === CARRIER)?.id ?? 0;
  await send(tenant, tools, carrierCompanyId);
  await importNextTariff(tenant, carrierCompanyId);
  return invoiceOf(tenant, carrierCompanyId);
}

async function send(tenant: Tenant, { announcer, caps }: DemoTools, carrierCompanyId: number): Promise<void> {
  const [warehouse] = await listWarehouses(tenant);
  const sides = { length: '30', width: '25', height: '20' };
  await upsertOrders(
    tenant,
    SENT.map(({ orderNumber, place, weight }) => ({
      orderNumber,
      warehouseId: warehouse?.id,
      recipient: { companyName: `Cliente ${orderNumber}`, address: 'Via Roma 1', ...place },
      parcels: [{ ...sides, weight, quantity: 1 }],
    })),
  );
  await upsertShipments(
    tenant,
    SENT.map(({ orderNumber, trackingNumber, day, weight }) => ({
      carrierCompanyId,
      trackingNumber,
      orderNumber,
      weight,
      volume: '15000',
      parcelNumber: 1,
      shipmentDate: `${day}T09:00:00Z`,
      warehouseId: warehouse?.id,
    })),
  );
  const events = SENT.flatMap(({ trackingNumber, day, place }) => [
    event(trackingNumber, `${day}T16:00:00Z`, '700', 'RITIRATA', 'MILANO'),
    event(trackingNumber, dayAfter(day), '704', 'CONSEGNATA', place.city.toUpperCase()),
  ]);
  await recordTrackingEvents(tenant, events, announcer, caps, createLog('silent'));
}

const event = (
  trackingNumber: string,
  timestamp: string,
  carrierStatusCode: string,
  description: string,
  location: string,
) => ({ trackingNumber, timestamp, carrierStatusCode, description, location });

function dayAfter(day: string): string {
  return new Date(Date.parse(`${day}T10:00:00Z`) + 24 * 3_600_000).toISOString();
}

/** The second revision of the tariff: unchanged prices until the end of the year, and higher ones afterwards. */
async function importNextTariff(tenant: Tenant, carrierCompanyId: number): Promise<void> {
  const tariff = JSON.parse(JSON.stringify(await exportTariffOf(tenant, carrierCompanyId)));
  const newest = tariff.versions.at(-1);
  if (newest.validFrom >= NEXT_YEAR.validFrom) return;
  const zones = newest.zones.map((zone: { bands?: readonly { price: number }[] }) => ({
    ...zone,
    ...(zone.bands && { bands: zone.bands.map(band => ({ ...band, price: increased(band.price) })) }),
  }));
  await importTariff(tenant, carrierCompanyId, {
    ...tariff,
    versions: [...tariff.versions, { ...newest, ...NEXT_YEAR, zones }],
  });
}

const increased = (price: number) => Math.round(price * INCREASE * 100) / 100;

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

async function invoiceOf(tenant: Tenant, carrierCompanyId: number): Promise<string> {
  const numbers = SENT.map(({ trackingNumber }) => trackingNumber);
  const prices = await pricesAsShipped(tenant, carrierCompanyId, numbers);
  const lines = SENT.flatMap(({ trackingNumber: number, day }, i) => {
    const price = prices.get(number);
    if (!price) return [];
    const { base, surcharges, fuel } = price.components;
    const line = {
      number,
      day,
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
