import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { databaseOptions } from '../../mikro-orm.config.ts';
import { createEndpoint } from '../../src/domain/exchange/webhooks/endpoints/endpoints.service.ts';
import { openEmbeddedPostgres } from '../../src/embedded-postgres/embedded-postgres.ts';
import { migrate } from '../../src/migrate.ts';
import { Database } from '../../src/platform/database/database.ts';
import { Tenant } from '../../src/platform/database/tenancy/tenancy.ts';
import { DEFAULT_CAPS } from '../../src/platform/limits/caps.ts';
import { newSecretsKey, SecretBox } from '../../src/platform/secrets/secret-box.ts';
import { createLog, type Log } from '../../src/platform/telemetry/log.ts';
import { createMetrics } from '../../src/platform/telemetry/metrics.ts';
import { type Running, startArguments, startProcess } from './processes.ts';
import { type TrackedCompany, trackedCompany } from './seed.ts';
import type { Count, Sample } from './webhook-receiver.ts';

const ORIGINS = 10;
const SHIPMENTS = 4_000;
/** The last four of ten shipments of a growing company, in the order of their numbers, are on their way. */
const OPEN_OF_TEN = 4;
const BATCH = 200;
const POLICY = { allowPrivate: ['127.0.0.0/8'], allowHttp: true };
const ROOT = new URL('../../', import.meta.url).pathname;

/** Neither is one that a shipment grows up with, so that each event is a change of status, and fires. */
const STATUSES = ['PICKUP_POINT', 'OUT_FOR_DELIVERY'];

export const RECORD =
  'mutation ($input: [TrackingEventInput!]!) { recordTrackingEvents(input: { events: $input }) { created rejected } }';

export interface BenchEndpoint {
  readonly id: string;
  readonly url: string;
  readonly path: string;
  readonly secret: string;
}

export interface BenchCompany extends TrackedCompany {
  readonly endpoints: readonly BenchEndpoint[];
  readonly shipments: number;
  /** Events sent so far. */
  told: number;
}

/** The world of the webhook benches: a real PostgreSQL, a receiver, and companies with shipments and endpoints. */
export interface WebhookWorld {
  readonly folder: string;
  readonly databaseUrl: string;
  readonly database: Database;
  readonly log: Log;
  readonly receiver: Receiver;
  addCompany(name: string, endpoints: number, shipments?: number): Promise<BenchCompany>;
  /** `npm start` in a process of its own, of this checkout or of another one. */
  start(role: 'api' | 'all', settings?: Record<string, string>, checkout?: string): Promise<Running>;
  close(): Promise<void>;
}

