import { TERMINAL_STATUSES } from '../../domain/tracking/events.rules.ts';
import { STATUS_CODES, STATUS_LABELS, type StatusCode } from '../../domain/tracking/status.rules.ts';
import { code, table } from './markdown.ts';

/** The meaning of each status for those who track a shipment. */
const MEANINGS: Readonly<Record<StatusCode, string>> = {
  created: 'The carrier has the data of the shipment, but not the parcel.',
  shipped: 'The carrier has picked up the parcel.',
  in_transit: 'The parcel is on its way between depots.',
  at_depot: 'The parcel is at the depot that delivers it.',
  customs: 'The parcel is being cleared by customs.',
  out_for_delivery: 'The courier has the parcel and delivers it today.',
  delayed: 'The carrier reports a delay.',
  pickup_point: 'The recipient can collect the parcel.',
  delivery_failed: 'The courier tried to deliver, without success.',
  held: 'The parcel waits at the depot for instructions of the sender (giacenza).',
  refused: 'The recipient refused the parcel.',
  delivered: 'The recipient has the parcel.',
  returning: 'The parcel is on its way back to the sender.',
  returned: 'The sender has the parcel back.',
  lost: 'The carrier has lost or destroyed the parcel.',
  cancelled: 'The shipment was cancelled.',
  unknown: 'No event so far has a code that the service knows.',
};

/** The statuses along a shipment's way. */
export function trackingStatuses(): string {
  const final: readonly StatusCode[] = TERMINAL_STATUSES;
  return table(
    ['`statusCode`', 'Italian label', 'Meaning', 'Final'],
    STATUS_CODES.map(status => [
      code(status),
      STATUS_LABELS[status],
      MEANINGS[status],
      final.includes(status) ? 'yes' : '',
    ]),
  );
}
