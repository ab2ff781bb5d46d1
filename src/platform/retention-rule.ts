import { sampled } from './caches/sampled.ts';
import { isOfStatement } from './database/connections/database-errors.ts';
import type { Database } from './database/database.ts';
import { type Batches, batchOf, inBatchesOfAll } from './database/statements/batches.ts';
import { type Statement, serviceStatement } from './database/statements/statements.ts';
import type { CompanyId } from './database/tenancy/company-id.ts';
import { Tenant } from './database/tenancy/tenancy.ts';
import type { Retention, Schedule } from './jobs/job-kinds.ts';
import { RENEWED } from './jobs/queues.ts';
import type { Metrics } from './telemetry/metrics.ts';

/**
 * The rules by which rows are deleted with age. Each feature declares its own rules; the schedule, the command line, the
 * metrics and the operator's guide take them from there.
 */

export interface Removal {
  readonly database: Database;
  readonly now: Date;
  /** Older rows are removed. */
  readonly before: Date;
  /** Stops the work after the current batch. */
  readonly signal?: AbortSignal | undefined;
  /** Records a failed statement, so that the rest continues. Throws other errors, such as a lost database. */
  readonly failed: (error: unknown) => void;
}

/** Rows that are deleted, or lose personal data, at an age that a setting states. */
export interface RetentionRule {
  readonly table: string;
  /** For the guide: the rows that are removed. */
  readonly what: string;
  /** For the guide: what remains, or how the rows are found. */
  readonly how: string;
  /** How many days rows are kept: a number, or a setting, where 0 keeps them indefinitely. */
  readonly kept: number | { readonly setting: string; readonly days: (retention: Retention) => number };
  /** Works in batches (`database/batches.ts`); another run continues where one was stopped. */
  readonly remove: (work: Removal) => Promise<Batches>;
  /** When the oldest remaining row was made; read from an index. */
  readonly oldest: (database: Database) => Promise<Date | null>;
}

/** Rows of all companies that are removed by age alone. */
interface Aged {
  readonly table: string;
  /** The columns of its primary key. */
  readonly key: string;
  /** The column of the creation time, with which an index begins. */
  readonly at: string;
}

/** Works for one company after the other. A failure of one company does not stop the others. */
export async function companyByCompany(
  { database, signal, failed }: Removal,
  companyIds: readonly CompanyId[],
  work: (tenant: Tenant) => Promise<Batches>,
): Promise<Batches> {
  let rows = 0;
  for (const id of companyIds) {
    if (signal?.aborted) return { rows, isComplete: false };
    try {
      rows += (await work(new Tenant(id, database))).rows;
    } catch (error) {
      failed(error);
    }
  }
  return { rows, isComplete: !signal?.aborted };
}

/** Deletes rows by age. Rows that refer to them by foreign keys are deleted with them. */
export function deletedByAge({ table, key, at }: Aged): Pick<RetentionRule, 'table' | 'remove' | 'oldest'> {
  // Each batch begins where the last one ended, because deleted rows stay in the index until a vacuum.
  const statement = serviceStatement(
    `remove-expired-${table.replaceAll('_', '-')}`,
    `with gone as (
        delete from ${table} where (${key}) in (
          select ${key} from ${table} where ${at} >= $2::timestamptz and ${at} < $1::timestamptz order by ${at} limit $3
        ) returning ${at}
      )
      select count(*)::integer as count, max(${at})::text as last from gone`,
  );
  const remove = ({ database, before, signal }: Removal) => {
    let from = '-infinity';
    return inBatchesOfAll(
      database,
      async (run, atMost) => {
        const [row] = await run<{ count: number; last: string | null }>(statement, [before, from, atMost]);
        from = row?.last ?? from;
        return batchOf(row?.count ?? 0, atMost);
      },
      { signal },
    );
  };
  return { table, remove, oldest: oldestRow(table, at) };
}

/** Reads the oldest time of a column with which an index begins. */
export function oldestRow(table: string, at: string): RetentionRule['oldest'] {
  return oldestBy(serviceStatement(`oldest-${table.replaceAll('_', '-')}`, `select min(${at}) as at from ${table}`));
}

