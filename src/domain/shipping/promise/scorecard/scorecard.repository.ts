import { companyStatement } from '../../../../platform/database/statements/statements.ts';
import type { Tenant } from '../../../../platform/database/tenancy/tenancy.ts';
import type { Period } from '../../../common/period.rules.ts';
import type { EstimateSource } from '../../tracking/estimates/estimates.rules.ts';

/** The deliveries of a connection in a period, compared with their expected dates. */
export interface ScoreRow {
  readonly carrierConnectionId: number;
  readonly deliveries: number;
  /** Deliveries with an expected date. */
  readonly dated: number;
  readonly late: number;
  /** Days; null if none was late. */
  readonly medianDaysLate: number | null;
}

/** The deliveries of a period, of which one more than `$4` are read. */
const delivered = (columns: string) => `select carrier_connection_id, delivered_at, ${columns} from shipment s
    where s.company_id = $1 and s.delivered_at is not null and s.delivered_at >= $2 and s.delivered_at < $3
    order by s.delivered_at desc limit $4::integer + 1`;

const scores = (outcomes: string) => `with outcome as (${outcomes})
  select carrier_connection_id as "carrierConnectionId", count(*)::integer as deliveries, count(days_late)::integer as dated,
      count(*) filter (where days_late > 0)::integer as late,
      percentile_cont(0.5) within group (order by days_late) filter (where days_late > 0) as "medianDaysLate"
    from outcome group by carrier_connection_id order by carrier_connection_id`;

const DAYS_BETWEEN = '(extract(epoch from delivered_at - expected) / 86400)::float8';

// The index of deliveries has these columns, so that no row of a shipment is read. The measurement: a million shipments
// that were delivered within 92 days. A month of them takes 0.6 s, and 2.3 s by the rows of the shipments. All of them take
// 2.6 s, and 4.1 s by the rows. The index grows from 56 to 63 MB.
const BY_DATE = companyStatement(
  'carrier-scores',
  scores(
    `select carrier_connection_id, ${DAYS_BETWEEN} as days_late from (${delivered(
      `case $5::text when 'CARRIER' then carrier_expected_at when 'PLATFORM' then expected_delivery_date
      else coalesce(carrier_expected_at, expected_delivery_date) end as expected`,
    )}) found`,
  ),
  { canLag: true },
);

// In working days, as the service states its estimates.
const BY_PROMISE = companyStatement(
  'carrier-scores-by-promise',
  scores(`select found.carrier_connection_id, (p.took - p.expected) / 1440 as days_late
    from (${delivered('id')}) found left join shipment_promise p on p.company_id = $1 and p.shipment_id = found.id`),
  { canLag: true },
);

/** The scores of each connection with a delivery in the period, read from at most one delivery more than `most`. */
export function carrierScores(
  tenant: Tenant,
  { from, to }: Period,
  against: EstimateSource | null,
  most: number,
): Promise<ScoreRow[]> {
  return against === 'SERVICE'
    ? tenant.rows<ScoreRow>(BY_PROMISE, from, to, most)
    : tenant.rows<ScoreRow>(BY_DATE, from, to, most, against);
}
