import { FINAL_REOPENING_STATUSES, isOpenStatus, UNSCANNED_STATUSES } from './events.rules.ts';
import type { StatusCode } from './status.rules.ts';

/**
 * A shipment's status is a fold over its events in the order of their own time. The order of their arrival, and how
 * they were batched, do not matter.
 */

export interface FoldedEvent {
  /** Ids increase in the order of arrival. */
  readonly id: number;
  readonly occurredAtMs: number;
  /** The event's own status, before the fold reads a carrier's delivery as a return. */
  readonly statusCode: StatusCode;
  /** Whether it is `delivered` by the carrier's code or text, and not by the sender's word. */
  readonly isCarrierDelivery: boolean;
  /** The key of the secondary label that it names; null for an event of the whole shipment. */
  readonly label: string | null;
}

/** The parcels of a shipment: an event of a label is an event of one parcel only if there are several. */
export interface Parcels {
  readonly count: number;
  readonly labels: ReadonlySet<string>;
}

/** The state of a fold, which the row of its shipment keeps. Times are milliseconds since 1970. */
export interface FoldState {
  readonly statusCode: StatusCode;
  /** The time of the last event that changed or confirmed the status. */
  readonly statusAtMs: number | null;
  /** The first `delivered` of the current delivery. */
  readonly deliveredAtMs: number | null;
  readonly firstScanAtMs: number | null;
  readonly shippedAtMs: number | null;
  /** Whether the parcel is on its way back, so that a carrier's delivery is the return to the sender. */
  readonly isReturning: boolean;
  /** The newest event with a known status. */
  readonly foldedToMs: number | null;
}

export const UNTOUCHED: FoldState = {
  statusCode: 'created',
  statusAtMs: null,
  deliveredAtMs: null,
  firstScanAtMs: null,
  shippedAtMs: null,
  isReturning: false,
  foldedToMs: null,
};

/** Successive events that gave a shipment one status: the first is the step to it, and the others confirm it. */
interface Run<Event extends FoldedEvent> {
  readonly statusCode: StatusCode;
  readonly events: Event[];
}

export interface Fold<Event extends FoldedEvent> {
  readonly state: FoldState;
  /** The first run is the status from which the fold starts. */
  readonly runs: readonly Run<Event>[];
  /** The carrier's deliveries that are returns to the sender. */
  readonly returned: ReadonlySet<number>;
}

const isFinal = (statusCode: StatusCode) => !isOpenStatus(statusCode);

/** The order of the fold: equal times with a final status last, and otherwise by arrival. */
export function inFoldOrder(one: FoldedEvent, other: FoldedEvent): number {
  return (
    one.occurredAtMs - other.occurredAtMs ||
    Number(isFinal(one.statusCode)) - Number(isFinal(other.statusCode)) ||
    one.id - other.id
  );
}

/**
 * Whether all events with a known status follow those that a state was folded from, so that the fold can continue from
 * it. An event of the same time may belong before those, unless it is final.
 */
export function canContinue({ foldedToMs, statusCode }: FoldState, events: readonly FoldedEvent[]): boolean {
  if (statusCode === 'unknown' || foldedToMs === null) return false;
  return events.every(
    event =>
      event.statusCode === 'unknown' ||
      event.occurredAtMs > foldedToMs ||
      (event.occurredAtMs === foldedToMs && isFinal(event.statusCode)),
  );
}

/** Whether a status is replaced by the status of a later event. */
export function isReplaced(from: StatusCode, by: StatusCode): boolean {
  return isOpenStatus(from) || isFinal(by) || FINAL_REOPENING_STATUSES[from].includes(by);
}

/** Where a parcel is by its own events. */
interface Parcel {
  statusCode: StatusCode;
  isReturning: boolean;
}

/**
 * Only a parcel that waits for its recipient shows that it goes there again. A parcel on its way back is scanned, out
 * for delivery to its sender, and not accepted at the sender's door too.
 */
function isReturningAfter(isReturning: boolean, statusCode: StatusCode): boolean {
  if (statusCode === 'returning') return true;
  return isReturning && statusCode !== 'pickup_point' && statusCode !== 'delivered';
}

