import { type GatheredWrite, type Round, roundsOf } from '../../../platform/database/gather/gathered-writes.ts';
import type { Tenant } from '../../../platform/database/tenancy/tenancy.ts';
import type { TenantTransaction } from '../../../platform/database/tenancy/tenant-transaction.ts';
import type { Caps } from '../../../platform/limits/caps.ts';
import type { Log } from '../../../platform/telemetry/log.ts';
import { type BatchResult, type ItemResult, rejectedFor, summarize } from '../../common/batch.rules.ts';
import { checkEach } from '../../common/batch.service.ts';
import { numberEventChanges } from './changes/changes.service.ts';
import { eventFields, type TrackingEventInput, trackingEventInput } from './events.input.ts';
import { type Candidate, countEndings, insertEvents, knownEvents, lockCandidates } from './events.repository.ts';
import { type CheckedEvent, identityOf, isOpenStatus, type NewEvent, statusOf, withoutRoom } from './events.rules.ts';
import { rereadEvents, updateFolded } from './fold.repository.ts';
import { foldNewEvents, type HeldShipment } from './fold.service.ts';
import { type NewCode, noteNewCodes } from './new-codes/new-codes.service.ts';
import { type Announcer, statusesChanged } from './tracking.announcements.ts';

interface Item {
  readonly index: number;
  readonly event: CheckedEvent;
}

/** The events of one call; carriers' codes without a row in a table are collected in `newCodes`. */
interface Call extends Pick<Caps, 'shipmentEvents'> {
  readonly items: readonly Item[];
  /** One for all calls of a process. */
  readonly announcer: Announcer;
  readonly newCodes: NewCode[];
}

const RECORD: GatheredWrite<Call, readonly ItemResult[]> = {
  name: 'events',
  isConcurrent: true,
  write: recordCalls,
};

/**
 * Records tracking events, folds them into the status of each shipment, and announces each step that they add, in one
 * transaction. An invalid item does not stop the others. A stored event is `unchanged`, and an event beyond the
 * limit of its shipment is rejected.
 *
 * @throws Fault `validation_failed` for more than 1,000 items
 */
export async function recordTrackingEvents(
  tenant: Tenant,
  inputs: readonly TrackingEventInput[],
  announcer: Announcer,
  caps: Pick<Caps, 'shipmentEvents'>,
  log: Log,
): Promise<BatchResult> {
  const { companyId } = tenant;
  const { items, rejections } = await checkEach(companyId, inputs, trackingEventInput, event => ({
    event: eventFields(event),
  }));
  const newCodes: NewCode[] = [];
  const { shipmentEvents } = caps;
  const recorded = await tenant.gathered(RECORD, { items, announcer, newCodes, shipmentEvents });
  const result = summarize([...rejections, ...recorded]);
  note(result, tenant, log);
  await noteNewCodes(tenant, newCodes, announcer.metrics, log);
  return result;
}

function note({ rejected, results }: BatchResult, { companyId }: Tenant, log: Log): void {
  if (rejected > 0) {
    const codes = [...new Set(results.flatMap(({ issues }) => issues.map(({ code }) => code)))];
    log.warn({ companyId, rejected, codes }, 'tracking events rejected');
  }
}

/** An event of a call with its shipment. */
interface FoundItem {
  readonly index: number;
  readonly event: NewEvent;
  readonly identity: string;
}

interface FoundCall {
  readonly call: Call;
  readonly found: readonly FoundItem[];
  readonly results: ItemResult[];
}

async function recordCalls(tx: TenantTransaction, calls: readonly Call[]): Promise<ItemResult[][]> {
  const keys = calls.flatMap(({ items }) => items.map(({ event }) => event.trackingKey));
  const candidates = await lockCandidates(tx, keys);
  const shipmentOf = shipmentFinder(candidates);
  const held = new Map(candidates.map(candidate => [candidate.shipmentId, heldShipment(candidate)]));
  const foundCalls = calls.map(call => findShipments(call, shipmentOf));
  // In rounds, because each call must announce its own steps.
  for (const round of roundsOf(foundCalls, ({ found }) => found.map(({ event }) => event.shipmentId))) {
    await recordRound(tx, round, held);
  }
  return foundCalls.map(({ results }) => results);
}

function heldShipment(candidate: Candidate): HeldShipment {
  const { shipmentId, parcelCount, events, sequence, foldedEvents } = candidate;
  return { shipmentId, parcelCount, events, sequence, foldedEvents, state: candidate };
}

