import type { Database } from '../../../platform/database/database.ts';
import { serviceStatement } from '../../../platform/database/statements.ts';
import { type CompanyId, companyStatement, type TenantTransaction } from '../../../platform/database/tenancy.ts';
import type { StatusCode } from '../../tracking/status.rules.ts';

const COMPANIES_WITH_DELAYS = serviceStatement(
  'companies-with-delays',
  `select distinct s.company_id as "companyId" from shipment s
    where s.expected_delivery_date < now() and s.expected_delivery_date > now() - make_interval(days => $1)
      and s.delay_told_at is null and s.delivered_at is null and s.status_code <> all($2::text[])
      and exists (select 1 from webhook_endpoint w where w.company_id = s.company_id and w.is_active)`,
);

/** Companies that have shipments past their expected date, and an endpoint to notify. */
export async function companiesWithDelays(
  database: Database,
  maxDays: number,
  terminal: readonly StatusCode[],
): Promise<CompanyId[]> {
  const rows = await database.rows<{ companyId: CompanyId }>(COMPANIES_WITH_DELAYS, [maxDays, terminal]);
  return rows.map(({ companyId }) => companyId);
}

const DELAYED = companyStatement(
  'delayed-shipments',
  `select id as "shipmentId", status_code as "statusCode" from shipment
    where company_id = $1 and expected_delivery_date < now() and expected_delivery_date > now() - make_interval(days => $2)
      and delay_told_at is null and delivered_at is null and status_code <> all($3::text[])
    order by id limit $4 for no key update skip locked`,
);

/** Open shipments past their expected date whose delay was not announced yet; locked. */
export function delayedShipments(
  tx: TenantTransaction,
  maxDays: number,
  terminal: readonly StatusCode[],
  max: number,
): Promise<{ shipmentId: number; statusCode: StatusCode }[]> {
  return tx.rows(DELAYED, maxDays, terminal, max);
}
