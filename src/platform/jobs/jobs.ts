import { randomBytes } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import type { EntityManager } from '@mikro-orm/postgresql';
import pg from 'pg';
import { fromKysely, type JobInsert, PgBoss, type SendOptions } from 'pg-boss';
import type { Database } from '../database/database.ts';
import { notify } from '../database/statements/notify.ts';
import { statementOfLibrary } from '../database/statements/statements.ts';
import { atEnd, beforeEnd, rowsWithin } from '../database/statements/transaction.ts';
import { logRepeated } from '../telemetry/failure-log.ts';
import type { Log } from '../telemetry/log.ts';
import { completedIds, insertStatement, optionsOf } from './pgboss-internals.ts';
import { markSource } from './pgboss-tables.ts';
import { type JobData, type LeasedJob, leasesOf, type NewJob, type Queue } from './queues.ts';

/** How often pg-boss looks for jobs whose worker has died, which it sees by a missed heartbeat. */
const SUPERVISE_SECONDS = 2;
const MAINTENANCE_SECONDS = 60;

/** How often pg-boss looks for indexes to build, at the most, and how often a migration looks whether they are built. */
const INDEXES_SECONDS = 10;
const INDEXES_LOOK_MS = 200;

/** Installs or upgrades pg-boss' own tables and makes the queues; part of migrating the database. */
export function installJobs(database: Database, queues: readonly Queue<never>[]): Promise<void> {
  return database.patiently(client => installOn(client, queues));
}

async function installOn(client: pg.Client, queues: readonly Queue<never>[]): Promise<void> {
  const boss = new PgBoss({
    db: adapter(client),
    supervise: false,
    schedule: false,
    bamIntervalSeconds: INDEXES_SECONDS,
  });
  boss.on('error', () => undefined);
  await boss.start();
  // pg-boss builds the indexes of a new version in the background, which only the role that owns its tables can do.
  while ((await boss.getBamStatus()).some(({ status }) => status === 'pending' || status === 'in_progress')) {
    await setTimeout(INDEXES_LOOK_MS);
  }
  const known = new Map((await boss.getQueues()).map(one => [one.name, optionsOf(one)]));
  for (const { queue, options, policy, deadLetter } of queues) {
    const wanted = { ...options, ...(deadLetter && { deadLetter: deadLetter.queue }) };
    const present = known.get(queue);
    if (present === undefined) await boss.createQueue(queue, { ...wanted, ...(policy && { policy }) });
    else if (Object.entries(wanted).some(([name, value]) => present[name] !== value))
      await boss.updateQueue(queue, wanted);
  }
  // A schedule of an earlier version has no worker. Its queue stays, because processes of that version may still run.
  const scheduled = await boss.getSchedules();
  const ours = new Set(queues.map(({ queue }) => queue));
  for (const { name } of scheduled.filter(({ name }) => !ours.has(name))) await boss.unschedule(name);
  await boss.stop({ graceful: false });
}

/** The jobs of a queue that a transaction will write, and whether it notifies workers. */
interface Waiting {
  readonly inserts: (JobInsert & { id: string })[];
  notifies: boolean;
}

interface JobsOptions {
  readonly worker: boolean;
}

/** Writes jobs to queues and completes them, in every role. In the worker role it supervises the queues. */
export class Jobs {
  /** For the loops of a worker. */
  readonly boss: PgBoss;
  /** The jobs that transactions will write, by queue. */
  readonly #waiting = new WeakMap<EntityManager, Map<string, Waiting>>();

  private constructor(boss: PgBoss) {
    this.boss = boss;
  }

  static async start({ pool }: Database, log: Log, { worker }: JobsOptions): Promise<Jobs> {
    const boss = new PgBoss({
      db: adapter(pool),
      migrate: false,
      createSchema: false,
      supervise: worker,
      schedule: worker,
      superviseIntervalSeconds: SUPERVISE_SECONDS,
      monitorIntervalSeconds: SUPERVISE_SECONDS,
      maintenanceIntervalSeconds: MAINTENANCE_SECONDS,
    });
    // pg-boss reports failures of its background work here; without a listener they would end the process.
    boss.on('error', error => {
      const fields = { reason: error.message };
      logRepeated(log, { level: 'warn', message: 'queue maintenance failed, will be tried again', fields });
    });
    await boss.start();
    return new Jobs(boss);
  }

