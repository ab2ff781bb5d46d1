import { rowLoader } from '../../../platform/database/gather/loader.ts';
import { type IdPage, MAX_COUNT } from '../../../platform/database/lists/page.ts';
import { companyStatement } from '../../../platform/database/statements/statements.ts';
import type { Tenant } from '../../../platform/database/tenancy/tenancy.ts';
import type { TenantTransaction } from '../../../platform/database/tenancy/tenant-transaction.ts';
import type { AuditAction, AuditContent } from './audit.rules.ts';

export interface AuditRow {
  readonly companyId: string;
  readonly id: number;
  readonly content: AuditContent;
  /** SHA-256, hexadecimal. */
  readonly hash: string;
}

// The row of the head serializes the transactions of a company, so each continues the chain of the one before.
const RECORD = companyStatement(
  'record-audit-entry',
  `with head as (
      insert into audit_head as h (company_id, last, hash) values ($1, 1, sha256(convert_to($2::text, 'UTF8')))
      on conflict (company_id) do update
        set last = h.last + 1, hash = sha256(h.hash || convert_to($2::text, 'UTF8'))
        where h.company_id = $1
      returning last, hash)
    insert into audit_entry (company_id, number, content, hash) select $1, head.last, $3::json, head.hash from head`,
);

export async function insertEntry(tx: TenantTransaction, content: AuditContent): Promise<void> {
  const text = JSON.stringify(content);
  await tx.rows(RECORD, text, text);
}

const ENTRIES = (
  companyId: string,
) => `select e.company_id as "companyId", e.number::float8 as id, e.content, encode(e.hash, 'hex') as hash
  from audit_entry e where e.company_id = ${companyId}`;
const pageStatement = (name: string, direction: 'asc' | 'desc') =>
  companyStatement(
    name,
    `${ENTRIES('$1')} and ($2::bigint is null or e.number > $2)
        and ($3::bigint is null or e.number < $3) and ($5::text[] is null or e.action = any($5))
      order by e.number ${direction} limit $4`,
  );
const OLDEST = pageStatement('audit-entries-oldest', 'asc');
const NEWEST = pageStatement('audit-entries-newest', 'desc');

/** Newest first, so the next page has smaller numbers. */
export function entriesPage(
  tenant: Tenant,
  actions: readonly AuditAction[] | null,
  { before, after, limit, inverted }: IdPage,
): Promise<AuditRow[]> {
  return tenant.rows<AuditRow>(inverted ? OLDEST : NEWEST, before, after, limit, actions);
}

const COUNT = companyStatement(
  'count-audit-entries',
  `select count(*)::integer as count from (select from audit_entry
    where company_id = $1 and ($2::text[] is null or action = any($2)) limit ${MAX_COUNT}) found`,
);

export async function countEntries(tenant: Tenant, actions: readonly AuditAction[] | null): Promise<number> {
  const [row] = await tenant.rows<{ count: number }>(COUNT, actions);
  return row?.count ?? 0;
}

const BY_NUMBER = rowLoader<[id: number], AuditRow>({
  name: 'audit-entry',
  key: { id: 'bigint' },
  text: `${ENTRIES('each.company_id')} and e.number = each.id`,
});

export function entryByNumber(tenant: Tenant, number: number): Promise<AuditRow | undefined> {
  return tenant.load(BY_NUMBER, number);
}

// The chain is intact if each hash follows from the one before, numbers have no gap, and the last hash is the head's.
const BROKEN = companyStatement(
  'broken-audit-entry',
  `select coalesce(min(number) filter (where number <> expected or is_last and (number, hash) is distinct from (head_last, head_hash)
        or hash <> sha256(previous || convert_to(content::text, 'UTF8'))), case when count(*) = 0 then 0 end)::float8 as number
    from (select e.number, e.hash, e.content, row_number() over w as expected, lag(e.hash, 1, '') over w as previous,
          lead(e.number) over w is null as is_last, h.last as head_last, h.hash as head_hash
        from audit_entry e left join audit_head h on h.company_id = e.company_id
        where e.company_id = $1 window w as (order by e.number)) chain
    having count(*) > 0 or exists (select from audit_head where company_id = $1)`,
);

/** The first entry that was changed, or next to which one is missing; 0 if all are gone, null if none is wrong. */
export async function brokenEntry(tenant: Tenant): Promise<number | null> {
  const [row] = await tenant.rows<{ number: number | null }>(BROKEN);
  return row?.number ?? null;
}
