import { type Batches, inBatches } from '../../../platform/database/statements/batches.ts';
import {
  type CompanyStatement,
  companyStatement,
  serviceStatement,
} from '../../../platform/database/statements/statements.ts';
import type { CompanyId } from '../../../platform/database/tenancy/company-id.ts';
import type { Tenant } from '../../../platform/database/tenancy/tenancy.ts';
import { companyByCompany, oldestBy, type Removal, type RetentionRule } from '../../../platform/retention-rule.ts';
import { TERMINAL_STATUSES } from '../tracking/events.rules.ts';

/**
 * Scans shipments, or orders, in the order of their last change, up to a time. The position is stored in the
 * transaction of each batch: another run continues there, and a row is read again only if it has changed since. `$1` is
 * the company, `$2` the name of the scan, `$3` the time, `$4` the number of rows, `$5` the final statuses of shipments,
 * or null if any status will do.
 */

/** The work on the rows of a scan. */
interface Declared {
  readonly table: 'shipment' | 'customer_order';
  /** The rows to be changed, as a condition on `r`. */
  readonly condition: string;
  /** CTEs that change data of the rows of `due`, which are locked. */
  readonly changes: string;
  /** The number of changed rows. */
  readonly count: string;
}

/** Whether a shipment was not changed since the time, and has ended. */
export const isPast = (shipment: string) =>
  `${shipment}.updated_at < $3::timestamptz and ($5::text[] is null or ${shipment}.status_code = any($5))`;

/**
 * Declares a scan. It waits for rows that another transaction is changing, and sees the changes. Rows are selected by
 * arrays, because PostgreSQL would read a whole table rather than join a few thousand rows to it.
 */
export function scanStatement(name: string, { table, condition, changes, count }: Declared): CompanyStatement {
  return companyStatement(
    name,
    `with place as (select at, id from old_shipment_walk where company_id = $1 and walk = $2::text),
    looked as materialized (
      select id, updated_at from ${table} where company_id = $1 and updated_at < $3::timestamptz
        and (updated_at, id) > (coalesce((select at from place), '-infinity'), coalesce((select id from place), 0))
      order by updated_at, id limit $4
    ),
    due as materialized (
      select r.* from ${table} r where r.company_id = $1 and r.id = any(array(select id from looked)) and ${condition}
        order by r.id for no key update of r
    ),
    ${changes},
    reached as (
      select count(*)::integer as looked, case when count(*) < $4 then $3::timestamptz else max(updated_at) end as at,
          case when count(*) < $4 then 0 else (array_agg(id order by updated_at desc, id desc))[1] end as id
        from looked
    ),
    moved as (
      insert into old_shipment_walk (company_id, walk, at, id)
        select c.id, $2::text, reached.at, reached.id from company c cross join reached where c.id = $1
        on conflict (company_id, walk) do update set at = excluded.at, id = excluded.id
        returning company_id
    )
    select (select looked from reached) as looked, (${count})::integer as count from moved where company_id = $1`,
  );
}

const COMPANIES = serviceStatement('companies-with-old-shipments', 'select id from company order by id');

/** A scan over all companies. */
interface Scan {
  readonly name: string;
  readonly statement: CompanyStatement;
  readonly before: Date;
  /** Whether only shipments that have ended are scanned. */
  readonly isOfEnded: boolean;
}

export async function scanAll(work: Removal, scans: readonly Scan[]): Promise<Batches> {
  const companies = await work.database.rows<{ id: CompanyId }>(COMPANIES, []);
  return companyByCompany(
    work,
    companies.map(({ id }) => id),
    async tenant => {
      let rows = 0;
      for (const scan of scans) rows += (await scanCompany(tenant, scan, work)).rows;
      return { rows, isComplete: !work.signal?.aborted };
    },
  );
}

function scanCompany(tenant: Tenant, { name, statement, before, isOfEnded }: Scan, { signal }: Removal) {
  const values = [name, before] as const;
  const statuses = isOfEnded ? TERMINAL_STATUSES : null;
  return inBatches(
    tenant,
    async (tx, atMost) => {
      const [row] = await tx.rows<{ looked: number; count: number }>(statement, ...values, atMost, statuses);
      return { rows: row?.count ?? 0, isLast: (row?.looked ?? 0) < atMost };
    },
    { signal },
  );
}

/** The time up to which a scan has reached in every company. */
export function reachedBy(scan: string): RetentionRule['oldest'] {
  const text = `select min(at) as at from old_shipment_walk where walk = '${scan}'`;
  return oldestBy(serviceStatement(`oldest-${scan}`, text));
}

// The remaining events must fold to the status that the shipment has: the final ones stand for the whole shipment,
// whatever came before, and the first delivery keeps its date.
const IS_FINAL = '(e.status_code, e.occurred_at) in ((d.status_code, d.status_at), (d.status_code, d.delivered_at))';

/** Deletes the events of shipments that have ended, except the final ones. */
export const TIMELINES = scanStatement('shorten-timelines', {
  table: 'shipment',
  condition: isPast('r'),
  changes: `
    past as (
      select e.id from due d cross join lateral (
        select id from tracking_event e where company_id = $1 and shipment_id = d.id
          and (${IS_FINAL}) is not true offset 0
      ) e
    ),
    stand as (
      update tracking_event e set label = null, is_carrier_delivery = null from due d
        where e.company_id = $1 and e.shipment_id = d.id and ${IS_FINAL} and (label is not null or is_carrier_delivery)
    ),
    events as (
      delete from tracking_event where company_id = $1 and id = any(array(select id from past)) returning shipment_id
    ),
    uncounted as (
      update shipment set event_count = null, folded_events = null where company_id = $1 and id = any(array(select shipment_id from events))
    )`,
  count: 'select count(*) from events',
});
