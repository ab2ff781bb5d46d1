import { revisionInForce } from '../domain/pricing/tariffs/revisions/revisions.service.ts';
import { exportTariffOf, importTariff } from '../domain/pricing/tariffs/tariff.service.ts';
import { importInvoice } from '../domain/spend/invoices/invoices.service.ts';
import { pricesAsShipped } from '../domain/spend/shipped.service.ts';
import { startSimulation } from '../domain/spend/simulations/simulation.service.ts';
import { spend } from '../domain/spend/spend.feature.ts';
import { FEATURES } from '../features.ts';
import type { Tenant } from '../platform/database/tenancy/tenancy.ts';
import type { DemoTools } from './demo-company.ts';
import {
  brtEvent,
  hoursAfter,
  PLACES,
  type Place,
  type SentShipment,
  sendShipments,
  WEIGHTS,
} from './sent-shipments.ts';

/**
 * October 2026 of the demo company: its shipments with BRT, BRT's invoice of the month, BRT's tariff of the next year,
 * and a simulation of what the month would cost on it. If it is added again, it is replaced by equal data.
 */

const INVOICE = {
  number: '2026/1044',
  date: '2026-10-31',
  mapping: { name: 'PLAIN' },
  replace: true,
  dryRun: false,
} as const;
const NEXT_YEAR = { label: 'Esempio 2027', validFrom: '2027-01-01' };
/** The price increase of next year's tariff. */
const INCREASE = 1.035;

export async function addMonth(tenant: Tenant, tools: DemoTools, carrierConnectionId: number): Promise<void> {
  const { jobs } = tools.announcer;
  await sendShipments(tenant, tools, carrierConnectionId, MONTH);
  await importNextTariff(tenant, carrierConnectionId);
  if (!FEATURES.includes(spend)) return;
  const source = { file: { text: await invoiceOfMonth(tenant, carrierConnectionId) } };
  await importInvoice(tenant, jobs, carrierConnectionId, { ...INVOICE, source });
  const next = await revisionInForce(tenant.fresh(), carrierConnectionId);
  await startSimulation(tenant.fresh(), jobs, {
    period: { from: '2026-10-01', to: '2026-10-31' },
    tariffs: [{ tariff: { tariffRevisionId: next?.id }, pricingDate: '2027-01-15' }],
    carriers: ['GLS'],
  });
}

/** The second revision of the tariff: unchanged prices until the end of the year, and higher ones afterwards. */
async function importNextTariff(tenant: Tenant, carrierConnectionId: number): Promise<void> {
  const tariff = JSON.parse(JSON.stringify(await exportTariffOf(tenant, carrierConnectionId)));
  const newest = tariff.versions.at(-1);
  if (newest.validFrom >= NEXT_YEAR.validFrom) return;
  const zones = newest.zones.map((zone: { bands?: readonly { price: number }[] }) => ({
    ...zone,
    ...(zone.bands && { bands: zone.bands.map(band => ({ ...band, price: increased(band.price) })) }),
  }));
  await importTariff(tenant, carrierConnectionId, {
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

/** BRT's invoice for the month as CSV, with five mistakes. Each run makes equal text. */
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

const SHIPMENTS = 40;

/** The shipments of October 2026, in the order in which they left. */
const MONTH: readonly SentShipment[] = Array.from({ length: SHIPMENTS }, (_, i) => {
  const trackingNumber = `0840070261${String(i + 1).padStart(5, '0')}`;
  const day = String(1 + Math.floor((i * 3) / 4)).padStart(2, '0');
  const place = PLACES[i % PLACES.length] as Place;
  const shippedAt = new Date(`2026-10-${day}T09:00:00Z`);
  const deliveredAt = hoursAfter(shippedAt, 24 * place.days + 1);
  return {
    orderNumber: `OTT-${String(i + 1).padStart(3, '0')}`,
    trackingNumber,
    place,
    weight: WEIGHTS[i % WEIGHTS.length] as string,
    shippedAt,
    events: [
      brtEvent(trackingNumber, hoursAfter(shippedAt, 7), '701', 'RITIRATA', 'MILANO'),
      brtEvent(trackingNumber, deliveredAt, '704', 'CONSEGNATA', place.city.toUpperCase()),
    ],
  };
});
