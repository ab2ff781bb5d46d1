import type { StatusCode } from '../domain/shipping/tracking/status.rules.ts';
import type { JourneyEvent } from './scenarios.ts';
import { FAULTS, json, romeDateAndTime, romeOffset, type SandboxAnswer, type SandboxCarrier } from './stand-in.ts';

/** InPost's status for each of ours. It has none for customs, and none that ends a way back. */
const STATUSES: Readonly<Record<StatusCode, string>> = {
  created: 'confirmed',
  shipped: 'dispatched_by_sender',
  in_transit: 'sent_from_source_branch',
  at_depot: 'adopted_at_target_branch',
  customs: 'other',
  out_for_delivery: 'out_for_delivery',
  delayed: 'delay_in_delivery',
  pickup_point: 'ready_to_pickup',
  delivery_failed: 'undelivered',
  held: 'pickup_time_expired',
  refused: 'rejected_by_receiver',
  delivered: 'delivered',
  returning: 'returned_to_sender',
  returned: 'returned_to_sender',
  lost: 'missing',
  cancelled: 'canceled',
  unknown: 'other',
};

const locker = (name: string, line1: string, line2: string) => ({
  name,
  opening_hours: '24/7',
  location_description: 'Presso la stazione di servizio',
  location: { latitude: 45.46, longitude: 9.19 },
  address: { line1, line2 },
  type: ['parcel_locker'],
  location247: true,
});

/** ShipX' public tracking: no account, JSON, the newest status first. */
export const inpost: SandboxCarrier = {
  prefix: '/inpost',
  answer({ method, path, journey }) {
    const [, number] = /^\/v1\/tracking\/([^/]+)$/.exec(path) ?? [];
    if (method !== 'GET' || number === undefined) return failure(404, 'resource_not_found');
    const known = journey(number);
    if (known.kind === 'not_found') return failure(404, 'resource_not_found');
    if (known.kind !== 'events') return FAULTS[known.kind];
    const tracking_details = known.events.map(detailOf).toReversed();
    return json(200, {
      tracking_number: number,
      service: 'inpost_locker_standard',
      type: 'inpost_locker_standard',
      status: tracking_details[0]?.status,
      custom_attributes: {
        size: 'A',
        target_machine_id: 'PMO01A',
        target_machine_detail: locker('PMO01A', 'Via Libertà 12', '90139 Palermo'),
        dropoff_machine_id: 'MIL01A',
        dropoff_machine_detail: locker('MIL01A', 'Via Dante 3', '20121 Milano'),
        end_of_week_collection: false,
      },
      tracking_details,
      expected_flow: [],
      created_at: tracking_details.at(-1)?.datetime,
      updated_at: tracking_details[0]?.datetime,
    });
  },
};

function detailOf({ status, time }: JourneyEvent) {
  const { date, time: clock } = romeDateAndTime(time);
  return {
    status: STATUSES[status],
    origin_status: STATUSES[status].slice(0, 3).toUpperCase(),
    agency: null,
    datetime: `${date}T${clock}.000${romeOffset(time)}`,
  };
}

function failure(status: number, error: string): SandboxAnswer {
  return json(status, { status, error, message: 'The requested resource could not be found.', details: {} });
}
