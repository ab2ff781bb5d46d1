import type { Tenant, TenantTransaction } from '../../platform/database/tenancy.ts';
import type { Caps } from '../../platform/limits/caps.ts';
import { inSlices } from '../../platform/limits/slices.ts';
import type { Log } from '../../platform/telemetry/log.ts';
import { type BatchResult, checkEach, type ItemResult, rejectedFor, summarize } from '../batch.rules.ts';
import { eventFields, type TrackingEventInput, trackingEventInput } from './events.input.ts';
import {
  type Candidate,
  candidates,
  crowdedShipments,
  insertEvents,
  knownEvents,
  lockForEvents,
  refreshStatus,
} from './events.repository.ts';
import { type CheckedEvent, identityOf, type NewEvent, statusOf, withoutRoom } from './events.rules.ts';
import { type Announcer, statusesChanged } from './tracking.announcements.ts';

interface Item {
  readonly index: number;
  readonly event: CheckedEvent;
}

interface FoundItem {
  readonly index: number;
  readonly event: NewEvent;
}

/**
 * Records tracking events, moves each shipment to the status of its newest, and announces the statuses that changed; one
 * transaction, and one bad item stops no other. An event that is stored already is `unchanged`, and one of a shipment
 * that has as many as it may have is rejected.
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
  const checking = checkEach(inputs, trackingEventInput, event => ({ event: eventFields(event) }));
  const { items, rejections } = await inSlices(tenant.companyId, checking);
  const unread = new Set<string>();
  const recorded = await tenant.exclusively('events', tx => recordChecked(tx, items, { announcer, unread, ...caps }));
  const result = summarize([...rejections, ...recorded]);
  note(result, unread, tenant, log);
  return result;
}

/** What could not be read, for whoever keeps the tables of codes: by code and number, never by what an event says. */
function note({ rejected, results }: BatchResult, unread: ReadonlySet<string>, { companyId }: Tenant, log: Log): void {
  if (rejected > 0) {
    const codes = [...new Set(results.flatMap(({ issues }) => issues.map(({ code }) => code)))];
    log.warn({ companyId, rejected, codes }, 'tracking events rejected');
  }
  if (unread.size > 0) log.warn({ companyId, carrierCodes: [...unread].slice(0, 20) }, 'carrier status unknown');
}

/** What a batch is recorded with; the carriers' codes that no table knows are noted in `unread`. */
interface Recording extends Pick<Caps, 'shipmentEvents'> {
  readonly announcer: Announcer;
  readonly unread: Set<string>;
}

async function recordChecked(
  tx: TenantTransaction,
  items: readonly Item[],
  { announcer, unread, shipmentEvents }: Recording,
): Promise<ItemResult[]> {
  const shipmentOf = shipmentFinder(
    await candidates(
      tx,
      items.map(({ event }) => event.trackingKey),
    ),
  );
  const results: ItemResult[] = [];
  const found: FoundItem[] = [];
  for (const { index, event } of items) {
    const shipment = shipmentOf(event);
    if (shipment === 'none') {
      const message = 'must be the tracking number of a shipment of the company';
      results.push(rejectedFor(index, ['trackingNumber'], 'shipment_not_found', message));
    } else if (shipment === 'several') {
      const message = 'must say which connection, since several have a shipment with this number';
      results.push(rejectedFor(index, ['carrierCompanyId'], 'ambiguous_tracking_number', message));
    } else {
      const { trackingKey: _, carrierCompanyId: __, ...rest } = event;
      const statusCode = statusOf(event, shipment.carrierCode);
      if (statusCode === 'unknown') unread.add(`${shipment.carrierCode} ${event.carrierStatusCode ?? '(text)'}`);
      found.push({ index, event: { ...rest, shipmentId: shipment.shipmentId, statusCode } });
    }
  }
  const events = found.map(({ event }) => event);
  await lockForEvents(
    tx,
    events.map(({ shipmentId }) => shipmentId),
  );
  const rejected = await rejectedByCap(tx, events, shipmentEvents);
  const stored = await insertEvents(
    tx,
    events.filter(event => !rejected.has(event)),
  );
  const changes = await refreshStatus(
    tx,
    stored.map(({ shipmentId }) => shipmentId),
  );
  await statusesChanged.announce(tx, { announcer, changes });

  // The first item with a stored event created it; a second one in the same batch finds it taken.
  const idOf = new Map(
    stored.map(event => [`${event.shipmentId} ${event.occurredAtMs} ${event.code} ${event.location}`, event.id]),
  );
  for (const { index, event } of found) {
    if (rejected.has(event)) {
      const message = `must be of a shipment that has fewer than ${shipmentEvents} events`;
      results.push(rejectedFor(index, ['trackingNumber'], 'too_many_events', message));
      continue;
    }
    const key = identityOf(event);
    const id = idOf.get(key);
    idOf.delete(key);
    results.push({ index, outcome: id === undefined ? 'unchanged' : 'created', id: id ?? null, issues: [] });
  }
  return results;
}

/** The events that shipments have no room for; they are locked, so nobody else takes it. */
async function rejectedByCap(
  tx: TenantTransaction,
  events: readonly NewEvent[],
  max: number,
): Promise<ReadonlySet<NewEvent>> {
  const byShipment = Map.groupBy(events, ({ shipmentId }) => shipmentId);
  const more = new Map([...byShipment].map(([shipmentId, own]) => [shipmentId, own.length]));
  const crowded = await crowdedShipments(tx, more, max);
  if (crowded.size === 0) return new Set();
  const concerned = events.filter(({ shipmentId }) => crowded.has(shipmentId));
  const room = new Map([...crowded].map(([shipmentId, count]) => [shipmentId, max - count]));
  return withoutRoom(concerned, await knownEvents(tx, concerned), room);
}

/** The shipment an event is of: by its main number or, failing that, a secondary label's; never a guess among several. */
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
