import { type ReadStatus, readStatus, type StatusCode } from './status.rules.ts';

export interface CheckedEvent {
  readonly trackingKey: string;
  readonly carrierConnectionId: number | null;
  readonly occurredAt: Date;
  /** Null if it must be derived from the carrier's data. */
  readonly statusCode: StatusCode | null;
  readonly carrierStatusCode: string | null;
  /** The carrier's wider code for the event. */
  readonly carrierStatusGroup: string | null;
  readonly description: string | null;
  readonly location: string | null;
  readonly note: string | null;
}

export function statusOf(event: CheckedEvent, carrierCode: string): ReadStatus {
  const { statusCode, carrierStatusCode: code, carrierStatusGroup: general, description: text } = event;
  if (statusCode !== null) return { status: statusCode, isNewCode: false };
  return readStatus(carrierCode, { code, text, general });
}

/** An event of a shipment, as it is stored. */
export interface NewEvent {
  readonly shipmentId: number;
  /** Whether the shipment has several parcels, so that a scan of two labels is two events. */
  readonly isOfSeveral: boolean;
  /** The secondary label that it names, as the shipment has it. */
  readonly label: string | null;
  /** Whether it is `delivered` by the carrier's code or text. */
  readonly isCarrierDelivery: boolean;
  readonly occurredAt: Date;
  readonly statusCode: StatusCode;
  readonly carrierStatusCode: string | null;
  readonly description: string | null;
  readonly location: string | null;
  readonly note: string | null;
}

/** How far an event may be ahead of the clock: clocks and readings of local times differ. */
const MAX_AHEAD_MS = 24 * 3_600_000;

export function isInTheFuture(at: Date, now: Date): boolean {
  return at.getTime() - now.getTime() > MAX_AHEAD_MS;
}

const PLAIN = /^[!-~]*(?: [!-~]+)*$/;

/** Codes and places are compared without case, accents and runs of blanks, in SQL too. */
function comparable(text: string): string {
  // Nearly all codes and places are plain, and the steps below take twenty times as long.
  if (PLAIN.test(text)) return text.toLowerCase();
  return text
    .normalize('NFD')
    .replace(/[\u0300-\u036f]/gu, '')
    .toLowerCase()
    .replace(/\s+/gu, ' ')
    .trim();
}

/** The identity of an event: events with one identity are stored once. */
export function identityOf(
  event: Pick<NewEvent, 'shipmentId' | 'statusCode' | 'carrierStatusCode' | 'location' | 'label' | 'isOfSeveral'> & {
    readonly occurredAt: Date | number;
  },
): string {
  const { shipmentId, occurredAt, statusCode, carrierStatusCode, location, label, isOfSeveral } = event;
  const parcel = (isOfSeveral && label) || '';
  // A line break is in no code, place or label.
  return `${shipmentId} ${Number(occurredAt)} ${parcel}\n${comparable(carrierStatusCode ?? statusCode)}\n${comparable(location ?? '')}`;
}

/** Statuses after which no event of a shipment is expected. */
export const TERMINAL_STATUSES = [
  'delivered',
  'returned',
  'lost',
  'cancelled',
] as const satisfies readonly StatusCode[];

/** Statuses that reopen every final status. */
const REOPENING_STATUSES = ['returning', 'refused'] as const satisfies readonly StatusCode[];

/** Scans that move a parcel: a voided label was used after all, or a lost parcel was found. */
const MOVING_STATUSES = [
  'shipped',
  'in_transit',
  'at_depot',
  'customs',
  'out_for_delivery',
  'pickup_point',
  'delivery_failed',
  'held',
] as const satisfies readonly StatusCode[];

/** The statuses that reopen each final one, which another final one replaces too. */
export const FINAL_REOPENING_STATUSES: Readonly<Record<(typeof TERMINAL_STATUSES)[number], readonly StatusCode[]>> = {
  delivered: REOPENING_STATUSES,
  returned: REOPENING_STATUSES,
  lost: [...REOPENING_STATUSES, ...MOVING_STATUSES],
  cancelled: [...REOPENING_STATUSES, ...MOVING_STATUSES],
};

/**
 * Statuses that subscribers are notified of: a step to one of these statuses has a number among the events of its
 * shipment.
 */
export const ANNOUNCED_STATUSES = [
  'shipped',
  'in_transit',
  'at_depot',
  'customs',
  'out_for_delivery',
  'delayed',
  'pickup_point',
  'delivery_failed',
  'held',
  'refused',
  'delivered',
  'lost',
] as const satisfies readonly StatusCode[];

export type AnnouncedStatus = (typeof ANNOUNCED_STATUSES)[number];

/** Statuses before the carrier has the parcel: an event with any other one is a scan. */
export const UNSCANNED_STATUSES = ['created', 'cancelled', 'unknown'] as const satisfies readonly StatusCode[];

/** Events with a terminal status that a shipment may have beyond its limit, so that it can always end. */
const MAX_ENDINGS = 100;

const terminalStatuses: ReadonlySet<StatusCode> = new Set(TERMINAL_STATUSES);

export type OpenStatus = Exclude<StatusCode, (typeof TERMINAL_STATUSES)[number]>;

/** Whether further events of a shipment are expected. */
export function isOpenStatus(statusCode: StatusCode): statusCode is OpenStatus {
  return !terminalStatuses.has(statusCode);
}

/**
 * Returns the events that exceed the room of their shipments, in their order; stored events need no room, and those
 * with a terminal status have their own.
 *
 * @param room how many more events each shipment may have
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
    const isEnding = !isOpenStatus(statusCode) && count < MAX_ENDINGS;
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
