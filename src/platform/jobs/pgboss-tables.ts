import type { EntityManager } from '@mikro-orm/postgresql';
import packageJson from 'pg-boss/package.json' with { type: 'json' };
import type { Database } from '../database/database.ts';
import { ms } from '../database/statements/sql.ts';
import { serviceStatement } from '../database/statements/statements.ts';
import { rowsWithin } from '../database/statements/transaction.ts';

// All SQL of the service on pg-boss' own tables, each statement with the reason why pg-boss has no call for it. These
// tables are private to pg-boss, and any version may change them: test/platform/pgboss-tables.test.ts compares the
// pinned version, and the columns, types and functions named here, with the tables that the installed version makes.

const DELETE_WAITING = serviceStatement(
  'queue-delete-waiting',
  `delete from pgboss.job where name = $1 and id in (
      select id from pgboss.job where name = $1 and group_id = $2 and state < 'active' and not data @> $4::jsonb
        limit $3 for update skip locked
    ) returning data`,
);

/**
 * Deletes jobs of a group that no worker holds, `max` at most, except those whose data contain `except`; returns their
 * data. pg-boss deletes by id, and finds no ids by group.
 */
export async function deleteWaiting<Data>(
  em: EntityManager,
  queue: string,
  group: string,
  max: number,
  except: Partial<Data>,
): Promise<Data[]> {
  const rows = await rowsWithin<{ data: Data }>(em, DELETE_WAITING, [queue, group, max, JSON.stringify(except)]);
  return rows.map(({ data }) => data);
}

const TAKE_OUT = serviceStatement(
  'queue-take-out',
  `delete from pgboss.job j using unnest($2::uuid[], $3::integer[]) as held(id, retry_count)
    where j.name = $1 and j.id = held.id and j.retry_count = held.retry_count and j.state = 'active'
    returning j.id, j.data, j.group_id as "group", j.singleton_key as key`,
);

/** A job that was taken out of its queue, with what it takes to write it again. */
interface JobTakenOut {
  readonly id: string;
  readonly data: object;
  readonly group: string | null;
  readonly key: string | null;
}

/** Deletes leased jobs, and returns them. pg-boss' own deletion returns no data and ignores leases. */
export function takeOut(
  em: EntityManager,
  queue: string,
  jobs: readonly { readonly id: string; readonly retryCount: number }[],
): Promise<JobTakenOut[]> {
  const column = (name: 'id' | 'retryCount') => jobs.map(job => job[name]);
  return rowsWithin<JobTakenOut>(em, TAKE_OUT, [queue, column('id'), column('retryCount')]);
}

export const JOBS_TABLE = 'pgboss.job';

const QUEUE_NAMES = serviceStatement('queue-names', 'select name from pgboss.queue order by name');

/** Queues whose jobs may belong to a company. pg-boss' own call also counts the jobs of each queue. */
export async function queueNames(database: Database): Promise<string[]> {
  const rows = await database.rows<{ name: string }>(QUEUE_NAMES, []);
  return rows.map(({ name }) => name);
}

// Reads along the primary key, because no index has the company of a job.
const DELETE_OF_COMPANY = serviceStatement(
  'queue-delete-of-company',
  `with looked as (
      select id, $4 in (data ->> 'companyId', data ->> 'about') as is_own from pgboss.job where name = $1 and id > $2 order by id limit $3
    ), gone as (
      delete from pgboss.job where name = $1 and id = any(array(select id from looked where is_own)) returning 1
    )
    select (select count(*)::integer from looked) as looked, (select count(*)::integer from gone) as deleted,
      (select id from looked order by id desc limit 1) as last`,
);

/** The result of a look at some jobs of a queue. */
interface LookedJobs {
  readonly looked: number;
  readonly deleted: number;
  /** The last job that was looked at; null if there was none. */
  readonly last: string | null;
}

/** Looks at jobs of a queue after a given id, in any state, and deletes the jobs of a company or about it. */
export async function deleteOfCompany(
  em: EntityManager,
  job: { readonly queue: string; readonly after: string; readonly companyId: string },
  max: number,
): Promise<LookedJobs> {
  const [row] = await rowsWithin<LookedJobs>(em, DELETE_OF_COMPANY, [job.queue, job.after, max, job.companyId]);
  return row ?? { looked: 0, deleted: 0, last: null };
}

const COUNT_DUE = serviceStatement(
  'queue-count-due',
  `select count(*)::integer as count from (
      select 1 from pgboss.job where name = $1 and group_id = $2 and state < 'active' and start_after <= pgboss.job_now()
        limit $3
    ) due`,
);

/** How many jobs of a group are due, counted up to `max`. pg-boss counts by queue. */
export async function countDue(em: EntityManager, queue: string, group: string, max: number): Promise<number> {
  const [row] = await rowsWithin<{ count: number }>(em, COUNT_DUE, [queue, group, max]);
  return row?.count ?? 0;
}

