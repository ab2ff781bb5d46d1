import type { Database } from '../../../../platform/database/database.ts';
import { listLoader, rowLoader } from '../../../../platform/database/gather/loader.ts';
import type { ListPage } from '../../../../platform/database/lists/page.ts';
import { companyStatement, serviceStatement } from '../../../../platform/database/statements/statements.ts';
import type { CompanyId } from '../../../../platform/database/tenancy/company-id.ts';
import { isNotSuspended } from '../../../../platform/database/tenancy/suspended-companies.ts';
import type { Reader, Tenant } from '../../../../platform/database/tenancy/tenancy.ts';
import type { TenantTransaction } from '../../../../platform/database/tenancy/tenant-transaction.ts';
import type { Tariff } from '../format/tariff.format.rules.ts';
import { by, type RevisionRow, revisionColumns } from './revisions.repository.ts';

// Drafts are revisions without a number.

const DRAFTS = listLoader<[carrierConnectionId: number, after: number | null, limit: number], RevisionRow>({
  name: 'tariff-drafts',
  key: { id: 'integer', after: 'integer', size: 'integer' },
  text: `select ${revisionColumns('each.company_id')} from carrier_tariff_revision v
    where v.company_id = each.company_id and v.carrier_connection_id = each.id and v.number is null
      and (each.after is null or v.id > each.after)
    order by v.id limit each.size`,
  order: 'r.id',
});
const COUNT_DRAFTS = rowLoader<[carrierConnectionId: number], { readonly count: number }, number>(
  {
    name: 'count-tariff-drafts',
    key: { id: 'integer' },
    text: `select count(*)::integer as count from carrier_tariff_revision v
      where v.company_id = each.company_id and v.carrier_connection_id = each.id and v.number is null`,
  },
  row => row?.count ?? 0,
);

/** Drafts of a connection, the oldest first. */
export function listDrafts(
  tenant: Tenant,
  carrierConnectionId: number,
  { after, limit }: ListPage<number>,
): Promise<readonly RevisionRow[]> {
  return tenant.load(DRAFTS, carrierConnectionId, after, limit);
}

export function countDrafts(reader: Reader, carrierConnectionId: number): Promise<number> {
  return reader.load(COUNT_DRAFTS, carrierConnectionId);
}

const INSERT_DRAFT = companyStatement(
  'insert-tariff-draft',
  `insert into carrier_tariff_revision (company_id, carrier_connection_id, name, document, author, api_key_id, api_key_label)
    select company_id, id, $3::text, $4::jsonb, $5::text, $6::uuid, $7::text
      from carrier_connection where company_id = $1 and id = $2
    returning id`,
);

export async function insertDraft(
  tx: TenantTransaction,
  carrierConnectionId: number,
  tariff: Tariff,
  name: string,
): Promise<number> {
  const [row] = await tx.rows<{ id: number }>(
    INSERT_DRAFT,
    carrierConnectionId,
    name,
    JSON.stringify(tariff),
    ...by(tx.actor),
  );
  return row?.id ?? 0;
}

const DELETE_DRAFT = companyStatement(
  'delete-tariff-draft',
  'delete from carrier_tariff_revision where company_id = $1 and id = $2 and number is null',
);

export async function deleteDraft(tx: TenantTransaction, id: number): Promise<void> {
  await tx.rows(DELETE_DRAFT, id);
}

const LOCK_DRAFT = companyStatement(
  'lock-tariff-draft',
  `select ${revisionColumns('$1')} from carrier_tariff_revision v where v.company_id = $1 and v.id = $2 for no key update of v`,
);

/** A revision, held until the transaction ends. */
export async function lockDraft(tx: TenantTransaction, id: number): Promise<RevisionRow | undefined> {
  const [row] = await tx.rows<RevisionRow>(LOCK_DRAFT, id);
  return row;
}

const SCHEDULE = companyStatement(
  'schedule-tariff-draft',
  `update carrier_tariff_revision
    set publish_on = $3::date, problem = null, author = $4::text, api_key_id = $5::uuid, api_key_label = $6::text
    where company_id = $1 and id = $2 and number is null`,
);

/** Schedules the publication of a draft on a day. */
export async function scheduleDraft(tx: TenantTransaction, id: number, publishOn: string): Promise<void> {
  await tx.rows(SCHEDULE, id, publishOn, ...by(tx.actor));
}

const PUBLISH = companyStatement(
  'publish-tariff-draft',
  `update carrier_tariff_revision v
    set number = (select coalesce(max(o.number), 0) + 1 from carrier_tariff_revision o
        where o.company_id = $1 and o.carrier_connection_id = $3),
      published_at = now(), publish_on = null, problem = null,
      author = coalesce($4::text, v.author), api_key_id = case when $4 is null then v.api_key_id else $5::uuid end,
      api_key_label = case when $4 is null then v.api_key_label else $6::text end
    where v.company_id = $1 and v.id = $2 and v.number is null`,
);

/**
 * Makes a draft the next revision of a connection, which must be locked. A draft that the service publishes on its day keeps
 * the author who scheduled it.
 */
export async function publishDraft(
  tx: TenantTransaction,
  { id, carrierConnectionId }: Pick<RevisionRow, 'id' | 'carrierConnectionId'>,
): Promise<void> {
  const author = tx.actor.kind === 'service' ? [null, null, null] : by(tx.actor);
  await tx.rows(PUBLISH, id, carrierConnectionId, ...author);
}

const NOTE_PROBLEM = companyStatement(
  'note-tariff-draft-problem',
  'update carrier_tariff_revision set problem = $3 where company_id = $1 and id = $2 and number is null and publish_on is not null',
);

/** Notes why a draft could not be published. */
export async function recordProblem(tx: TenantTransaction, id: number, problem: string): Promise<void> {
  await tx.rows(NOTE_PROBLEM, id, problem);
}

const DUE = serviceStatement(
  'due-tariff-drafts',
  `select company_id as "companyId", id from carrier_tariff_revision r
    where publish_on <= $1::date and problem is null and ${isNotSuspended('r.company_id')}
    order by publish_on, id limit 1000`,
);

/** Drafts of all companies that are not suspended, whose day has come. */
export function dueDrafts(database: Database, today: string): Promise<{ companyId: CompanyId; id: number }[]> {
  return database.rows<{ companyId: CompanyId; id: number }>(DUE, [today]);
}

const NEWEST = companyStatement(
  'newest-tariff-drafts',
  `select max(id) as id from carrier_tariff_revision where company_id = $1 and number is null
    group by carrier_connection_id order by 1`,
);

/** Ids of the newest draft of each connection that has one. */
export async function newestDrafts(tenant: Tenant): Promise<number[]> {
  const rows = await tenant.rows<{ id: number }>(NEWEST);
  return rows.map(({ id }) => id);
}
