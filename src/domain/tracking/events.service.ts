import type { Log } from '../../platform/log.ts';
import { inSlices } from '../../platform/slices.ts';
import type { Tenant, TenantTransaction } from '../../platform/tenancy.ts';
import { type BatchResult, checkEach, type ItemResult, rejectedFor, summarize } from '../batch.rules.ts';
import { type Announcer, announceChanges } from '../webhooks/fan-out.service.ts';
import {
  type Candidate,
  type ChangedStatus,
  candidates,
  insertEvents,
  lockForEvents,
  type NewEvent,
  refreshStatus,
} from './events.repository.ts';
import { type CheckedEvent, checkEvent, statusOf, type TrackingEventInput } from './events.rules.ts';
import { followShipments, stopFollowing } from './following.service.ts';
import { isOpen } from './poll.rules.ts';

interface Item {
  readonly index: number;
  readonly event: CheckedEvent;
}

interface Told {
  readonly index: number;
  readonly event: NewEvent;
}

/**
 * Records tracking events, moves each shipment to the status of its newest, and tells subscribers where that is another;
 * one transaction, and one bad item stops no other. An event that was told before is `unchanged`.
 *
 * @throws Fault `validation_failed` for more than 1,000 items
 */
export async function recordTrackingEvents(
  tenant: Tenant,
  inputs: readonly TrackingEventInput[],
  announcer: Announcer,
  log: Log,
): Promise<BatchResult> {
  const checking = checkEach(inputs, (checks, input: TrackingEventInput) => ({ event: checkEvent(checks, input) }));
  const { items, refused } = await inSlices(tenant.companyId, checking);
  const unread = new Set<string>();
  const recorded = await tenant.exclusively('events', tx => recordChecked(tx, items, announcer, unread));
  const result = summarize([...refused, ...recorded]);
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

async function recordChecked(
  tx: TenantTransaction,
  items: readonly Item[],
  announcer: Announcer,
  unread: Set<string>,
): Promise<ItemResult[]> {
  const shipmentOf = shipmentFinder(
    await candidates(
      tx,
      items.map(({ event }) => event.trackingKey),
    ),
  );
  const results: ItemResult[] = [];
  const told: Told[] = [];
  for (const { index, event } of items) {
    const found = shipmentOf(event);
    if (found === 'none') {
      const message = 'must be the tracking number of a shipment of the company';
      results.push(rejectedFor(index, ['trackingNumber'], 'shipment_not_found', message));
    } else if (found === 'several') {
      const message = 'must say which connection, since several have a shipment with this number';
      results.push(rejectedFor(index, ['carrierCompanyId'], 'ambiguous_tracking_number', message));
    } else {
      const { trackingKey: _, carrierCompanyId: __, ...rest } = event;
      const statusCode = statusOf(event, found.carrierCode);
      if (statusCode === 'unknown') unread.add(`${found.carrierCode} ${event.carrierStatusCode ?? '(text)'}`);
      told.push({ index, event: { ...rest, shipmentId: found.shipmentId, statusCode } });
    }
  }
  const shipmentIds = told.map(({ event }) => event.shipmentId);
  await lockForEvents(tx, shipmentIds);
  const stored = await insertEvents(
    tx,
    told.map(({ event }) => event),
  );
  const changes = await refreshStatus(
    tx,
    stored.map(({ shipmentId }) => shipmentId),
  );
  await followChanges(tx, changes);
  await announceChanges(tx, announcer, changes);

  // The first to tell a stored event created it; a second in the same batch finds it taken.
  const idOf = new Map(
    stored.map(event => [`${event.shipmentId} ${event.occurredAtMs} ${event.code} ${event.location}`, event.id]),
  );
  for (const { index, event } of told) {
    const key = `${event.shipmentId} ${event.occurredAt.getTime()} ${event.carrierStatusCode ?? event.statusCode} ${event.location ?? ''}`;
    const id = idOf.get(key);
    idOf.delete(key);
    results.push({ index, outcome: id === undefined ? 'unchanged' : 'created', id: id ?? null, issues: [] });
  }
  return results;
}

/** What is done is followed no more, and what turns out not to be done is followed again. */
async function followChanges(tx: TenantTransaction, changes: readonly ChangedStatus[]): Promise<void> {
  const ids = (are: (change: ChangedStatus) => boolean) => changes.filter(are).map(({ shipmentId }) => shipmentId);
  await stopFollowing(
    tx,
    ids(({ statusCode }) => !isOpen(statusCode)),
  );
  await followShipments(
    tx,
    ids(({ statusCode, previousStatusCode }) => isOpen(statusCode) && !isOpen(previousStatusCode)),
  );
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
