import type { Database } from '../../../platform/database/database.ts';
import { ms } from '../../../platform/database/statements/sql.ts';
import {
  type CompanyStatement,
  companyStatement,
  serviceStatement,
} from '../../../platform/database/statements/statements.ts';
import { rowsWithin } from '../../../platform/database/statements/transaction.ts';
import type { CompanyId } from '../../../platform/database/tenancy/company-id.ts';
import type { CompanyTable } from '../../../platform/database/tenancy/company-tables.ts';
import { notifyOfSuspension } from '../../../platform/database/tenancy/suspended-companies.ts';
import type { Tenant } from '../../../platform/database/tenancy/tenancy.ts';
import type { TenantTransaction } from '../../../platform/database/tenancy/tenant-transaction.ts';

/** The proof that a company was erased, or is being erased. */
export interface Erasure {
  readonly companyId: CompanyId;
  readonly beganAt: Date;
  /** Null while it is running or interrupted. */
  readonly finishedAt: Date | null;
  /** The operator who ran the command. */
  readonly erasedBy: string;
  /** The number of entries of the audit trail when the erasure began, including its own entry. */
  readonly auditEntries: number;
  /** The hash of the last entry, which depends on all others. */
  readonly auditHash: string;
  /** The number of erased rows by table. */
  readonly counts: Readonly<Record<string, number>>;
}

const COLUMNS = `id as "companyId", began_at as "beganAt", finished_at as "finishedAt", erased_by as "erasedBy",
  audit_entries::float8 as "auditEntries", encode(audit_hash, 'hex') as "auditHash", counts`;

const ALL = serviceStatement('erasures', `select ${COLUMNS} from erased_company order by began_at, id`);

/** All proofs, oldest first. */
export function erasures(database: Database): Promise<Erasure[]> {
  return database.rows<Erasure>(ALL, []);
}

const GONE = serviceStatement(
  'erased-companies',
  `select distinct id as "companyId" from erased_company e
    where finished_at is not null and not exists (select from company c where c.id = e.id) order by id`,
);

/** Erased companies, except one that was created again with its id, such as the demo company. */
export async function erasedCompanies(database: Database): Promise<CompanyId[]> {
  const rows = await database.rows<{ companyId: CompanyId }>(GONE, []);
  return rows.map(({ companyId }) => companyId);
}

const AUDIT_HEAD = companyStatement(
  'audit-head-of-company',
  'select last::float8 as entries, hash from audit_head where company_id = $1',
);
const BEGIN = serviceStatement(
  'begin-erasure',
  'insert into erased_company (id, erased_by, audit_entries, audit_hash) values ($1, $2, $3, $4)',
);

/** Writes the proof when an erasure begins, with the time of PostgreSQL. */
export async function beginErasure(tx: TenantTransaction, erasedBy: string): Promise<void> {
  const [head] = await tx.rows<{ entries: number; hash: Buffer }>(AUDIT_HEAD);
  await rowsWithin(tx.em, BEGIN, [tx.companyId, erasedBy, head?.entries ?? 0, head?.hash ?? Buffer.alloc(0)]);
}

/** Deletes some rows of a part of a table, in the order of its key. */
interface Deletion {
  readonly first: CompanyStatement;
  readonly next: CompanyStatement;
}

export interface Deleted {
  readonly count: number;
  /** The key of the last deleted row; null if there was none. */
  readonly last: readonly string[] | null;
}

// Rows are deleted by ctid, which leaves the planner no choice. Deleted rows stay in the index until a vacuum, so each
// batch begins after the one before.
export function deletionOf({ key }: CompanyTable, part: string): Deletion {
  const columns = key.map(({ name }) => `t.${name}`);
  const order = ['t.company_id', ...columns].join(', ');
  const last = columns.map(column => `${column}::text`).join(', ');
  const statement = (name: string, goesOn: string) =>
    companyStatement(
      `${name} ${part}`,
      `with batch as (
          select t.ctid as at, array[${last}]::text[] as key, row_number() over (order by ${order}) as n
            from ${part} t where t.company_id = $1 and ${goesOn} order by ${order} limit $2
        ), gone as (
          delete from ${part} where company_id = $1 and ctid = any(array(select at from batch)) returning 1
        )
        select (select count(*)::integer from gone) as count, (select key from batch order by n desc limit 1) as last`,
    );
  const after = key.map(({ type }, i) => `($3::text[])[${i + 1}]::${type}`);
  const behind = key.length === 0 ? '$3::text[] is null' : `(${columns.join(', ')}) > (${after.join(', ')})`;
  return { first: statement('erase', 'true'), next: statement('erase-behind', behind) };
}