const MARK_SOURCE = serviceStatement(
  'queue-mark-source',
  'update pgboss.job set source_name = $3, source_created_on = created_on where name = $1 and id = any($2::uuid[])',
);

/**
 * Marks jobs of a dead-letter queue with the queue that they came from, so that pg-boss can redrive them. pg-boss marks
 * only jobs that it fails itself, but a delivery that failed for good had a job for each of its attempts.
 */
export async function markSource(em: EntityManager, deadLetter: string, ids: readonly string[], source: string) {
  await rowsWithin(em, MARK_SOURCE, [deadLetter, ids, source]);
}

export interface QueueCounts {
  readonly queue: string;
  readonly deferred: number;
  readonly ready: number;
  readonly active: number;
  readonly failed: number;
  /** How long the oldest job that is due has waited. */
  readonly oldestSeconds: number;
}

// The counts are pg-boss' own, at most two seconds old; `getQueues` would return them one queue at a time. pg-boss
// keeps the age of the oldest job only with a history of every pass; here it is one look into its index `job_i14` for
// each queue and state.
const COUNTS = serviceStatement(
  'queue-counts',
  `select q.name as queue, q.deferred_count as deferred, q.ready_count as ready, q.active_count as active,
      q.failed_count as failed,
      coalesce(extract(epoch from pgboss.job_now() - least(created.due, retried.due)), 0)::float8 as "oldestSeconds"
    from pgboss.queue q
    left join lateral (select j.start_after as due from pgboss.job j where j.name = q.name and j.state = 'created'
      and not j.blocked and j.start_after <= pgboss.job_now() order by j.start_after limit 1) created on true
    left join lateral (select j.start_after as due from pgboss.job j where j.name = q.name and j.state = 'retry'
      and not j.blocked and j.start_after <= pgboss.job_now() order by j.start_after limit 1) retried on true`,
);

/** Every queue for the metrics. The values span all processes, so any of them may report them. */
export function queueCounts(database: Database): Promise<QueueCounts[]> {
  return database.rows<QueueCounts>(COUNTS, []);
}

export interface DueOfCompany {
  readonly companyId: string;
  readonly due: number;
  /** How long the oldest job has waited. */
  readonly oldestSeconds: number;
}

// Reads the same index, and looks at no more jobs than the limit. pg-boss does not know the company of a job.
const DUE_BY_COMPANY = serviceStatement(
  'queue-due-by-company',
  `select data ->> 'companyId' as "companyId", count(*)::integer as due,
      extract(epoch from pgboss.job_now() - min(start_after))::float8 as "oldestSeconds"
    from ((select data, start_after from pgboss.job where name = $1 and state = 'created' and not blocked
        and start_after <= pgboss.job_now() order by start_after limit $2) union all
      (select data, start_after from pgboss.job where name = $1 and state = 'retry' and not blocked
        and start_after <= pgboss.job_now() order by start_after limit $2)) due
    group by 1 order by 2 desc, 1 limit 50`,
);

/** The jobs of a queue that have been due for longest, at most twice `max`, by company: those with the most first. */
export function dueByCompany(database: Database, queue: string, max: number): Promise<DueOfCompany[]> {
  return database.rows<DueOfCompany>(DUE_BY_COMPANY, [queue, max]);
}

interface LaterJobs {
  readonly group: string;
  /** When the first of its jobs is due, in milliseconds since 1970. */
  readonly nextAt: number;
}

// Reads the same index as the due ones.
const LATER_BY_GROUP = serviceStatement(
  'queue-later-by-group',
  `select group_id as "group", ${ms('min(start_after)')} as "nextAt"
    from ((select group_id, start_after from pgboss.job where name = $1 and state = 'created' and not blocked
        and start_after > pgboss.job_now() order by start_after limit $2) union all
      (select group_id, start_after from pgboss.job where name = $1 and state = 'retry' and not blocked
        and start_after > pgboss.job_now() order by start_after limit $2)  ) later
    where group_id is not null group by 1 order by 2 limit 200`,
);

/** The jobs of a queue that are due next, at most twice `max`, by their group. */
export function laterByGroup(database: Database, queue: string, max: number): Promise<LaterJobs[]> {
  return database.rows<LaterJobs>(LATER_BY_GROUP, [queue, max]);
}

export interface QueueState {
  readonly queue: string;
  /** Jobs that a worker may take now. */
  readonly due: number;
  /** Jobs that are not due yet. */
  readonly later: number;
  /** Jobs that a worker has in hand. */
  readonly active: number;
  readonly completed: number;
  readonly failed: number;
  /** The time since when the oldest due job has been due. */
  readonly oldestDue: Date | null;
  /** The queue that receives the jobs which failed for good. */
  readonly deadLetter: string | null;
  /** The queues whose failed jobs it receives, if it is a dead-letter queue. */
  readonly deadLetterOf: string | null;
}

