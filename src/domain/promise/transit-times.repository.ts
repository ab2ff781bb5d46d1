import { companyStatement, type PatientTransaction } from '../../platform/database/tenancy.ts';
import { DAY_MS } from '../working-days.rules.ts';
import type { Quantiles } from './calibration.rules.ts';
import type { TransitTimes } from './coarser.rules.ts';
import { ANY_WEIGHT, NO_WEIGHT, WEIGHT_BANDS } from './lane.rules.ts';
import { MIN_DELIVERIES, type Moment } from './promise-table.rules.ts';
import { localOf, minutesOf, NOT_TO_BE_DELIVERED, type Period, texts } from './working-minutes.repository.ts';

/**
 * How long a company's parcels take, in SQL: one statement goes through all shipments of a period, another one through the
 * events of the newest of them.
 *
 * A parcel that is still under way has not been delivered *yet*: to leave it out would make recent transit times look
 * short, the more so the more recent they are. It counts as one that takes longer than it is on its way so far (the
 * estimator of Kaplan and Meier), or, where nothing was heard of it for long, longer than it was followed. Those that will
 * not be delivered any more are left out.
 *
 * The quantile of a group of n deliveries is the one of rank ⌈(n + 1) · share⌉, as split conformal prediction has it: the
 * next delivery, if it is like those, comes within that time with at least this probability. Times are minutes and not
 * days: in whole days the share would jump over 80 %.
 */

/** The beginnings of CAPs, with what they tell of the destination. */
export interface Provinces {
  readonly beginnings: readonly string[];
  readonly provinces: readonly string[];
  readonly regions: readonly string[];
}

/** Shipments whose events are looked at: the newest. Their times by status are alike, and events are many. */
const WITH_EVENTS = 50_000;
/** Of these, only what was scanned in so many days: what remains is short, so that a few weeks are many deliveries. */
const STATUS_DAYS = 30;
/** Minutes; with fewer steps there are fewer rows to sort. */
const STEP = 5;
/** Groups that are kept, those with the most deliveries first: look-ups hold them in memory. */
const MAX_CELLS = 100_000;

const band = (weight: string) => `case when ${weight} is null then '${NO_WEIGHT}'
      ${WEIGHT_BANDS.slice(0, -1)
        .map(({ kind, upTo }) => `when ${weight} <= ${upTo} then '${kind}'`)
        .join(' ')} else '${WEIGHT_BANDS.at(-1)?.kind}' end`;

/** The columns of a destination, from the finest level to the coarsest. */
const DESTINATIONS = ['postal_code', 'province', 'region', "''"];

/** What is read of the shipments of the period; `at` is the time of the newest event, which is the delivery where it is one. */
const SHIPPED = `shipped as (
      select s.id, s.carrier_connection_id as connection, s.weight, s.first_scan_at, s.status_at as at,
          s.status_code = 'delivered' as is_delivered, coalesce(s.recipient, o.recipient) as recipient
        from shipment s left join customer_order o on o.company_id = $1 and o.id = s.order_id and s.recipient is null
        where s.company_id = $1 and s.id > $2 and s.first_scan_at >= $3 and (s.status_code <> 'delivered' or s.status_at > s.first_scan_at)
          and s.status_code not in (${texts(NOT_TO_BE_DELIVERED)})
    )`;

const ADDRESSED = `addressed as (
      select shipped.*, recipient->>'countryCode' as country, upper(translate(recipient->>'postalCode', ' -', '')) as plain
        from shipped
    ), bound as (
      select addressed.*, case country when 'IT' then plain else country || ' ' || plain end as postal_code,
          caps.province, case country when 'IT' then caps.region else country end as region
        from addressed left join unnest($8::text[], $9::text[], $10::text[]) as caps(beginning, province, region)
          on country = 'IT' and beginning = left(plain, 4)
    )`;

/** Minutes from `started` to the delivery; of a parcel under way, for how long it is known not to be delivered. */
const MINUTES = `greatest(1, ceil((case when is_delivered or heard < $7 then heard else $6 end - started) / ${STEP}))::integer * ${STEP} as minutes`;

/** A level of groups: what parcels have in common, by the columns of where they are counted. */
const level = (number: number, from: 'timed' | 'by_area', kind = 'kind') => {
  const counts = {
    timed: ['count(*) filter (where is_delivered)', 'count(*)'],
    by_area: ['sum(delivered)', 'sum(parcels)'],
  };
  const [delivered, parcels] = counts[from] as [string, string];
  return { number, from, destination: DESTINATIONS[number] as string, kind, delivered, parcels };
};
type Level = ReturnType<typeof level>;

/** Groups that are large enough, with the shares that their quantiles are taken at. */
const largeOf = ({
  number,
  from,
  destination,
  kind,
  delivered,
  parcels,
}: Level) => `select ${number}::smallint as level, connection,
        ${destination} as destination, ${kind} as kind, (${delivered})::integer as deliveries, (${parcels})::integer as all_parcels
      from ${from} where ${destination} is not null group by 2, 3, 4 having ${delivered} >= ${MIN_DELIVERIES}`;

/** By group and time, how many parcels took so long, and how many of them were delivered then. */
const rowsOf = ({ number, from, destination, kind, delivered, parcels }: Level) => `select id, minutes,
        (${delivered})::integer as delivered, (${parcels})::integer as parcels
      from ${from} join large on large.level = ${number} and large.connection = ${from}.connection
        and large.destination = ${destination} and large.kind = ${kind === 'kind' ? `${from}.kind` : kind} group by id, minutes`;

