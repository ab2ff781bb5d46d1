import packageJson from 'pg-boss/package.json' with { type: 'json' };
import type { Database } from '../database/database.ts';

/** What lies in a queue. */
export interface QueueState {
  readonly queue: string;
  /** Jobs that a worker may take now. */
  readonly due: number;
  /** Jobs whose time is to come. */
  readonly later: number;
  /** Jobs that a worker has in hand. */
  readonly active: number;
  readonly completed: number;
  readonly failed: number;
  /** Since when the oldest that is due has been. */
  readonly oldestDue: Date | null;
  /** Where jobs go that failed for good. */
  readonly deadLetter: string | null;
  /** Whose jobs that failed for good lie here, where it is a dead-letter queue. */
  readonly deadLetterOf: string | null;
}

// pg-boss' own figures are as old as its last look; and its own queues are none of an operator's.
const STATES = {
  name: 'queue-states',
  text: `select q.name as queue, count(*) filter (where is_due)::integer as due,
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
};

/** Every queue, by name. */
export function queueStates(database: Database): Promise<QueueState[]> {
  return database.rows<QueueState>(STATES, []);
}

/** What comes round by the clock. */
export interface ScheduleState {
  readonly queue: string;
  readonly cron: string;
  readonly since: Date;
  /** When its last job was made that is still kept. */
  readonly lastRun: Date | null;
}

const SCHEDULES = {
  name: 'schedule-states',
  text: `select s.name as queue, s.cron, s.created_on as since,
      (select max(j.created_on) from pgboss.job j where j.name = s.name) as "lastRun"
    from pgboss.schedule s order by s.name`,
};

export function scheduleStates(database: Database): Promise<ScheduleState[]> {
  return database.rows<ScheduleState>(SCHEDULES, []);
}

/** pg-boss' own tables: the version they have, undefined where there are none, and the one that this service needs. */
export async function queueTablesVersion(database: Database): Promise<{ found: number | undefined; needed: number }> {
  const needed = packageJson.pgboss.schema;
  const [table] = await database.rows<{ name: string | null }>(VERSION_TABLE, []);
  const [row] = table?.name ? await database.rows<{ version: number }>(VERSION, []) : [];
  return { found: row?.version, needed };
}

/** Which of these queues are not there. */
export async function missingQueues(database: Database, names: readonly string[]): Promise<string[]> {
  const rows = await database.rows<{ name: string }>(MISSING, [names]);
  return rows.map(({ name }) => name);
}

const MISSING = {
  name: 'queues-missing',
  text: 'select name from unnest($1::text[]) as name except select name from pgboss.queue order by name',
};
const VERSION_TABLE = { name: 'queue-version-table', text: `select to_regclass('pgboss.version')::text as name` };
const VERSION = { name: 'queue-version', text: 'select version from pgboss.version' };
