import { type Batches, inBatches } from '../../platform/database/statements/batches.ts';
import {
  type CompanyStatement,
  companyStatement,
  serviceStatement,
} from '../../platform/database/statements/statements.ts';
import type { CompanyId } from '../../platform/database/tenancy/company-id.ts';
import type { Tenant } from '../../platform/database/tenancy/tenancy.ts';
import { companyByCompany, oldestBy, type Removal, type RetentionRule } from '../../platform/retention-rule.ts';
import { TERMINAL_STATUSES } from '../tracking/events.rules.ts';

/**
 * Walks along shipments, or orders, in the order of their last change, up to a time. How far a walk has come is kept in the
 * transaction of each batch: another run goes on from there, and what was looked at is read again only if it has changed
 * since. `$1` is the company, `$2` the name of the walk, `$3` the time, `$4` how many rows are looked at, `$5` the statuses in
 * which shipments have ended, or null where it does not matter whether they have.
 */

/** What becomes of the rows that a walk comes to. */
interface Declared {
  readonly table: 'shipment' | 'customer_order';
  /** Which rows it is about, as a condition on `r`. */
  readonly condition: string;
  /** CTEs that change what belongs to the rows of `due`, which are held. */
  readonly changes: string;
  /** How many rows were changed. */
  readonly count: string;
}

/** Whether a shipment was not changed since the time, and is over. */
export const isPast = (shipment: string) =>
  `${shipment}.updated_at < $3::timestamptz and ($5::text[] is null or ${shipment}.status_code = any($5))`;

/**
 * Declares a walk. Rows that another transaction is changing are waited for, and looked at as they are then. Rows are named by
 * arrays: PostgreSQL would read the whole of a table rather than join a few thousand rows to it.
 */
export function walkStatement(name: string, { table, condition, changes, count }: Declared): CompanyStatement {
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

/** A walk of every company. */
export interface Walk {
  readonly name: string;
  readonly statement: CompanyStatement;
  readonly before: Date;
  /** Whether shipments have to have ended. */
  readonly isOfEnded: boolean;
}

export async function walkAll(work: Removal, walks: readonly Walk[]): Promise<Batches> {
  const companies = await work.database.rows<{ id: CompanyId }>(COMPANIES, []);
  return companyByCompany(
    work,
    companies.map(({ id }) => id),
    async tenant => {
      let rows = 0;
      for (const walk of walks) rows += (await walkAlong(tenant, walk, work)).rows;
      return { rows, isComplete: !work.signal?.aborted };
    },
  );
}

function walkAlong(tenant: Tenant, { name, statement, before, isOfEnded }: Walk, { signal }: Removal) {
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

/** Up to when every company was looked through by a walk. */
export function reachedBy(walk: string): RetentionRule['oldest'] {
  const text = `select min(at) as at from old_shipment_walk where walk = '${walk}'`;
  return oldestBy(serviceStatement(`oldest-${walk}`, text));
}