function findShipments(call: Call, shipmentOf: ReturnType<typeof shipmentFinder>): FoundCall {
  const results: ItemResult[] = [];
  const found: FoundItem[] = [];
  for (const { index, event } of call.items) {
    const shipment = shipmentOf(event);
    if (shipment === 'none') {
      const message = 'must be the tracking number of a shipment of the company';
      results.push(rejectedFor(index, ['trackingNumber'], 'shipment_not_found', message));
    } else if (shipment === 'several') {
      const message = 'must be given: several connections have a shipment with this number';
      results.push(rejectedFor(index, ['carrierConnectionId'], 'ambiguous_tracking_number', message));
    } else {
      const { occurredAt, carrierStatusCode, description, location, note } = event;
      const { status: statusCode, isNewCode } = statusOf(event, shipment.carrierCode);
      if (isNewCode) {
        const { carrierConnectionId, carrierCode } = shipment;
        call.newCodes.push({ carrierConnectionId, carrierCode, code: event.carrierStatusCode });
      }
      const { shipmentId, label, parcelCount } = shipment;
      const isCarrierDelivery = statusCode === 'delivered' && event.statusCode === null;
      const isOfSeveral = parcelCount > 1;
      const ofShipment = { shipmentId, statusCode, label, isOfSeveral, isCarrierDelivery };
      const newEvent = { ...ofShipment, occurredAt, carrierStatusCode, description, location, note };
      found.push({ index, event: newEvent, identity: identityOf(newEvent) });
    }
  }
  return { call, found, results };
}

/**
 * Records the events of calls without a common shipment.
 *
 * @param held the shipments, which this updates
 */
async function recordRound(
  tx: TenantTransaction,
  round: Round<FoundCall>,
  held: ReadonlyMap<number, HeldShipment>,
): Promise<void> {
  const events = round.flatMap(({ found }) => found.map(({ event }) => event));
  if (events.length === 0) return;
  const [{ announcer, shipmentEvents }] = round.map(({ call }) => call) as [Call];
  const rejected = await rejectedByCap(tx, events, held, shipmentEvents);
  const accepted = new Map<string, NewEvent>();
  for (const { event, identity } of round.flatMap(({ found }) => found)) {
    if (!rejected.has(event) && !accepted.has(identity)) accepted.set(identity, event);
  }
  const stored = await insertEvents(tx, [...accepted.values()]);
  const { shipments, moved, recorded, reread } = await foldNewEvents(tx, stored, held);
  // Sent together, in one round trip.
  const written = [updateFolded(tx, shipments), rereadEvents(tx, reread)];
  const changeNumbers = numberEventChanges(tx, recorded, moved);
  await Promise.all([...written, changeNumbers, statusesChanged.announce(tx, { announcer, moved, changeNumbers })]);

  const idOf = new Map(stored.map(({ given, id }) => [given, id]));
  for (const { found, results } of round) {
    for (const { index, event } of found) {
      if (rejected.has(event)) {
        const message = `belongs to a shipment that has reached the limit of ${shipmentEvents} events`;
        results.push(rejectedFor(index, ['trackingNumber'], 'too_many_events', message));
        continue;
      }
      // The first item with an identity was stored; a second one is a duplicate.
      const id = idOf.get(event);
      const outcome = id === undefined ? 'unchanged' : 'created';
      results.push({ index, outcome, type: 'TrackingEvent', id: id === undefined ? null : String(id), issues: [] });
    }
  }
}

/** Events beyond the limit of their shipments, which are locked, so that the room cannot change. */
async function rejectedByCap(
  tx: TenantTransaction,
  events: readonly NewEvent[],
  held: ReadonlyMap<number, HeldShipment>,
  max: number,
): Promise<ReadonlySet<NewEvent>> {
  const room = new Map<number, number>();
  for (const [shipmentId, own] of Map.groupBy(events, event => event.shipmentId)) {
    const count = held.get(shipmentId)?.events ?? 0;
    if (count + own.length > max) room.set(shipmentId, max - count);
  }
  if (room.size === 0) return new Set();
  const concerned = events.filter(({ shipmentId }) => room.has(shipmentId));
  const [known, endings] = await Promise.all([knownEvents(tx, concerned), countEndings(tx, [...room.keys()])]);
  return withoutRoom(concerned, known, room, endings);
}

/**
 * Finds the shipment of an event by its main number or, failing that, by a secondary label: the newest one of a
 * connection. A number of several connections matches none.
 */
function shipmentFinder(found: readonly Candidate[]): (event: CheckedEvent) => Candidate | 'none' | 'several' {
  const byKey = Map.groupBy(found, candidate => candidate.key);
  return event => {
    const fitting = (byKey.get(event.trackingKey) ?? []).filter(
      ({ carrierConnectionId }) =>
        event.carrierConnectionId === null || carrierConnectionId === event.carrierConnectionId,
    );
    if (fitting.length === 1) return fitting[0] as Candidate;
    const rank = Math.min(...fitting.map(candidate => candidate.rank));
    const best = fitting.filter(candidate => candidate.rank === rank).sort((a, b) => b.shipmentId - a.shipmentId);
    if (new Set(best.map(({ carrierConnectionId }) => carrierConnectionId)).size > 1) return 'several';
    return best.findLast((candidate, i) => i > 0 && isOfItsTime(candidate, event)) ?? best[0] ?? 'none';
  };
}

/** Whether an event of a number that was used again is one of the former parcel, which a carrier may still report. */
function isOfItsTime({ rank, statusCode, statusAtMs }: Candidate, { occurredAt }: CheckedEvent): boolean {
  return rank === 1 && !isOpenStatus(statusCode) && statusAtMs !== null && occurredAt.getTime() <= statusAtMs;
}