/** Reads the oldest time, as `at`, by a statement. */
export function oldestBy(statement: Statement): RetentionRule['oldest'] {
  return async database => (await database.rows<{ at: Date | null }>(statement, []))[0]?.at ?? null;
}

const DAY_MS = 86_400_000;
/** The oldest rows are read from an index of each table. */
const OLDEST_EVERY_MS = 60_000;

interface Run {
  readonly database: Database;
  readonly retention: Retention;
  readonly now?: Date;
  readonly signal?: AbortSignal;
}

/** The rows that were removed from a table. */
export interface Removed {
  readonly table: string;
  /** How many days rows are kept; 0 if they are kept indefinitely. */
  readonly keptDays: number;
  /** How many rows were deleted or anonymized. */
  readonly rows: number;
}

/**
 * Removes expired rows, table by table. A table or a company that fails does not stop the others.
 *
 * @throws Error at the end, with the number of failures and the first reason
 */
export async function* removeExpired(rules: readonly RetentionRule[], run: Run): AsyncGenerator<Removed, void> {
  const { database, retention, now = new Date(), signal } = run;
  const failures: { readonly table: string; readonly error: unknown }[] = [];
  for (const { table, kept, remove } of rules) {
    const keptDays = daysOf(kept, retention);
    const before = new Date(now.getTime() - keptDays * DAY_MS);
    const failed = (error: unknown) => {
      if (!isOfStatement(error)) throw error;
      failures.push({ table, error });
    };
    let rows = 0;
    try {
      if (keptDays > 0) ({ rows } = await remove({ database, now, before, signal, failed }));
    } catch (error) {
      failed(error);
    }
    yield { table, keptDays, rows };
  }
  const [first] = failures;
  if (first === undefined) return;
  const { table, error } = first;
  const why = error instanceof Error ? error.message : String(error);
  const message = `${failures.length} of the tables and companies failed, the first in ${table}: ${why}`;
  throw new Error(message, { cause: error });
}

/** A run ends before its job counts as lost; the next one continues. */
const RUN_MS = 10 * 60_000;

/** Removes expired rows every hour. */
export function retentionSchedule(rules: readonly RetentionRule[]): Schedule {
  return {
    queue: 'retention.run',
    options: RENEWED,
    cron: '17 * * * *',
    work: async ({ database, retention, log, metrics }) => {
      const run = { database, retention, signal: AbortSignal.timeout(RUN_MS) };
      const removed: [table: string, rows: number][] = [];
      try {
        for await (const { table, rows } of removeExpired(rules, run)) {
          metrics.removedRows.inc({ table }, rows);
          if (rows > 0) removed.push([table, rows]);
        }
      } finally {
        if (removed.length > 0) log.info({ removed: Object.fromEntries(removed) }, 'data past its time removed');
      }
    },
  };
}

function daysOf(kept: RetentionRule['kept'], retention: Retention): number {
  return typeof kept === 'number' ? kept : kept.days(retention);
}

/** Measures how many rows were removed, and the age of the oldest remaining ones. */
export function measureRetention(
  rules: readonly RetentionRule[],
  retention: Retention,
  database: Database,
  metrics: Metrics,
): void {
  const leaving = rules.filter(({ kept }) => daysOf(kept, retention) > 0);
  const tables = new Map(leaving.map(({ table, oldest }) => [table, sampled(() => oldest(database), OLDEST_EVERY_MS)]));
  for (const table of tables.keys()) metrics.removedRows.inc({ table }, 0);
  metrics.gauges('shipping_retention_kept_seconds', 'For how long rows are kept', ['table'], async () =>
    leaving.map(({ table, kept }) => ({ labels: { table }, value: daysOf(kept, retention) * (DAY_MS / 1_000) })),
  );
  const help = 'Age of the oldest row that leaves in time, over all processes';
  metrics.gauges('shipping_retention_oldest_seconds', help, ['table'], async () => {
    const found = await Promise.all([...tables].map(async ([table, oldest]) => ({ table, at: await oldest() })));
    return found.flatMap(({ table, at }) =>
      at == null ? [] : [{ labels: { table }, value: (Date.now() - at.getTime()) / 1_000 }],
    );
  });
}
