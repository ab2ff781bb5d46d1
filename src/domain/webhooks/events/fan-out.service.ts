import { randomUUID } from 'node:crypto';
import type { TenantTransaction } from '../../../platform/database/tenancy.ts';
import type { Jobs } from '../../../platform/jobs/jobs.ts';
import type { StatusCode } from '../../tracking/status.rules.ts';
import type { Announcer, StatusChanges } from '../../tracking/tracking.announcements.ts';
import { FILTERED_BY, recordLoader, recordsByIds } from '../../tracking/tracking.service.ts';
import { type FilteredEvent, type Subscription, wants } from '../endpoints/endpoint-filter.rules.ts';
import { deliveries } from '../webhooks.queues.ts';
import {
  bodiesOf,
  eventsToRead,
  MAX_RELATED,
  MAX_TIMELINE,
  type Occurrence,
  type SelectionSource,
  selectedBodies,
} from './event.payload.ts';
import { eventOfStatus } from './event.rules.ts';
import {
  EACH_HAS_ENDPOINTS,
  fanOut,
  fanOutOwn,
  insertWebhookEvents,
  type NewDelivery,
  type NewWebhookEvent,
  numberEvents,
  type Unnumbered,
  type Wanted,
  type WantedOwn,
} from './fan-out.repository.ts';

/** Records of shipments for the bodies of webhooks; none where nobody would get them. */
const RECORD_TO_TELL = recordLoader('record-to-tell', EACH_HAS_ENDPOINTS, FILTERED_BY);

/** Notifies subscribers of each step of shipments, in the transaction that moves them; the shipments are locked. */
export async function notifyOfChanges(
  tx: TenantTransaction,
  { announcer, moved, changeNumbers }: StatusChanges,
): Promise<void> {
  const news = moved.flatMap(({ shipmentId, steps, newEventIds }) => {
    const places = new Map(newEventIds.map((id, place) => [id, place]));
    return steps.flatMap((step): News[] => {
      const type = eventOfStatus(step.statusCode);
      return type === null
        ? []
        : [{ shipmentId, type, previousStatusCode: step.previousStatusCode, step: { ...step, places } }];
    });
  });
  await notify(tx, announcer, news, changeNumbers);
}

/**
 * Notifies subscribers of shipments that are late or stalled though no carrier said so; they are locked. Returns the number
 * of events.
 */
export async function notifyOfDelays(
  tx: TenantTransaction,
  announcer: Announcer,
  shipments: readonly { readonly shipmentId: number; readonly statusCode: StatusCode }[],
  why: 'late' | 'stalled',
): Promise<number> {
  const news = shipments.map(({ shipmentId, statusCode }): News => {
    return { shipmentId, type: 'tracking.delay', previousStatusCode: statusCode, isStall: why === 'stalled' };
  });
  return notify(tx, announcer, news);
}

interface News extends Pick<Occurrence, 'type' | 'previousStatusCode' | 'step'> {
  readonly shipmentId: number;
  /** A delay that is one since nothing was heard; any other counts as being late, also what the carrier says itself. */
  readonly isStall?: boolean;
}

/**
 * Writes events, deliveries and jobs, all in the transaction. Without an endpoint nobody is notified, now or later: there is
 * no event.
 *
 * @param news of each shipment in the order in which it happened
 * @param changeNumbers of the events that made it happen; none where no event did
 */