// pg-boss' own counts are as old as its last look, and are frozen while no worker runs, which is when an operator asks.
// pg-boss' internal queues are left out.
const STATES = serviceStatement(
  'queue-states',
  `select q.name as queue, count(*) filter (where is_due)::integer as due,
      count(*) filter (where is_open and not is_due)::integer as later,
      count(*) filter (where state = 'active')::integer as active,
      count(*) filter (where state = 'completed')::integer as completed,
      count(*) filter (where state = 'failed')::integer as failed,
      min(start_after) filter (where is_due) as "oldestDue", q.dead_letter as "deadLetter",
      (select string_agg(of.name, ', ' order by of.name) from pgboss.queue of where of.dead_letter = q.name) as "deadLetterOf"
    from pgboss.queue q left join lateral (
      select state, start_after, state < 'active' as is_open, state < 'active' and start_after <= pgboss.job_now() as is_due
        from pgboss.job j where j.name = q.name
    ) jobs on true
    where q.name not like '\\_\\_pgboss%' group by q.name, q.dead_letter order by q.name`,
);

export function queueStates(database: Database): Promise<QueueState[]> {
  return database.rows<QueueState>(STATES, []);
}

/** A job as an operator looks at it. Its data name records by their ids, and hold no secrets or personal data. */
export interface SeenJob {
  readonly queue: string;
  readonly id: string;
  readonly state: string;
  readonly createdAt: Date;
  readonly completedAt: Date | null;
  readonly retryCount: number;
  /** The first line of the error: others may quote the row that PostgreSQL rejected. */
  readonly error: string | null;
  readonly data: object | null;
}

const SEEN_JOB = `j.name as queue, j.id, j.state::text, j.created_on as "createdAt", j.completed_on as "completedAt",
  j.retry_count as "retryCount", split_part(coalesce(j.output ->> 'message', j.output ->> 'value'), e'\\n', 1) as error, j.data`;

// pg-boss finds failed jobs of one queue only, and none by the queue that receives them.
const FAILED = serviceStatement(
  'queue-failed-jobs',
  `select ${SEEN_JOB} from pgboss.job j
    where ($1::text is null or j.name = $1) and (j.state = 'failed'
      or (j.state < 'active' and j.name in (select dead_letter from pgboss.queue)))
    order by coalesce(j.completed_on, j.created_on) desc, j.id limit $2`,
);

/** Failed jobs and jobs in dead-letter queues, the latest first. */
export function failedJobs(database: Database, queue: string | null, limit: number): Promise<SeenJob[]> {
  return database.rows<SeenJob>(FAILED, [queue, limit]);
}

// The service need not have started pg-boss, without which it finds no job.
const JOB = serviceStatement('queue-job', `select ${SEEN_JOB} from pgboss.job j where j.name = $1 and j.id = $2`);

export async function jobById(database: Database, queue: string, id: string): Promise<SeenJob | undefined> {
  const [job] = await database.rows<SeenJob>(JOB, [queue, id]);
  return job;
}

export interface ScheduleState {
  readonly queue: string;
  readonly cron: string;
  readonly since: Date;
  /** The creation time of the last job that is still stored. */
  readonly lastRun: Date | null;
  /** Whether the last finished job failed. */
  readonly hasFailed: boolean;
}

// pg-boss lists schedules without the time of their last job.
const SCHEDULES = serviceStatement(
  'schedule-states',
  `select s.name as queue, s.cron, s.created_on as since,
      (select max(j.created_on) from pgboss.job j where j.name = s.name) as "lastRun",
      coalesce((select j.state = 'failed' from pgboss.job j where j.name = s.name and j.state in ('completed', 'failed')
        order by j.completed_on desc nulls last limit 1), false) as "hasFailed"
    from pgboss.schedule s order by s.name`,
);

export function scheduleStates(database: Database): Promise<ScheduleState[]> {
  return database.rows<ScheduleState>(SCHEDULES, []);
}

// pg-boss does not start on tables of another version. Reading it first lets a command name the missing part.
const VERSION_TABLE = serviceStatement('queue-version-table', `select to_regclass('pgboss.version')::text as name`);
const VERSION = serviceStatement('queue-version', 'select version from pgboss.version');

/** Returns the version of pg-boss' tables, undefined if there are none, and the version that this service needs. */
export async function queueTablesVersion(database: Database): Promise<{ found: number | undefined; needed: number }> {
  const needed = packageJson.pgboss.schema;
  const [table] = await database.rows<{ name: string | null }>(VERSION_TABLE, []);
  const [row] = table?.name ? await database.rows<{ version: number }>(VERSION, []) : [];
  return { found: row?.version, needed };
}

const MISSING = serviceStatement(
  'queues-missing',
  'select name from unnest($1::text[]) as name except select name from pgboss.queue order by name',
);

/** Returns the missing queues. Called at every start, before pg-boss starts. */
export async function missingQueues(database: Database, names: readonly string[]): Promise<string[]> {
  const rows = await database.rows<{ name: string }>(MISSING, [names]);
  return rows.map(({ name }) => name);
}
