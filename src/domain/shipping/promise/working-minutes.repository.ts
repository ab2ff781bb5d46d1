import { companyStatement } from '../../../platform/database/statements/statements.ts';
import type { PatientTransaction } from '../../../platform/database/tenancy/tenant-transaction.ts';
import { DAY_MS, workingCalendar, workingMs } from '../../common/working-days.rules.ts';

/** Working days in SQL, and the period of a run. */

/** The period of first scans: long enough for many deliveries, short enough for one season. */
const DAYS = 90;
/** The longest time between the creation of a shipment and its first scan. */
const MADE_BEFORE_DAYS = 30;
const MINUTE_MS = 60_000;

/** The parameters of a run's statements; minutes count in working days since 1970. */
export interface Period {
  /** Shipments of the period have greater ids. */
  readonly afterId: number;
  readonly from: Date;
  readonly now: Date;
  /** As a number: 1 January 1970 is 0. */
  readonly firstDay: number;
  /** The number of working days until each day, from `firstDay` on. */
  readonly workingDays: readonly number[];
  readonly nowMinutes: number;
}

// Ids increase with the creation time of shipments, within a moment, so no index on that time is needed: the id is
// found by bisection, in some thirty steps.
const MADE_BEFORE = companyStatement(
  'promise-oldest-shipment',
  `with recursive halves(low, high) as (
      select 0, coalesce((select max(id) from shipment where company_id = $1), 0)
      union all
      select case when is_old then middle else low end, case when is_old then high else middle end
        from halves cross join lateral (select low + (high - low) / 2 as middle) between_them
        cross join lateral (
          select coalesce((select created_at < $2 from shipment where company_id = $1 and id > middle order by id limit 1), false) as is_old
        ) first_after
        where high - low > 1
    )
    select max(low) as "afterId" from halves`,
);

/** An id below all shipments that were first scanned since that time. */
export async function idBefore(tx: PatientTransaction, firstScan: Date): Promise<number> {
  const [found] = await tx.rows<{ afterId: number }>(
    MADE_BEFORE,
    new Date(firstScan.getTime() - MADE_BEFORE_DAYS * DAY_MS),
  );
  return found?.afterId ?? 0;
}

export async function periodUntil(tx: PatientTransaction, now: Date): Promise<Period> {
  const from = new Date(now.getTime() - DAYS * DAY_MS);
  // Extended at both ends: carriers' clocks differ, and an event may be dated on the next day.
  const calendar = workingCalendar(new Date(from.getTime() - 2 * DAY_MS), new Date(now.getTime() + 3 * DAY_MS));
  return {
    afterId: await idBefore(tx, from),
    from,
    now,
    firstDay: calendar.firstDay,
    workingDays: calendar.before,
    nowMinutes: workingMs(now) / MINUTE_MS,
  };
}

/** The local time in Italy, in seconds. It takes a microsecond: compute it once, in a subquery that is not inlined. */
export const localOf = (time: string): string => `date_part('epoch', ${time} at time zone 'Europe/Rome')`;

const WORKING_DAYS = '($5::integer[])';
const dayOf = (local: string) => `floor(${local} / 86400)::integer - $4::integer`;

/** Converts `localOf` to working minutes. `$4` is `firstDay` and `$5` are `workingDays`, which SQL counts from 1. */
export const minutesOf = (local: string): string =>
  `(${WORKING_DAYS}[${dayOf(local)} + 1] * 1440 + (${WORKING_DAYS}[${dayOf(local)} + 2] - ${WORKING_DAYS}[${dayOf(local)} + 1])
        * (${local} / 60 - floor(${local} / 86400) * 1440))`;

/** Statuses after which no delivery is expected. */
export const NOT_TO_BE_DELIVERED = ['refused', 'returning', 'returned', 'lost', 'cancelled'] as const;

export const texts = (all: readonly string[]) => all.map(one => `'${one}'`).join(', ');