/** All but the finest level is counted by this, which has a part of the rows. */
const BY_AREA = `by_area as materialized (
      select connection, kind, province, region, minutes, (count(*) filter (where is_delivered))::integer as delivered, count(*)::integer as parcels
        from timed group by 1, 2, 3, 4, 5
    )`;

/** The first time by which as many were delivered; null where so many never were. */
const upper = (moment: Moment) => `min(minutes) filter (where share >= ${moment} - 1e-9) as ${moment}`;
/** The last delivery by which no more were delivered. */
const lower = (moment: Moment) => `coalesce(max(minutes) filter (where share <= ${moment} + 1e-9 and delivered > 0),
          min(minutes) filter (where delivered > 0)) as ${moment}`;

/**
 * The quantiles of groups. `share` is how many of 1 are delivered by then: what is left after each time, multiplied. Groups
 * have numbers, since to sort millions of rows by names takes ten times as long.
 */
const quantilesOf = (levels: readonly Level[]) => `${BY_AREA}, large as materialized (
      select (row_number() over ())::integer as id, level, connection, destination, kind, deliveries, all_parcels,
          earliest * (1 + 1.0 / deliveries) as earliest, expected * (1 + 1.0 / deliveries) as expected,
          latest * (1 + 1.0 / deliveries) as latest
        from (${levels.map(largeOf).join(' union all ')}) found
        join unnest($11::integer[], $12::smallint[], $13::float8[], $14::float8[], $15::float8[])
          as q(connection, level, earliest, expected, latest) using (connection, level)
    ), grouped as materialized (
      ${levels.map(rowsOf).join(' union all ')}
    ), survived as (
      select *, 1 - exp(sum(case when delivered = open then -100 else ln(1 - delivered / open) end)
          over (partition by id order by minutes)) as share
        from (
          select id, minutes, delivered, earliest, expected, latest,
              (all_parcels - sum(parcels) over (partition by id order by minutes) + parcels)::float8 as open
            from grouped join large using (id)
        ) at_risk
    ), times as materialized (
      select id, ${lower('earliest')}, ${upper('expected')}, ${upper('latest')},
          max(minutes) filter (where delivered > 0) as longest from survived group by id
    )
    select connection as "carrierCompanyId", level, destination, kind, deliveries, times.earliest, times.expected, times.latest, longest
      from large join times using (id) order by deliveries desc limit ${MAX_CELLS}`;

const FROM_SCAN = companyStatement(
  'promise-from-scan',
  `with ${SHIPPED}, ${ADDRESSED}, timed as materialized (
      select connection, ${band('weight')} as kind, postal_code, province, region, is_delivered, ${MINUTES}
        from (
          select *, ${minutesOf('at_local')} as heard, ${minutesOf('scan_local')} as started
            from (select *, ${localOf('at')} as at_local, ${localOf('first_scan_at')} as scan_local from bound offset 0) clocked
        ) timed_by_clock
    ), ${quantilesOf([level(0, 'timed'), ...[1, 2, 3].map(number => level(number, 'by_area')), level(3, 'by_area', `'${ANY_WEIGHT}'`)])}`,
);

const FROM_STATUS = companyStatement(
  'promise-from-status',
  `with ${SHIPPED.replace(/\n {4}\)$/, ` order by s.id desc limit ${WITH_EVENTS}\n    )`)}, ${ADDRESSED}, timed as materialized (
      select connection, kind, postal_code, province, region, is_delivered, ${MINUTES}
        from (
          select *, ${minutesOf('at_local')} as heard, ${minutesOf('event_local')} as started
            from (
              select bound.*, e.status_code as kind, ${localOf('at')} as at_local, ${localOf('e.occurred_at')} as event_local
                from bound cross join lateral (
                  select status_code, occurred_at from tracking_event
                    where company_id = $1 and shipment_id = bound.id and occurred_at < bound.at
                      and status_code not in (${texts(['created', 'unknown', ...NOT_TO_BE_DELIVERED])}) offset 0
                ) e offset 0
            ) clocked
        ) timed_by_clock
    ), ${quantilesOf([level(2, 'by_area'), level(3, 'by_area')])}`,
);

/** The rows of a new table: from the first scan, and from each status. */
export async function transitTimes(
  tx: PatientTransaction,
  period: Period,
  { beginnings, provinces, regions }: Provinces,
  quantiles: { readonly fromScan: readonly Quantiles[]; readonly fromStatus: readonly Quantiles[] },
): Promise<TransitTimes[]> {
  const values = (from: Date, taken: readonly Quantiles[]) => {
    const column = <Field extends keyof Quantiles>(field: Field) => taken.map(one => one[field]);
    return [
      ...[period.afterId, from, period.firstDay, period.workingDays, period.nowMinutes, period.silentMinutes],
      ...[beginnings, provinces, regions],
      ...[column('carrierCompanyId'), column('level'), column('earliest'), column('expected'), column('latest')],
    ];
  };
  return [
    ...(await tx.rows<TransitTimes>(FROM_SCAN, ...values(period.from, quantiles.fromScan))),
    ...(await tx.rows<TransitTimes>(
      FROM_STATUS,
      ...values(new Date(period.now.getTime() - STATUS_DAYS * DAY_MS), quantiles.fromStatus),
    )),
  ];
}
