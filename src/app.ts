import { createServer as createHttpServer, type Server } from 'node:http';
import { join } from 'node:path';
import Router from '@koa/router';
import type { Middleware } from 'koa';
import { databaseOptions } from '../mikro-orm.config.ts';
import type { Config } from './config.ts';
import { liveQuotes } from './demo/live-quote.ts';
import { Authenticator, actorOf } from './domain/account/access/authenticate.service.ts';
import { SigningKeys } from './domain/exchange/webhooks/secrets/webhook-secrets.service.ts';
import { deliveryJob } from './domain/exchange/webhooks/webhooks.jobs.ts';
import { deliveries, STOPPED_CHANNEL } from './domain/exchange/webhooks/webhooks.queues.ts';
import { serviceStatus } from './domain/operations/status/service-status.service.ts';
import { statusSections } from './domain/operations/status/status-report.service.ts';
import { TariffBook } from './domain/pricing/tariffs/tariff-book.service.ts';
import { Accounts, type CarrierAccess } from './domain/shipping/carriers/accounts.service.ts';
import { openCallRecorder } from './domain/shipping/carriers/calls/call-recorder.service.ts';
import { carrierBadge } from './domain/shipping/carriers/carriers.catalog.ts';
import { pollJob } from './domain/shipping/polling/poll.jobs.ts';
import { PromiseBook } from './domain/shipping/promise/promise-book.service.ts';
import { CLUSTER } from './embedded-postgres/postgres-cluster.ts';
import { FEATURES } from './features.ts';
import { createGraphQLServer } from './graphql/graphql-server.ts';
import { schema } from './graphql/schema.ts';
import { Connections } from './http/connections.ts';
import { type Gate, type OpenContext, ratesOfRejected } from './http/gate.ts';
import { addGraphQL, graphQLFaults } from './http/graphql-route.ts';
import { BodyMemory } from './http/guards/body-memory.ts';
import { addressOf, createListener, drain, listen } from './http/listener.ts';
import { addJobDashboard, addMetrics, addStatusPage, DASHBOARD_PATH, metricsListener } from './http/ops/ops-routes.ts';
import { addPages, addProbes } from './http/pages.ts';
import { addEndpoints, rejectUnrouted } from './http/rest/router.ts';
import { createServer, crossOrigin, mayCallFrom } from './http/server.ts';
import { OpenStreams } from './http/streams/open-streams.ts';
import { JOB_KINDS, prepareDatabase, RETENTION_RULES, SCHEDULES } from './migrate.ts';
import { sampled } from './platform/caches/sampled.ts';
import { type Heartbeat, Notifications } from './platform/database/connections/notifications.ts';
import { Database } from './platform/database/database.ts';
import { measureDisk, measureReplica } from './platform/database/server/database-metrics.ts';
import { isServerReadOnly } from './platform/database/server/server-state.ts';
import type { CompanyId } from './platform/database/tenancy/company-id.ts';
import { CompanySignals } from './platform/database/tenancy/company-signals.ts';
import { SuspendedCompanies } from './platform/database/tenancy/suspended-companies.ts';
import { Tenant } from './platform/database/tenancy/tenancy.ts';
import { Fault } from './platform/fault.ts';
import { IdempotentRequests } from './platform/idempotency.ts';
import { JobDashboard } from './platform/jobs/job-dashboard.ts';
import { JobWorker } from './platform/jobs/job-worker.ts';
import { Jobs } from './platform/jobs/jobs.ts';
import { SuspendedJobs } from './platform/jobs/suspended-jobs.ts';
import { RateLimits } from './platform/limits/rate-limits.ts';
import { requestPlaces } from './platform/limits/request-places.ts';
import { type Allowance, Work } from './platform/limits/work.ts';
import { Outbound } from './platform/outbound/outbound.ts';
import { measureRetention } from './platform/retention-rule.ts';
import type { SecretBox } from './platform/secrets/secret-box.ts';
import { createLog, type Log } from './platform/telemetry/log.ts';
import { createMetrics, type Metrics } from './platform/telemetry/metrics.ts';
import type { Tracing } from './platform/telemetry/tracing.ts';
import { Carriers } from './upstream/carriers.ts';
import { connectFeatures } from './wiring/connect-features.ts';
import { openSecrets } from './wiring/service-secrets.ts';
import { tableTemplate } from './wiring/table-templates.ts';