/** Folds events, in any order, from a state that precedes them. */
export function fold<Event extends FoldedEvent>(
  from: FoldState,
  events: readonly Event[],
  parcels: Parcels,
): Fold<Event> {
  const runs: Run<Event>[] = [{ statusCode: from.statusCode, events: [] }];
  const returned = new Set<number>();
  const ofLabel = new Map<string, Parcel>();
  let { statusAtMs, deliveredAtMs, firstScanAtMs, shippedAtMs, isReturning, foldedToMs } = from;
  const statusOf = () => (runs.at(-1) as Run<Event>).statusCode;

  const apply = (event: Event, statusCode: StatusCode) => {
    if (!isReplaced(statusOf(), statusCode)) return;
    if (statusOf() !== statusCode) {
      runs.push({ statusCode, events: [] });
      deliveredAtMs = statusCode === 'delivered' ? event.occurredAtMs : null;
    }
    runs.at(-1)?.events.push(event);
    statusAtMs = event.occurredAtMs;
  };

  /** Returns whether an event of one parcel is one of the whole shipment too: a final one only if it ends the last. */
  const applyToLabel = (label: string, statusCode: StatusCode, parcel: Parcel) => {
    ofLabel.set(label, parcel);
    if (isReplaced(parcel.statusCode, statusCode)) parcel.statusCode = statusCode;
    parcel.isReturning = isReturningAfter(parcel.isReturning, statusCode);
    if (!isFinal(statusCode)) return true;
    const ended = [...ofLabel].filter(([key, own]) => parcels.labels.has(key) && isFinal(own.statusCode)).length;
    return ended >= Math.min(parcels.count, parcels.labels.size || parcels.count);
  };

  const sorted = events.toSorted(inFoldOrder);
  for (const event of sorted) {
    const { id, occurredAtMs, statusCode: own, isCarrierDelivery } = event;
    if (own === 'unknown') continue;
    foldedToMs = Math.max(foldedToMs ?? occurredAtMs, occurredAtMs);
    if (!UNSCANNED.has(own)) firstScanAtMs = Math.min(firstScanAtMs ?? occurredAtMs, occurredAtMs);
    if (own === 'shipped') shippedAtMs = Math.min(shippedAtMs ?? occurredAtMs, occurredAtMs);
    const label = parcels.count > 1 ? event.label : null;
    const parcel = label === null ? undefined : (ofLabel.get(label) ?? { statusCode: 'created', isReturning });
    const isReturn = isCarrierDelivery && (parcel?.isReturning ?? isReturning);
    if (isReturn) returned.add(id);
    const statusCode = isReturn ? 'returned' : own;
    if (label !== null && parcel !== undefined) {
      if (applyToLabel(label, statusCode, parcel)) apply(event, statusCode);
      continue;
    }
    isReturning = isReturningAfter(isReturning, statusCode);
    for (const one of ofLabel.values()) one.isReturning = isReturningAfter(one.isReturning, statusCode);
    apply(event, statusCode);
  }

  // An unknown code is the status of a shipment only while nothing else is known.
  const unknown = statusAtMs === null ? sorted.filter(({ statusCode }) => statusCode === 'unknown') : [];
  if (unknown.length > 0) {
    runs.push({ statusCode: 'unknown', events: unknown });
    statusAtMs = (unknown.at(-1) as Event).occurredAtMs;
  }
  const statusCode = statusOf();
  return {
    state: { statusCode, statusAtMs, deliveredAtMs, firstScanAtMs, shippedAtMs, isReturning, foldedToMs },
    runs,
    returned,
  };
}

const UNSCANNED: ReadonlySet<StatusCode> = new Set(UNSCANNED_STATUSES);

/** A change of the status that a record showed. */
export interface Step<Event extends FoldedEvent> {
  readonly event: Event;
  readonly statusCode: StatusCode;
  readonly previousStatusCode: StatusCode;
  readonly run: Run<Event>;
  /** Whether it was a step before, to which the record returns because a later one was taken back. */
  readonly isReturn: boolean;
}

/**
 * The steps that new events added at the end of a fold: those after the last one that was there before. So a late event
 * that changes nothing at the end makes no step.
 *
 * @param shown the status of the record, which an earlier version may have found by other rules
 */
export function stepsBetween<Event extends FoldedEvent>(
  before: Pick<Fold<Event>, 'runs'>,
  after: Pick<Fold<Event>, 'runs'>,
  shown: StatusCode,
): Step<Event>[] {
  const had = statusByEvent(before);
  const isOld = ({ statusCode, events }: Run<Event>) => events.some(({ id }) => had.get(id) === statusCode);
  const added = after.runs.slice(Math.max(after.runs.findLastIndex(isOld), 0) + 1);
  const isReturn = added.length === 0 && before.runs.at(-1)?.statusCode === shown;
  const steps: Step<Event>[] = [];
  let previousStatusCode = shown;
  for (const run of added.length > 0 ? added : after.runs.slice(-1)) {
    const { statusCode, events } = run;
    const [event] = events;
    if (statusCode === previousStatusCode || event === undefined) continue;
    steps.push({ event, statusCode, previousStatusCode, run, isReturn });
    previousStatusCode = statusCode;
  }
  return steps;
}

/**
 * The statuses that events no longer give their shipment, because of a late one, by the events' ids. Nobody is notified
 * again when another one brings them back.
 */
export function statusesTakenBack<Event extends FoldedEvent>(
  before: Pick<Fold<Event>, 'runs'>,
  after: Pick<Fold<Event>, 'runs'>,
): Map<number, StatusCode> {
  const had = statusByEvent(before);
  if (had.size === 0) return had;
  const has = statusByEvent(after);
  return new Map([...had].filter(([id, statusCode]) => has.get(id) !== statusCode));
}

function statusByEvent<Event extends FoldedEvent>({ runs }: Pick<Fold<Event>, 'runs'>): Map<number, StatusCode> {
  return new Map(runs.flatMap(({ statusCode, events }) => events.map(({ id }) => [id, statusCode] as const)));
}
