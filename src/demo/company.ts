import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { AccessAdministration } from '../domain/account/access/access.service.ts';
import { ensureSandbox } from '../domain/account/access/sandbox.service.ts';
import { importTariff, listTariffs } from '../domain/pricing/tariffs/tariff.service.ts';
import { connectCarrier, listConnections } from '../domain/shipping/carriers/carriers.service.ts';
import { orderByNumber, upsertOrders } from '../domain/shipping/orders/orders.service.ts';
import { computePromises } from '../domain/shipping/promise/compute.service.ts';
import { recordTrackingEvents } from '../domain/shipping/tracking/events.service.ts';
import { upsertShipments } from '../domain/shipping/tracking/shipments.service.ts';
import { createWarehouse, listWarehouses } from '../domain/shipping/warehouses/warehouses.service.ts';
import { openDataFolder } from '../platform/data-folder.ts';
import type { Database } from '../platform/database/database.ts';
import { companyStatement } from '../platform/database/statements/statements.ts';
import { OPERATOR } from '../platform/database/tenancy/actor.ts';
import type { CompanyId } from '../platform/database/tenancy/company-id.ts';
import { Tenant } from '../platform/database/tenancy/tenancy.ts';
import { createLog } from '../platform/telemetry/log.ts';
import { CONNECTIONS, EVENTS, ORDERS, SHIPMENTS, TARIFFS, WAREHOUSES } from './data.ts';
import { DEMO_COMPANY_ID, type DemoTools } from './demo-company.ts';
import { growCompany } from './growth.ts';
import { addMonth, invoiceOfMonth } from './month.ts';
import { recentShipments } from './recent-shipments.ts';
import { eventCount, sendShipments } from './sent-shipments.ts';

const LIVE_COMPANY_ID = 'de300000-0000-4000-8000-000000000000' as CompanyId;

const HOUR_MS = 3_600_000;

/** Records to try the service with. */
export interface DemoThings {
  readonly apiKey: string;
  /** An order that can be quoted. */
  readonly orderId: number;
  /** A connection that can check whole addresses, including the street. */
  readonly carrierConnectionId: number;
}

const CHECKED_BY = 'GLS';

/** The carrier of the month and of the recent shipments. */
const LIVELY = 'BRT';

/** A carrier that the user disconnected counts too, and is not connected again. */
const CONNECTED = companyStatement(
  'demo-carriers',
  'select distinct carrier_code as "carrierCode" from carrier_connection where company_id = $1',
);

type Connection = Awaited<ReturnType<typeof listConnections>>[number];

/**
 * Makes the demo company if it does not exist, or finishes one that was interrupted; a finished one stays unchanged.
 * Then it grows to `shipments`, if that is more. Concurrent processes wait for each other.
 *
 * @param dataDir the folder that stores its key
 * @returns the things to try it with, and how many shipments were added
 */
export async function prepareDemo(
  tools: DemoTools,
  dataDir: string,
  shipments = 0,
  onProgress?: (added: number, missing: number) => void,
): Promise<DemoThings & { added: number }> {
  const { database, log } = tools;
  const tenant = new Tenant(DEMO_COMPANY_ID, database, { actor: OPERATOR });
  // A finished company needs no lock.
  if (shipments === 0 && (await isFinished(tenant))) {
    return { ...(await things(tenant, database, dataDir)), added: 0 };
  }
  log?.info('creating the demo company');
  log?.flush();
  const startedAtMs = performance.now();
  return database.locked('demo', async () => {
    await ensureDemoCompany(tools, tenant);
    log?.info({ afterMs: Math.round(performance.now() - startedAtMs) }, 'the demo company is ready');
    log?.flush();
    const added = shipments > 0 ? await growCompany(database, DEMO_COMPANY_ID, shipments, onProgress) : 0;
    if (added > 0) await computePromises(tenant);
    return { ...(await things(tenant, database, dataDir)), added };
  });
}

/** BRT's invoice for the month, as CSV. */
export async function demoInvoice(database: Database): Promise<string> {
  const tenant = new Tenant(DEMO_COMPANY_ID, database, { actor: OPERATOR });
  const connections = await listConnections(tenant);
  return invoiceOfMonth(tenant, connections.find(({ carrierCode }) => carrierCode === LIVELY)?.id ?? 0);
}

async function things(tenant: Tenant, database: Database, dataDir: string): Promise<DemoThings> {
  const order = await orderByNumber(tenant, ORDERS[0]?.orderNumber ?? '');
  const connections = await listConnections(tenant);
  return {
    apiKey: await workingKey(database, DEMO_COMPANY_ID, dataDir),
    orderId: order?.id ?? 0,
    carrierConnectionId: connections.find(({ carrierCode }) => carrierCode === CHECKED_BY)?.id ?? 0,
  };
}

