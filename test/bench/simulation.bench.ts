import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import pg from 'pg';
import { databaseOptions } from '../../mikro-orm.config.ts';
import { AccessAdministration } from '../../src/domain/account/access/access.service.ts';
import { importTariff } from '../../src/domain/pricing/tariffs/tariff.service.ts';
import { createWarehouse } from '../../src/domain/shipping/warehouses/warehouses.service.ts';
import { openEmbeddedPostgres } from '../../src/embedded-postgres/embedded-postgres.ts';
import { migrate } from '../../src/migrate.ts';
import { Database } from '../../src/platform/database/database.ts';
import { Tenant } from '../../src/platform/database/tenancy/tenancy.ts';
import { DEFAULT_CAPS } from '../../src/platform/limits/caps.ts';
import { createLog } from '../../src/platform/telemetry/log.ts';
import { createMetrics } from '../../src/platform/telemetry/metrics.ts';
import type { BenchOptions } from './bench-options.ts';
import { type Figures, type LoadRequest, median, paced } from './load.ts';
import { postgresCpuMs, type Running, startArguments, startProcess } from './processes.ts';
import { quoteBodies, tariffWith } from './quote-load.ts';
import { connectWithoutAccount } from './seed.ts';

/**
 * A simulation of 100,000 shipments on five tariffs: how long it takes alone, and what another company's quotes take beside
 * it and without it, by turns.
 */

const CARRIERS = ['BRT', 'GLS', 'DHL', 'UPS', 'POSTE'];
const RULES = 1_000;
const SHIPMENTS = 100_000;
const PATH = '/api/v1/integrations/shipments/quote';
/** Well below the capacity of the service, so that the wait is measured and not a queue. */
const QUOTES_PER_SECOND = 100;

/** Jobs in the process that responds to requests, and in one of their own. */
const ARRANGEMENTS = [['all'], ['api', 'worker']];

const print = (text: string) => process.stdout.write(`${text}\n`);

interface Company {
  readonly companyId: string;
  readonly apiKey: string;
  readonly warehouseId: number;
}

export async function run({ quick, seconds, rounds }: BenchOptions): Promise<void> {
  const shipments = quick ? SHIPMENTS / 10 : SHIPMENTS;
  const folder = await mkdtemp(join(tmpdir(), 'shipping-bench-'));
  const server = await openEmbeddedPostgres({ dataDir: folder, as: 'service', throwaway: true });
  const database = await Database.connect(databaseOptions(server.url, 4), createMetrics(), createLog('silent'));
  try {
    await migrate(database);
    const [shipper, neighbour] = [await companyOf(database, 'Shipper'), await companyOf(database, 'Neighbour')];
    await ship(server.url, shipper, shipments);
    for (const roles of ARRANGEMENTS) {
      print(`\n${roles.length === 1 ? 'one process' : `a process for each of ${roles.join(' and ')}`}`);
      await measure({ folder, databaseUrl: server.url, roles }, { shipper, neighbour, shipments }, { seconds, rounds });
    }
  } finally {
    await database.close();
    await server.close();
    await rm(folder, { recursive: true, force: true });
  }
}

interface Arrangement {
  readonly folder: string;
  readonly databaseUrl: string;
  readonly roles: readonly string[];
}

interface Load {
  readonly shipper: Company;
  readonly neighbour: Company;
  readonly shipments: number;
}

