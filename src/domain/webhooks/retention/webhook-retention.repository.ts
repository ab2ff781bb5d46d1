import type { Database } from '../../../platform/database/database.ts';

/** One statement for each table, and the rows it deletes at a time; fewer events, since their deliveries go with them. */
const RETENTION = [
  {
    batch: 5_000,
    text: `delete from webhook_attempt where (company_id, delivery_id, number) in (
      select company_id, delivery_id, number from webhook_attempt where started_at < now() - make_interval(days => $1)
        order by started_at limit $2)`,
  },
  {
    batch: 500,
    // An event with a delivery that has not ended stays.
    text: `delete from webhook_event where (company_id, id) in (
      select e.company_id, e.id from webhook_event e where e.created_at < now() - make_interval(days => $1)
        and not exists (select 1 from webhook_delivery d where d.company_id = e.company_id and d.event_id = e.id
          and d.status in ('pending', 'retrying'))
        order by e.created_at limit $2)`,
  },
];

/** Deletes attempts and events that are older than `days` in batches, each in a transaction of its own; returns the number of rows. */
export async function deleteOlderThan(database: Database, days: number): Promise<number> {
  let deleted = 0;
  for (const [i, { batch, text }] of RETENTION.entries()) {
    const statement = {
      name: `webhook-retention-${i}`,
      text: `with gone as (${text} returning 1) select count(*)::integer as count from gone`,
    };
    for (let last = batch; last === batch; deleted += last) {
      const [row] = await database.rows<{ count: number }>(statement, [days, batch]);
      last = row?.count ?? 0;
    }
  }
  return deleted;
}
