import { companyStatement } from '../../../platform/database/statements/statements.ts';
import type { PatientTransaction } from '../../../platform/database/tenancy/tenant-transaction.ts';
import { DAY_MS } from '../../common/working-days.rules.ts';
import { type Quantiles, quantilesOfKept } from './calibration.rules.ts';
import { KEPT_SHARES, MIN_AS_HEAVY, MIN_DELIVERIES, STEP } from './distribution.rules.ts';
import { ANY_WEIGHT, DESTINATION_LEVELS, NO_WEIGHT, WEIGHT_BANDS } from './lane.rules.ts';
import { type CellRow, MAX_SILENT_DAYS } from './promise-table.rules.ts';
import { localOf, minutesOf, NOT_TO_BE_DELIVERED, type Period, texts } from './working-minutes.repository.ts';

/**
 * The transit times of a company's parcels, in SQL: one statement reads all shipments of a period, another one the
 * events of the newest of them.
 *
 * A parcel under way has not been delivered *yet*: leaving it out would make recent transit times look short, and would
 * promise dates for lost parcels. It counts as one that takes longer than its time under way (the Kaplan–Meier
 * estimator). Parcels that will no longer be delivered are left out.
 *
 * Times are minutes and not days, because in whole days the share would jump over 80 %.
 */

/** The prefixes of CAPs with their destinations. */
export interface Provinces {
  readonly beginnings: readonly string[];
  readonly provinces: readonly string[];
  readonly regions: readonly string[];
}

/** The newest shipments whose events are read. Times by status vary little, and events are many. */
const WITH_EVENTS = 50_000;
/** Only events of this many days: remaining times are short, so a few weeks have many deliveries. */
const STATUS_DAYS = 30;
/** The limit on groups, largest first, because look-ups keep them in memory. */
const MAX_CELLS = 100_000;

const band = (weight: string) => `case when ${weight} is null then '${NO_WEIGHT}'
      ${WEIGHT_BANDS.slice(0, -1)
        .map(({ kind, upTo }) => `when ${weight} <= ${upTo} then '${kind}'`)
        .join(' ')} else '${WEIGHT_BANDS.at(-1)?.kind}' end`;

/** The columns of a destination, from the nearest level to the widest. */
const DESTINATIONS = ['postal_code', 'province', 'region', 'country'];

/** Reads the shipments of the period; `at` is the time of the newest event, which is the delivery if there was one. */
const SHIPPED = `shipped as (
      select s.id, s.carrier_connection_id as connection, s.weight, s.first_scan_at, s.status_at as at,
          s.status_code = 'delivered' as is_delivered, coalesce(s.recipient, o.recipient) as recipient
        from shipment s left join customer_order o on o.company_id = $1 and o.id = s.order_id and s.recipient is null
        where s.company_id = $1 and s.id > $2 and s.first_scan_at >= $3 and (s.status_code <> 'delivered' or s.status_at > s.first_scan_at)
          and s.status_code not in (${texts(NOT_TO_BE_DELIVERED)})
    )`;

const ADDRESSED = `addressed as (
      select shipped.*, recipient->>'countryCode' as country, nullif(upper(translate(recipient->>'postalCode', ' -', '')), '') as plain
        from shipped
    ), bound as (
      select addressed.*, case country when 'IT' then plain else country || ' ' || plain end as postal_code,
          caps.province, caps.region
        from addressed left join unnest($7::text[], $8::text[], $9::text[]) as caps(beginning, province, region)
          on country = 'IT' and beginning = left(plain, 4)
    )`;

/** The end of a parcel's observation: its delivery, or now. */
const FOLLOWED = 'case when is_delivered then heard else $6 end';
const MINUTES = `greatest(1, ceil((${FOLLOWED} - started) / ${STEP}))::integer * ${STEP} as minutes`;

