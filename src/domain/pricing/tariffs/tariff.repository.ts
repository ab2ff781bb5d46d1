import type { Database } from '../../../platform/database/database.ts';
import { rowLoader } from '../../../platform/database/gather/loader.ts';
import { type ListPage, WHOLE_LIST } from '../../../platform/database/lists/page.ts';
import { companyStatement, serviceStatement } from '../../../platform/database/statements/statements.ts';
import type { Reader, Tenant } from '../../../platform/database/tenancy/tenancy.ts';
import type { TenantTransaction } from '../../../platform/database/tenancy/tenant-transaction.ts';
import type { Tariff } from './format/tariff.format.rules.ts';
import { FINGERPRINT_OF_REFERENCES } from './references/references.repository.ts';
import { isFollowed } from './revisions/revision.rules.ts';

/** A tariff without its prices, which are in the document of its revision. */
export interface TariffRow {
  readonly id: number;
  readonly carrierConnectionId: number;
  /** The revision that is in force. */
  readonly revisionId: number;
  readonly name: string;
  /** Last day; null for until further notice. */
  readonly validUntil: string | null;
  readonly versions: readonly { readonly label: string; readonly validFrom: string }[];
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

const COLUMNS = `t.id, t.carrier_connection_id as "carrierConnectionId", t.revision_id as "revisionId", t.name,
  t.valid_until::text as "validUntil", t.versions, t.created_at as "createdAt", t.updated_at as "updatedAt"`;

const LIST = companyStatement(
  'tariffs',
  `select ${COLUMNS} from tariff t
    join carrier_connection c on c.company_id = t.company_id and c.id = t.carrier_connection_id
    where t.company_id = $1 and c.disconnected_at is null and ($2::bigint is null or t.id > $2) order by t.id limit $3`,
);
const COUNT = companyStatement(
  'count-tariffs',
  `select count(*)::integer as count from tariff t
    join carrier_connection c on c.company_id = t.company_id and c.id = t.carrier_connection_id
    where t.company_id = $1 and c.disconnected_at is null`,
);
const BY_ID = rowLoader<[id: number], TariffRow>({
  name: 'tariff-by-id',
  key: { id: 'integer' },
  text: `select ${COLUMNS} from tariff t where t.company_id = each.company_id and t.id = each.id`,
});
const BY_CONNECTION = rowLoader<[carrierConnectionId: number], TariffRow>({
  name: 'tariff-of-connection',
  key: { id: 'integer' },
  text: `select ${COLUMNS} from tariff t where t.company_id = each.company_id and t.carrier_connection_id = each.id`,
});

export function listTariffs(tenant: Tenant, page: ListPage<number> = WHOLE_LIST): Promise<TariffRow[]> {
  return tenant.rows<TariffRow>(LIST, page.after, page.limit);
}

/** How many there are in the list; a connection has one at most, and a cap keeps connections few. */
export async function countTariffs(tenant: Tenant): Promise<number> {
  const [row] = await tenant.rows<{ count: number }>(COUNT);
  return row?.count ?? 0;
}

export function tariffById(tenant: Tenant, id: number): Promise<TariffRow | undefined> {
  return tenant.load(BY_ID, id);
}

export function tariffOfConnection(reader: Reader, carrierConnectionId: number): Promise<TariffRow | undefined> {
  return reader.load(BY_CONNECTION, carrierConnectionId);
}

/** A connection that may be quoted, with the tariff it has now. */
interface QuotedConnectionRow {
  readonly id: number;
  readonly carrierCode: string;
  readonly tariffId: number | null;
  readonly revisionId: number | null;
  /** Changes with the carrier's lists and indexes. */
  readonly fingerprint: string;
}

const CONNECTIONS = companyStatement(
  'quoted-connections',
  `select c.id, c.carrier_code as "carrierCode", t.id as "tariffId", t.revision_id as "revisionId",
      (select ${FINGERPRINT_OF_REFERENCES} from carrier_reference r
        where r.company_id = $1 and r.carrier_code = c.carrier_code) as fingerprint
    from carrier_connection c left join tariff t on t.company_id = c.company_id and t.carrier_connection_id = c.id
    where c.company_id = $1 and c.is_active order by c.id`,
);

export function quotedConnections(tenant: Tenant): Promise<QuotedConnectionRow[]> {
  return tenant.rows<QuotedConnectionRow>(CONNECTIONS);
}

const LOCK_CONNECTION = companyStatement(
  'lock-connection',
  'select id from carrier_connection where company_id = $1 and id = $2 and disconnected_at is null for no key update',
);

/** Holds the connection until the transaction ends, so that imports of one tariff follow each other. */
export async function lockConnection(tx: TenantTransaction, carrierConnectionId: number): Promise<boolean> {
  return (await tx.rows(LOCK_CONNECTION, carrierConnectionId)).length > 0;
}

const SAVE_TARIFF = companyStatement(
  'save-tariff',
  `insert into tariff (company_id, carrier_connection_id, revision_id, name, valid_until, versions)
    select company_id, id, $3::integer, $4::text, $5::date, $6::jsonb from carrier_connection where company_id = $1 and id = $2
    on conflict on constraint tariff_of_connection do update set revision_id = excluded.revision_id, name = excluded.name,
      valid_until = excluded.valid_until, versions = excluded.versions, updated_at = excluded.updated_at
    returning id`,
);

/** Puts a revision in force on its connection; returns the id of the connection's tariff. */
export async function saveTariff(
  tx: TenantTransaction,
  carrierConnectionId: number,
  revisionId: number,
  tariff: Tariff,
): Promise<number> {
  const { name, versions } = tariff;
  const until = versions.at(-1)?.validUntil ?? null;
  const listed = JSON.stringify(versions.map(({ label, validFrom }) => ({ label, validFrom })));
  const [saved] = await tx.rows<{ id: number }>(SAVE_TARIFF, carrierConnectionId, revisionId, name, until, listed);
  return saved?.id ?? 0;
}

/** The kinds of things that end and need a successor. */
export const ENDING_KINDS = ['tariff', 'fuel_index'] as const;

// A tariff or an index that ended long ago is left out, since it is no longer in use.
const ENDING = serviceStatement(
  'ending-tariffs',
  `select (select count(*)::integer from tariff t
        join carrier_connection c on c.company_id = t.company_id and c.id = t.carrier_connection_id
        where c.is_active and t.valid_until between today - 14 and today + 14 and not ${isFollowed('t')}) as tariff,
      (select count(*)::integer from (select max(days.day) as last,
            (array_agg(days.day order by days.day desc))[2] as before
          from carrier_reference r
          cross join lateral (select (rate ->> 'from')::date as day from jsonb_array_elements(r.content) rate) days
          where r.kind = 'index' group by r.company_id, r.carrier_code, r.name) i
        where case when i.last - i.before < 28 then i.last + (i.last - i.before) between today - 45 and today - 1
          else i.last + interval '1 month' between today - 45 and today + 7 end) as fuel_index
    from (select (now() at time zone 'Europe/Rome')::date as today) italy`,
);

/**
 * Counts tariffs of active connections that end within two weeks without a scheduled draft to follow them, and indexes
 * that lack the next month a week before it begins, or the next week on the day after it was due.
 */
export async function endingTariffs(
  database: Database,
): Promise<Readonly<Record<(typeof ENDING_KINDS)[number], number>>> {
  const [row] = await database.rows<Record<(typeof ENDING_KINDS)[number], number>>(ENDING, []);
  return row as Record<(typeof ENDING_KINDS)[number], number>;
}
