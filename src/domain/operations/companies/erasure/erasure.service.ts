import type { Database } from '../../../../platform/database/database.ts';
import { vacuum } from '../../../../platform/database/server/vacuum.ts';
import { batchOf, inBatches } from '../../../../platform/database/statements/batches.ts';
import { type CompanyTable, companyTables } from '../../../../platform/database/tenancy/company-tables.ts';
import { Tenant } from '../../../../platform/database/tenancy/tenancy.ts';
import type { TenantTransaction } from '../../../../platform/database/tenancy/tenant-transaction.ts';
import { type Fault, invalid } from '../../../../platform/fault.ts';
import { deleteOfCompany, JOBS_TABLE, queueNames } from '../../../../platform/jobs/pgboss-tables.ts';
import { deleteSuspendedAbout } from '../../../../platform/jobs/suspended-jobs.ts';
import { isBeingErased, notifyOfAllKeys } from '../../../account/access/access.service.ts';
import { sandboxOf } from '../../../account/access/sandbox.service.ts';
import { record } from '../../../account/audit/audit.service.ts';
import { QUOTES_CHANGED } from '../../../shipping/carriers/accounts.service.ts';
import { PROMISES_CHANGED } from '../../../shipping/promise/promise-book.service.ts';
import {
  beginErasure,
  companiesNotifiedOfAll,
  countErased,
  type Deleted,
  deleteNoticesAbout,
  deletionOf,
  type Erasure,
  erasedCompanies,
  erasures,
  finishErasure,
  lockCompany,
  tablesWithRows,
} from '../companies.repository.ts';

export { erasures } from '../companies.repository.ts';

/** The tables in which a company has rows about another one, with their deletions. */
const ABOUT_OTHERS = [
  ['suspended_job', deleteSuspendedAbout],
  ['webhook_event', deleteNoticesAbout],
] as const;
/** Smaller than any id of a job. */
const FIRST_ID = '00000000-0000-0000-0000-000000000000';
/** After fewer deletions, autovacuum alone is enough. */
const MANY_ROWS = 1_000;
/** How often rows that were written meanwhile are erased too. */
const MAX_ROUNDS = 5;

interface Options {
  /** The operator, for the proof. */
  readonly by: string;
  /** Called with the number of erased rows and their table. */
  readonly onRows?: (rows: number, table: string) => void;
}

/**
 * Erases a suspended company and its sandbox in small transactions, and leaves a proof of each. An interrupted erasure
 * can be continued.
 *
 * @returns the proofs, starting with the sandbox
 * @throws Fault `validation_failed` if the company is not suspended, or its rows keep being written
 */
export async function eraseCompany(database: Database, tenant: Tenant, { by, onRows }: Options): Promise<Erasure[]> {
  let done = 0;
  const count = (rows: number, table: string) => {
    done += rows;
    onRows?.(done, table);
  };
  await tenant.transaction(tx => begin(tx, by));
  const sandbox = await sandboxOf(tenant);
  if (!sandbox) return [await eraseAll(database, tenant, count)];
  await sandbox.transaction(tx => begin(tx, by));
  return [await eraseAll(database, sandbox, count), await eraseAll(database, tenant, count)];
}

async function eraseAll(database: Database, tenant: Tenant, count: Count): Promise<Erasure> {
  await eraseJobs(database, tenant, count);
  await eraseTables(database, tenant, count);
  await eraseJobs(database, tenant, count);
  await eraseNotices(database, tenant, count);
  // Running jobs have written rows until their own rows were deleted.
  await eraseTables(database, tenant, count);
  await tenant.transaction(async tx => {
    await tx.notify(QUOTES_CHANGED, tx.companyId);
    await tx.notify(PROMISES_CHANGED, tx.companyId);
    await finishErasure(tx);
  });
  return (await erasures(database)).findLast(({ companyId }) => companyId === tenant.companyId) as Erasure;
}

