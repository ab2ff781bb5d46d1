import type { Tenant } from '../../../../platform/database/tenancy/tenancy.ts';
import { invalid } from '../../../../platform/fault.ts';
import { periodOf } from '../../../common/period.rules.ts';
import type { EstimateSource } from '../../tracking/estimates/estimates.rules.ts';
import type { ScorecardPeriod } from './scorecard.input.ts';
import { carrierScores, type ScoreRow } from './scorecard.repository.ts';

/** The deliveries that one scorecard reads. */
const MOST: Readonly<Record<'dates' | 'promises', number>> = {
  dates: 1_000_000,
  // Each delivery needs a look-up.
  promises: 200_000,
};

/**
 * How many deliveries of each connection came by their expected date.
 *
 * @param against who gave the date; the carrier, else the platform, if it is null
 * @throws Fault `validation_failed` for a period with too many deliveries
 */
export async function carrierScorecard(
  tenant: Tenant,
  period: ScorecardPeriod,
  against: EstimateSource | null,
): Promise<readonly ScoreRow[]> {
  const most = against === 'SERVICE' ? MOST.promises : MOST.dates;
  const rows = await carrierScores(tenant, periodOf(period), against, most);
  if (rows.reduce((sum, { deliveries }) => sum + deliveries, 0) <= most) return rows;
  const message = `makes a period with more than ${most} deliveries, which takes too long: choose fewer days`;
  throw invalid([{ path: ['deliveredIn', 'from'], code: 'too_costly', message }]);
}