async function notify(
  tx: TenantTransaction,
  { jobs, publicUrl, promises, log, metrics }: Announcer,
  news: readonly News[],
  changeNumbers: Promise<ReadonlyMap<number, number>> | undefined = undefined,
): Promise<number> {
  if (news.length === 0) return 0;
  const newsOf = [...Map.groupBy(news, ({ shipmentId }) => shipmentId)];
  const unnumbered = newsOf.map(([shipmentId, own]): Unnumbered => {
    const delays = own.filter(({ type }) => type === 'tracking.delay');
    const isLate = delays.some(({ isStall }) => !isStall);
    return { shipmentId, count: own.length, isLate, isStalled: delays.some(({ isStall }) => isStall) };
  });
  const wanted = newsOf.map(([id, [first]]) => ({ id, maxEvents: eventsToRead(first?.step) }));
  // Asked together, in one round trip; and both written together below.
  const [{ lastNumbers, subscriptions }, shipments, promised, changes] = await Promise.all([
    numberEvents(tx, unnumbered),
    recordsByIds(tx, RECORD_TO_TELL, wanted, MAX_RELATED),
    promises.within(tx),
    changeNumbers,
  ]);
  // An endpoint may have been made or deleted between the two.
  if (lastNumbers.size === 0 || shipments.length === 0) return 0;
  const shipmentOf = new Map(shipments.map(shipment => [shipment.id, shipment]));
  const at = new Date();
  const occurrences = newsOf.flatMap(([shipmentId, own]) => {
    const [shipment, last] = [shipmentOf.get(shipmentId), lastNumbers.get(shipmentId)];
    if (!shipment || last === undefined) throw new Error(`Shipment ${shipmentId} is gone from its own transaction`);
    return own.map(({ type, previousStatusCode, step }, i): Occurrence => {
      const sequence = last - own.length + 1 + i;
      const change = (step && changes?.get(step.eventId)) ?? null;
      return { id: randomUUID(), type, at, sequence, change, shipment, previousStatusCode, step };
    });
  });
  for (const part of inParts(occurrences)) {
    const bodies = await bodiesOf(part, publicUrl, promised);
    const events = part.map(({ id, type, sequence, shipment }, i): NewWebhookEvent => {
      return { id, type, shipmentId: shipment.id, sequence, body: bodies[i] as string };
    });
    const { wanted, wantedOwn } = await wantedOf(part, subscriptions, {
      tx,
      publicUrl,
      promises: promised,
      log,
      metrics,
    });
    const [, made, madeOwn] = await Promise.all([
      insertWebhookEvents(tx, events),
      wanted.length > 0 ? fanOut(tx, wanted) : [],
      wantedOwn.length > 0 ? fanOutOwn(tx, wantedOwn) : [],
    ]);
    await enqueue(tx, jobs, [...made, ...madeOwn]);
  }
  return occurrences.length;
}

/** Which endpoints receive each event, in the order of the events; apart those that have a filter or a selection. */
async function wantedOf(
  occurrences: readonly Occurrence[],
  subscriptions: readonly Subscription[],
  source: Omit<SelectionSource, 'endpointId'>,
): Promise<{ readonly wanted: readonly Wanted[]; readonly wantedOwn: readonly WantedOwn[] }> {
  const isPlain = ({ filter, selection }: Subscription) => filter === null && selection === null;
  const plain = subscriptions.filter(isPlain);
  const wanted = occurrences.flatMap(occurrence =>
    plain
      .filter(subscription => wants(subscription, filteredEvent(occurrence)))
      .map(({ endpointId }) => ({ eventId: occurrence.id, endpointId })),
  );
  const wantedOwn: WantedOwn[] = [];
  for (const subscription of subscriptions.filter(one => !isPlain(one))) {
    const { endpointId, environment, filter, selection } = subscription;
    const own = occurrences.filter(occurrence => wants(subscription, filteredEvent(occurrence)));
    const isSelected = selection !== null && own.length > 0;
    const bodies = isSelected
      ? await selectedBodies(selection, own, { ...source, tx: source.tx.in(environment), endpointId })
      : [];
    const isNumbered = filter !== null;
    wantedOwn.push(...own.map(({ id }, i) => ({ eventId: id, endpointId, body: bodies[i] ?? null, isNumbered })));
  }
  return { wanted, wantedOwn };
}

function filteredEvent({ type, shipment, step }: Occurrence): FilteredEvent {
  return { type, shipment, statusCode: step?.statusCode ?? shipment.statusCode };
}

/** Entries of timelines in the bodies that are written at once, half a megabyte of them: a few milliseconds. */
const ENTRIES_AT_ONCE = 2_500;

/** Nearly always one part: hundreds of steps of a shipment have hundreds of entries each. */
function inParts(occurrences: readonly Occurrence[]): Occurrence[][] {
  const parts: Occurrence[][] = [];
  let room = 0;
  for (const occurrence of occurrences) {
    const entries = Math.min(occurrence.shipment.timeline.length, MAX_TIMELINE);
    if (entries > room || parts.length === 0) {
      parts.push([]);
      room = ENTRIES_AT_ONCE;
    }
    parts.at(-1)?.push(occurrence);
    room -= entries;
  }
  return parts;
}

/** Jobs for the deliveries that are not parked. */
export async function enqueue(
  { em, companyId }: TenantTransaction,
  jobs: Jobs,
  made: readonly NewDelivery[],
  isProbe = false,
): Promise<void> {
  const due = made.filter(({ isParked }) => !isParked);
  await jobs.insert(
    em,
    deliveries,
    due.map(({ id, endpointId, ticket, dueAt }) => ({
      data: { companyId, deliveryId: id, endpointId, ticket, ...(isProbe && { isProbe }) },
      group: endpointId,
      startAfter: dueAt == null ? undefined : new Date(dueAt),
    })),
  );
}
