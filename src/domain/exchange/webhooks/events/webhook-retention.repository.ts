import { type Batches, inBatchesOfAll } from '../../../../platform/database/statements/batches.ts';
import { serviceStatement } from '../../../../platform/database/statements/statements.ts';
import type { Removal } from '../../../../platform/retention-rule.ts';

// An event with an unfinished delivery stays, perhaps for long, so each batch continues after the rows of the last one.
const EVENTS = serviceStatement(
  'webhook-retention-events',
  `with looked as materialized (
      select company_id, id, created_at from webhook_event
        where created_at >= $2::timestamptz and (created_at, company_id, id) > ($2::timestamptz, $3::uuid, $4::uuid)
          and created_at < $1::timestamptz
        order by created_at, company_id, id limit $5
    ), gone as (
      delete from webhook_event where (company_id, id) in (
        select l.company_id, l.id from looked l where not exists (select 1 from webhook_delivery d
          where d.company_id = l.company_id and d.event_id = l.id and d.status in ('pending', 'retrying'))
      ) returning 1
    )
    select company_id as "companyId", id, created_at as "createdAt", (select count(*)::integer from looked) as looked,
        (select count(*)::integer from gone) as count
      from looked order by created_at desc, company_id desc, id desc limit 1`,
);

/** Deliveries and attempts cascade from each; for many more events PostgreSQL would scan all deliveries. */
const MOST_EVENTS = 500;
const LONG_AGO = '-infinity';
const NO_UUID = '00000000-0000-0000-0000-000000000000';

interface Looked {
  readonly companyId: string;
  readonly id: string;
  readonly createdAt: string;
  readonly looked: number;
  readonly count: number;
}

/** Deletes older events of all companies, with their deliveries. */
export function deleteEvents({ database, before, signal }: Removal): Promise<Batches> {
  let from: readonly unknown[] = [LONG_AGO, NO_UUID, NO_UUID];
  return inBatchesOfAll(
    database,
    async (run, atMost) => {
      const [row] = await run<Looked>(EVENTS, [before, ...from, atMost]);
      if (row) from = [row.createdAt, row.companyId, row.id];
      return { rows: row?.count ?? 0, isLast: (row?.looked ?? 0) < atMost };
    },
    { signal, mostRows: MOST_EVENTS },
  );
}
