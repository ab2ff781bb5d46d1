import type { Database } from '../../../platform/database/database.ts';
import { companyStatement, serviceStatement } from '../../../platform/database/statements/statements.ts';
import type { CompanyId } from '../../../platform/database/tenancy/company-id.ts';
import { isNotSuspended } from '../../../platform/database/tenancy/suspended-companies.ts';
import type { TenantTransaction } from '../../../platform/database/tenancy/tenant-transaction.ts';
import type { StatusCode } from '../../tracking/status.rules.ts';
import { isOfTopic } from '../endpoints/endpoint-topic.rules.ts';
import type { Silence } from './silence.rules.ts';

/** A shipment whose delay is to be announced. */
export interface DelayedShipment {
  readonly shipmentId: number;
  readonly statusCode: StatusCode;
}

// Both kinds are looked for company by company, among those that have an endpoint: by one probe each of an index whose
// first column is the company. The shipments of the others, which are never announced, stay in the index unread.
// Statuses are asked about one by one: joined to a list of them, PostgreSQL reads all open shipments (1.2 s of a million).
const OF_NOTIFIED = `from (select distinct company_id from webhook_endpoint e
  where is_active and ${isOfTopic('e', 'tracking')} and ${isNotSuspended('e.company_id')}) w`;

/** Past their date, by whoever knows it best (`expectedDateOf`), for at most so many days, and open. */
const EXPECTED = 'coalesce(s.carrier_expected_at, s.expected_delivery_date)';
const isLate = (days: string, terminal: string) =>
  `${EXPECTED} < now() and ${EXPECTED} > now() - make_interval(days => ${days})
    and s.delay_told_at is null and s.delivered_at is null and s.status_code <> all(${terminal}::text[])`;

export const COMPANIES_WITH_LATE = serviceStatement(
  'companies-with-late-shipments',
  `select w.company_id as "companyId" ${OF_NOTIFIED}
    where exists (select 1 from shipment s where s.company_id = w.company_id and ${isLate('$1', '$2')})`,
);

/** Companies that have late shipments to be announced, and an endpoint to notify. */
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

/** Open shipments past their expected date that were not announced yet, the longest late first; locked. */
export function lateShipments(
  tx: TenantTransaction,
  maxDays: number,
  terminal: readonly StatusCode[],
  max: number,
): Promise<DelayedShipment[]> {
  return tx.rows(LATE, maxDays, terminal, max);
}

/**
 * Silent since a time, but not for so many days more, and open. Silence counts from the newest event by its own time, which
 * an event that is sent late does not change; of a shipment that is sent with its history, from when it became known.
 */
const HEARD = 'greatest(s.status_at, s.created_at)';
const isSilent = (status: string, since: string, days: string) =>
  `s.status_code = ${status} and ${HEARD} < ${since} and ${HEARD} > ${since} - make_interval(days => ${days})
    and s.stall_told_at is null and s.delivered_at is null`;

// Not by their events, too, which would be looked up of every silent shipment: a company whose silent shipments were all
// heard of is found in vain, now and then.
export const COMPANIES_WITH_STALLED = serviceStatement(
  'companies-with-stalled-shipments',
  `select w.company_id as "companyId" ${OF_NOTIFIED}
    where exists (select 1 from shipment s where s.company_id = w.company_id and ${isSilent('$1', '$2::timestamptz', '$3')})`,
);

/** Companies that may have stalled shipments of a status to be announced, and have an endpoint to notify. */
export async function companiesWithStalled(
  database: Database,
  { statusCode, since }: Silence,
  maxDays: number,
): Promise<CompanyId[]> {
  const rows = await database.rows<{ companyId: CompanyId }>(COMPANIES_WITH_STALLED, [statusCode, since, maxDays]);
  return rows.map(({ companyId }) => companyId);
}

// An event whose code is unknown moves no status, and yet something was heard.
export const STALLED = companyStatement(
  'stalled-shipments',
  `select s.id as "shipmentId", s.status_code as "statusCode" from shipment s
    where s.company_id = $1 and ${isSilent('$2', '$3::timestamptz', '$4')}
      and not exists (select 1 from tracking_event e where e.company_id = $1 and e.shipment_id = s.id and e.occurred_at >= $3)
    order by ${HEARD} limit $5 for no key update skip locked`,
);

/**
 * Shipments of a status of which nothing was heard for longer than is normal, and that were not announced yet, the longest
 * silent first; locked.
 */
export function stalledShipments(
  tx: TenantTransaction,
  { statusCode, since }: Silence,
  maxDays: number,
  max: number,
): Promise<DelayedShipment[]> {
  return tx.rows(STALLED, statusCode, since, maxDays, max);
}
