import { type GatheredWrite, type Round, roundsOf } from '../../platform/database/gather/gathered-writes.ts';
import type { Tenant } from '../../platform/database/tenancy/tenancy.ts';
import type { TenantTransaction } from '../../platform/database/tenancy/tenant-transaction.ts';
import type { Caps } from '../../platform/limits/caps.ts';
import type { Log } from '../../platform/telemetry/log.ts';
import { type BatchResult, type ItemResult, rejectedFor, summarize } from '../common/batch.rules.ts';
import { checkEach } from '../common/batch.service.ts';
import { numberEventChanges } from './changes/changes.service.ts';
import { eventFields, type TrackingEventInput, trackingEventInput } from './events.input.ts';
import { type Candidate, countEndings, knownEvents, lockCandidates, recordEvents } from './events.repository.ts';
import { type CheckedEvent, identityOf, type NewEvent, statusOf, withoutRoom } from './events.rules.ts';
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
 * Records tracking events, changes each shipment's status in the order of their own time, and announces each step, in
 * one transaction. An invalid item does not stop the others. A stored event is `unchanged`, and an event beyond the
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
  const counts = new Map(candidates.map(({ shipmentId, events }) => [shipmentId, events]));
  const foundCalls = calls.map(call => findShipments(call, shipmentOf));
  // In rounds, because each call must announce its own steps.
  for (const round of roundsOf(foundCalls, ({ found }) => found.map(({ event }) => event.shipmentId))) {
    await recordRound(tx, round, counts);
  }
  return foundCalls.map(({ results }) => results);
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
      const message = 'must say which connection, since several have a shipment with this number';
      results.push(rejectedFor(index, ['carrierConnectionId'], 'ambiguous_tracking_number', message));
    } else {
      const { trackingKey: _, carrierCompanyId: __, carrierStatusGroup: ___, ...rest } = event;
      const { status: statusCode, isNewCode } = statusOf(event, shipment.carrierCode);
      if (isNewCode) {
        const { carrierCompanyId, carrierCode } = shipment;
        call.newCodes.push({ carrierCompanyId, carrierCode, code: event.carrierStatusCode });
      }
      found.push({ index, event: { ...rest, shipmentId: shipment.shipmentId, statusCode } });
    }
  }
  return { call, found, results };
}

/**
 * Records the events of calls without a common shipment.
 *
 * @param counts the number of events by shipment, which this updates
 */
async function recordRound(tx: TenantTransaction, round: Round<FoundCall>, counts: Map<number, number>): Promise<void> {
  const events = round.flatMap(({ found }) => found.map(({ event }) => event));
  if (events.length === 0) return;
  const [{ announcer, shipmentEvents }] = round.map(({ call }) => call) as [Call];
  const rejected = await rejectedByCap(tx, events, counts, shipmentEvents);
  const accepted = events.filter(event => !rejected.has(event));
  const { stored, moved } = await recordEvents(tx, accepted);
  for (const { shipmentId } of stored) counts.set(shipmentId, (counts.get(shipmentId) ?? 0) + 1);
  const changeNumbers = numberEventChanges(tx, stored, moved);
  await Promise.all([changeNumbers, statusesChanged.announce(tx, { announcer, moved, changeNumbers })]);

  // The first item with a stored event created it; a second one is a duplicate.
  const idOf = new Map(
    stored.map(event => [`${event.shipmentId} ${event.occurredAtMs} ${event.code} ${event.location}`, event.id]),
  );
  for (const { found, results } of round) {
    for (const { index, event } of found) {
      if (rejected.has(event)) {
        const message = `belongs to a shipment that has reached the limit of ${shipmentEvents} events`;
        results.push(rejectedFor(index, ['trackingNumber'], 'too_many_events', message));
        continue;
      }
      const key = identityOf(event);
      const id = idOf.get(key);
      idOf.delete(key);
      const outcome = id === undefined ? 'unchanged' : 'created';
      results.push({ index, outcome, type: 'TrackingEvent', id: id ?? null, issues: [] });
    }
  }
}

/** Events beyond the limit of their shipments, which are locked, so that the room cannot change. */
async function rejectedByCap(
  tx: TenantTransaction,
  events: readonly NewEvent[],
  counts: ReadonlyMap<number, number>,
  max: number,
): Promise<ReadonlySet<NewEvent>> {
  const room = new Map<number, number>();
  for (const [shipmentId, own] of Map.groupBy(events, event => event.shipmentId)) {
    const count = counts.get(shipmentId) ?? 0;
    if (count + own.length > max) room.set(shipmentId, max - count);
  }
  if (room.size === 0) return new Set();
  const concerned = events.filter(({ shipmentId }) => room.has(shipmentId));
  const [known, endings] = await Promise.all([knownEvents(tx, concerned), countEndings(tx, [...room.keys()])]);
  return withoutRoom(concerned, known, room, endings);
}

/** The shipment of an event: by its main number or, failing that, a secondary label; ambiguous numbers match none. */
function shipmentFinder(found: readonly Candidate[]): (event: CheckedEvent) => Candidate | 'none' | 'several' {
  const byKey = Map.groupBy(found, candidate => candidate.key);
  return event => {
    const fitting = (byKey.get(event.trackingKey) ?? []).filter(
      ({ carrierCompanyId }) => event.carrierCompanyId === null || carrierCompanyId === event.carrierCompanyId,
    );
    const rank = Math.min(...fitting.map(candidate => candidate.rank));
    const [first, second] = fitting.filter(candidate => candidate.rank === rank);
    return second ? 'several' : (first ?? 'none');
  };
}