const COUNT = serviceStatement(
  'count-erased',
  `update erased_company set counts = counts || jsonb_build_object($2::text, coalesce((counts ->> $2::text)::bigint, 0) + $3::bigint)
    where id = $1 and finished_at is null`,
);

/** Adds to the number of erased rows of a table. */
export async function countErased(
  { em }: TenantTransaction,
  companyId: CompanyId,
  table: string,
  rows: number,
): Promise<void> {
  if (rows > 0) await rowsWithin(em, COUNT, [companyId, table, rows]);
}

const NOTIFIED_OF_ALL = serviceStatement(
  'companies-notified-of-all',
  'select distinct company_id as "companyId" from webhook_endpoint where all_companies order by 1',
);

/** Companies that receive, or received, notices of all companies: the operator's. */
export async function companiesNotifiedOfAll(database: Database): Promise<CompanyId[]> {
  const rows = await database.rows<{ companyId: CompanyId }>(NOTIFIED_OF_ALL, []);
  return rows.map(({ companyId }) => companyId);
}

// A body is text, because its bytes are signed, and begins with its subject. Deliveries cascade from their event.
const DELETE_NOTICES = companyStatement(
  'delete-notices-about-company',
  `with gone as (
      delete from webhook_event where company_id = $1 and id = any(array(
        select e.id from webhook_event e
          where e.company_id = $1 and e.type like 'notice.%' and strpos(e.body, '"company":{"id":"' || $2::text || '"') > 0
          limit $3
      )) returning company_id
    )
    select count(*)::integer as count from gone where company_id = $1`,
);

/** Deletes notices about a company that were sent to another one; returns how many. */
export async function deleteNoticesAbout(tx: TenantTransaction, companyId: CompanyId, atMost: number): Promise<number> {
  const [row] = await tx.rows<{ count: number }>(DELETE_NOTICES, companyId, atMost);
  return row?.count ?? 0;
}

const anyRow = (part: string) =>
  companyStatement(`any-row ${part}`, `select exists (select from ${part} where company_id = $1) as "isThere"`);

export async function tablesWithRows(tenant: Tenant, tables: readonly CompanyTable[]): Promise<CompanyTable[]> {
  const found: CompanyTable[] = [];
  for (const table of tables) {
    const [row] = await tenant.rows<{ isThere: boolean }>(anyRow(table.name));
    if (row?.isThere) found.push(table);
  }
  return found;
}

const DELETE_COMPANY = serviceStatement('delete-company', 'delete from company where id = $1');
const FINISH = serviceStatement(
  'finish-erasure',
  `update erased_company set finished_at = now(), counts = counts || '{"company": 1}' where id = $1 and finished_at is null`,
);

/** Deletes the company itself, and finishes the proof. */
export async function finishErasure({ em, companyId }: TenantTransaction): Promise<void> {
  await rowsWithin(em, DELETE_COMPANY, [companyId]);
  await rowsWithin(em, FINISH, [companyId]);
}

/** A company, locked against suspension, resumption and erasure until the transaction ends. */
export interface LockedCompany {
  readonly name: string;
  /** Milliseconds since 1970; null if it is not suspended. */
  readonly suspendedAtMs: number | null;
}

const LOCK = serviceStatement(
  'hold-company',
  `select name, ${ms('suspended_at')} as "suspendedAtMs" from company where id = $1 for no key update`,
);

export async function lockCompany({ em, companyId }: TenantTransaction): Promise<LockedCompany | undefined> {
  const [company] = await rowsWithin<LockedCompany>(em, LOCK, [companyId]);
  return company;
}

const SET_SUSPENDED = serviceStatement(
  'set-company-suspended',
  'update company set suspended_at = $2 where id = $1 or sandbox_of = $1',
);

/** Suspends a company and its sandbox at a time, or resumes both, and notifies the processes. */
export async function setSuspended(tx: TenantTransaction, suspendedAt: Date | null): Promise<void> {
  await rowsWithin(tx.em, SET_SUSPENDED, [tx.companyId, suspendedAt]);
  await notifyOfSuspension(tx);
}
