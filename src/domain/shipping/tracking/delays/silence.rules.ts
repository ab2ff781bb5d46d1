import { workingDaysBefore } from '../../../common/working-days.rules.ts';
import type { OpenStatus } from '../events.rules.ts';
import type { StatusCode } from '../status.rules.ts';

/** The number of working days without news after which a shipment is stalled, by its status. */
export const NORMAL_WORKING_DAYS: Readonly<Record<OpenStatus, number>> = {
  // A label may be printed days before its parcel is handed over; after a week it has been forgotten or lost.
  created: 5,
  // Sorted and scanned in the night after the pickup.
  shipped: 2,
  // One night by road in Italy, two by sea; abroad a parcel may have no scan for three.
  in_transit: 3,
  // Sent out the next working day, to remote places every other one.
  at_depot: 2,
  // The carrier asks for papers, and the recipient has some days to send them.
  customs: 5,
  // The courier is back by the evening, and reports the outcome.
  out_for_delivery: 1,
  // The carrier has reported a delay; after that it must report more.
  delayed: 3,
  // Tried again the next working day, or left at the depot.
  delivery_failed: 2,
  // Its sender has five working days to decide, and the carrier one to act on it.
  held: 6,
  // Returned, or sent to a new address, once the sender has decided.
  refused: 6,
  // Its recipient has up to ten days to collect it; then it is returned.
  pickup_point: 10,
  // The slowest of all journeys, and hardly scanned.
  returning: 10,
  // An unreadable event, somewhere on the road.
  unknown: 3,
};

/** Shipments with a status are stalled if they have been silent since a time. */
export interface Silence {
  readonly statusCode: StatusCode;
  readonly since: Date;
}

/** The table in words: `1 working day when out_for_delivery; 2 when …`. */
export function normalSilence(): string {
  const byDays = Map.groupBy(Object.entries(NORMAL_WORKING_DAYS), ([, days]) => days);
  const rows = [...byDays].toSorted(([one], [other]) => one - other);
  return rows
    .map(([days, of], i) => {
      const unit = i > 0 ? '' : days === 1 ? ' working day' : ' working days';
      return `${days}${unit} when ${of.map(([statusCode]) => `\`${statusCode}\``).join(', ')}`;
    })
    .join('; ');
}

/** The start of a silence after which shipments are stalled now, by open status. */
export function silences(now: Date): Silence[] {
  return Object.entries(NORMAL_WORKING_DAYS).map(([statusCode, days]) => ({
    statusCode: statusCode as OpenStatus,
    since: workingDaysBefore(now, days),
  }));
}
