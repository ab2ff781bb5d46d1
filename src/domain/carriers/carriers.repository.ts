import { companyStatement, type Tenant, type TenantTransaction } from '../../platform/tenancy.ts';
import type { CarrierConnectionRecord } from './carriers.entity.ts';

const COLUMNS = `id, carrier_code as "carrierCode", label, is_active as "isActive", created_at as "createdAt", updated_at as "updatedAt"`;

export type ConnectionRow = Omit<CarrierConnectionRecord, 'companyId'>;

const ALL = companyStatement(
  'carrier-connections',
  `select ${COLUMNS} from carrier_connection where company_id = $1 order by id`,
);
const BY_IDS = companyStatement(
  'carrier-connections-by-ids',
  `select ${COLUMNS} from carrier_connection where company_id = $1 and id = any($2::integer[])`,
);
const EXISTING = companyStatement(
  'carrier-connections-existing',
  'select id from carrier_connection where company_id = $1 and id = any($2::integer[]) order by id for key share',
);

export function listConnections(tenant: Tenant): Promise<ConnectionRow[]> {
  return tenant.rows<ConnectionRow>(ALL);
}

export function connectionsByIds(tenant: Tenant, ids: readonly number[]): Promise<ConnectionRow[]> {
  return tenant.rows<ConnectionRow>(BY_IDS, ids);
}

export async function existingConnectionIds(tx: TenantTransaction, ids: readonly number[]): Promise<Set<number>> {
  const rows = await tx.rows<{ id: number }>(EXISTING, ids);
  return new Set(rows.map(({ id }) => id));
}
