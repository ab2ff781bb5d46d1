import type { TenantTransaction } from '../../../platform/database/tenancy/tenant-transaction.ts';
import { trackingKey } from '../../common/number.rules.ts';
import type { StoredEvent } from './events.repository.ts';
import { ANNOUNCED_STATUSES } from './events.rules.ts';
import { type EventToFold, eventsToFold, type FoldedShipment, labelsToFold } from './fold.repository.ts';
import {
  canContinue,
  type Fold,
  type FoldedEvent,
  type FoldState,
  fold,
  inFoldOrder,
  type Parcels,
  statusesTakenBack,
  stepsBetween,
  UNTOUCHED,
} from './fold.rules.ts';
import type { StatusCode } from './status.rules.ts';
import type { MovedShipment, StatusStep } from './tracking.announcements.ts';

/**
 * Folds new events into their shipments. A shipment's row keeps the state of the fold, which continues from there while
 * events come in the order of their own time. Otherwise, all events of the shipment are read and folded.
 */

/** A locked shipment, which is kept up to date from one call to the next. */
export interface HeldShipment {
  readonly shipmentId: number;
  readonly parcelCount: number;
  events: number;
  sequence: number;
  /** How many events the state was folded from; null for a state that must be folded anew. */
  foldedEvents: number | null;
  state: FoldState;
}

/** The changes that new events make. */
interface Folded {
  readonly shipments: readonly FoldedShipment[];
  readonly moved: readonly MovedShipment[];
  /** The new events, and the events of steps, by shipment and in the order of their own time. */
  readonly recorded: readonly { readonly shipmentId: number; readonly eventId: number }[];
  /** Events with another status in the timeline, or one that was taken back. */
  readonly reread: readonly EventToFold[];
}

interface OwnEvent extends FoldedEvent {
  readonly stored: EventToFold;
}

interface NewEvents {
  readonly shipment: HeldShipment;
  readonly added: readonly OwnEvent[];
}

/** Events that one statement reads: timelines may be long, and the shipments of a batch many. */
const EVENTS_AT_ONCE = 20_000;

const announced: ReadonlySet<StatusCode> = new Set(ANNOUNCED_STATUSES);

const NO_LABELS: ReadonlySet<string> = new Set();

/** @param held the shipments of the events, which this updates */
export async function foldNewEvents(
  tx: TenantTransaction,
  stored: readonly StoredEvent[],
  held: ReadonlyMap<number, HeldShipment>,
): Promise<Folded> {
  const results: ReturnType<typeof settle>[] = [];
  const toRead: NewEvents[] = [];
  const byShipment = [...Map.groupBy(stored, ({ shipmentId }) => shipmentId)].sort(([one], [other]) => one - other);
  for (const [shipmentId, own] of byShipment) {
    const shipment = held.get(shipmentId);
    if (!shipment) throw new Error(`Shipment ${shipmentId} is not locked`);
    const added = own.map(ownEvent);
    const from = stateToContinue(shipment, added);
    if (from === undefined) toRead.push({ shipment, added });
    else results.push(settle(shipment, added, added, ...continued(shipment, from, added)));
  }
  for (const portion of portions(toRead)) results.push(...(await foldWhole(tx, portion)));
  return {
    shipments: results.map(({ folded }) => folded),
    moved: results.flatMap(({ moved }) => moved),
    recorded: results.flatMap(({ recorded }) => recorded),
    reread: results.flatMap(({ reread }) => reread),
  };
}

function ownEvent(stored: EventToFold): OwnEvent {
  const { id, occurredAtMs, isCarrierDelivery, label } = stored;
  const statusCode = isCarrierDelivery ? 'delivered' : stored.statusCode;
  return { id, occurredAtMs, statusCode, isCarrierDelivery, label: label === null ? null : trackingKey(label), stored };
}

/** The state from which new events can be folded; undefined if the stored events must be folded too. */
function stateToContinue(shipment: HeldShipment, added: readonly OwnEvent[]): FoldState | undefined {
  const { parcelCount, events, foldedEvents, state } = shipment;
  if (parcelCount > 1 && added.some(({ label }) => label !== null)) return undefined;
  if (events === 0) return UNTOUCHED;
  return foldedEvents === events && canContinue(state, added) ? state : undefined;
}

type Folds = [before: Pick<Fold<OwnEvent>, 'runs'>, after: Fold<OwnEvent>];

