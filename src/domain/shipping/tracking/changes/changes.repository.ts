import type { Database } from '../../../../platform/database/database.ts';
import { listLoader } from '../../../../platform/database/gather/loader.ts';
import { ms } from '../../../../platform/database/statements/sql.ts';
import {
  companyStatement,
  serviceStatement,
  statementForEach,
} from '../../../../platform/database/statements/statements.ts';
import { atEnd } from '../../../../platform/database/statements/transaction.ts';
import type { CompanyId } from '../../../../platform/database/tenancy/company-id.ts';
import { signalAtEnd } from '../../../../platform/database/tenancy/company-signals.ts';
import type { Tenant } from '../../../../platform/database/tenancy/tenancy.ts';
import type { TenantTransaction } from '../../../../platform/database/tenancy/tenant-transaction.ts';
import { oldestBy } from '../../../../platform/retention-rule.ts';
import type { StatusCode } from '../status.rules.ts';
import type { ChangeKind, ChangeRow, NewChange } from './changes.rules.ts';

// The row of the count stays locked until the transaction ends: numbers are committed in their order, and a reader that
// sees one sees all before it. A company's first change creates it.
const APPEND = statementForEach(
  'append-changes',
  {
    kind: 'text',
    shipment_id: 'integer',
    event_id: 'bigint',
    status_code: 'text',
    previous_status_code: 'text',
    detail: 'jsonb',
  },
  input => `with given as (
      select each.company_id as company_id, each.n, kind, shipment_id, event_id, status_code, previous_status_code, detail
        from ${input}
    ), counted as (
      insert into tracking_change_count as c (company_id, last)
        select company_id, count(*) from given group by company_id order by company_id
        on conflict (company_id) do update set last = c.last + excluded.last returning company_id, last
    ), stored as (
      insert into tracking_change (company_id, number, kind, shipment_id, event_id, status_code, previous_status_code, detail)
        select c.company_id, c.last + 1 - row_number() over (partition by c.company_id order by each.n desc), kind, shipment_id,
            event_id, status_code, previous_status_code, detail
          from given each join counted c on c.company_id = each.company_id
    )
    select company_id as "companyId", last from counted`,
);

/**
 * Numbers and stores changes; returns the last number. No other transaction of the company with a change can commit
 * before this one, so it must follow everything that takes long or waits for a lock.
 */
export async function appendChanges(tx: TenantTransaction, changes: readonly NewChange[]): Promise<number> {
  const column = (field: 'eventId' | 'statusCode' | 'previousStatusCode') =>
    changes.map(change => (field in change ? (change as Record<typeof field, unknown>)[field] : null));
  signalAtEnd(tx);
  const [row] = await tx.rowsForEach<{ last: string }>(
    APPEND,
    changes.map(({ kind }) => kind),
    changes.map(({ shipmentId }) => shipmentId),
    column('eventId'),
    column('statusCode'),
    column('previousStatusCode'),
    changes.map(change => ('detail' in change ? JSON.stringify(change.detail) : null)),
  );
  return Number(row?.last);
}

/** Appends changes after all other work of the transaction, in the round trip of the commit. */
export function appendChangesAtEnd(tx: TenantTransaction, changes: readonly NewChange[]): void {
  if (changes.length > 0) atEnd(tx.em, () => appendChanges(tx, changes));
}

/** The stored part of a company's change log: the changes after `forgotten`, up to `last`. */
export interface ChangeLogState {
  readonly epoch: number;
  readonly forgotten: number;
  readonly last: number;
}

// Read from a replica, like lists of shipments: a consumer that reads the end of the log and then lists its shipments
// must not get an end that the list has not reached. Changes themselves are read with their shipments from the primary.
const STATE = companyStatement(
  'change-log-state',
  'select epoch::float8 as epoch, forgotten::float8 as forgotten, last::float8 as last from tracking_change_count where company_id = $1',
  { canLag: true },
);

const NO_LOG: ChangeLogState = { epoch: 0, forgotten: 0, last: 0 };

export async function changeLogState(tenant: Tenant): Promise<ChangeLogState> {
  const [state] = await tenant.rows<ChangeLogState>(STATE);
  return state ?? NO_LOG;
}

/** The wanted changes; an absent condition means any. */
export interface ChangeFilter {
  readonly kinds?: readonly ChangeKind[] | null | undefined;
  readonly statusCodes?: readonly StatusCode[] | null | undefined;
  readonly shipmentIds?: readonly number[] | null | undefined;
}

type AfterKey = [
  after: number | null,
  among: number,
  kinds: string | null,
  statusCodes: string | null,
  shipmentIds: string | null,
  limit: number,
];

type AfterRow = ChangeLogState & { readonly [Field in keyof ChangeRow]: ChangeRow[Field] | null };

