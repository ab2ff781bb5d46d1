import { randomUUID } from 'node:crypto';
import type { TenantTransaction } from '../../../../platform/database/tenancy/tenant-transaction.ts';
import type { Jobs } from '../../../../platform/jobs/jobs.ts';
import { uncachedPromises } from '../../../shipping/promise/promise-book.service.ts';
import type { Announcer, ShipmentDelays, StatusChanges } from '../../../shipping/tracking/tracking.announcements.ts';
import { FILTERED_BY, recordLoader, recordsByIds } from '../../../shipping/tracking/tracking.service.ts';
import { type FilteredEvent, type Subscription, wants } from '../endpoints/endpoint-filter.rules.ts';
import { deliveries } from '../webhooks.queues.ts';
import { bodiesOf, eventsToRead, MAX_RELATED, MAX_TIMELINE, type Occurrence } from './event.payload.ts';
import { eventOfStatus } from './event.rules.ts';
import {
  EACH_HAS_ENDPOINTS,
  fanOut,
  fanOutNumbered,
  insertWebhookEvents,
  type NewDelivery,
  type NewWebhookEvent,
  subscriptionsOf,
  type Wanted,
} from './fan-out.repository.ts';

/** Records of shipments for the bodies of webhooks; none if nobody would receive them. */
const NOTIFIED_RECORDS = recordLoader('record-to-tell', EACH_HAS_ENDPOINTS, FILTERED_BY);

/** Notifies subscribers of each step of locked shipments, in the transaction that changes them. */
export async function notifyOfChanges(
  tx: TenantTransaction,
  { announcer, moved, changeNumbers }: StatusChanges,
): Promise<void> {
  const news = moved.flatMap(({ shipmentId, steps, newEventIds }) => {
    const places = new Map(newEventIds.map((id, place) => [id, place]));
    return steps.flatMap((step): News[] => {
      const type = eventOfStatus(step.statusCode);
      return type === null || step.sequence === null
        ? []
        : [
            {
              shipmentId,
              type,
              previousStatusCode: step.previousStatusCode,
              sequence: step.sequence,
              step: { ...step, places },
            },
          ];
    });
  });
  await notify(tx, announcer, news, changeNumbers);
}

/** Notifies subscribers of locked shipments that the service found late or silent, in the transaction that marks them. */
export async function notifyOfDelays(tx: TenantTransaction, { announcer, delayed }: ShipmentDelays): Promise<void> {
  const news = delayed.flatMap(({ shipmentId, statusCode, sequence, change }): News[] =>
    sequence === null ? [] : [{ shipmentId, type: 'tracking.delay', previousStatusCode: statusCode, sequence, change }],
  );
  await notify(tx, { ...announcer, promises: uncachedPromises }, news);
}

interface News extends Pick<Occurrence, 'type' | 'previousStatusCode' | 'step'> {
  readonly shipmentId: number;
  /** Its number among the events of its shipment. */
  readonly sequence: number;
  /** The number of a delay in the change log. The numbers of steps are read later. */
  readonly change?: number;
}

/**
 * Writes events, deliveries and jobs in the transaction. Without an endpoint nobody is notified, now or later, so there
 * is no event.
 *
 * @param news the news of each shipment in their order
 * @param changeNumbers the numbers of the tracking events that caused them
 */
