import type { Database } from '../../../platform/database/database.ts';
import { type CompanyId, companyStatement, type TenantTransaction } from '../../../platform/database/tenancy.ts';
import type { StatusCode } from '../../tracking/status.rules.ts';
import { type EndpointState, endpointState } from '../endpoints/endpoint-state.rules.ts';

/** Something that is found over all companies, and whose it is. */
export interface Found {
  readonly companyId: CompanyId;
  readonly endpointId: string;
  readonly state: EndpointState;
}

// One that backs off and whose probe never came; another one for which something is still parked. A paused one keeps it.
const FORGOTTEN = {
  name: 'forgotten-endpoints',
  text: `select w.company_id as "companyId", w.id as "endpointId", ${endpointState('w')} as state
    from webhook_endpoint w where case ${endpointState('w')}
      when 'paused' then false
      when 'backing_off' then w.probe_after < now() - interval '30 seconds'
      else exists (select 1 from webhook_delivery d where d.company_id = w.company_id and d.endpoint_id = w.id and d.parked)
    end`,
};

/** Endpoints whose parked deliveries nothing would move any more. */
export function forgottenEndpoints(database: Database): Promise<Found[]> {
  return database.rows<Found>(FORGOTTEN, []);
}

const COMPANIES_WITH_DELAYS = {
  name: 'companies-with-delays',
  text: `select distinct s.company_id as "companyId" from shipment s
    where s.expected_delivery_date < now() and s.expected_delivery_date > now() - make_interval(days => $1)
      and s.delay_told_at is null and s.delivered_at is null and s.status_code <> all($2::text[])
      and exists (select 1 from webhook_endpoint w where w.company_id = s.company_id and w.is_active)`,
};

/** Companies that have shipments past their expected date, and someone to tell. */
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

/** Shipments past their expected date that are still open, whose delay nobody told; locked. */
export function delayedShipments(
  tx: TenantTransaction,
  maxDays: number,
  terminal: readonly StatusCode[],
  max: number,
): Promise<{ shipmentId: number; statusCode: StatusCode }[]> {
  return tx.rows(DELAYED, maxDays, terminal, max);
}
