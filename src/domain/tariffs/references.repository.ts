import { companyStatement, type Tenant, type TenantTransaction } from '../../platform/database/tenancy.ts';

export type ReferenceKind = 'list' | 'index';

export interface ReferenceRow {
  readonly kind: ReferenceKind;
  readonly name: string;
  readonly content: unknown;
  readonly revision: string;
  readonly updatedAt: Date;
}

const OF_CARRIER = companyStatement(
  'carrier-references',
  `select kind, name, content, revision::text, updated_at as "updatedAt" from carrier_reference
    where company_id = $1 and carrier_code = $2 order by kind, name`,
);
const CARRIER_OF_CONNECTION = companyStatement(
  'carrier-of-connection',
  'select carrier_code as "carrierCode" from carrier_connection where company_id = $1 and id = $2 and disconnected_at is null',
);
/** Locks the connections, so that none of their tariffs is imported meanwhile. */
const REFERRING = companyStatement(
  'referring-tariffs',
  `select c.id as "connectionId", t.id as "tariffId" from carrier_connection c
    join tariff t on t.company_id = c.company_id and t.carrier_connection_id = c.id
    where c.company_id = $1 and c.carrier_code = $2 and c.disconnected_at is null and t.format = 2
    order by c.id for no key update of c`,
);
const SAVE = companyStatement(
  'save-carrier-reference',
  `insert into carrier_reference (company_id, carrier_code, kind, name, content) values ($1, $2, $3, $4, $5::jsonb)
    on conflict (company_id, carrier_code, kind, name) do update
      set content = excluded.content, revision = excluded.revision, updated_at = excluded.updated_at
      where carrier_reference.company_id = $1`,
);

export function referenceRows(
  reader: Pick<Tenant | TenantTransaction, 'rows'>,
  carrierCode: string,
): Promise<ReferenceRow[]> {
  return reader.rows<ReferenceRow>(OF_CARRIER, carrierCode);
}

export async function carrierCodeOf(
  reader: Pick<Tenant | TenantTransaction, 'rows'>,
  connectionId: number,
): Promise<string | undefined> {
  const [row] = await reader.rows<{ carrierCode: string }>(CARRIER_OF_CONNECTION, connectionId);
  return row?.carrierCode;
}

/** Tariffs that may refer to something of a carrier, by ascending connection. */
export function referringTariffs(
  tx: TenantTransaction,
  carrierCode: string,
): Promise<{ connectionId: number; tariffId: number }[]> {
  return tx.rows<{ connectionId: number; tariffId: number }>(REFERRING, carrierCode);
}

export async function saveReference(
  tx: TenantTransaction,
  carrierCode: string,
  kind: ReferenceKind,
  name: string,
  content: object,
): Promise<void> {
  await tx.rows(SAVE, carrierCode, kind, name, JSON.stringify(content));
}
