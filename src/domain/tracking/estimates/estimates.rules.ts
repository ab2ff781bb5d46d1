import { readDateTime } from '../../common/date-time.rules.ts';

/** Estimates of a shipment that are kept, the newest ones. */
export const MAX_ESTIMATES = 50;

/** What is further away is no estimate but a default of the carrier's system, such as the last day of 2099. */
const MAX_DISTANCE_MS = 366 * 24 * 3_600_000;

/** A carrier's estimate as a time; null where the text is none, or is no time that a parcel of today may be expected at. */
export function readEstimate(text: string, now: Date): Date | null {
  const at = readDateTime(text);
  return at && Math.abs(at.getTime() - now.getTime()) <= MAX_DISTANCE_MS ? at : null;
}

/** The two dates that a shipment may have, as milliseconds since 1970. */
export interface ExpectedDates {
  /** The carrier's latest estimate. */
  readonly carrierExpectedDate: number | null;
  /** What the platform sent. */
  readonly platformExpectedDate: number | null;
}

/**
 * When a shipment is expected: by its carrier, which knows where it is, else by the platform. Where neither says, what the
 * service promises itself is shown; being later than that is no delay. The statements that look for
 * late shipments (`delays.repository.ts`) say the same in SQL.
 */
export function expectedDateOf({ carrierExpectedDate, platformExpectedDate }: ExpectedDates): number | null {
  return carrierExpectedDate ?? platformExpectedDate;
}