  async send<Data extends JobData>({ queue }: Queue<Data>, data: Data, options: SendOptions = {}): Promise<void> {
    await this.boss.send(queue, data, options);
  }

  /**
   * Writes jobs in a transaction. They are written last, in one round trip with the commit, so no statement of the
   * transaction finds them. Returns their ids.
   */
  async insert<Data extends JobData>(
    em: EntityManager,
    { queue, channel }: Queue<Data>,
    jobs: readonly NewJob<Data>[],
  ): Promise<string[]> {
    if (jobs.length === 0) return [];
    const inserts = jobs.map(({ data, group, key, startAfter }): JobInsert & { id: string } => ({
      // Within a group pg-boss orders by id, not by age; ordered ids keep the jobs in order.
      id: orderedId(),
      data,
      startAfter,
      singletonKey: key,
      ...(group && { group: { id: group } }),
    }));
    const queues = this.#waiting.get(em) ?? new Map<string, Waiting>();
    this.#waiting.set(em, queues);
    let waiting = queues.get(queue);
    if (waiting === undefined) {
      waiting = { inserts: [], notifies: false };
      queues.set(queue, waiting);
      this.#insertAtEnd(em, queue, waiting);
    }
    waiting.inserts.push(...inserts);
    const isDue = jobs.some(({ startAfter }) => startAfter === undefined);
    if (channel !== undefined && isDue && !waiting.notifies) {
      waiting.notifies = true;
      atEnd(em, () => notify(em, channel));
    }
    return inserts.map(({ id }) => id);
  }

  /** Writes the jobs of a queue by one statement, however often the transaction had some to write. */
  #insertAtEnd(em: EntityManager, queue: string, { inserts }: Waiting): void {
    let statement: Awaited<ReturnType<typeof insertStatement>>;
    beforeEnd(em, async () => {
      statement = await insertStatement(this.boss, queue, inserts);
    });
    atEnd(em, () => rowsWithin(em, statementOfLibrary(`insert-jobs-${queue}`, statement.text), statement.values));
  }

  /** Completes jobs in a transaction; returns the ids of those whose lease had not expired. */
  async complete(
    em: EntityManager,
    { queue }: Queue<never>,
    jobs: readonly LeasedJob<unknown>[],
  ): Promise<ReadonlySet<string>> {
    return completedIds(await this.boss.complete(queue, leasesOf(jobs), null, { db: fromKysely(em.getKysely()) }));
  }

  /** Writes jobs that failed for good to the dead-letter queue, from which pg-boss can redrive them. */
  async insertDeadLetters<Data extends JobData>(
    em: EntityManager,
    { queue, deadLetter }: Queue<Data>,
    jobs: readonly NewJob<Data>[],
  ): Promise<void> {
    if (jobs.length === 0 || !deadLetter) return;
    const ids = await this.insert(em, deadLetter, jobs);
    atEnd(em, () => markSource(em, deadLetter.queue, ids, queue));
  }

  /** Sends the jobs of a dead-letter queue back to where they came from; returns how many. */
  redrive({ queue }: Pick<Queue<never>, 'queue'>, max: number): Promise<number> {
    return this.boss.redrive(queue, { limit: max });
  }

  async stop(timeoutMs: number): Promise<void> {
    await this.boss.stop({ graceful: true, timeout: timeoutMs });
  }
}

/** Runs pg-boss on connections of the service, so that one number bounds them; with the type parsers of `pg`. */
function adapter(connections: Pick<pg.ClientBase, 'query'>): {
  executeSql(text: string, values?: unknown[]): Promise<pg.QueryResult>;
} {
  return { executeSql: (text, values = []) => connections.query({ text, values, types: pg.types }) };
}

const MAX_COUNT = 0xfff;

let lastMs = 0;
let count = 0;

/** A UUID of version 7 (RFC 9562): later ids of this process are greater, and ids of other processes nearly so. */
function orderedId(): string {
  const now = Date.now();
  // Borrows from the next millisecond if one is used up, and never goes back with the clock.
  if (now > lastMs) [lastMs, count] = [now, 0];
  else if (count < MAX_COUNT) count++;
  else [lastMs, count] = [lastMs + 1, 0];
  const bytes = randomBytes(16);
  bytes.writeUIntBE(lastMs, 0, 6);
  bytes.writeUInt16BE(0x7000 | count, 6);
  bytes.writeUInt8(0x80 | (bytes.readUInt8(8) & 0x3f), 8);
  const hex = bytes.toString('hex');
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
}