/** A level of groups: the common columns of their parcels. */
const level = (number: number, kind: string, atLeast: number) => {
  const isNearest = number === 0;
  return {
    number,
    kind,
    atLeast,
    destination: DESTINATIONS[number] as string,
    from: isNearest ? 'timed' : 'by_area',
    delivered: isNearest ? 'count(*) filter (where is_delivered)' : 'sum(delivered)',
    parcels: isNearest ? 'count(*)' : 'sum(parcels)',
  };
};
type Level = ReturnType<typeof level>;

/** Groups that are large enough, with the shares of their quantiles. */
const largeOf = ({
  number,
  from,
  destination,
  kind,
  delivered,
  parcels,
  atLeast,
}: Level) => `select ${number}::smallint as level, connection,
        ${destination} as destination, ${kind} as kind, (${delivered})::integer as deliveries, (${parcels})::integer as all_parcels
      from ${from} where ${destination} is not null group by 2, 3, 4 having ${delivered} >= ${atLeast}`;

/** By group and time, the number of parcels that took so long, and how many were delivered at that time. */
const rowsOf = ({ number, from, destination, kind, delivered, parcels }: Level) => `select id, minutes,
        (${delivered})::integer as delivered, (${parcels})::integer as parcels
      from ${from} join large on large.level = ${number} and large.connection = ${from}.connection
        and large.destination = ${destination} and large.kind = ${kind === 'kind' ? `${from}.kind` : kind} group by id, minutes`;

/** All levels but the nearest are counted from this part of the rows. */
const BY_AREA = `by_area as materialized (
      select connection, kind, province, region, country, minutes, (count(*) filter (where is_delivered))::integer as delivered,
          count(*)::integer as parcels
        from timed group by 1, 2, 3, 4, 5, 6
    )`;

/**
 * The times of groups. `share` is the delivered part of 1: the remaining parts after each time are multiplied,
 * including the part of one additional parcel, the next one. `reached` is the number of requested quantiles that it
 * reaches. Groups have numbers, because sorting millions of rows by name takes ten times as long.
 */
const timesOf = (levels: readonly Level[]) => `${BY_AREA}, large as materialized (
      select (row_number() over ())::integer as id, level, connection, destination, kind, deliveries, all_parcels, quantiles::float8[] as quantiles
        from (${levels.map(largeOf).join(' union all ')}) found
        join unnest($10::integer[], $11::smallint[], $12::text[]) as q(connection, level, quantiles) using (connection, level)
    ), grouped as materialized (
      ${levels.map(rowsOf).join(' union all ')}
    ), survived as (
      select id, minutes, delivered, 1e-9 + deliveries / (deliveries + 1.0)::float8
          * (1 - exp(sum(case when delivered = open then -100 else ln(1 - delivered / open) end) over (partition by id order by minutes))) as share
        from (
          select id, minutes, delivered, deliveries, (all_parcels - sum(parcels) over (partition by id order by minutes) + parcels)::float8 as open
            from grouped join large using (id)
        ) at_risk
    ), steps as (
      select id, reached, min(minutes) as minutes, max(minutes) as longest, max(share) as share, max(minutes) filter (where is_early) as earliest
        from (
          select id, minutes, share, width_bucket(share, quantiles) as reached, share <= quantiles[1] + 2e-9 as is_early
            from survived join large using (id) where delivered > 0
        ) shared group by id, reached
    ), times as materialized (
      select id, array_agg(reached order by reached) as reached, array_agg(minutes order by reached) as minutes,
          coalesce(max(earliest), min(minutes)) as earliest, max(longest) as longest, max(share) as share from steps group by id
    )
    select connection as "carrierConnectionId", level, destination, kind, deliveries, times.reached, times.minutes, times.earliest, times.longest, times.share
      from large join times using (id) order by deliveries desc limit ${MAX_CELLS}`;

const ALL_LEVELS = DESTINATION_LEVELS.map((_, number) => number);
const SCANNED = ALL_LEVELS.flatMap(number => [
  level(number, 'kind', MIN_AS_HEAVY),
  level(number, `'${ANY_WEIGHT}'`, MIN_DELIVERIES),
]);
const WITH_STATUS = [level(2, 'kind', MIN_DELIVERIES), level(3, 'kind', MIN_DELIVERIES)];

