import { readDateTime } from '../../../common/date-time.rules.ts';

/** The sources of expected dates. */
export const ESTIMATE_SOURCES = ['CARRIER', 'PLATFORM', 'SERVICE'] as const;
export type EstimateSource = (typeof ESTIMATE_SOURCES)[number];

/** The number of stored estimates of a shipment, the newest ones. */
export const MAX_ESTIMATES = 50;

/** A later time is a default of the carrier's system, such as the last day of 2099. */
const MAX_DISTANCE_MS = 366 * 24 * 3_600_000;

/** A carrier's estimate as a time; null if it is not a time, or a time at which no parcel of today is expected. */
export function readEstimate(text: string, now: Date): Date | null {
  const at = readDateTime(text);
  return at && Math.abs(at.getTime() - now.getTime()) <= MAX_DISTANCE_MS ? at : null;
}

/** The two expected dates of a shipment, as milliseconds since 1970. */
export interface ExpectedDates {
  /** The carrier's latest estimate. */
  readonly carrierExpectedAt: number | null;
  readonly platformExpectedAt: number | null;
}

/**
 * The expected date of a shipment: its carrier's, which knows where it is, else the platform's. Without either, the
 * service shows its own promise, which causes no delay. The statements that look for late shipments
 * (`delays.repository.ts`) repeat the rule in SQL.
 */
export function expectedDateOf({ carrierExpectedAt, platformExpectedAt }: ExpectedDates): number | null {
  return carrierExpectedAt ?? platformExpectedAt;
}

/**
 * Whether a delivery came after the expected date that was shown; null without both times. `shipment-conditions.rules.ts`
 * and the scorecard repeat the rule in SQL.
 */
export function wasLate({
  deliveredAt,
  ...dates
}: ExpectedDates & { readonly deliveredAt: number | null }): boolean | null {
  const expected = expectedDateOf(dates);
  return expected === null || deliveredAt === null ? null : deliveredAt > expected;
}
