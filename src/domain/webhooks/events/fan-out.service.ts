import { randomUUID } from 'node:crypto';
import type { TenantTransaction } from '../../../platform/database/tenancy.ts';
import type { Jobs } from '../../../platform/jobs/jobs.ts';
import type { StatusCode } from '../../tracking/status.rules.ts';
import type { Announcer, StatusChanges } from '../../tracking/tracking.announcements.ts';
import { recordLoader, recordsByIds } from '../../tracking/tracking.service.ts';
import { deliveries } from '../webhooks.queues.ts';
import { bodiesOf, type Occurrence, RECORD_BOUNDS } from './event.payload.ts';
import { EVERY_EVENT, type EventType, eventOfStatus } from './event.rules.ts';
import {
  EACH_HAS_ENDPOINTS,
  fanOut,
  insertWebhookEvents,
  type NewDelivery,
  type NewWebhookEvent,
  numberEvents,
} from './fan-out.repository.ts';

/** Records of shipments for the bodies of webhooks; none where nobody would get them. */
const RECORD_TO_TELL = recordLoader('record-to-tell', EACH_HAS_ENDPOINTS);

/** Notifies subscribers of changed statuses, in the transaction that changes them; the shipments are locked. */
export async function notifyOfChanges(tx: TenantTransaction, { announcer, changes }: StatusChanges): Promise<void> {
  await notify(
    tx,
    announcer,
    changes.flatMap(({ shipmentId, statusCode, previousStatusCode }) => {
      const type = eventOfStatus(statusCode);
      return type === null ? [] : [{ shipmentId, type, previousStatusCode }];
    }),
  );
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

interface News {
  readonly shipmentId: number;
  readonly type: EventType;
  readonly previousStatusCode: StatusCode;
  /** A delay that is one since nothing was heard; any other counts as being late, also what the carrier says itself. */
  readonly isStall?: boolean;
}

/** Writes event, deliveries and jobs, all in the transaction. Without an endpoint nobody is notified, now or later: there is no event. */
async function notify(tx: TenantTransaction, { jobs, publicUrl }: Announcer, news: readonly News[]): Promise<number> {
  if (news.length === 0) return 0;
  const delays = news.filter(({ type }) => type === 'tracking.delay');
  const late = delays.filter(({ isStall }) => !isStall).map(({ shipmentId }) => shipmentId);
  const stalled = delays.filter(({ isStall }) => isStall).map(({ shipmentId }) => shipmentId);
  const shipmentIds = news.map(({ shipmentId }) => shipmentId);
  // Asked together, in one round trip; and both written together below.
  const [sequences, shipments] = await Promise.all([
    numberEvents(tx, shipmentIds, late, stalled),
    recordsByIds(tx, RECORD_TO_TELL, shipmentIds, RECORD_BOUNDS),
  ]);
  // An endpoint may have been made or deleted between the two.
  if (sequences.size === 0 || shipments.length === 0) return 0;
  const shipmentOf = new Map(shipments.map(shipment => [shipment.id, shipment]));
  const at = new Date();
  const occurrences = news.map(({ shipmentId, type, previousStatusCode }): Occurrence => {
    const [shipment, sequence] = [shipmentOf.get(shipmentId), sequences.get(shipmentId)];
    if (!shipment || sequence === undefined) throw new Error(`Shipment ${shipmentId} is gone from its own transaction`);
    return { id: randomUUID(), type, at, sequence, shipment, previousStatusCode };
  });
  const bodies = await bodiesOf(occurrences, publicUrl);
  const events = occurrences.map(({ id, type, sequence, shipment }, i): NewWebhookEvent => {
    return { id, type, shipmentId: shipment.id, sequence, body: bodies[i] as string };
  });
  const [, made] = await Promise.all([insertWebhookEvents(tx, events), fanOut(tx, events, EVERY_EVENT)]);
  await enqueue(tx, jobs, made);
  return events.length;
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
