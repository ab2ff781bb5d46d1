import { listLoader, rowLoader } from '../../../../platform/database/gather/loader.ts';
import type { ListPage } from '../../../../platform/database/lists/page.ts';
import { companyStatement } from '../../../../platform/database/statements/statements.ts';
import type { Actor } from '../../../../platform/database/tenancy/actor.ts';
import type { Reader, Tenant } from '../../../../platform/database/tenancy/tenancy.ts';
import type { TenantTransaction } from '../../../../platform/database/tenancy/tenant-transaction.ts';
import { inOrderOfForm, type Tariff } from '../format/tariff.format.rules.ts';
import type { RevisionAuthor } from './revision.rules.ts';

/** A tariff that a connection has had, or a draft of one, without its prices. */
export interface RevisionRow {
  readonly id: number;
  readonly carrierConnectionId: number;
  /** From 1 on without a gap for each connection; null for a draft. */
  readonly number: number | null;
  readonly name: string;
  /** The number of the revision whose content it has again. */
  readonly restoredNumber: number | null;
  readonly author: RevisionAuthor;
  readonly apiKeyId: string | null;
  readonly apiKeyLabel: string | null;
  /** The day on which a draft is to be published. */
  readonly publishOn: string | null;
  /** The reason for which a scheduled draft was not published. */
  readonly problem: string | null;
  readonly createdAt: Date;
  readonly publishedAt: Date | null;
  readonly isInForce: boolean;
}

/** Columns of `RevisionRow`, of revisions `v`. */
export const revisionColumns = (
  companyId: string,
) => `v.id, v.carrier_connection_id as "carrierConnectionId", v.number, v.name, v.restored_number as "restoredNumber", v.author,
  v.api_key_id as "apiKeyId", v.api_key_label as "apiKeyLabel", v.publish_on::text as "publishOn", v.problem,
  v.created_at as "createdAt", v.published_at as "publishedAt",
  exists (select from tariff t where t.company_id = ${companyId} and t.carrier_connection_id = v.carrier_connection_id
    and t.revision_id = v.id) as "isInForce"`;

const BY_ID = rowLoader<[id: number], RevisionRow>({
  name: 'tariff-revision-by-id',
  key: { id: 'integer' },
  text: `select ${revisionColumns('each.company_id')} from carrier_tariff_revision v
    where v.company_id = each.company_id and v.id = each.id`,
});

export function revisionById(reader: Reader, id: number): Promise<RevisionRow | undefined> {
  return reader.load(BY_ID, id);
}

const LIST = listLoader<[carrierConnectionId: number, after: number | null, limit: number], RevisionRow>({
  name: 'tariff-revisions',
  key: { id: 'integer', after: 'integer', size: 'integer' },
  text: `select ${revisionColumns('each.company_id')} from carrier_tariff_revision v
    where v.company_id = each.company_id and v.carrier_connection_id = each.id and v.number is not null
      and (each.after is null or v.number < each.after)
    order by v.number desc limit each.size`,
  order: 'r.number desc',
});
const COUNT = rowLoader<[carrierConnectionId: number], { readonly count: number }, number>(
  {
    name: 'count-tariff-revisions',
    key: { id: 'integer' },
    text: `select count(*)::integer as count from carrier_tariff_revision v
      where v.company_id = each.company_id and v.carrier_connection_id = each.id and v.number is not null`,
  },
  row => row?.count ?? 0,
);
const IN_FORCE = rowLoader<[carrierConnectionId: number], RevisionRow>({
  name: 'tariff-revision-in-force',
  key: { id: 'integer' },
  text: `select ${revisionColumns('each.company_id')} from tariff t
    join carrier_tariff_revision v on v.company_id = t.company_id and v.id = t.revision_id
    where t.company_id = each.company_id and t.carrier_connection_id = each.id`,
});

/** Revisions of a connection, the newest first, without drafts. */
export function listRevisions(
  tenant: Tenant,
  carrierConnectionId: number,
  { after, limit }: ListPage<number>,
): Promise<readonly RevisionRow[]> {
  return tenant.load(LIST, carrierConnectionId, after, limit);
}

