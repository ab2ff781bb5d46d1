import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { databaseOptions } from '../../mikro-orm.config.ts';
import { AccessAdministration } from '../../src/domain/account/access/access.service.ts';
import { originAt, PLAIN_TERMS } from '../../src/domain/pricing/quotes/price/shipment.rules.ts';
import { quoteBody, quoteOfBody } from '../../src/domain/pricing/quotes/quote-body.input.ts';
import { quoteRequest } from '../../src/domain/pricing/quotes/quote-request.rules.ts';
import { compileTariff } from '../../src/domain/pricing/tariffs/compile/compile.rules.ts';
import type { CompiledTariff } from '../../src/domain/pricing/tariffs/compile/compiled-tariff.rules.ts';
import { price } from '../../src/domain/pricing/tariffs/engine/quote.rules.ts';
import type { Shipment } from '../../src/domain/pricing/tariffs/shipment-terms.rules.ts';
import { importTariff } from '../../src/domain/pricing/tariffs/tariff.service.ts';
import { createWarehouse } from '../../src/domain/shipping/warehouses/warehouses.service.ts';
import { openEmbeddedPostgres } from '../../src/embedded-postgres/embedded-postgres.ts';
import { migrate } from '../../src/migrate.ts';
import { Database } from '../../src/platform/database/database.ts';
import { Tenant } from '../../src/platform/database/tenancy/tenancy.ts';
import { readInput } from '../../src/platform/input.ts';
import { DEFAULT_CAPS } from '../../src/platform/limits/caps.ts';
import { createLog } from '../../src/platform/telemetry/log.ts';
import { createMetrics } from '../../src/platform/telemetry/metrics.ts';
import { type BenchOptions, chosenParts } from './bench-options.ts';
import { assertSameAnswer, type Contender, compare } from './contest.ts';
import { type LoadRequest, median } from './load.ts';
import { postgresCpuMs, type Running, startArguments, startProcess } from './processes.ts';
import { quoteBodies, tariffWith } from './quote-load.ts';
import { connectWithoutAccount } from './seed.ts';

const CARRIERS = ['BRT', 'GLS', 'DHL', 'UPS', 'FEDEX', 'POSTE', 'SDA', 'TNT'];
const RULES = 1_000;
const SHIPMENTS = 2_000;
const PATH = '/api/v1/integrations/shipments/quote';

const ORIGIN = originAt(1, { country: 'IT', postalCode: '20121', city: 'Milano', state: 'MI' });

const print = (text: string) => process.stdout.write(`${text}\n`);

/** The price engine alone, over sizes of tariffs and numbers of connections; then quotes over HTTP beside Fastify. */
export async function run(options: BenchOptions): Promise<void> {
  for (const work of chosenParts(PARTS, options.parts)) await work(options);
}

const PARTS = { engine, http };

async function engine({ quick }: BenchOptions): Promise<void> {
  const seconds = quick ? 0.5 : 2;
  const shipments = quoteBodies(SHIPMENTS, 1).map(shipmentOf);
  const tariffs = (rules: number, count: number) =>
    Array.from({ length: count }, (_, i) => compileTariff(tariffWith(rules, i + 1)));
  print('engine alone, one core            prices/s   µs a quote   tariffs compiled in ms');
  const line = (what: string, rules: number, count: number) => {
    const startedAt = performance.now();
    const compiled = tariffs(rules, count);
    const compiledMs = performance.now() - startedAt;
    const perSecond = pricesPerSecond(compiled, shipments, seconds);
    const micros = (count / perSecond) * 1e6;
    print(
      `${what.padEnd(30)}${perSecond.toFixed(0).padStart(12)}${micros.toFixed(1).padStart(13)}${compiledMs.toFixed(0).padStart(25)}`,
    );
  };
  line('8 connections, 10 rules', 10, 8);
  line('8 connections, 1,000 rules', RULES, 8);
  line('8 connections, 100,000 rules', 100_000, 8);
  for (const count of [1, 2, 4]) line(`${count} connection${count > 1 ? 's' : ''}, 1,000 rules`, RULES, count);
}

