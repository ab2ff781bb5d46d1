import { deriveStatus, type StatusCode } from './status.rules.ts';

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

/** How far ahead of the clock an event may be: clocks differ, and so do readings of a local time. */
const MAX_AHEAD_MS = 24 * 3_600_000;

export function isInTheFuture(at: Date, now: Date): boolean {
  return at.getTime() - now.getTime() > MAX_AHEAD_MS;
}

/** What makes two events the same one, which is stored once. */
export function identityOf({ shipmentId, occurredAt, statusCode, carrierStatusCode, location }: NewEvent): string {
  return `${shipmentId} ${occurredAt.getTime()} ${carrierStatusCode ?? statusCode} ${location ?? ''}`;
}

/** States after which nothing more is expected of a shipment. */
export const TERMINAL_STATUSES = [
  'delivered',
  'returned',
  'lost',
  'cancelled',
] as const satisfies readonly StatusCode[];

/** States that move a shipment which has a terminal status, as another terminal status does. */
export const REOPENING_STATUSES = ['returning', 'refused'] as const satisfies readonly StatusCode[];

/** States that a shipment can have before its carrier has the parcel: an event with any other one is a scan. */
export const UNSCANNED_STATUSES = ['created', 'cancelled', 'unknown'] as const satisfies readonly StatusCode[];

/** How many events with a terminal status a shipment has in any case, so that it can end beyond the limit of its events. */
const MAX_ENDINGS = 100;

const terminalStatuses: ReadonlySet<StatusCode> = new Set(TERMINAL_STATUSES);

/**
 * The events for which there is no room, the first ones having taken it; those that are known need none, and those with a
 * terminal status have room of their own.
 *
 * @param room how many more each shipment may have
 * @param endings how many events with a terminal status each shipment has
 */
export function withoutRoom(
  events: readonly NewEvent[],
  known: ReadonlySet<NewEvent>,
  room: ReadonlyMap<number, number>,
  endings: ReadonlyMap<number, number>,
): ReadonlySet<NewEvent> {
  const left = new Map(room);
  const ended = new Map(endings);
  const taken = new Set<string>();
  const rejected = new Set<NewEvent>();
  for (const event of events) {
    const { shipmentId, statusCode } = event;
    const identity = identityOf(event);
    if (known.has(event) || taken.has(identity)) continue;
    const free = left.get(shipmentId) ?? 0;
    const count = ended.get(shipmentId) ?? 0;
    const isEnding = terminalStatuses.has(statusCode) && count < MAX_ENDINGS;
    if (free <= 0 && !isEnding) {
      rejected.add(event);
      continue;
    }
    taken.add(identity);
    left.set(shipmentId, free - 1);
    if (isEnding) ended.set(shipmentId, count + 1);
  }
  return rejected;
}