const CARRIERS_DRAIN_MS = 4_000;
const JOBS_DRAIN_MS = 2_000;
/** How often the database is checked for probes, however many there are, and their timeout. */
const READINESS_EVERY_MS = 1_000;
const READINESS_WAIT_MS = 4_000;
/** How often the status is computed, however many operators read it. */
const STATUS_EVERY_MS = 2_000;
const STATUS_WAIT_MS = 8_000;
/** Large enough for a shipment with the maximum number of events of maximum length. */
const MAX_RESPONSE_CHARACTERS = 5_000_000;

export interface App {
  /** The listening address: `http://127.0.0.1:3000`. */
  readonly url: string;
  readonly database: Database;
  readonly jobs: Jobs;
  readonly promises: PromiseBook;
  readonly metrics: Metrics;
  readonly log: Log;
  /** Takes no new requests, finishes the current ones, and closes the database. */
  stop(): Promise<void>;
}

/** The parts that the faces and the workers of the service share. */
interface Parts {
  readonly config: Config & { databaseUrl: string };
  readonly log: Log;
  readonly metrics: Metrics;
  readonly tracing: Tracing | undefined;
  readonly database: Database;
  readonly tenantOf: (companyId: CompanyId) => Tenant;
  readonly jobs: Jobs;
  readonly notifications: Notifications;
  readonly promiseBook: PromiseBook;
  readonly box: SecretBox;
  readonly carriers: CarrierAccess & { readonly port: Carriers };
  readonly connections: Connections;
  readonly openStreams: OpenStreams;
  /** The address of the service for links in responses. */
  readonly publicUrl: () => string;
  /** Actions that stop the service, run last to first. */
  readonly undo: (() => Promise<unknown>)[];
}

/** Deadlines that tests shorten. */
export interface Deadlines {
  /** The client-side timeout of a statement. */
  readonly queryMs: number;
  /** The heartbeat of the connection that listens to notifications. */
  readonly heartbeat: Heartbeat;
}

/**
 * The whole service over a database that is migrated or can be; it listens when this resolves. The tests use it too.
 *
 * @throws StartupError
 */