async function begin(tx: TenantTransaction, by: string): Promise<void> {
  const company = await lockCompany(tx);
  if (company?.suspendedAtMs == null) {
    const message = 'names a company that is not suspended: run `company suspend` first';
    throw invalid([{ path: ['company'], code: 'not_allowed', message }]);
  }
  if (await isBeingErased(tx)) return;
  await record(tx, {
    action: 'company_erasure_begun',
    subject: { type: 'Company', key: tx.companyId },
    detail: { by },
  });
  await beginErasure(tx, by);
  await notifyOfAllKeys(tx);
}

type Count = (rows: number, table: string) => void;

/**
 * Erases all rows, including rows that running requests and jobs still write. @throws Fault `validation_failed` if more
 * keep coming
 */
async function eraseTables(database: Database, tenant: Tenant, count: Count): Promise<void> {
  const tables = await companyTables(database);
  let left = await tablesWithRows(tenant, tables);
  for (let round = 0; left.length > 0; round++) {
    if (round === MAX_ROUNDS) throw stillWritten(left);
    for (const table of left) await eraseTable(database, tenant, table, count);
    left = await tablesWithRows(tenant, tables);
  }
}

// Not every table has a foreign key that would keep the company: the proof must not claim a complete erasure.
function stillWritten(left: readonly CompanyTable[]): Fault {
  const names = left.map(({ name }) => name).join(', ');
  const message = `names a company whose data are still being written: there are new rows in ${names}. Stop their writer, and run \`company erase\` again`;
  return invalid([{ path: ['company'], code: 'not_allowed', message }]);
}

async function eraseTable(database: Database, tenant: Tenant, table: CompanyTable, count: Count): Promise<void> {
  for (const part of table.parts) {
    const { first, next } = deletionOf(table, part);
    let last: Deleted['last'] = null;
    const { rows } = await inBatches(tenant, async (tx, atMost) => {
      const [deleted] = await (last ? tx.rows<Deleted>(next, atMost, last) : tx.rows<Deleted>(first, atMost));
      const gone = deleted?.count ?? 0;
      await countErased(tx, tx.companyId, table.name, gone);
      last = deleted?.last ?? last;
      return batchOf(gone, atMost);
    });
    count(rows, table.name);
    if (rows >= MANY_ROWS) await vacuum(database, part);
  }
}

/** Deletes pg-boss' jobs of the company and about it, in any state. */
async function eraseJobs(database: Database, tenant: Tenant, count: Count): Promise<void> {
  for (const queue of await queueNames(database)) {
    let after = FIRST_ID;
    let deleted = 0;
    await inBatches(tenant, async (tx, atMost) => {
      const found = await deleteOfCompany(tx.em, { queue, after, companyId: tx.companyId }, atMost);
      await countErased(tx, tx.companyId, JOBS_TABLE, found.deleted);
      deleted += found.deleted;
      after = found.last ?? after;
      return batchOf(found.looked, atMost);
    });
    count(deleted, JOBS_TABLE);
  }
}

/**
 * Deletes notices about the company from the operator's own company: first those whose jobs were put aside because the
 * operator's company is suspended, then those that were sent.
 */
async function eraseNotices(database: Database, { companyId }: Tenant, count: Count): Promise<void> {
  for (const operator of await companiesNotifiedOfAll(database)) {
    for (const [table, deleteAbout] of ABOUT_OTHERS) {
      const { rows } = await inBatches(new Tenant(operator, database), async (tx, atMost) => {
        const deleted = await deleteAbout(tx, companyId, atMost);
        await countErased(tx, companyId, table, deleted);
        return batchOf(deleted, atMost);
      });
      count(rows, table);
    }
  }
}

/** An erased company, and the tables that still have its rows. */
interface Returned {
  readonly companyId: string;
  readonly tables: readonly string[];
}

/** Erased companies with rows that were written afterwards. */
export async function returnedCompanies(database: Database): Promise<Returned[]> {
  const tables = await companyTables(database);
  const returned: Returned[] = [];
  for (const companyId of await erasedCompanies(database)) {
    const found = await tablesWithRows(new Tenant(companyId, database), tables);
    if (found.length > 0) returned.push({ companyId, tables: found.map(({ name }) => name) });
  }
  return returned;
}