// One snapshot with the state of the log, so that a number deleted meanwhile is missed by neither. A call looks through
// a limited number of changes, however few match. It is a loader, because the streams of a company wait at its end and
// ask together. Lists are text, which PostgreSQL parses once per key.
const AFTER = listLoader<AfterKey, AfterRow>({
  name: 'changes-after',
  key: {
    after: 'bigint',
    among: 'integer',
    kinds: 'text',
    status_codes: 'text',
    shipment_ids: 'text',
    most: 'integer',
  },
  text: `select c.epoch::float8 as epoch, c.forgotten::float8 as forgotten, c.last::float8 as last, found.*
    from (
      select each.kinds::text[] as kinds, each.status_codes::text[] as status_codes,
        each.shipment_ids::integer[] as shipment_ids offset 0
    ) wanted cross join tracking_change_count c left join lateral (
      select number::float8 as number, kind, shipment_id as "shipmentId", ${ms('at')} as at, event_id::float8 as "eventId",
          status_code as "statusCode", previous_status_code as "previousStatusCode", detail
        from tracking_change
        where company_id = each.company_id and number > coalesce(each.after, c.forgotten)
          and number <= coalesce(each.after, c.forgotten) + each.among
          and (wanted.kinds is null or kind = any(wanted.kinds))
          and (wanted.status_codes is null or status_code = any(wanted.status_codes))
          and (wanted.shipment_ids is null or shipment_id = any(wanted.shipment_ids))
        order by number limit each.most
    ) found on true
    where c.company_id = each.company_id`,
  order: 'number',
  isSplitByCompany: true,
});

const listText = (values: readonly (string | number)[] | null) => values && `{${values.join(',')}}`;

/**
 * Changes after the number `after`, or from the oldest stored one if it is null; oldest first, with the state of the
 * log.
 *
 * @param among how many changes are looked through
 */
export async function changesAfter(
  tenant: Tenant,
  after: number | null,
  among: number,
  { kinds = null, statusCodes = null, shipmentIds = null }: ChangeFilter,
  limit: number,
): Promise<ChangeLogState & { readonly changes: readonly ChangeRow[] }> {
  const lists = [listText(kinds), listText(statusCodes), listText(shipmentIds)] as const;
  const rows = await tenant.load(AFTER, after, among, ...lists, limit);
  const { epoch, forgotten, last } = rows[0] ?? NO_LOG;
  return {
    epoch,
    forgotten,
    last,
    changes: rows.filter((row): row is ChangeLogState & ChangeRow => row.number !== null),
  };
}

const BEGIN_EPOCH = companyStatement(
  'begin-change-epoch',
  `with begun as (
      insert into tracking_change_count as c (company_id, last, epoch) select id, 0, $2::bigint from company where id = $1
        on conflict (company_id) do update set epoch = excluded.epoch returning company_id
    )
    select from begun where company_id = $1`,
);

/** Invalidates every cursor, even for a company without changes, and wakes its streams. */
export async function beginEpoch(tx: TenantTransaction, epoch: number): Promise<void> {
  signalAtEnd(tx);
  await tx.rows(BEGIN_EPOCH, epoch);
}

// Changes are marked as forgotten before they are deleted, and deleted in their order: a run that was killed in between
// leaves at least the last forgotten one.
const COMPANIES = serviceStatement(
  'companies-with-changes',
  `select company_id as "companyId" from tracking_change_count c where last > forgotten
    or exists (select from tracking_change t where t.company_id = c.company_id and t.number = c.forgotten offset 0)`,
);

export async function companiesWithChanges(database: Database): Promise<CompanyId[]> {
  const rows = await database.rows<{ companyId: CompanyId }>(COMPANIES, []);
  return rows.map(({ companyId }) => companyId);
}

const PAST = companyStatement(
  'changes-past-their-time',
  `select max(number) filter (where at < $2::timestamptz)::float8 as "upTo"
    from (select number, at from tracking_change where company_id = $1 order by number limit $3) oldest`,
);
const FORGET = companyStatement(
  'forget-changes',
  'update tracking_change_count set forgotten = greatest(forgotten, $2::bigint) where company_id = $1',
);
const DELETE = companyStatement(
  'delete-changes',
  `with gone as (
      delete from tracking_change where company_id = $1 and number in (
        select number from tracking_change where company_id = $1 and number <= $2::bigint order by number limit $3
      ) returning company_id
    )
    select count(*)::integer as count from gone where company_id = $1`,
);

/**
 * Marks the oldest changes as forgotten, at most `among` of them, if they are older than the time; returns the last
 * number, or null. It precedes the deletion: a reader never meets an unexplained gap, and the count, which every writer
 * needs, is locked for a moment only.
 */
export async function forgetOldest(tenant: Tenant, before: Date, among: number): Promise<number | null> {
  const [past] = await tenant.rows<{ upTo: number | null }>(PAST, before, among);
  if (past?.upTo == null) return null;
  await tenant.rows(FORGET, past.upTo);
  return past.upTo;
}

/** Deletes up to `atMost` forgotten changes; returns how many. */
export async function deleteForgotten(tx: TenantTransaction, upTo: number, atMost: number): Promise<number> {
  const [gone] = await tx.rows<{ count: number }>(DELETE, upTo, atMost);
  return gone?.count ?? 0;
}

// The oldest change of a company follows its last forgotten one, or is that one if its deletion was interrupted.
const OLDEST = serviceStatement(
  'oldest-tracking-change',
  `select min(t.at) as at from tracking_change_count c
    join tracking_change t on t.company_id = c.company_id and t.number in (c.forgotten, c.forgotten + 1)`,
);

export const oldestChange = oldestBy(OLDEST);