const FROM_SCAN = companyStatement(
  'promise-from-scan',
  `with ${SHIPPED}, ${ADDRESSED}, timed as materialized (
      select connection, ${band('weight')} as kind, postal_code, province, region, country, is_delivered, ${MINUTES}
        from (
          select *, ${minutesOf('at_local')} as heard, ${minutesOf('scan_local')} as started
            from (select *, ${localOf('at')} as at_local, ${localOf('first_scan_at')} as scan_local from bound offset 0) clocked
        ) timed_by_clock
    ), ${timesOf(SCANNED)}`,
);

// A parcel counts from each of its events, and again from each whole working day of silence after it.
const FROM_STATUS = companyStatement(
  'promise-from-status',
  `with ${SHIPPED.replace(/\n {4}\)$/, ` order by s.id desc limit ${WITH_EVENTS}\n    )`)}, ${ADDRESSED}, timed as materialized (
      select connection, status_code || case days when 0 then '' else '+' || days end as kind, province, region, country, is_delivered, ${MINUTES}
        from (
          select *, event + 1440 * days as started from (
            select *, ${minutesOf('at_local')} as heard, ${minutesOf('event_local')} as event, ${minutesOf('next_local')} as next
              from (
                select bound.*, e.status_code, ${localOf('at')} as at_local, ${localOf('e.occurred_at')} as event_local, ${localOf('e.next_at')} as next_local
                  from bound cross join lateral (
                    select status_code, occurred_at, lead(occurred_at) over (order by occurred_at, id) as next_at from tracking_event
                      where company_id = $1 and shipment_id = bound.id and (occurred_at < bound.at or not bound.is_delivered)
                        and status_code not in (${texts(['created', 'unknown', ...NOT_TO_BE_DELIVERED])}) offset 0
                  ) e offset 0
              ) clocked
          ) timed_by_clock
          cross join lateral generate_series(0, least(${MAX_SILENT_DAYS}, greatest(0, ceil((coalesce(next, ${FOLLOWED}) - event) / 1440)::integer - 1))) as days
        ) silent
    ), ${timesOf(WITH_STATUS)}`,
);

interface TimesRow extends Pick<CellRow, 'carrierConnectionId' | 'level' | 'destination' | 'kind' | 'deliveries'> {
  /** The number of quantiles first reached at each time, ascending. */
  readonly reached: readonly number[];
  readonly minutes: readonly number[];
  readonly earliest: number;
  readonly longest: number;
  /** The share that is delivered by the longest time. */
  readonly share: number;
}

/** The time of each stored share that the deliveries reach; a quantile beyond all gets their longest time. */
function cellOf({ reached, minutes, earliest, longest, share, ...group }: TimesRow): CellRow {
  const times = KEPT_SHARES.filter(kept => kept <= share).map((_, place) =>
    place === 0 ? earliest : (minutes[reached.findIndex(count => count > place)] ?? longest),
  );
  return { ...group, times, longest };
}

/** The rows of a new table: from the first scan, and from each status. */
export async function transitTimes(
  tx: PatientTransaction,
  period: Period,
  { beginnings, provinces, regions }: Provinces,
  quantiles: { readonly fromScan: readonly Quantiles[]; readonly fromStatus: readonly Quantiles[] },
): Promise<CellRow[]> {
  const values = (since: Date, taken: readonly Quantiles[]) => [
    ...[period.afterId, since, period.firstDay, period.workingDays, period.nowMinutes],
    ...[beginnings, provinces, regions],
    ...[taken.map(one => one.carrierConnectionId), taken.map(one => one.level)],
    taken.map(one => `{${quantilesOfKept(one).join()}}`),
  ];
  const statusesSince = new Date(period.now.getTime() - STATUS_DAYS * DAY_MS);
  const rows = [
    ...(await tx.rows<TimesRow>(FROM_SCAN, ...values(period.from, quantiles.fromScan))),
    ...(await tx.rows<TimesRow>(FROM_STATUS, ...values(statusesSince, quantiles.fromStatus))),
  ];
  return rows.map(cellOf);
}
