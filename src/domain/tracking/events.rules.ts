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

/** States after which nothing more is expected of a shipment. */
export const TERMINAL_STATUSES = [
  'delivered',
  'returned',
  'lost',
  'cancelled',
] as const satisfies readonly StatusCode[];