async function ensureDemoCompany(tools: DemoTools, tenant: Tenant): Promise<void> {
  const { database, announcer, box, caps } = tools;
  const createdAt = await createDemoCompany(database);
  if (await isFinished(tenant)) return;

  const known = await listWarehouses(tenant);
  for (const warehouse of WAREHOUSES.slice(known.length)) await createWarehouse(tenant, caps, warehouse);
  for (const connection of await connectionsToMake(tenant)) {
    await connectCarrier(tenant, { box, hasSandbox: true }, caps, connection);
  }
  const connections = await listConnections(tenant);
  const [firstWarehouse] = await listWarehouses(tenant);
  const carrierConnectionId = (carrierCode: string) =>
    connections.find(one => one.carrierCode === carrierCode)?.id ?? 0;

  for (const { id, carrierCode } of await unpriced(tenant, connections)) {
    await importTariff(tenant, id, await readTariffFile(carrierCode));
  }

  // Times are relative to the company's creation, so that a repetition records the same events.
  const at = (hoursAgo: number) => new Date(createdAt.getTime() - hoursAgo * HOUR_MS).toISOString();
  await upsertOrders(
    tenant,
    ORDERS.map(order => ({ ...order, warehouseId: firstWarehouse?.id })),
  );
  await upsertShipments(
    tenant,
    SHIPMENTS.map(({ carrierCode, shippedHoursAgo, expectedInHours, ...shipment }) => ({
      ...shipment,
      carrierConnectionId: carrierConnectionId(carrierCode),
      warehouseId: firstWarehouse?.id,
      ...(shippedHoursAgo !== undefined && { shippedAt: at(shippedHoursAgo) }),
      expectedDeliveryAt: at(-expectedInHours),
    })),
  );
  await recordTrackingEvents(
    tenant,
    EVENTS.map(({ hoursAgo, ...event }) => ({ ...event, occurredAt: at(hoursAgo) })),
    announcer,
    caps,
    createLog('silent'),
  );
  const lively = carrierConnectionId(LIVELY);
  // None if a user of the demo company has disconnected it.
  if (lively > 0) {
    await addMonth(tenant, tools, lively);
    await sendShipments(tenant, tools, lively, recentShipments(createdAt));
  }
  // So that quotes and shipments have estimates before the first night.
  await computePromises(tenant);
}

async function createDemoCompany(database: Database): Promise<Date> {
  const administration = new AccessAdministration(database);
  const live =
    (await administration.company(LIVE_COMPANY_ID)) ?? (await administration.createCompany('Demo', LIVE_COMPANY_ID));
  await ensureSandbox(new Tenant(live.companyId, database, { actor: OPERATOR }), DEMO_COMPANY_ID);
  return (await administration.company(DEMO_COMPANY_ID))?.createdAt ?? live.createdAt;
}

async function readTariffFile(carrierCode: string): Promise<unknown> {
  const file = new URL(`tariffs/${TARIFFS[carrierCode]}`, import.meta.url);
  return JSON.parse(await readFile(file, 'utf8'));
}

/** Events of recent shipments are written last, so one of them shows that all is there. */
async function isFinished(tenant: Tenant): Promise<boolean> {
  const last = recentShipments(new Date()).at(-1)?.trackingNumber ?? '';
  return ((await eventCount(tenant, last)) ?? 0) > 0;
}

async function connectionsToMake(tenant: Tenant) {
  const connected = new Set((await tenant.rows<Connection>(CONNECTED)).map(({ carrierCode }) => carrierCode));
  return CONNECTIONS.filter(({ carrierCode }) => !connected.has(carrierCode));
}

async function unpriced(tenant: Tenant, connections: readonly Connection[]): Promise<readonly Connection[]> {
  const priced = new Set((await listTariffs(tenant)).map(({ carrierConnectionId }) => carrierConnectionId));
  return connections.filter(one => ownOf(one) && one.carrierCode in TARIFFS && !priced.has(one.id));
}

/** The demo's own connection, by its label: others belong to the user. */
function ownOf({ carrierCode, label }: Connection) {
  return CONNECTIONS.find(own => own.carrierCode === carrierCode && own.label === label);
}

/**
 * A valid key of a sandbox. The database holds only hashes, so the key itself is stored in the data folder, readable by
 * its owner alone; a missing, revoked or foreign key is replaced by a new one.
 */
async function workingKey(database: Database, companyId: CompanyId, dataDir: string): Promise<string> {
  const administration = new AccessAdministration(database);
  const file = join(dataDir, 'demo-key');
  const kept = (await readFile(file, 'utf8').catch(() => '')).trim();
  if ((await administration.companyOfKey(kept)) === companyId) return kept;
  const { apiKey } = await administration.createKey({
    companyId,
    label: 'Demo',
    scopes: ['all'],
  });
  await openDataFolder(dataDir);
  await writeFile(file, `${apiKey}\n`, { mode: 0o600 });
  return apiKey;
}