/** On a database that survives a power cut like any other, because its writes are counted. */
export async function openWorld(): Promise<WebhookWorld> {
  const folder = await mkdtemp(join(tmpdir(), 'shipping-bench-'));
  const server = await openEmbeddedPostgres({ dataDir: folder, as: 'service' });
  const log = createLog('silent');
  const database = await Database.connect(databaseOptions(server.url, 8), createMetrics(), log);
  await migrate(database);
  const receiving = await startProcess([`${ROOT}test/bench/webhook-receiver.ts`], { ORIGINS: String(ORIGINS) });
  const receiver = new Receiver(receiving.url);
  const ports = await receiver.ports();
  const secretsKey = newSecretsKey();
  const env = {
    DATABASE_URL: server.url,
    DATA_DIR: folder,
    PORT: '0',
    DEMO: 'false',
    LOG_LEVEL: 'info',
    SECRETS_KEY: secretsKey,
    WEBHOOK_ALLOW_PRIVATE: POLICY.allowPrivate.join(','),
    WEBHOOK_ALLOW_HTTP: 'true',
  };
  const makeEndpoint = async (tenant: Tenant, i: number): Promise<BenchEndpoint> => {
    const path = `/${tenant.companyId}/${i}`;
    const url = `http://127.0.0.1:${ports[i % ports.length]}${path}`;
    const settings = { policy: POLICY, box: SecretBox.of(secretsKey) };
    const input = { label: `Endpoint ${i}`, url, events: ['tracking.*'] };
    const { id, secret } = await createEndpoint(tenant, settings, DEFAULT_CAPS, input);
    return { id, url, path, secret };
  };
  return {
    folder,
    databaseUrl: server.url,
    database,
    log,
    receiver,
    addCompany: async (name, count, shipments = SHIPMENTS) => {
      const company = await seedCompany(database, name, shipments);
      const tenant = new Tenant(company.companyId, database);
      const endpoints: BenchEndpoint[] = [];
      for (let i = 0; i < count; i++) endpoints.push(await makeEndpoint(tenant, i));
      return { ...company, endpoints, shipments, told: 0 };
    },
    start: async (role, settings, checkout = ROOT) =>
      startProcess(await startArguments(checkout), { ...env, ROLE: role, ...settings }),
    close: async () => {
      await receiving.stop();
      await database.close();
      await server.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

async function seedCompany(database: Database, name: string, shipments: number): Promise<TrackedCompany> {
  const company = await trackedCompany(database, name, shipments);
  // Otherwise the detector would report delays in the middle of a measurement.
  await database.pool.query('update shipment set delay_told_at = now(), stall_told_at = now() where company_id = $1', [
    company.companyId,
  ]);
  return company;
}

/** The process that webhooks are sent to. */
export class Receiver {
  readonly #url: string;

  constructor(url: string) {
    this.#url = url;
  }

  async #ask<Answer>(what: string): Promise<Answer> {
    return (await (await fetch(this.#url + what)).json()) as Answer;
  }

  ports = () => this.#ask<number[]>('/ports');
  count = () => this.#ask<Count>('/count');
  last = () => this.#ask<Sample>('/last');
  /** When each webhook came to a path, by its id. */
  arrivals = (path: string) => this.#ask<Record<string, number>>(`/arrivals?path=${path}`);
  /** Has a path never answer. */
  hang = (path: string) => this.#ask(`/hang?path=${path}`);
  /** Forgets received and hanging requests. */
  reset = () => this.#ask('/reset');
}

/**
 * The next events of a company, each of another shipment and one that fires, as it does not after a delivery; their
 * descriptions are their own.
 */
export function nextEvents(company: Pick<BenchCompany, 'shipments' | 'told'>, count: number) {
  const occurredAt = new Date().toISOString();
  const allOpen = (company.shipments / 10) * OPEN_OF_TEN;
  return Array.from({ length: count }, () => {
    const n = company.told++;
    const open = n % allOpen;
    const number = 10 * Math.floor(open / OPEN_OF_TEN) + (10 - OPEN_OF_TEN) + (open % OPEN_OF_TEN);
    const trackingNumber = `BULK${String(number).padStart(9, '0')}`;
    const statusCode = STATUSES[Math.floor(n / allOpen) % STATUSES.length];
    return { trackingNumber, occurredAt, statusCode, description: `Evento ${n}`, location: 'Bologna' };
  });
}

/** Tells the service of events that all fire, in one request; answers their descriptions, which are their own. */
export async function tell({ url }: Running, company: BenchCompany, count: number): Promise<string[]> {
  const input = nextEvents(company, count);
  const answer = await fetch(`${url}/graphql`, {
    method: 'POST',
    headers: { 'x-api-key': company.apiKey, 'content-type': 'application/json' },
    body: JSON.stringify({ query: RECORD, variables: { input } }),
  });
  const text = await answer.text();
  const created = JSON.parse(text).data?.recordTrackingEvents?.created;
  if (created !== count) throw new Error(`${count} events told, and answered with ${answer.status}: ${text}`);
  return input.map(({ description }) => description);
}

/** Tells so many events of each company in batches, all companies side by side; answers the milliseconds it took. */
export async function feed(api: Running, companies: readonly BenchCompany[], eventsEach: number): Promise<number> {
  const startedAt = performance.now();
  await Promise.all(
    companies.map(async company => {
      for (let left = eventsEach; left > 0; left -= BATCH) await tell(api, company, Math.min(BATCH, left));
    }),
  );
  return performance.now() - startedAt;
}

/** Forgets every event, delivery and job, and whatever was found of endpoints. */
export async function clear({ database, receiver }: WebhookWorld): Promise<void> {
  await database.pool.query('truncate webhook_event cascade');
  await database.pool.query("delete from pgboss.job where name like 'webhooks.%'");
  await database.pool.query(
    'update webhook_endpoint set failures = 0, failing_since = null, breaker = null, probe_after = null, probes = 0',
  );
  await tidy(database);
  await receiver.reset();
}

/** The work that autovacuum would do within a minute. */
export async function tidy(database: Database): Promise<void> {
  await database.patiently(client => client.query('vacuum (analyze)'));
}
