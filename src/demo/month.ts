import { importInvoice } from '../domain/spend/invoices/invoices.service.ts';
import { startSimulation } from '../domain/spend/simulations/simulation.service.ts';
import { spend } from '../domain/spend/spend.feature.ts';
import { revisionInForce } from '../domain/tariffs/revisions/revisions.service.ts';
import { exportTariffOf, importTariff } from '../domain/tariffs/tariff.service.ts';
import { FEATURES } from '../features.ts';
import type { Tenant } from '../platform/database/tenancy/tenancy.ts';
import type { DemoTools } from './demo-tools.ts';
import { invoiceOfMonth } from './month-invoice.ts';
import { MONTH } from './month-shipments.ts';
import { sendShipments } from './sent-shipments.ts';

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
