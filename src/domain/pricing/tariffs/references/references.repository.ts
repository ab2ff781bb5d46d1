import { rowLoader } from '../../../../platform/database/gather/loader.ts';
import { type ListPage, WHOLE_LIST } from '../../../../platform/database/lists/page.ts';
import { companyStatement } from '../../../../platform/database/statements/statements.ts';
import type { Tenant } from '../../../../platform/database/tenancy/tenancy.ts';
import type { TenantTransaction } from '../../../../platform/database/tenancy/tenant-transaction.ts';
import type { ReferenceKey, ReferenceKind } from './references.rules.ts';

/** A list or an index. */
export interface ReferenceRow extends ReferenceKey {
  /** Set only on a deleted reference. It can be long, so other reads leave it out. */
  readonly content?: unknown;
  readonly updatedAt: Date;
}

/** The part of a reference that tariffs read. */
export interface ReferenceContent {
  readonly kind: ReferenceKind;
  readonly name: string;
  readonly content: unknown;
  readonly revision: string;
}

const COLUMNS = 'carrier_code as "carrierCode", kind, name, updated_at as "updatedAt"';

const LIST = companyStatement(
  'carrier-references',
  `select ${COLUMNS} from carrier_reference
    where company_id = $1 and ($2::text is null or carrier_code = $2) and ($3::text is null or kind = $3)
      and ($4::text is null or name = $4) and ($5::text is null or (carrier_code, kind, name) > ($5, $6, $7))
    order by carrier_code, kind, name limit $8`,
);
const COUNT = companyStatement(
  'count-carrier-references',
  `select count(*)::integer as count from carrier_reference
    where company_id = $1 and ($2::text is null or carrier_code = $2) and ($3::text is null or kind = $3)
      and ($4::text is null or name = $4)`,
);
const BY_KEY = rowLoader<[carrierCode: string, kind: string, name: string], ReferenceRow>({
  name: 'carrier-reference-by-key',
  key: { carrier_code: 'text', kind: 'text', name: 'text' },
  text: `select ${COLUMNS} from carrier_reference r
    where r.company_id = each.company_id and (r.carrier_code, r.kind, r.name) = (each.carrier_code, each.kind, each.name)`,
});
const CONTENT = rowLoader<[carrierCode: string, kind: string, name: string], { content: unknown }>({
  name: 'carrier-reference-content',
  key: { carrier_code: 'text', kind: 'text', name: 'text' },
  text: `select r.content from carrier_reference r
    where r.company_id = each.company_id and (r.carrier_code, r.kind, r.name) = (each.carrier_code, each.kind, each.name)`,
  isSplitByCompany: true,
});
const OF_CARRIER = companyStatement(
  'references-of-carrier',
  `select kind, name, content, revision::text from carrier_reference
    where company_id = $1 and carrier_code = $2 order by kind, name`,
);
/**
 * The SQL of a text that changes with any list or index of a carrier. The newest revision alone does not: once the newest
 * reference is deleted, it is the revision of an earlier time.
 */
export const FINGERPRINT_OF_REFERENCES = "concat_ws(' ', count(*), max(revision))";
const FINGERPRINT = companyStatement(
  'references-fingerprint',
  `select ${FINGERPRINT_OF_REFERENCES} as fingerprint from carrier_reference where company_id = $1 and carrier_code = $2`,
);
const CARRIER_OF_CONNECTION = companyStatement(
  'carrier-of-connection',
  'select carrier_code as "carrierCode" from carrier_connection where company_id = $1 and id = $2 and disconnected_at is null',
);
const REFERRING = companyStatement(
  'referring-tariffs',
  `select c.id as "carrierConnectionId", r.* from carrier_connection c cross join lateral (
      select t.revision_id as "revisionId", t.name, null::text as "publishOn" from tariff t
        where t.company_id = $1 and t.carrier_connection_id = c.id
      union all
      select v.id, v.name, v.publish_on::text from carrier_tariff_revision v
        where v.company_id = $1 and v.carrier_connection_id = c.id
          and v.number is null and v.publish_on is not null and v.problem is null
    ) r
    where c.company_id = $1 and c.carrier_code = $2 and c.disconnected_at is null
    order by c.id, r."publishOn" nulls first, r."revisionId"`,
);
const SAVE = companyStatement(
  'save-carrier-reference',
  `insert into carrier_reference (company_id, carrier_code, kind, name, content) values ($1, $2, $3, $4, $5::jsonb)
    on conflict (company_id, carrier_code, kind, name) do update
      set content = excluded.content, revision = excluded.revision, updated_at = excluded.updated_at
      where carrier_reference.company_id = $1
    returning ${COLUMNS}`,
);
const DELETE = companyStatement(
  'delete-carrier-reference',
  `delete from carrier_reference where company_id = $1 and carrier_code = $2 and kind = $3 and name = $4
    returning ${COLUMNS}, content`,
);

