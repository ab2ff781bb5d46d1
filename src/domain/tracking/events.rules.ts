import type { Checks } from '../checks.rules.ts';
import { trackingKey } from '../number.rules.ts';
import { MAX_NUMBER } from './shipments.rules.ts';
import { deriveStatus, isStatusCode, STATUS_CODES, type StatusCode } from './status.rules.ts';

export interface TrackingEventInput {
  trackingNumber: string;
  carrierCompanyId?: number | null;
  timestamp: string;
  statusCode?: string | null;
  carrierStatusCode?: string | null;
  description?: string | null;
  location?: string | null;
  note?: string | null;
}

export interface CheckedEvent {
  readonly trackingKey: string;
  readonly carrierCompanyId: number | null;
  readonly occurredAt: Date;
  /** Null where it is still to be derived from what the carrier said. */
  readonly statusCode: StatusCode | null;
  readonly carrierStatusCode: string | null;
  readonly description: string | null;
  readonly location: string | null;
  readonly note: string | null;
}

export function checkEvent(checks: Checks, input: TrackingEventInput): CheckedEvent {
  const statusCode = input.statusCode ?? null;
  if (statusCode !== null && !isStatusCode(statusCode)) {
    checks.add(['statusCode'], 'not_allowed', `must be one of ${STATUS_CODES.join(', ')}`);
  }
  const event = {
    trackingKey: trackingKey(checks.text(['trackingNumber'], input.trackingNumber, MAX_NUMBER)),
    carrierCompanyId: input.carrierCompanyId ?? null,
    occurredAt: checks.dateTime(['timestamp'], input.timestamp) ?? new Date(0),
    statusCode: isStatusCode(statusCode) ? statusCode : null,
    carrierStatusCode: checks.optionalText(['carrierStatusCode'], input.carrierStatusCode ?? null, 100),
    description: checks.optionalText(['description'], input.description ?? null, 1000),
    location: checks.optionalText(['location'], input.location ?? null),
    note: checks.optionalText(['note'], input.note ?? null, 1000),
  };
  if (statusCode === null && event.carrierStatusCode === null && event.description === null) {
    checks.add(
      ['statusCode'],
      'required',
      'must be given, or a carrierStatusCode or description it can be derived from',
    );
  }
  return event;
}

export function statusOf(event: CheckedEvent, carrierCode: string): StatusCode {
  return event.statusCode ?? deriveStatus(carrierCode, event.carrierStatusCode, event.description);
}

/** An event of a shipment, as it is stored. */
export interface NewEvent {
  readonly shipmentId: number;
  readonly occurredAt: Date;
  readonly statusCode: StatusCode;
  readonly carrierStatusCode: string | null;
  readonly description: string | null;
  readonly location: string | null;
  readonly note: string | null;
}

/** What makes two events the same one, which is stored once. */
export function identityOf({ shipmentId, occurredAt, statusCode, carrierStatusCode, location }: NewEvent): string {
  return `${shipmentId} ${occurredAt.getTime()} ${carrierStatusCode ?? statusCode} ${location ?? ''}`;
}

/**
 * The events for which there is no room, the first ones having taken it; those that are known need none.
 *
 * @param room how many more each shipment may have
 */
export function withoutRoom(
  events: readonly NewEvent[],
  known: ReadonlySet<NewEvent>,
  room: ReadonlyMap<number, number>,
): ReadonlySet<NewEvent> {
  const left = new Map(room);
  const taken = new Set<string>();
  const refused = new Set<NewEvent>();
  for (const event of events) {
    const [identity, free] = [identityOf(event), left.get(event.shipmentId) ?? 0];
    if (known.has(event) || taken.has(identity)) continue;
    if (free > 0) {
      taken.add(identity);
      left.set(event.shipmentId, free - 1);
    } else refused.add(event);
  }
  return refused;
}

/** States after which nothing more is expected of a shipment. */
export const TERMINAL_STATUSES = [
  'delivered',
  'returned',
  'lost',
  'cancelled',
] as const satisfies readonly StatusCode[];
