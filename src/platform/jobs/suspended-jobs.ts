import type { Database } from '../database/database.ts';
import { batchOf, inBatches } from '../database/statements/batches.ts';
import { companyStatement } from '../database/statements/statements.ts';
import type { CompanyId } from '../database/tenancy/company-id.ts';
import { lockSuspension, type SuspendedCompanies } from '../database/tenancy/suspended-companies.ts';
import { Tenant } from '../database/tenancy/tenancy.ts';
import type { TenantTransaction } from '../database/tenancy/tenant-transaction.ts';
import type { Jobs } from './jobs.ts';
import { takeOut } from './pgboss-tables.ts';
import type { JobData, LeasedJob } from './queues.ts';

interface JobPutAside {
  readonly id: string;
  readonly queue: string;
  readonly data: JobData;
  readonly group: string | null;
  readonly key: string | null;
}

const PUT_ASIDE = companyStatement(
  'put-jobs-aside',
  `with put as (
      insert into suspended_job (company_id, id, queue, data, group_id, singleton_key)
        select $1, id, queue, data, "group", key
          from jsonb_to_recordset($2::jsonb) as job(id uuid, queue text, data jsonb, "group" text, key text)
        returning company_id
    )
    select from put where company_id = $1`,
);

const TAKE_BACK = companyStatement(
  'take-jobs-back',
  `delete from suspended_job where company_id = $1 and id = any(array(
      select id from suspended_job where company_id = $1 order by id limit $2
    ))
    returning id, queue, data, group_id as "group", singleton_key as key`,
);

const DELETE_ABOUT = companyStatement(
  'delete-suspended-jobs-about',
  `with gone as (
      delete from suspended_job where company_id = $1 and id = any(array(
        select id from suspended_job where company_id = $1 and data ->> 'about' = $2 limit $3
      )) returning company_id
    )
    select count(*)::integer as count from gone where company_id = $1`,
);

/** Deletes jobs of a suspended company that are about another one; returns how many. */
export async function deleteSuspendedAbout(tx: TenantTransaction, about: CompanyId, atMost: number): Promise<number> {
  const [row] = await tx.rows<{ count: number }>(DELETE_ABOUT, about, atMost);
  return row?.count ?? 0;
}

/**
 * Puts the jobs of suspended companies aside when a worker takes them. So existing jobs, new jobs and jobs that fall
 * due later are treated alike, and each is looked at once. A job is moved in a transaction that locks the suspension; a
 * resumption finds the job either here or in its queue.
 */
export class SuspendedJobs {
  readonly #database: Database;
  readonly #companies: SuspendedCompanies;

  constructor(database: Database, companies: SuspendedCompanies) {
    this.#database = database;
    this.#companies = companies;
  }

  /** Puts aside the jobs of suspended companies; returns the others. */
  async withoutSuspended<Data extends object>(
    queue: string,
    leased: readonly LeasedJob<Data>[],
  ): Promise<LeasedJob<Data>[]> {
    const suspended = await this.#companies.ids();
    const ofSuspended = Map.groupBy(leased, ({ data }) => {
      const { companyId } = data as Partial<JobData>;
      return companyId !== undefined && suspended.has(companyId) ? companyId : undefined;
    });
    const rest = ofSuspended.get(undefined) ?? [];
    for (const [companyId, some] of ofSuspended) {
      if (companyId !== undefined && !(await this.#putAside(companyId, queue, some))) rest.push(...some);
    }
    return rest;
  }

  /** Returns whether the jobs were put aside, which is false if the company was resumed meanwhile. */
  #putAside(companyId: CompanyId, queue: string, leased: readonly LeasedJob<object>[]): Promise<boolean> {
    return new Tenant(companyId, this.#database).transaction(async tx => {
      if (!(await lockSuspension(tx))) return false;
      const taken = await takeOut(tx.em, queue, leased);
      await tx.rows(PUT_ASIDE, JSON.stringify(taken.map(job => ({ ...job, queue }))));
      return true;
    });
  }
}

/** Returns the jobs that were put aside to their queues, in their order. */
export async function takeJobsBack(tenant: Tenant, jobs: Jobs): Promise<void> {
  await inBatches(tenant, async (tx, atMost) => {
    const rows = await tx.rows<JobPutAside>(TAKE_BACK, atMost);
    const ordered = rows.toSorted((a, b) => (a.id < b.id ? -1 : 1));
    for (const [queue, some] of Map.groupBy(ordered, row => row.queue)) {
      const again = some.map(({ data, group, key }) => ({ data, ...(group && { group }), ...(key && { key }) }));
      await jobs.insert(tx.em, { queue, options: {} }, again);
    }
    return batchOf(rows.length, atMost);
  });
}
