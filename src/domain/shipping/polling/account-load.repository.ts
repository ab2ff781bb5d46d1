import { companyStatement } from '../../../platform/database/statements/statements.ts';
import type { Tenant } from '../../../platform/database/tenancy/tenancy.ts';
import type { LoadShare } from './poll.rules.ts';

const LOAD = companyStatement(
  'account-load',
  `select s.status_code as "statusCode",
      width_bucket(date_part('epoch', now() - least(s.shipment_date, s.created_at)) * 1000, $3::float8[]) as "boundsPassed",
      count(*)::integer as count
    from tracking_poll p join shipment s on s.company_id = p.company_id and s.id = p.shipment_id
    where p.company_id = $1 and p.carrier_connection_id = $2 and p.due_at is not null
    group by 1, 2`,
);

/** Polled shipments of a connection, by status and age. */
export function accountLoad(
  tenant: Tenant,
  carrierConnectionId: number,
  ageBoundsMs: readonly number[],
): Promise<LoadShare[]> {
  return tenant.rows<LoadShare>(LOAD, carrierConnectionId, ageBoundsMs);
}