async function notify(
  tx: TenantTransaction,
  { jobs, publicUrl, promises }: Announcer,
  news: readonly News[],
  changeNumbers: Promise<ReadonlyMap<number, number>> | undefined = undefined,
): Promise<void> {
  if (news.length === 0) return;
  const newsOf = [...Map.groupBy(news, ({ shipmentId }) => shipmentId)];
  const wanted = newsOf.map(([id, [first]]) => ({ id, maxEvents: eventsToRead(first?.step) }));
  // Sent together, in one round trip.
  const [subscriptions, shipments, promised, changes] = await Promise.all([
    subscriptionsOf(
      tx,
      newsOf.map(([shipmentId]) => shipmentId),
    ),
    recordsByIds(tx, NOTIFIED_RECORDS, wanted, MAX_RELATED),
    promises.within(tx),
    changeNumbers,
  ]);
  if (shipments.length === 0) return;
  const shipmentOf = new Map(shipments.map(shipment => [shipment.id, shipment]));
  const at = new Date();
  const occurrences = newsOf.flatMap(([shipmentId, own]) => {
    const shipment = shipmentOf.get(shipmentId);
    if (!shipment) throw new Error(`Shipment ${shipmentId} is gone from its own transaction`);
    return own.map(({ type, previousStatusCode, sequence, step, ...one }): Occurrence => {
      const change = one.change ?? (step && changes?.get(step.eventId)) ?? null;
      return { id: randomUUID(), type, at, sequence, change, shipment, previousStatusCode, step };
    });
  });
  for (const part of inParts(occurrences)) {
    const bodies = await bodiesOf(part, publicUrl, promised);
    const events = part.map(({ id, type, sequence, shipment, step }, i): NewWebhookEvent => {
      const trackingEventId = step?.eventId ?? shipment.timeline.at(-1)?.id;
      return { id, type, shipmentId: shipment.id, sequence, trackingEventId, body: bodies[i] as string };
    });
    const filtered = subscriptions.filter(({ filter }) => filter !== null);
    const wanted = wantedBy(
      subscriptions.filter(({ filter }) => filter === null),
      part,
    );
    const wantedNumbered = wantedBy(filtered, part);
    const [, made, numbered] = await Promise.all([
      insertWebhookEvents(tx, events),
      wanted.length > 0 ? fanOut(tx, wanted) : [],
      wantedNumbered.length > 0 ? fanOutNumbered(tx, wantedNumbered) : [],
    ]);
    await enqueue(tx, jobs, [...made, ...numbered]);
  }
}

/** The endpoints for each event, in the order of the events. */
function wantedBy(subscriptions: readonly Subscription[], occurrences: readonly Occurrence[]): Wanted[] {
  return occurrences.flatMap(occurrence => {
    const { id: eventId, type, shipment, step } = occurrence;
    const event: FilteredEvent = { type, shipment, statusCode: step?.statusCode ?? shipment.statusCode };
    const wanting = subscriptions.filter(subscription => wants(subscription, event));
    return wanting.map(({ endpointId }) => ({ eventId, endpointId }));
  });
}

/** Characters of bodies that are in memory together. */
const CHARACTERS_AT_ONCE = 2_000_000;
/** Characters of a body beside its strings: names of fields, times and codes. */
const CHARACTERS_OF_RECORD = 1_000;
const CHARACTERS_OF_ENTRY = 250;
const CHARACTERS_OF_RELATED = 200;

/** Nearly always one part: a shipment may have some hundred thousand characters of text, repeated at many steps. */
function inParts(occurrences: readonly Occurrence[]): Occurrence[][] {
  const parts: Occurrence[][] = [];
  const sizes = new Map(occurrences.map(({ shipment }) => [shipment, 0]));
  for (const shipment of sizes.keys()) sizes.set(shipment, sizeOf(shipment));
  let room = 0;
  for (const occurrence of occurrences) {
    const size = sizes.get(occurrence.shipment) ?? 0;
    if (size > room || parts.length === 0) {
      parts.push([]);
      room = CHARACTERS_AT_ONCE;
    }
    parts.at(-1)?.push(occurrence);
    room -= size;
  }
  return parts;
}

/** An estimate of the characters in a body of a shipment. */
function sizeOf({ timeline, relatedShipments }: Occurrence['shipment']): number {
  const entries = timeline.slice(-MAX_TIMELINE);
  const texts = entries.reduce((sum, { description, location, note }) => {
    return sum + (description?.length ?? 0) + (location?.length ?? 0) + (note?.length ?? 0);
  }, 0);
  const records = entries.length * CHARACTERS_OF_ENTRY + relatedShipments.length * CHARACTERS_OF_RELATED;
  return CHARACTERS_OF_RECORD + records + texts;
}

/** Inserts jobs for the deliveries that are not held back. */
export async function enqueue(
  { em, companyId }: TenantTransaction,
  jobs: Jobs,
  made: readonly NewDelivery[],
  isProbe = false,
): Promise<void> {
  const due = made.filter(({ isHeldBack }) => !isHeldBack);
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