function shipmentOf(body: object): Shipment {
  const texts = JSON.parse(JSON.stringify(body), (_key, value) => value);
  const request = quoteRequest(quoteOfBody(readInput(quoteBody, texts)), '2026-11-21');
  if (request.mode !== 'manual') throw new Error('not a manual quote');
  const { load, destinations, codCents = 0, insuredCents = 0, options, date } = request;
  return {
    ...load,
    origin: ORIGIN,
    ...PLAIN_TERMS,
    destination: destinations[0],
    codCents,
    insuredCents,
    options,
    date,
  };
}

/** The median of five runs. */
function pricesPerSecond(tariffs: readonly CompiledTariff[], shipments: readonly Shipment[], seconds: number): number {
  const round = () => {
    let prices = 0;
    const startedAt = performance.now();
    while (performance.now() - startedAt < (seconds * 1000) / 5) {
      for (const shipment of shipments) for (const tariff of tariffs) prices += price(tariff, shipment).ok ? 1 : 0;
    }
    return prices / ((performance.now() - startedAt) / 1000);
  };
  round();
  return median(Array.from({ length: 5 }, round));
}

async function http({ seconds, rounds, beside, results }: BenchOptions): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'shipping-bench-'));
  const server = await openEmbeddedPostgres({ dataDir: folder, as: 'service', throwaway: true });
  const database = await Database.connect(databaseOptions(server.url, 4), createMetrics(), createLog('silent'));
  const running: Running[] = [];
  try {
    await migrate(database);
    const { apiKey, warehouseId, connections } = await seed(database);
    const tariffFile = join(folder, 'tariffs.json');
    await writeFile(tariffFile, JSON.stringify(connections));

    const root = new URL('../../', import.meta.url).pathname;
    const env = { DATABASE_URL: server.url, DATA_DIR: folder, PORT: '0', DEMO: 'false', LOG_LEVEL: 'info' };
    const service = await startProcess(await startArguments(root), env);
    running.push(service);
    const fastify = await startProcess([`${root}test/bench/peers/fastify-quotes.ts`], { ...env, TARIFFS: tariffFile });
    running.push(fastify);

    const headers = { 'x-api-key': apiKey, 'content-type': 'application/json' };
    const requests: LoadRequest[] = quoteBodies(SHIPMENTS, warehouseId).map(body => ({
      method: 'POST',
      path: PATH,
      headers,
      body: JSON.stringify(body),
    }));
    for (const request of requests.slice(0, 50)) await assertSameAnswer([service, request], [fastify, request]);
    const contenders: Contender[] = [
      { name: 'Fastify + pg', server: fastify, requests },
      { name: 'REST', server: service, requests, against: { quotes: 'Fastify + pg' } },
    ];
    if (beside) {
      const other = await startProcess(await startArguments(beside), env);
      running.push(other);
      contenders.push({ name: 'REST beside', server: other, requests });
    }
    await compare(contenders, { seconds, rounds, results, postgresCpuMs: () => postgresCpuMs(folder) });
    print(`peak memory of the service: ${await service.peakMemoryMb()} MB`);
  } finally {
    for (const process of running) await process.stop();
    await database.close();
    await server.close();
    await rm(folder, { recursive: true, force: true });
  }
}

async function seed(database: Database) {
  const administration = new AccessAdministration(database);
  const { companyId } = await administration.createCompany('Bench');
  const { apiKey } = await administration.createKey({ companyId, label: 'Bench', scopes: ['all'] });
  const tenant = new Tenant(companyId, database);
  const place = { address: 'Via Roma 1', postalCode: '20121', city: 'Milano', state: 'MI', country: 'IT' };
  const { id: warehouseId } = await createWarehouse(tenant, DEFAULT_CAPS, { name: 'Magazzino', typeId: 1, ...place });
  const connections: { id: number; carrierCode: string; tariff: object }[] = [];
  for (const [i, carrierCode] of CARRIERS.entries()) {
    const { id } = await connectWithoutAccount(tenant, carrierCode);
    const tariff = tariffWith(RULES, i + 1);
    await importTariff(tenant, id, tariff);
    connections.push({ id, carrierCode, tariff });
  }
  return { apiKey, warehouseId, connections };
}
