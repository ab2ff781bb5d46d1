import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import pg from 'pg';
import { openEmbeddedPostgres } from '../../src/embedded-postgres/embedded-postgres.ts';
import { PostgresCluster } from '../../src/embedded-postgres/postgres-cluster.ts';
import { startStandby } from '../bench/standby.ts';
import { until } from '../bench/until.ts';

/** For what the replica needs after a crash, and what the disk of the scenarios has room for. */
const SETTINGS = { max_wal_size: '256MB' };
const START_AGAIN_MS = 100;
const ANSWER_MS = 5_000;
const RECOVERY_MS = 120_000;

/** A PostgreSQL of our own that can be killed, stopped and replaced. Only these functions start it again. */
export class OwnPostgres {
  readonly url: string;
  readonly #folder: string;
  readonly #cluster: PostgresCluster;

  private constructor(url: string, folder: string, cluster: PostgresCluster) {
    this.url = url;
    this.#folder = folder;
    this.#cluster = cluster;
  }

  /** @param parent the folder in which its data folder is made */
  static async start(parent = tmpdir()): Promise<OwnPostgres> {
    const folder = await mkdtemp(join(parent, 'shipping-faults-'));
    // Makes the database as the service does, and leaves it.
    const made = await openEmbeddedPostgres({ dataDir: folder, as: 'tool' });
    await made.close();
    const cluster = new PostgresCluster(folder, { throwaway: false, settings: SETTINGS });
    await cluster.prepare();
    const postgres = new OwnPostgres(made.url, folder, cluster);
    await postgres.start();
    return postgres;
  }

  /** Returns once it answers, which is after it has recovered. */
  async start(): Promise<void> {
    const { port } = new URL(this.url);
    const deadline = Date.now() + RECOVERY_MS;
    while (!(await answers(this.url))) {
      if (Date.now() > deadline) throw new Error(`PostgreSQL does not start: see ${this.#folder}/postgres.log`);
      // It does not start while a part of the one before is left.
      if (!(await this.#cluster.postmaster())) await this.#cluster.start(Number(port));
      await setTimeout(START_AGAIN_MS);
    }
  }

  /** As an operator stops it: open transactions are aborted. */
  stop(): Promise<void> {
    return this.#cluster.stop();
  }

  /** `kill -9`, as a loss of power would. */
  async kill(): Promise<void> {
    const [pid] = (await readFile(join(this.#folder, 'postgres', 'postmaster.pid'), 'utf8')).split('\n');
    process.kill(Number(pid), 'SIGKILL');
    await until(
      () => this.#cluster.postmaster(),
      postmaster => postmaster === undefined,
    );
  }

  /** Kills it and starts it again. */
  async crash(): Promise<void> {
    await this.kill();
    await this.start();
  }

  /**
   * A replica without which this server acknowledges no commit. `promote` makes a server of its own of it.
   *
   * @param port where it listens; any by default
   */
  async replica(parent = tmpdir(), port?: string): Promise<OwnPostgres> {
    const folder = await mkdtemp(join(parent, 'shipping-faults-'));
    const options = { throwaway: false, ...(port !== undefined && { port: Number(port) }) };
    const standby = await startStandby({ url: this.url, folder: this.#folder }, folder, options);
    await this.#administer(`alter system set synchronous_standby_names = '*'`, 'select pg_reload_conf()');
    const state = `select sync_state from pg_stat_replication where sync_state in ('sync', 'quorum')`;
    await until(
      () => this.#administer(state),
      rows => rows.length > 0,
    );
    return new OwnPostgres(standby.url, folder, standby.cluster);
  }

  async promote(): Promise<void> {
    await this.#administer('select pg_promote()');
  }

  async #administer(...statements: string[]): Promise<pg.QueryResultRow[]> {
    const client = new pg.Client({ connectionString: this.url });
    await client.connect();
    try {
      let rows: pg.QueryResultRow[] = [];
      for (const statement of statements) ({ rows } = await client.query(statement));
      return rows;
    } finally {
      await client.end();
    }
  }

  async close(): Promise<void> {
    if (await this.#cluster.postmaster()) await this.#cluster.stop();
    await rm(this.#folder, { recursive: true, force: true });
  }
}

async function answers(connectionString: string): Promise<boolean> {
  const client = new pg.Client({ connectionString, connectionTimeoutMillis: ANSWER_MS });
  client.on('error', () => undefined);
  try {
    await client.connect();
    return true;
  } catch {
    return false;
  } finally {
    await client.end().catch(() => undefined);
  }
}
