import type { Database } from '../../../../platform/database/database.ts';
import { ms } from '../../../../platform/database/statements/sql.ts';
import { companyStatement, serviceStatement } from '../../../../platform/database/statements/statements.ts';
import type { CompanyId } from '../../../../platform/database/tenancy/company-id.ts';
import { isNotSuspended } from '../../../../platform/database/tenancy/suspended-companies.ts';
import type { TenantTransaction } from '../../../../platform/database/tenancy/tenant-transaction.ts';
import type { DelayedShipment } from '../tracking.announcements.ts';
import type { Silence } from './silence.rules.ts';

/** A shipment that was found delayed, with the time that shows it in milliseconds since 1970. */
export interface FoundDelay extends Omit<DelayedShipment, 'change'> {
  /** The expected date that has passed, or when the last news came. */
  readonly since: number;
}

/** How long after its beginning a delay is found for the first time, and after an earlier one of the shipment. */
export interface Periods {
  readonly firstDays: number;
  readonly againDays: number;
}

// Both kinds are found company by company: by one look-up each in an index that begins with the company. Statuses are
// queried one by one: joined to a list of them, PostgreSQL reads all open shipments (1.2 s of a million).
const OF_EACH = `from company w where ${isNotSuspended('w.id')} and`;

/**
 * Delayed shipments in an index that begins with whether a shipment was found before. The other half of the index has
 * the shipments that were, of which few have a time in the last days. They are found again once this time follows the
 * mark, which holds the end of the period of the earlier finding. Whole rows of the index are compared, because
 * PostgreSQL does not find `is not null` in an index.
 */
const inPeriod = (
  { toldAt, time, status }: { toldAt: string; time: string; status?: string },
  { until, first, again }: { until: string; first: string; again: string },
) => {
  const from = (days: string) => `${until} - make_interval(days => ${days})`;
  const row = `((s.${toldAt} is null), ${status ? 's.status_code, ' : ''}${time})`;
  const end = (at: string) => `(false, ${status ? `${status}, ` : ''}${at})`;
  return {
    first: `s.${toldAt} is null and ${status ? `s.status_code = ${status} and` : ''} ${time} < ${until} and ${time} > ${from(first)}`,
    again: `${row} < ${end(until)} and ${row} > ${end(from(again))} and s.${toldAt} < ${time}`,
  };
};

/** Open shipments past their date by the better source (`expectedDateOf`), for a limited number of days. */
const EXPECTED = 'coalesce(s.carrier_expected_at, s.expected_delivery_date)';
const late = (terminal: string, first: string, again: string) => {
  const isOpen = `s.delivered_at is null and s.status_code <> all(${terminal}::text[])`;
  const found = inPeriod({ toldAt: 'delay_told_at', time: EXPECTED }, { until: 'now()', first, again });
  return { first: `${found.first} and ${isOpen}`, again: `${found.again} and ${isOpen}` };
};

/**
 * Open shipments that have been silent since a time, but not for too long. Silence counts from the newest event by its
 * own time, which a late event does not change; for a shipment that was sent with its history, from its creation.
 */
const HEARD = 'greatest(s.status_at, s.created_at)';
const silent = (status: string, until: string, first: string, again: string) => {
  const isOpen = 's.delivered_at is null';
  const found = inPeriod({ toldAt: 'stall_told_at', time: HEARD, status }, { until, first, again });
  return { first: `${found.first} and ${isOpen}`, again: `${found.again} and ${isOpen}` };
};

const eitherOf = ({ first, again }: { readonly first: string; readonly again: string }) =>
  `(exists (select 1 from shipment s where s.company_id = w.id and ${first})
    or exists (select 1 from shipment s where s.company_id = w.id and ${again}))`;

export const COMPANIES_WITH_LATE = serviceStatement(
  'companies-with-late-shipments',
  `select w.id as "companyId" ${OF_EACH} ${eitherOf(late('$1', '$2', '$3'))}`,
);