export async function createApp(
  config: Config & { databaseUrl: string },
  log: Log = createLog(config.logLevel),
  metrics: Metrics = createMetrics(),
  deadlines: Partial<Deadlines> = {},
): Promise<App> {
  connectFeatures();
  const undo: Parts['undo'] = [];
  const stop = async () => {
    for (const step of undo.toReversed()) await step();
  };
  try {
    let stopping = false;
    // Known once it listens, because port 0 selects any.
    let listeningUrl = '';
    const publicUrl = () => config.publicUrl ?? listeningUrl;
    const parts = await openParts(config, log, { metrics, publicUrl, undo, deadlines });
    const { database, jobs, notifications } = parts;

    const router = new Router({ strict: true, sensitive: true });
    const looked = sampled(() => readiness(database), READINESS_EVERY_MS, READINESS_WAIT_MS);
    addProbes(router, async () => {
      if (stopping) return { ready: false, reason: 'The service is shutting down.' };
      return (await looked()) ?? { ready: false, reason: 'The database cannot be reached.' };
    });
    addOperatorPages(router, parts);
    const showRates = config.role === 'worker' ? undefined : ratesOfRejected(await addApi(router, parts));
    const work = config.role === 'api' ? undefined : prepareWork(parts);
    notifications.showAs(config.role);
    // Started after every module has subscribed to its channels.
    await notifications.start();
    undo.push(() => notifications.close());

    const koa = createServer({ log, metrics, tracing: parts.tracing, publicUrl, showRates });
    if (config.corsOrigins.length > 0) koa.use(crossOrigin(config.corsOrigins));
    if (config.role !== 'worker') koa.use(graphQLFaults);
    koa.use(rejectWhile(() => stopping));
    koa.use(router.routes()).use(rejectUnrouted(router));
    const http = createListener(koa.callback(), parts.connections, config.http, metrics);
    await listen(http, config.port, config.host);
    listeningUrl = addressOf(http, config.host);
    await work?.();
    const servers: Server[] = [http];
    undo.push(async () => {
      stopping = true;
      parts.openStreams.stop();
      // Requests that wait for a carrier get a response before the connections are closed.
      const overdue = setTimeout(() => void parts.carriers.port.close(), CARRIERS_DRAIN_MS);
      // Together: callers do not wait for one that scrapes slowly.
      await Promise.all(servers.map(drain));
      clearTimeout(overdue);
    });
    if (config.metricsPort !== undefined) {
      const scrape = createHttpServer(metricsListener(metrics, config.metricsToken));
      await listen(scrape, config.metricsPort, config.host, 'METRICS_PORT');
      servers.push(scrape);
    }
    return { url: listeningUrl, database, jobs, promises: parts.promiseBook, metrics, log, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

interface Opening extends Pick<Parts, 'metrics' | 'publicUrl' | 'undo'> {
  readonly deadlines: Partial<Deadlines>;
}

async function openParts(config: Parts['config'], log: Log, opening: Opening): Promise<Parts> {
  const { metrics, publicUrl, undo, deadlines } = opening;
  const { queryMs } = deadlines;
  const connecting = { queryMs, direct: config.databaseDirectUrl, read: config.readDatabaseUrl };
  const options = databaseOptions(config.databaseUrl, config.databasePoolSize, queryMs);
  const database = await Database.connect(options, metrics, log, connecting);
  undo.push(() => database.close());
  if (config.readDatabaseUrl !== undefined) measureReplica(database, metrics);
  await prepareDatabase(database, config, log);
  const box = await openSecrets(database, config);
  const tracing = config.otlpEndpoint === undefined ? undefined : await openTracing(config.otlpEndpoint, log);
  // Stopped last, with the spans of the others.
  if (tracing) undo.unshift(() => tracing.stop());
  // Closed after the jobs have stopped, because their calls to carriers would look unanswered.
  const calls = openCallRecorder(database, config.retention, metrics, log);
  undo.push(async () => calls?.close());
  const port = new Carriers(config.carrierSandboxUrl, metrics, log, calls);
  undo.push(() => port.close());
  const jobs = await Jobs.start(database, log, { worker: config.role !== 'api' });
  undo.push(() => jobs.stop(JOBS_DRAIN_MS));
  const notifications = new Notifications(config.databaseDirectUrl ?? config.databaseUrl, log, deadlines.heartbeat);
  const { webhookPolicy: policy } = config;
  if (policy.allowHttp || policy.allowPrivate.length > 0) log.warn(policy, 'webhooks may leave the public internet');
  const hasSandbox = config.carrierSandboxUrl !== undefined;
  const carriers = { port, accounts: new Accounts(box, log), box, hasSandbox };
  const tenantOf = (companyId: CompanyId) => new Tenant(companyId, database);
  const connections = new Connections(config.http, metrics, log, publicUrl);
  const promiseBook = new PromiseBook(notifications, metrics);
  const backend = { tracing, database, tenantOf, jobs, notifications, promiseBook, box, carriers };
  const openStreams = new OpenStreams(config.streams, metrics);
  return { config, log, metrics, ...backend, connections, openStreams, publicUrl, undo };
}

/** Adds the pages for operators, if access to them is configured. */
function addOperatorPages(router: Router, { config, metrics, database, undo }: Parts): void {
  if (config.metricsToken !== undefined) addMetrics(router, metrics, config.metricsToken);
  const { operators } = config;
  if (operators === undefined) return;
  const databaseUrl = config.databaseDirectUrl ?? config.databaseUrl;
  const dashboard = new JobDashboard({ database, databaseUrl, basePath: DASHBOARD_PATH });
  undo.push(() => dashboard.close());
  addJobDashboard(router, dashboard, operators);
  const sections = sampled(async () => statusSections(await serviceStatus(database)), STATUS_EVERY_MS, STATUS_WAIT_MS);
  addStatusPage(router, { sections, operators, hasDocs: config.role !== 'worker' });
}

/** REST, GraphQL, the routes of features, and the pages about them. */
async function addApi(router: Router, parts: Parts): Promise<Gate> {
  const { config, log, metrics, database, jobs, notifications, promiseBook, box, publicUrl, undo } = parts;
  const { connections, openStreams } = parts;
  const authenticator = new Authenticator(database, notifications, jobs, metrics, log);
  authenticator.onChange(apiKeyId => openStreams.checkKey(apiKeyId));
  const tariffs = new TariffBook(notifications, metrics);
  const shared = {
    carriers: { ...parts.carriers, cache: tariffs },
    tariffs,
    promiseBook,
    jobs,
    webhooks: { policy: config.webhookPolicy, box },
    serviceRates: config.rateLimits,
    caps: config.caps,
    log,
    metrics,
  };
  const limits = new RateLimits(database, config.rateLimits, metrics, log);
  undo.push(() => limits.stop());
  const allowance = { units: config.graphql.maxCost, characters: MAX_RESPONSE_CHARACTERS };
  const open: OpenContext = async (key, authScheme, requestId) => {
    const principal = await authenticator.authenticate(key);
    const { companyId } = principal;
    const work = new Work(companyId, allowance, tooExpensive);
    const tenant = new Tenant(companyId, database, { work, actor: actorOf(principal, requestId) });
    const promises = promiseBook.of(tenant);
    return { principal, authScheme, requestId, tenant, work, promises, publicUrl: publicUrl(), ...shared };
  };
  const bodies = { memory: new BodyMemory(config.http), limits: config.http };
  const idempotent = new IdempotentRequests(box, metrics, log, config.graphql.timeoutMs);
  const signals = new CompanySignals(notifications);
  const streams = { open: openStreams, signals, limits: config.http, metrics };
  const gate = { open, limits, places: requestPlaces(), idempotent, connections, bodies, streams };
  addEndpoints(router, schema, gate);
  const graphql = createGraphQLServer(schema, config.graphql, metrics);
  addGraphQL(router, graphql, gate);
  const api = { schema, graphql, gate, mayCall: mayCallFrom(config.corsOrigins, publicUrl) };
  for (const { routes } of FEATURES) await routes?.(router, api);
  const liveQuote = config.demo ? liveQuotes(database, { tariffs, promises: promiseBook }) : undefined;
  addPages(router, { publicUrl, badge: carrierBadge, template: tableTemplate, liveQuote });
  return gate;
}

/** Prepares this process to work on jobs; it starts when the returned function is called. */
function prepareWork(parts: Parts): () => Promise<void> {
  const { config, log, metrics, tracing, database, tenantOf, jobs, notifications, box, publicUrl, undo } = parts;
  const outbound = new Outbound(config.webhookPolicy);
  const promisesOf = (tenant: Tenant) => parts.promiseBook.of(tenant);
  const sending = { outbound, keys: new SigningKeys(box), promisesOf, publicUrl };
  const deliver = deliveryJob({ ...sending, database, jobs, tracing, metrics, log });
  notifications.showAsWorker();
  const suspended = new SuspendedJobs(database, new SuspendedCompanies(database, notifications));
  const worker = new JobWorker(jobs, log, { tracing, suspended });
  worker.wakeBy(notifications, [deliver]);
  notifications.on(STOPPED_CHANNEL, stopped => worker.abort(deliveries, ({ endpointId }) => endpointId === stopped));
  const held = () => worker.inHand(deliveries);
  metrics.gauge('shipping_webhook_deliveries_in_flight', 'Deliveries that a worker is sending', held);
  return async () => {
    undo.push(async () => {
      await worker.stop(JOBS_DRAIN_MS);
      await outbound.close();
    });
    for (const measure of FEATURES.flatMap(({ measures = [] }) => measures)) measure(database, metrics);
    measureDisk(join(config.dataDir, CLUSTER), metrics);
    measureRetention(RETENTION_RULES, config.retention, database, metrics);
    for (const kind of JOB_KINDS) worker.work(kind, tenantOf);
    const housekeeping = { database, log, metrics, publicUrl: publicUrl(), retention: config.retention };
    for (const schedule of SCHEDULES) await worker.workSchedule(schedule, housekeeping);
    if (config.isPractice) log.warn('PRACTICE is set: no webhook is sent, and no carrier is asked');
    else {
      const announcer = { jobs, publicUrl: publicUrl(), promises: parts.promiseBook, metrics };
      const { port: carriers, accounts } = parts.carriers;
      worker.work(pollJob({ carriers, accounts, announcer, caps: config.caps, log }), tenantOf);
      worker.workBatches(deliver);
    }
  };
}

/** While the process stops, callers that keep their connection are sent elsewhere; probes still see its state. */
function rejectWhile(stopping: () => boolean): Middleware {
  return async (ctx, next) => {
    try {
      if (stopping() && ctx.path !== '/livez' && ctx.path !== '/readyz') {
        throw new Fault('unavailable', { detail: 'The service is shutting down.', headers: { 'retry-after': '2' } });
      }
      await next();
    } finally {
      // Also set on requests in progress, because the process would wait for their connection to end.
      if (stopping()) ctx.set('connection', 'close');
    }
  };
}

function tooExpensive({ units: limit }: Allowance): Fault {
  return new Fault('request_too_expensive', { members: { limit } });
}

async function readiness(database: Database): Promise<{ ready: boolean; reason?: string }> {
  if (await isServerReadOnly(database)) return { ready: false, reason: 'The database is read-only.' };
  const pending = await database.pendingMigrations();
  if (pending.length === 0) return { ready: true };
  return { ready: false, reason: `Migrations are still to be run: ${pending.join(', ')}.` };
}

/** Loaded only with a collector, because OpenTelemetry costs memory and time. */
async function openTracing(endpoint: string, log: Log): Promise<Tracing> {
  const { startTracing } = await import('./platform/telemetry/tracing-otlp.ts');
  return startTracing(endpoint, log);
}
