import { setTimeout } from 'node:timers/promises';
import type pg from 'pg';

export const SECOND = 1_000;
export const MINUTE = 60 * SECOND;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;

/** The second in which every process must see a change, and what a busy machine takes to ask and to answer. */
export const SEEN_WITHIN_MS = 3_000;

/** How long a test waits for a condition: on a busy machine the second that Vitest gives is not enough. */
export const PATIENTLY = { timeout: 10_000, interval: 10 };

const LOCK_NOT_AVAILABLE = '55P03';

/**
 * Moves stored times back by `ms`, as if as much time had passed, for all companies or for one, and lets the workers
 * look for due work. The clock itself cannot be moved: PostgreSQL has one, and so has Node.
 */
export async function passTime(database: pg.Pool | pg.Client, ms: number, companyId?: string): Promise<void> {
  const { rows } = await database.query<{ table: string; columns: string[] }>(
    // Not partitions, whose rows are their table's.
    `select c.relname as table, array_agg(a.attname::text) as columns from pg_attribute a join pg_class c on c.oid = a.attrelid
      where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
        and (c.relname like 'webhook\\_%' or c.relname = 'tracking_poll') and a.atttypid = 'timestamptz'::regtype group by 1`,
  );
  const back = (table: string, columns: readonly string[], ...conditions: string[]) => {
    const changes = columns.map(column => `${column} = ${column} - interval '${Math.round(ms)} milliseconds'`);
    return `update ${table} set ${changes.join(', ')} where ${['true', ...conditions].join(' and ')}`;
  };
  const own = (column: string) => (companyId === undefined ? [] : [`${column} = '${companyId}'`]);
  const statements = [
    // Gives way where it meets a transaction of the service, long before PostgreSQL looks for a deadlock.
    `set local lock_timeout = '50ms'`,
    ...rows.map(({ table, columns }) => back(table, columns, ...own('company_id'))),
    back(
      'shipment',
      ['expected_delivery_date', 'carrier_expected_at', 'delay_told_at', 'stall_told_at'],
      ...own('company_id'),
    ),
    // Waiting deliveries; the order in which they were made stays.
    back('pgboss.job', ['start_after', 'keep_until'], `state in ('created', 'retry')`, ...own(`data ->> 'companyId'`)),
    `select pg_notify('webhook_deliveries', '')`,
  ];
  for (;;) {
    try {
      // Sent as one text they are one transaction.
      await database.query(statements.join(';'));
      return;
    } catch (error) {
      if ((error as { code?: string }).code !== LOCK_NOT_AVAILABLE) throw error;
      await setTimeout(10);
    }
  }
}
