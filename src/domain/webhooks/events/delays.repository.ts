import type { Database } from '../../../platform/database/database.ts';
import { companyStatement, serviceStatement } from '../../../platform/database/statements/statements.ts';
import type { CompanyId } from '../../../platform/database/tenancy/company-id.ts';
import { isNotSuspended } from '../../../platform/database/tenancy/suspended-companies.ts';
import type { TenantTransaction } from '../../../platform/database/tenancy/tenant-transaction.ts';
import type { StatusCode } from '../../tracking/status.rules.ts';
import { isOfTopic } from '../endpoints/endpoint-topic.rules.ts';
import type { Silence } from './silence.rules.ts';

export interface DelayedShipment {
  readonly shipmentId: number;
  readonly statusCode: StatusCode;
}

// Both kinds are found company by company, among those with an endpoint: by one look-up each in an index that begins
// with the company. Shipments of other companies, which are never announced, stay in the index unread. Statuses are
// queried one by one: joined to a list of them, PostgreSQL reads all open shipments (1.2 s of a million).
const OF_NOTIFIED = `from (select distinct company_id from webhook_endpoint e
  where is_active and ${isOfTopic('e', 'tracking')} and ${isNotSuspended('e.company_id')}) w`;

/** Open shipments past their date by the better source (`expectedDateOf`), for a limited number of days. */
const EXPECTED = 'coalesce(s.carrier_expected_at, s.expected_delivery_date)';
const isLate = (days: string, terminal: string) =>
  `${EXPECTED} < now() and ${EXPECTED} > now() - make_interval(days => ${days})
    and s.delay_told_at is null and s.delivered_at is null and s.status_code <> all(${terminal}::text[])`;

export const COMPANIES_WITH_LATE = serviceStatement(
  'companies-with-late-shipments',
  `select w.company_id as "companyId" ${OF_NOTIFIED}
    where exists (select 1 from shipment s where s.company_id = w.company_id and ${isLate('$1', '$2')})`,
);

/** Companies with unannounced late shipments, and an endpoint to notify. */
export async function companiesWithLate(
  database: Database,
  maxDays: number,
  terminal: readonly StatusCode[],
): Promise<CompanyId[]> {
  const rows = await database.rows<{ companyId: CompanyId }>(COMPANIES_WITH_LATE, [maxDays, terminal]);
  return rows.map(({ companyId }) => companyId);
}

export const LATE = companyStatement(
  'late-shipments',
  `select s.id as "shipmentId", s.status_code as "statusCode" from shipment s
    where s.company_id = $1 and ${isLate('$2', '$3')} order by ${EXPECTED} limit $4 for no key update skip locked`,
);

/** Open shipments past their expected date without an announcement, longest late first; locked. */
export function lateShipments(
  tx: TenantTransaction,
  maxDays: number,
  terminal: readonly StatusCode[],
  max: number,
): Promise<DelayedShipment[]> {
  return tx.rows(LATE, maxDays, terminal, max);
}

/**
 * Open shipments that have been silent since a time, but not for too long. Silence counts from the newest event by its
 * own time, which a late event does not change; for a shipment that was sent with its history, from its creation.
 */
const HEARD = 'greatest(s.status_at, s.created_at)';
const isSilent = (status: string, since: string, days: string) =>
  `s.status_code = ${status} and ${HEARD} < ${since} and ${HEARD} > ${since} - make_interval(days => ${days})
    and s.stall_told_at is null and s.delivered_at is null`;

// Events are not read, because each silent shipment would need a look-up: sometimes a company is found though all of
// its silent shipments had events.
export const COMPANIES_WITH_STALLED = serviceStatement(
  'companies-with-stalled-shipments',
  `select w.company_id as "companyId" ${OF_NOTIFIED}
    where exists (select 1 from shipment s where s.company_id = w.company_id and ${isSilent('$1', '$2::timestamptz', '$3')})`,
);

/** Companies that may have unannounced stalled shipments with a status, and have an endpoint to notify. */
export async function companiesWithStalled(
  database: Database,
  { statusCode, since }: Silence,
  maxDays: number,
): Promise<CompanyId[]> {
  const rows = await database.rows<{ companyId: CompanyId }>(COMPANIES_WITH_STALLED, [statusCode, since, maxDays]);
  return rows.map(({ companyId }) => companyId);
}

// An event with an unknown code keeps the status, but it ends the silence.
export const STALLED = companyStatement(
  'stalled-shipments',
  `select s.id as "shipmentId", s.status_code as "statusCode" from shipment s
    where s.company_id = $1 and ${isSilent('$2', '$3::timestamptz', '$4')}
      and not exists (select 1 from tracking_event e where e.company_id = $1 and e.shipment_id = s.id and e.occurred_at >= $3)
    order by ${HEARD} limit $5 for no key update skip locked`,
);

/** Unannounced shipments that have been silent for longer than normal for their status, longest first; locked. */
export function stalledShipments(
  tx: TenantTransaction,
  { statusCode, since }: Silence,
  maxDays: number,
  max: number,
): Promise<DelayedShipment[]> {
  return tx.rows(STALLED, statusCode, since, maxDays, max);
}