/** Companies with late shipments that were not found yet. */
export async function companiesWithLate(
  database: Database,
  { firstDays, againDays }: Periods,
  terminal: readonly string[],
): Promise<CompanyId[]> {
  const rows = await database.rows<{ companyId: CompanyId }>(COMPANIES_WITH_LATE, [terminal, firstDays, againDays]);
  return rows.map(({ companyId }) => companyId);
}

// Events are not read, because each silent shipment would need a look-up: sometimes a company is found though all of
// its silent shipments had events.
export const COMPANIES_WITH_STALLED = serviceStatement(
  'companies-with-stalled-shipments',
  `select w.id as "companyId" ${OF_EACH} ${eitherOf(silent('$1', '$2::timestamptz', '$3', '$4'))}`,
);

/** Companies that may have stalled shipments with a status that were not found yet. */
export async function companiesWithStalled(
  database: Database,
  { statusCode, since }: Silence,
  { firstDays, againDays }: Periods,
): Promise<CompanyId[]> {
  const rows = await database.rows<{ companyId: CompanyId }>(COMPANIES_WITH_STALLED, [
    ...[statusCode, since],
    ...[firstDays, againDays],
  ]);
  return rows.map(({ companyId }) => companyId);
}

/**
 * Finds, locks and marks shipments, longest delayed first. A shipment of which subscribers are to be notified gets
 * the next number among its events.
 */
const finding = (
  { toldAt, time, until }: { toldAt: string; time: string; until: string },
  delayed: { first: string; again: string },
  isNotified: string,
  max: string,
) => {
  const half = (condition: string, isFirst: boolean) =>
    `select s.id, ${time} as since, ${isFirst ? isNotified : 'false'} as is_notified from shipment s
      where s.company_id = $1 and ${condition} order by ${time} limit ${max} for no key update of s skip locked`;
  return `with first as materialized (${half(delayed.first, true)}), again as materialized (${half(delayed.again, false)}),
    marked as (
      update shipment s set ${toldAt} = ${until}, event_sequence = s.event_sequence + each.is_notified::integer
        from (select * from first union all select * from again) each where s.company_id = $1 and s.id = each.id
        returning s.id, s.status_code, s.event_sequence, each.is_notified, each.since
    )
    select id as "shipmentId", status_code as "statusCode", case when is_notified then event_sequence end as sequence,
      ${ms('since')} as since from marked order by marked.since, id`;
};

/** Subscribers know of the delay if its carrier has reported one. */
const IS_UNREPORTED = `not exists (select 1 from tracking_event e
  where e.company_id = $1 and e.shipment_id = s.id and e.status_code = 'delayed')`;

export const LATE = companyStatement(
  'late-shipments',
  finding({ toldAt: 'delay_told_at', time: EXPECTED, until: 'now()' }, late('$2', '$3', '$4'), IS_UNREPORTED, '$5'),
);

/** Marks open shipments past an expected date that were not found late by this date, longest late first; locks them. */
export function markLate(
  tx: TenantTransaction,
  { firstDays, againDays }: Periods,
  terminal: readonly string[],
  max: number,
): Promise<FoundDelay[]> {
  return tx.rows(LATE, terminal, firstDays, againDays, max);
}

// An event with an unknown code keeps the status, but it ends the silence.
const HEARD_NOTHING = `not exists (select 1 from tracking_event e
  where e.company_id = $1 and e.shipment_id = s.id and e.occurred_at >= $3)`;
const SILENT = silent('$2', '$3::timestamptz', '$4', '$5');

export const STALLED = companyStatement(
  'stalled-shipments',
  finding(
    { toldAt: 'stall_told_at', time: HEARD, until: '$3::timestamptz' },
    { first: `${SILENT.first} and ${HEARD_NOTHING}`, again: `${SILENT.again} and ${HEARD_NOTHING}` },
    'true',
    '$6',
  ),
);

/** Marks shipments that are silent for longer than normal for their status, and were not found so, longest first; locks them. */
export function markStalled(
  tx: TenantTransaction,
  { statusCode, since }: Silence,
  { firstDays, againDays }: Periods,
  max: number,
): Promise<FoundDelay[]> {
  return tx.rows(STALLED, statusCode, since, firstDays, againDays, max);
}
