import type { Database } from '../../../platform/database/database.ts';
import { type Statement, serviceStatement } from '../../../platform/database/statements.ts';

/** One statement for each table, and the rows it deletes at a time; fewer events, since their deliveries go with them. */
const RETENTION = [
  {
    batch: 5_000,
    statement: deletion(
      'webhook-retention-attempts',
      `delete from webhook_attempt where (company_id, delivery_id, number) in (
        select company_id, delivery_id, number from webhook_attempt where started_at < now() - make_interval(days => $1)
          order by started_at limit $2)`,
    ),
  },
  {
    batch: 500,
    // An event with a delivery that has not ended stays.
    statement: deletion(
      'webhook-retention-events',
      `delete from webhook_event where (company_id, id) in (
        select e.company_id, e.id from webhook_event e where e.created_at < now() - make_interval(days => $1)
          and not exists (select 1 from webhook_delivery d where d.company_id = e.company_id and d.event_id = e.id
            and d.status in ('pending', 'retrying'))
          order by e.created_at limit $2)`,
    ),
  },
];

function deletion(name: string, text: string): Statement {
  return serviceStatement(name, `with gone as (${text} returning 1) select count(*)::integer as count from gone`);
}

/** Deletes attempts and events that are older than `days` in batches, each in a transaction of its own; returns the number of rows. */
export async function deleteOlderThan(database: Database, days: number): Promise<number> {
  let deleted = 0;
  for (const { batch, statement } of RETENTION) {
    for (let last = batch; last === batch; deleted += last) {
      const [row] = await database.rows<{ count: number }>(statement, [days, batch]);
      last = row?.count ?? 0;
    }
  }
  return deleted;
}
