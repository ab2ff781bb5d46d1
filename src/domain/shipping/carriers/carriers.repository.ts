import { LockMode } from '@mikro-orm/core';
import { rowLoader } from '../../../platform/database/gather/loader.ts';
import { type ListPage, WHOLE_LIST } from '../../../platform/database/lists/page.ts';
import { texts } from '../../../platform/database/statements/sql.ts';
import { companyStatement } from '../../../platform/database/statements/statements.ts';
import type { Tenant } from '../../../platform/database/tenancy/tenancy.ts';
import type { TenantTransaction } from '../../../platform/database/tenancy/tenant-transaction.ts';
import { QUESTIONS, type Question } from './carriers.catalog.ts';
import { CarrierConnectionEntity, type CarrierConnectionRecord } from './carriers.entity.ts';

export type ConnectionRow = Pick<
  CarrierConnectionRecord,
  'id' | 'carrierCode' | 'label' | 'isActive' | 'environment' | 'createdAt' | 'updatedAt'
> & {
  readonly baseUrl: string | null;
  readonly hasCredentials: boolean;
  /** The questions that its credentials are enough for. */
  readonly questions: readonly Question[];
};

const COLUMNS = `id, carrier_code as "carrierCode", label, is_active as "isActive", environment, base_url as "baseUrl",
  credentials is not null as "hasCredentials",
  case when credentials is null then '{}' else coalesce(questions, ${texts(QUESTIONS)}) end as questions, created_at as "createdAt", updated_at as "updatedAt"`;

const LIST = companyStatement(
  'carrier-connections',
  `select ${COLUMNS} from carrier_connection
    where company_id = $1 and disconnected_at is null and ($2::bigint is null or id > $2) order by id limit $3`,
);
const COUNT = companyStatement(
  'count-carrier-connections',
  'select count(*)::integer as count from carrier_connection where company_id = $1 and disconnected_at is null',
);
// Includes disconnected ones, because shipments refer to them.
const BY_ID = rowLoader<[id: number], ConnectionRow>({
  name: 'carrier-connection-by-id',
  key: { id: 'integer' },
  text: `select ${COLUMNS} from carrier_connection where company_id = each.company_id and id = each.id`,
});
const EXISTING = companyStatement(
  'carrier-connections-existing',
  `select id from carrier_connection where company_id = $1 and id = any($2::integer[]) and disconnected_at is null
    order by id for key share`,
);

export function listConnections(tenant: Tenant, page: ListPage<number> = WHOLE_LIST): Promise<ConnectionRow[]> {
  return tenant.rows<ConnectionRow>(LIST, page.after, page.limit);
}

/** Counts connections that were not disconnected. */
export async function countConnections(reader: Pick<Tenant | TenantTransaction, 'rows'>): Promise<number> {
  const [row] = await reader.rows<{ count: number }>(COUNT);
  return row?.count ?? 0;
}

export function connectionById(tenant: Tenant, id: number): Promise<ConnectionRow | undefined> {
  return tenant.load(BY_ID, id);
}

export async function existingConnectionIds(tx: TenantTransaction, ids: readonly number[]): Promise<Set<number>> {
  const rows = await tx.rows<{ id: number }>(EXISTING, ids);
  return new Set(rows.map(({ id }) => id));
}

/** A connection that was not disconnected, locked until the transaction ends; null without one. */
export function lockConnection(tx: TenantTransaction, id: number): Promise<CarrierConnectionRecord | null> {
  return tx.em.findOne(CarrierConnectionEntity, { id, disconnectedAt: null }, { lockMode: LockMode.PESSIMISTIC_WRITE });
}