async function measure(
  { folder, databaseUrl, roles }: Arrangement,
  { shipper, neighbour, shipments }: Load,
  { seconds, rounds }: Pick<BenchOptions, 'seconds' | 'rounds'>,
): Promise<void> {
  const root = new URL('../../', import.meta.url).pathname;
  const env = { DATABASE_URL: databaseUrl, DATA_DIR: folder, PORT: '0', DEMO: 'false', LOG_LEVEL: 'info' };
  const services: Running[] = [];
  try {
    for (const ROLE of roles) services.push(await startProcess(await startArguments(root), { ...env, ROLE }));
    const [{ url }] = services as [Running];
    const cpu = async () => {
      const each = await Promise.all(services.map(service => service.cpuMs()));
      return [each.reduce((sum, ms) => sum + ms, 0), await postgresCpuMs(folder)] as const;
    };

    print(`${shipments} shipments on ${CARRIERS.length} tariffs   s        CPU s of the service   of PostgreSQL`);
    for (let round = 0; round < rounds; round++) {
      const before = await cpu();
      const took = await simulate(url, shipper.apiKey, shipments);
      const after = await cpu();
      const spent = after.map((ms, i) => ((ms - (before[i] as number)) / 1000).toFixed(1));
      print(
        `${`round ${round + 1}`.padEnd(36)}${(took / 1000).toFixed(1).padStart(5)}${spent.map(s => s.padStart(20)).join('')}`,
      );
    }

    const requests: LoadRequest[] = quoteBodies(2_000, neighbour.warehouseId).map(body => ({
      method: 'POST',
      path: PATH,
      headers: { 'x-api-key': neighbour.apiKey, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    }));
    const quotes = () => paced(url, requests, seconds, { perSecond: QUOTES_PER_SECOND, connections: 20 });
    await quotes();
    const [alone, beside]: [Figures[], Figures[]] = [[], []];
    for (let round = 0; round < rounds; round++) {
      alone.push(await quotes());
      let isMeasured = false;
      const simulating = (async () => {
        while (!isMeasured) await simulate(url, shipper.apiKey, shipments);
      })();
      beside.push(await quotes());
      isMeasured = true;
      await simulating;
    }
    const p99 = (figures: readonly Figures[]) => median(figures.map(({ p99Ms }) => p99Ms));
    const p50 = (figures: readonly Figures[]) => median(figures.map(({ p50Ms }) => p50Ms));
    print(`another company's quotes, ${QUOTES_PER_SECOND}/s      p50 ms     p99 ms`);
    const line = (what: string, of: readonly Figures[]) =>
      print(`${what.padEnd(36)}${p50(of).toFixed(2).padStart(8)}${p99(of).toFixed(2).padStart(11)}`);
    line('alone', alone);
    line('beside a simulation', beside);
    print(`ratio of p99                        ${(p99(beside) / p99(alone)).toFixed(2)}`);
  } finally {
    for (const service of services) await service.stop();
  }
}

export async function companyOf(database: Database, name: string): Promise<Company> {
  const administration = new AccessAdministration(database);
  const { companyId } = await administration.createCompany(name);
  const { apiKey } = await administration.createKey({ companyId, label: 'Bench', scopes: ['all'] });
  const tenant = new Tenant(companyId, database);
  const place = { address: 'Via Roma 1', postalCode: '20121', city: 'Milano', state: 'MI', country: 'IT' };
  const { id: warehouseId } = await createWarehouse(tenant, DEFAULT_CAPS, { name: 'Magazzino', typeId: 1, ...place });
  for (const [i, carrierCode] of CARRIERS.entries()) {
    const { id } = await connectWithoutAccount(tenant, carrierCode);
    await importTariff(tenant, id, tariffWith(RULES, i + 1));
  }
  return { companyId, apiKey, warehouseId };
}

/** Shipments of one month, each of an order with one to three parcels. */
export async function ship(url: string, { companyId, warehouseId }: Company, count: number): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const recipient = `jsonb_build_object('companyName', 'Cliente', 'address', 'Via Roma 1', 'city', 'Comune', 'province', null,
      'countryCode', 'IT', 'postalCode', lpad((10 + (i::bigint * 7919) % 98000)::text, 5, '0'))`;
  const parcels = `(select jsonb_agg(jsonb_build_object('weight', round(0.1 + ((i * 31 + p * 17) % 300) / 10.0, 1)::text,
      'length', 10 + (i + p) % 50, 'width', 10 + (i * 3 + p) % 30, 'height', 5 + (i * 7 + p) % 35, 'quantity', 1))
      from generate_series(1, 1 + i % 3) p)`;
  await client.query(
    `insert into customer_order (company_id, order_number, warehouse_id, recipient, parcels, cod_amount, insurance_amount, metadata)
      select $1, 'O' || i, $2, ${recipient}, ${parcels}, case when i % 3 = 0 then 10 + i % 490 end,
        case when i % 4 = 0 then 10 + i % 490 end, '{}' from generate_series(1, $3::integer) i`,
    [companyId, warehouseId, count],
  );
  await client.query(
    `insert into shipment (company_id, carrier_connection_id, tracking_number, tracking_key, order_id, parcel_number, hops,
        shipment_date, status_code, metadata, created_at, updated_at)
      select $1, c.ids[1 + o.id % cardinality(c.ids)], 'T' || o.id, 'T' || o.id, o.id, 1, 0, at, 'delivered', '{}', at, at
        from (select array_agg(id order by id) as ids from carrier_connection where company_id = $1) c, customer_order o,
          lateral (select timestamptz '2026-10-01' + o.id % 30 * interval '1 day' as at) t
        where o.company_id = $1`,
    [companyId],
  );
  await client.query('vacuum analyze shipment');
  await client.query('vacuum analyze customer_order');
  await client.end();
}

const SIMULATE = `mutation { simulateTariffs(input: { period: { from: "2026-10-01", to: "2026-10-31" } }) {
  simulation { databaseId } userErrors { message } } }`;

/** Milliseconds that a simulation takes, from the request to its end. */
async function simulate(url: string, apiKey: string, shipments: number): Promise<number> {
  const ask = async (query: string) => {
    const response = await fetch(`${url}/graphql`, {
      method: 'POST',
      headers: { 'x-api-key': apiKey, 'content-type': 'application/json' },
      body: JSON.stringify({ query }),
    });
    const { data, errors } = (await response.json()) as { data: Record<string, never>; errors?: unknown };
    if (errors) throw new Error(JSON.stringify(errors));
    return data;
  };
  const startedAt = performance.now();
  const { simulateTariffs } = (await ask(SIMULATE)) as unknown as {
    simulateTariffs: { simulation: { databaseId: number } };
  };
  const id = simulateTariffs.simulation.databaseId;
  for (;;) {
    const { tariffSimulation: found } = (await ask(
      `{ tariffSimulation(id: ${id}) { state shipments cheapestMix { shipments } } }`,
    )) as unknown as { tariffSimulation: { state: string; shipments: number; cheapestMix: { shipments: number } } };
    if (found.state === 'DONE') {
      const priced = found.cheapestMix.shipments;
      if (found.shipments !== shipments || priced < shipments * 0.9) throw new Error(`Only ${priced} are priced`);
      return performance.now() - startedAt;
    }
    await setTimeout(200);
  }
}