type Readable = Pick<Tenant | TenantTransaction, 'rows'>;

/** The filter of a list of references; null selects any carrier or kind. */
interface ReferenceFilter {
  readonly carrierCode: string | null;
  readonly kind: ReferenceKind | null;
  readonly name: string | null;
}

export function listReferences(
  tenant: Tenant,
  { carrierCode, kind, name }: ReferenceFilter,
  { after, limit }: ListPage<ReferenceKey> = WHOLE_LIST,
): Promise<ReferenceRow[]> {
  const [afterCarrier = null, afterKind = null, afterName = null] = after ? keyParts(after) : [];
  return tenant.rows<ReferenceRow>(LIST, carrierCode, kind, name, afterCarrier, afterKind, afterName, limit);
}

export async function countReferences(reader: Readable, { carrierCode, kind, name }: ReferenceFilter): Promise<number> {
  const [row] = await reader.rows<{ count: number }>(COUNT, carrierCode, kind, name);
  return row?.count ?? 0;
}

export function referenceByKey(tenant: Tenant, key: ReferenceKey): Promise<ReferenceRow | undefined> {
  return tenant.load(BY_KEY, ...keyParts(key));
}

/** Reads the content of a list or an index. */
export async function referenceContent(tenant: Tenant, key: ReferenceKey): Promise<unknown> {
  return (await tenant.load(CONTENT, ...keyParts(key)))?.content;
}

const keyParts = ({ carrierCode, kind, name }: ReferenceKey) => [carrierCode, kind, name] as const;

/** The references of a carrier, in the order of their names. */
export function referenceContents(reader: Readable, carrierCode: string): Promise<ReferenceContent[]> {
  return reader.rows<ReferenceContent>(OF_CARRIER, carrierCode);
}

export async function referencesFingerprint(reader: Readable, carrierCode: string): Promise<string> {
  const [row] = await reader.rows<{ fingerprint: string }>(FINGERPRINT, carrierCode);
  return row?.fingerprint ?? '';
}

export async function carrierCodeOf(reader: Readable, carrierConnectionId: number): Promise<string | undefined> {
  const [row] = await reader.rows<{ carrierCode: string }>(CARRIER_OF_CONNECTION, carrierConnectionId);
  return row?.carrierCode;
}

export interface ReferringTariff {
  readonly carrierConnectionId: number;
  readonly revisionId: number;
  readonly name: string;
  /** The day on which a draft is published; null for a tariff in force. */
  readonly publishOn: string | null;
}

/** Tariffs in force and scheduled drafts that may refer to something of a carrier, by ascending connection. */
export function referringTariffs(tx: TenantTransaction, carrierCode: string): Promise<ReferringTariff[]> {
  return tx.rows<ReferringTariff>(REFERRING, carrierCode);
}

export async function saveReference(
  tx: TenantTransaction,
  key: ReferenceKey,
  content: object,
): Promise<ReferenceRow | undefined> {
  const [saved] = await tx.rows<ReferenceRow>(SAVE, ...keyParts(key), JSON.stringify(content));
  return saved;
}

export async function removeReference(tx: TenantTransaction, key: ReferenceKey): Promise<ReferenceRow | undefined> {
  const [removed] = await tx.rows<ReferenceRow>(DELETE, ...keyParts(key));
  return removed;
}
