import { workingDaysBefore } from '../../common/working-days.rules.ts';
import type { TERMINAL_STATUSES } from '../../tracking/events.rules.ts';
import type { StatusCode } from '../../tracking/status.rules.ts';

type OpenStatus = Exclude<StatusCode, (typeof TERMINAL_STATUSES)[number]>;

/** After how many working days without news a shipment is stalled, by its status. */
export const NORMAL_WORKING_DAYS: Readonly<Record<OpenStatus, number>> = {
  // A label may be printed days before its parcel is handed over; after a week it has been forgotten or lost.
  created: 5,
  // What is picked up is sorted the same night, and scanned there.
  shipped: 2,
  // One night by road in Italy, two by sea; abroad there may be none that scans for three.
  in_transit: 3,
  // It goes out the next working day, to remote places every other one.
  at_depot: 2,
  // Papers are asked for, and the recipient has some days to send them.
  customs: 5,
  // The courier is back by the evening, and says what became of it.
  out_for_delivery: 1,
  // The carrier has said itself that it takes longer; after that it is to say more.
  delayed: 3,
  // Tried again the next working day, or left at the depot.
  delivery_failed: 2,
  // Its sender has five working days to decide, and the carrier one to act on it.
  held: 6,
  // Goes back, or to a new address, once the sender has decided.
  refused: 6,
  // Its recipient has up to ten days to come for it; then it goes back.
  pickup_point: 10,
  // The slowest of all journeys, and hardly scanned.
  returning: 10,
  // Something happened that nobody can read, somewhere on the road.
  unknown: 3,
};

/** Shipments of a status are stalled where nothing was heard of them since. */
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

/** Since when each open status must have been silent for its shipments to be stalled now. */
export function silences(now: Date): Silence[] {
  return Object.entries(NORMAL_WORKING_DAYS).map(([statusCode, days]) => ({
    statusCode: statusCode as OpenStatus,
    since: workingDaysBefore(now, days),
  }));
}
