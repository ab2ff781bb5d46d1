import { setTimeout } from 'node:timers/promises';
import { type EntityManager, MikroORM, type Options } from '@mikro-orm/postgresql';
import pg from 'pg';
import { Fault } from '../fault.ts';
import { CompanyPlaces } from '../limits/company-places.ts';
import { StartupError } from '../startup-error.ts';
import type { Log } from '../telemetry/log.ts';
import type { Metrics } from '../telemetry/metrics.ts';
import { activeSpan, traced, tracedUnder } from '../telemetry/tracing.ts';
import { CancellableConnection, cancelledWith, registerConnections } from './connections/cancellation.ts';
import { type ConnectionSettings, clientWith, connectionSettings } from './connections/connection-settings.ts';
import { connectionReason, databaseFault } from './connections/database-errors.ts';
import { closeLostConnections, QUERY_MS, replicaPool } from './connections/lost-connections.ts';
import { rejectPoolers } from './connections/pooler.ts';
import type { Requester } from './connections/requester.ts';
import { Loaders } from './gather/gathered-reads.ts';
import { GatheredWrites } from './gather/gathered-writes.ts';
import { migrationNames, type OnMigration, runMigrations } from './migrations/migrations.ts';
import { DATABASE_SPAN, type Statement, serviceStatement } from './statements/statements.ts';
import { isLocked, type Lock, transact } from './statements/transaction.ts';
import type { CompanyId } from './tenancy/company-id.ts';

interface ConnectOptions {
  /** The time limit of a statement. */
  readonly queryMs?: number | undefined;
  /**
   * The address past a transaction pooler, for locks and migrations, which need the state of a connection. With a
   * pooler, statements are not prepared, because the next one may run on another connection.
   */
  readonly direct?: string | undefined;
  /** The address of a replica. */
  readonly read?: string | undefined;
}

const MINIMUM_VERSION = 15;
const CLOSE_MS = 1_000;
/**
 * The longest single wait for a lock by name. CREATE INDEX CONCURRENTLY waits for the end of every earlier statement,
 * so it would never end if another process waited, in one statement, for the end of the migration.
 */
const TURN_MS = 500;
/** Waiting batches of one kind of one company. */
const MAX_WAITING = 30;
/**
 * How long statements wait for their company's share of the connections, and how many may wait. It is longer than a
 * connection takes to open: if none can be opened, all callers get that error, and not that the company asks for too
 * much.
 */
const CONNECTION_WAIT_MS = 5_500;
const MAX_WAITING_FOR_CONNECTION = 2_000;
const SERVER = serviceStatement('server', `select current_setting('server_version_num') as server_version_num`);
const MIGRATION_TABLE = serviceStatement('migration-table', `select to_regclass('mikro_orm_migrations')::text as name`);
const MIGRATIONS = serviceStatement('migrations', 'select name from mikro_orm_migrations order by id');
const noop = () => undefined;

/** One pool of connections: prepared statements for reads, MikroORM's unit of work for writes. */
export class Database {
  readonly orm: MikroORM;
  readonly pool: pg.Pool;
  readonly #options: Options;
  readonly #metrics: Metrics;
  readonly #direct: string | undefined;
  readonly #readPool: pg.Pool;
  /** A company has half of the connections, so that its locks cannot block the others. */
  readonly #connections: CompanyPlaces;
  readonly loaders = new Loaders(this);
  readonly writes = new GatheredWrites(this);
  readonly #lines = new Map<string, { running: number; readonly waiting: (() => void)[] }>();