export function countRevisions(tenant: Tenant, carrierConnectionId: number): Promise<number> {
  return tenant.load(COUNT, carrierConnectionId);
}

/** The revision that is in force on a connection; undefined where it has no tariff. */
export function revisionInForce(reader: Reader, carrierConnectionId: number): Promise<RevisionRow | undefined> {
  return reader.load(IN_FORCE, carrierConnectionId);
}

/** A zone of a document, with the parts of the document around it. */
interface DocumentZone {
  readonly carrierConnectionId: number;
  /** The document without its versions; only with the first zone. */
  readonly head: object | null;
  /** Without its zones; with the first zone of the version. */
  readonly version: object | null;
  readonly zone: object;
}

// A row for each zone, so that none of them takes long to read.
const DOCUMENT = listLoader<[id: number], DocumentZone>({
  name: 'tariff-revision-document',
  key: { id: 'integer' },
  text: `select r.carrier_connection_id as "carrierConnectionId", z.position as "zonePosition", v.position as "versionPosition",
      case when v.position = 1 and z.position = 1 then r.document - 'versions' end as head,
      case when z.position = 1 then v.value - 'zones' end as version, z.value as zone
    from carrier_tariff_revision r
    cross join lateral jsonb_array_elements(r.document -> 'versions') with ordinality as v (value, position)
    cross join lateral jsonb_array_elements(v.value -> 'zones') with ordinality as z (value, position)
    where r.company_id = each.company_id and r.id = each.id`,
  order: 'r."versionPosition", r."zonePosition"',
  isSplitByCompany: true,
});

/** A tariff as it was imported, and its connection. */
export interface RevisionDocument {
  readonly carrierConnectionId: number;
  readonly tariff: Tariff;
}

export async function documentOfRevision(reader: Reader, id: number): Promise<RevisionDocument | undefined> {
  const zones = await reader.load(DOCUMENT, id);
  const [first] = zones;
  if (!first) return undefined;
  return { carrierConnectionId: first.carrierConnectionId, tariff: documentOf(zones) };
}

function documentOf(stored: readonly DocumentZone[]): Tariff {
  const versions: { zones: object[] }[] = [];
  for (const { version, zone } of stored) {
    if (version) versions.push({ ...version, zones: [] });
    versions.at(-1)?.zones.push(zone);
  }
  return inOrderOfForm({ ...stored[0]?.head, versions } as unknown as Tariff);
}

const RECORD = companyStatement(
  'record-tariff-revision',
  `insert into carrier_tariff_revision
      (company_id, carrier_connection_id, number, name, document, restored_number, author, api_key_id, api_key_label, published_at)
    select company_id, id,
        (select coalesce(max(v.number), 0) + 1 from carrier_tariff_revision v
          where v.company_id = $1 and v.carrier_connection_id = $2),
        $3::text, $4::jsonb, $5::integer, $6::text, $7::uuid, $8::text, now()
      from carrier_connection where company_id = $1 and id = $2
    returning id`,
);

/** Fields of a revision besides its content. */
interface RevisionDetails {
  readonly name: string;
  readonly restoredNumber?: number | undefined;
}

/** Records a tariff as the next revision of a connection, which must be locked; returns its id. */
export async function recordRevision(
  tx: TenantTransaction,
  carrierConnectionId: number,
  tariff: Tariff,
  { name, restoredNumber }: RevisionDetails,
): Promise<number> {
  const text = JSON.stringify(tariff);
  const [row] = await tx.rows<{ id: number }>(
    RECORD,
    carrierConnectionId,
    name,
    text,
    restoredNumber ?? null,
    ...by(tx.actor),
  );
  return row?.id ?? 0;
}

/** An author as columns: what it is, and the key. */
export function by(actor: Actor): [RevisionAuthor, apiKeyId: string | null, label: string | null] {
  if (actor.kind === 'key') return ['api_key', actor.apiKeyId, actor.label];
  return [actor.kind === 'operator' ? 'operator' : 'unknown', null, null];
}