function continued({ parcelCount, state }: HeldShipment, from: FoldState, added: readonly OwnEvent[]): Folds {
  const before = { runs: [{ statusCode: state.statusCode, events: [] }] };
  return [before, fold(from, added, { count: parcelCount, labels: NO_LABELS })];
}

/** Divides shipments so that each part has a limited number of events. */
function portions(shipments: readonly NewEvents[]): NewEvents[][] {
  const made: NewEvents[][] = [];
  let room = 0;
  for (const one of shipments) {
    const count = one.shipment.events + one.added.length;
    if (made.length === 0 || count > room) {
      made.push([]);
      room = EVENTS_AT_ONCE;
    }
    made.at(-1)?.push(one);
    room -= count;
  }
  return made;
}

async function foldWhole(tx: TenantTransaction, shipments: readonly NewEvents[]) {
  const several = shipments.filter(({ shipment }) => shipment.parcelCount > 1);
  const [events, labels] = await Promise.all([
    eventsToFold(tx, idsOf(shipments)),
    several.length > 0 ? labelsToFold(tx, idsOf(several)) : [],
  ]);
  const eventsOf = Map.groupBy(events, ({ shipmentId }) => shipmentId);
  const labelsOf = Map.groupBy(labels, ({ shipmentId }) => shipmentId);
  return shipments.map(({ shipment, added }) => {
    const { shipmentId, parcelCount } = shipment;
    const keys = labelsOf.get(shipmentId)?.map(({ key }) => key);
    const parcels: Parcels = { count: parcelCount, labels: new Set(keys) };
    const all = (eventsOf.get(shipmentId) ?? []).map(ownEvent);
    const addedIds = new Set(added.map(({ id }) => id));
    const earlier = all.filter(({ id }) => !addedIds.has(id));
    return settle(shipment, added, all, fold(UNTOUCHED, earlier, parcels), fold(UNTOUCHED, all, parcels));
  });
}

function idsOf(shipments: readonly NewEvents[]): number[] {
  return shipments.map(({ shipment }) => shipment.shipmentId);
}

/**
 * Updates a shipment by the folds before and after its new events, and says what changed.
 *
 * @param known the events that the later fold has
 */
function settle(
  shipment: HeldShipment,
  added: readonly OwnEvent[],
  known: readonly OwnEvent[],
  before: Pick<Fold<OwnEvent>, 'runs'>,
  { state, runs, returned }: Fold<OwnEvent>,
) {
  const { shipmentId, state: former } = shipment;
  const found = stepsBetween(before, { runs }, former.statusCode);
  const steps = found.map(
    ({ event: { id, occurredAtMs }, statusCode, previousStatusCode, run, isReturn }): StatusStep => {
      const isSilent =
        isReturn || run.events.some(event => event.stored.isTakenBack && event.statusCode === statusCode);
      const sequence = announced.has(statusCode) && !isSilent ? ++shipment.sequence : null;
      return { eventId: id, occurredAtMs, statusCode, previousStatusCode, sequence };
    },
  );
  shipment.events += added.length;
  shipment.foldedEvents = shipment.events;
  shipment.state = {
    ...state,
    // The first scan may have been deleted with age.
    firstScanAtMs: earlier(former.firstScanAtMs, state.firstScanAtMs),
    shippedAtMs: earlier(former.shippedAtMs, state.shippedAtMs),
  };
  const events = [...added, ...found.map(({ event }) => event)].sort(inFoldOrder);
  const ids = [...new Set(events.map(({ id }) => id))];
  return {
    folded: { shipmentId, state: shipment.state, events: shipment.events, sequence: shipment.sequence },
    moved: steps.length === 0 ? [] : [{ shipmentId, steps, newEventIds: ids }],
    recorded: ids.map(eventId => ({ shipmentId, eventId })),
    reread: rereadOf(known, returned, statusesTakenBack(before, { runs })),
  };
}

function earlier(one: number | null, other: number | null): number | null {
  return one === null || other === null ? (one ?? other) : Math.min(one, other);
}

/** The events whose stored status differs from the status in the fold. */
function rereadOf(
  known: readonly OwnEvent[],
  returned: ReadonlySet<number>,
  takenBack: ReadonlyMap<number, StatusCode>,
): EventToFold[] {
  return known.flatMap(({ id, statusCode: own, stored }) => {
    const statusCode = returned.has(id) ? 'returned' : own;
    const isTakenBack = stored.isTakenBack || takenBack.get(id) === own;
    const isSame = statusCode === stored.statusCode && isTakenBack === stored.isTakenBack;
    return isSame ? [] : [{ ...stored, statusCode, isTakenBack }];
  });
}