  private constructor(orm: MikroORM, pools: { pool: pg.Pool; readPool: pg.Pool }, options: Options, tools: Tools) {
    this.orm = orm;
    this.#options = options;
    this.pool = pools.pool;
    this.#readPool = pools.readPool;
    this.#metrics = tools.metrics;
    this.#direct = tools.direct;
    registerConnections(this.pool);
    this.#connections = new CompanyPlaces({
      places: Math.ceil((options.pool?.max ?? 1) / 2),
      waitMs: CONNECTION_WAIT_MS,
      maxWaiting: MAX_WAITING_FOR_CONNECTION,
      reject: noConnection,
    });
  }

  /** @throws StartupError if the server cannot be reached or is older than PostgreSQL 15 */
  static async connect(
    options: Options,
    metrics: Metrics,
    log: Log,
    connecting: ConnectOptions = {},
  ): Promise<Database> {
    const { queryMs = QUERY_MS, direct, read } = connecting;
    const orm = new MikroORM(options);
    let pool: pg.Pool | undefined;
    let readPool: pg.Pool | undefined;
    try {
      pool = await orm.em.getConnection().getNativeClient();
      closeLostConnections(pool, queryMs, log, 'database connection lost');
      const { rows } = await pool.query(SERVER.text);
      const major = Math.floor(Number(rows[0]?.server_version_num) / 10_000);
      if (major < MINIMUM_VERSION) {
        throw new StartupError(
          `The database server is PostgreSQL ${major}; version ${MINIMUM_VERSION} or newer is needed.`,
        );
      }
      readPool = read === undefined ? pool : replicaPool(read, options, queryMs, log);
      await rejectPoolers({ pool, readPool, direct });
    } catch (error) {
      await orm.close(true);
      if (readPool !== pool) await readPool?.end();
      if (pool && !pool.ending) await pool.end();
      if (error instanceof StartupError) throw error;
      throw new StartupError(`The database can't be reached: ${connectionReason(error)}.`, { cause: error });
    }
    metrics.gauge('shipping_database_pool_connections', 'Open connections', () => pool.totalCount);
    metrics.gauge('shipping_database_pool_idle', 'Open connections that nothing uses', () => pool.idleCount);
    metrics.gauge('shipping_database_pool_max', 'Connections there may be', () => pool.options.max);
    metrics.gauge('shipping_database_pool_waiting', 'Requests waiting for a connection', () => pool.waitingCount);
    return new Database(orm, { pool, readPool }, options, { metrics, direct });
  }

  /** Runs a prepared statement; rows are plain objects. Failures are translated by `databaseFault`. */
  rows<Row>(statement: Statement, values: readonly unknown[], requester?: Requester): Promise<Row[]> {
    return this.#inPlace(statement.name, requester, () => this.#query<Row>(statement, values, requester));
  }

  /** Uses callbacks, because the promises of the pool and of the connection would cost more than all else here. */
  #query<Row>(
    { name, preparedAs = name, text, canLag }: Statement,
    values: readonly unknown[],
    { companyIds = [], work, isFresh }: Partial<Requester> = {},
  ): Promise<Row[]> {
    const { promise, resolve, reject } = Promise.withResolvers<Row[]>();
    // Uses the types of `pg`, because MikroORM sets the pool's so that dates arrive as strings.
    const plain = { text, values: values as unknown[], types: pg.types };
    const query = this.#direct === undefined ? { name: preparedAs, ...plain } : plain;
    (canLag && !isFresh ? this.#readPool : this.pool).connect((error, client) => {
      if (client === undefined) {
        // Statements that wait for the company's share of the connections would fail too.
        for (const companyId of companyIds) this.#connections.stopWaiting(companyId, databaseFault(error));
        return reject(error);
      }
      const connection = work && new CancellableConnection(client);
      if (connection) work.register(connection);
      const startedAtMs = performance.now();
      client.query(query, (failure, result) => {
        this.#metrics.statements.observe(name, startedAtMs);
        if (connection) work.unregister(connection);
        // A failed or cancelled connection does not return to the pool.
        client.release(failure ?? connection?.isCancelled);
        if (failure) reject(failure);
        else resolve(result.rows as Row[]);
      });
    });
    return promise;
  }

  /** Uses one of the connections of a company's share. */
  async #inPlace<T>(name: string, requester: Requester | undefined, use: () => Promise<T>): Promise<T> {
    const companyIds = requester?.companyIds ?? [];
    let entered = 0;
    try {
      for (; entered < companyIds.length; entered++) {
        const waiting = this.#connections.enter(companyIds[entered] as CompanyId);
        if (waiting) await waiting;
      }
      requester?.work?.throwIfOver();
      return await (requester?.spans
        ? tracedUnder(requester.spans, name, DATABASE_SPAN, use)
        : traced(activeSpan(), name, DATABASE_SPAN, use));
    } catch (error) {
      throw databaseFault(error);
    } finally {
      for (let i = 0; i < entered; i++) this.#connections.leave(companyIds[i] as CompanyId);
    }
  }

  /** Whether a statement of the company would run at once, without waiting for a connection of its share. */
  hasPlace(companyId: CompanyId): boolean {
    return this.#connections.hasRoom(companyId);
  }

  /** One transaction with its own unit of work: all of `work` is committed, or nothing. */
  transaction<T>(work: (em: EntityManager) => Promise<T>, requester?: Requester, lock?: Lock): Promise<T> {
    const options = { isPrepared: this.#direct === undefined, lock };
    const begin = () => {
      const startedAtMs = performance.now();
      const done = () => this.#metrics.statements.observe('transaction', startedAtMs);
      return transact(this.pool, this.orm.em.fork(), options, work).finally(done);
    };
    const ofRequest = requester?.work;
    const cancelled = ofRequest === undefined ? begin : () => cancelledWith(ofRequest, begin);
    return this.#inPlace('transaction', requester, cancelled);
  }

  /** Runs the pending migrations; returns their names. @throws StartupError */
  migrate(onMigration?: OnMigration): Promise<string[]> {
    return runMigrations({ ...this.#options, driverOptions: this.#directSettings }, onMigration);
  }

  async pendingMigrations(): Promise<string[]> {
    const applied = new Set(await this.appliedMigrations());
    return (await this.#migrations()).filter(name => !applied.has(name));
  }

  /** Whether migrations have run that came before the first one of this version. */
  async precedesBaseline(): Promise<boolean> {
    const applied = await this.appliedMigrations();
    const [baseline = ''] = await this.#migrations();
    return applied.length > 0 && !applied.includes(baseline);
  }

  #migrations(): Promise<string[]> {
    return migrationNames(String(this.#options.migrations?.path));
  }

  /** The names of the migrations that have run. MikroORM's own list would first create its table. */
  async appliedMigrations(): Promise<string[]> {
    const [table] = await this.rows<{ name: string | null }>(MIGRATION_TABLE, []);
    const rows = table?.name ? await this.rows<{ name: string }>(MIGRATIONS, []) : [];
    return rows.map(({ name }) => name);
  }

  /** Runs work of one name one after the other, over all processes; `work` uses other connections than the lock. */
  async locked<T>(name: string, work: () => Promise<T>): Promise<T> {
    // A separate connection, because the lock ends with it.
    const client = this.#ownClient({ lock_timeout: TURN_MS, query_timeout: QUERY_MS });
    try {
      await client.connect().catch(error => {
        const advice = this.#direct === undefined ? '; behind a pooler, set DATABASE_DIRECT_URL to lead past it' : '';
        throw new StartupError(`No lock can be taken: ${connectionReason(error)}${advice}.`, { cause: error });
      });
      while (!(await isLocked(client, name)));
      return await work();
    } finally {
      await client.end().catch(noop);
    }
  }

  /** Statements without a time limit, on their own connection. */
  async patiently<T>(work: (client: pg.Client) => Promise<T>): Promise<T> {
    const client = this.#ownClient({});
    try {
      await client.connect();
      await client.query('set statement_timeout = 0');
      return await work(client);
    } finally {
      await client.end().catch(noop);
    }
  }

  /**
   * One transaction without a time limit, on its own connection. Transactions of one name run one after the other, over
   * all processes.
   *
   * @param settings of PostgreSQL for this transaction
   */
  patientTransaction<T>(
    name: string,
    settings: Readonly<Record<string, string>>,
    work: (run: <Row>(statement: Statement, values: readonly unknown[]) => Promise<Row[]>) => Promise<T>,
  ): Promise<T> {
    return this.patiently(async client => {
      await client.query('begin');
      for (const setting of Object.entries(settings)) await client.query('select set_config($1, $2, true)', setting);
      await client.query('select pg_advisory_xact_lock(hashtextextended($1, 0))', [name]);
      const result = await work(async ({ text }, values) => (await client.query(text, [...values])).rows);
      await client.query('commit');
      return result;
    });
  }

  /** Past a pooler if there is one. */
  get #directSettings(): ConnectionSettings {
    const { driverOptions = {} } = this.#options;
    return this.#direct === undefined ? driverOptions : { ...driverOptions, ...connectionSettings(this.#direct) };
  }

  /** A connection outside of the pool, past a pooler if there is one, which its user closes. */
  #ownClient(settings: pg.ClientConfig): pg.Client {
    const client = clientWith({ ...this.#directSettings, ...settings });
    client.on('error', noop);
    return client;
  }

  /**
   * Runs work of one name in the order of its calls, by default one after the other, in this process.
   *
   * @throws Fault `unavailable` if too many wait
   */
  async inLine<T>(
    name: string,
    work: () => Promise<T>,
    { atOnce = 1, maxWaiting = MAX_WAITING }: { atOnce?: number; maxWaiting?: number | undefined } = {},
  ): Promise<T> {
    const line = this.#lines.get(name) ?? { running: 0, waiting: [] };
    if (line.running + line.waiting.length >= maxWaiting) {
      const detail = 'Too many changes of this kind are waiting for the company. Send them one after the other.';
      throw new Fault('unavailable', { detail, headers: { 'retry-after': '2' } });
    }
    this.#lines.set(name, line);
    if (line.running < atOnce) line.running++;
    else await new Promise<void>(begin => line.waiting.push(begin));
    try {
      return await work();
    } finally {
      const next = line.waiting.shift();
      if (next) next();
      else if (--line.running === 0) this.#lines.delete(name);
    }
  }

  /** Waits a limited time for statements in progress: PostgreSQL rolls back the rest. */
  async close(): Promise<void> {
    await Promise.race([this.#end(), setTimeout(CLOSE_MS, undefined, { ref: false })]);
  }

  async #end(): Promise<void> {
    await this.orm.close(true);
    // MikroORM ends the pool only if a unit of work has used it.
    if (!this.pool.ending) await this.pool.end();
    if (!this.#readPool.ending) await this.#readPool.end();
  }
}

function noConnection(): Fault {
  const detail = 'The database is slow and did not get to the request in time. Send the request again in 2 s.';
  return new Fault('unavailable', { detail, headers: { 'retry-after': '2' } });
}

interface Tools {
  readonly metrics: Metrics;
  readonly direct: string | undefined;
}
