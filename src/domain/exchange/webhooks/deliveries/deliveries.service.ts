import { randomUUID } from 'node:crypto';
import type { IdPage } from '../../../../platform/database/lists/page.ts';
import type { Tenant } from '../../../../platform/database/tenancy/tenancy.ts';
import type { TenantTransaction } from '../../../../platform/database/tenancy/tenant-transaction.ts';
import { Fault, invalid } from '../../../../platform/fault.ts';
import { readInput } from '../../../../platform/input.ts';
import type { Jobs } from '../../../../platform/jobs/jobs.ts';
import { rangeSince } from '../../../common/list-plan.rules.ts';
import type { Announcer } from '../../../shipping/tracking/tracking.announcements.ts';
import { sendDrain } from '../backlog/backlog.service.ts';
import { deliveryTimes, type Replay, replayDeliveriesInput, replayedRange } from '../endpoints/endpoint.input.ts';
import { requireActive, webhookEndpoint, withEndpoint } from '../endpoints/endpoints.service.ts';
import { bodiesOf } from '../events/event.payload.ts';
import { EVENT_TYPES, EVERY_EVENT, type EventType } from '../events/event.rules.ts';
import { exampleShipment } from '../events/example.payload.ts';
import {
  countEvents,
  deliverTo,
  holdBackRange,
  insertWebhookEvents,
  renewDelivery,
} from '../events/fan-out.repository.ts';
import { enqueue } from '../events/fan-out.service.ts';
import { exampleNotice, noticeBody } from '../notices/notice.payload.ts';
import { isNotice, NOTICE_TYPES, type NoticeType, wantsNotice } from '../notices/notice.rules.ts';
import { noticeRecipients } from '../notices/notices.repository.ts';
import type { WebhookEndpointRecord } from '../webhooks.entity.ts';
import { deadDeliveries } from '../webhooks.queues.ts';
import {
  type DeliveryFilter,
  type DeliveryRow,
  deliveryById,
  deliveryCount,
  deliveryPage,
} from './deliveries.repository.ts';
import type { DeliveryStatus } from './verdict.rules.ts';

/** The limit on events of one replay; a longer range is replayed in parts. */
const MAX_REPLAY = 50_000;

/** A page of an endpoint's deliveries, newest first. @throws Fault `validation_failed` */
export function deliveriesPage(
  tenant: Tenant,
  endpointId: string,
  filter: AskedDeliveries,
  page: IdPage,
): Promise<readonly DeliveryRow[]> {
  return deliveryPage(tenant, endpointId, storedFilter(filter), page);
}

/** The number of deliveries of an endpoint, up to the limit. @throws Fault `validation_failed` */
export function countDeliveries(tenant: Tenant, endpointId: string, filter: AskedDeliveries): Promise<number> {
  return deliveryCount(tenant, endpointId, storedFilter(filter));
}

/** Which deliveries are listed. */
interface AskedDeliveries {
  readonly status: DeliveryStatus[] | null;
  readonly createdAt?: object | null | undefined;
  readonly since?: string | null | undefined;
}

function storedFilter({ status, ...times }: AskedDeliveries): DeliveryFilter {
  const { createdAt, since } = readInput(deliveryTimes, times);
  const { from = null, to = null } = rangeSince(createdAt, since);
  return { status, from, to };
}

/** @throws Fault `webhook_not_found` */
export async function webhookDelivery(tenant: Tenant, id: string): Promise<DeliveryRow> {
  const found = /^[1-9]\d{0,14}$/.test(id) ? await deliveryById(tenant, Number(id)) : undefined;
  if (!found) throw new Fault('webhook_not_found');
  return found;
}

/**
 * Sends a delivery again, in any state, with its id and the usual retries. A waiting delivery is sent now, unless its
 * endpoint holds it back.
 *
 * @throws Fault `webhook_not_found`, `validation_failed` for a disabled endpoint
 */
export async function redeliver(tenant: Tenant, jobs: Jobs, id: string): Promise<DeliveryRow> {
  const delivery = await webhookDelivery(tenant, id);
  await toEndpoint(tenant, delivery.endpointId, async tx => {
    await enqueue(tx, jobs, await renewDelivery(tx, delivery.id));
  });
  return webhookDelivery(tenant, id);
}

/** The default example of each topic. */
const DEFAULT_TEST = { tracking: 'tracking.in_transit', notices: 'notice.endpoint_failing' } as const;

/**
 * Sends an example of the endpoint's topic to it, whatever it subscribes to. The `sequence` of the event is 0.
 *
 * @throws Fault `webhook_not_found`, `validation_failed`
 */
export async function sendTestEvent(
  tenant: Tenant,
  { jobs, publicUrl }: Pick<Announcer, 'jobs' | 'publicUrl'>,
  endpointId: string,
  sent: EventType | NoticeType | null | undefined,
): Promise<DeliveryRow> {
  const { topic } = await webhookEndpoint(tenant, endpointId);
  const type = sent ?? DEFAULT_TEST[topic];
  if (isNotice(type) !== (topic === 'notices')) {
    const message = `must be an event of the topic of the endpoint, which is ${topic}`;
    throw invalid([{ path: ['type'], code: 'not_allowed', message }]);
  }
  const at = new Date();
  const id = randomUUID();
  const [made] = await toEndpoint(tenant, endpointId, async tx => {
    const body = isNotice(type)
      ? await noticeExample(tx, id, at, type)
      : await trackingExample(id, at, type, publicUrl);
    await insertWebhookEvents(tx, [{ id, type, shipmentId: null, sequence: 0, body }]);
    const delivery = await deliverTo(tx, endpointId, id);
    await enqueue(tx, jobs, delivery);
    return delivery;
  });
  return webhookDelivery(tenant, made?.id ?? '');
}

async function trackingExample(id: string, at: Date, type: EventType, publicUrl: string): Promise<string> {
  const occurrence = { id, type, at, sequence: 0, change: null, ...exampleShipment(type, at.getTime()) };
  const [body = ''] = await bodiesOf([occurrence], publicUrl, { promiseOf: () => null });
  return body;
}

async function noticeExample(tx: TenantTransaction, id: string, at: Date, type: NoticeType): Promise<string> {
  const { company } = await noticeRecipients(tx, false);
  return noticeBody(id, at, { id: tx.companyId, ...company }, exampleNotice(type, at));
}

/**
 * Sends every event of a time range to an endpoint, again or for the first time, except tests. They are sent oldest
 * first and at a pace, with the usual retries; deliveries in progress continue.
 *
 * @param replay which events; by default those that the endpoint subscribes to
 * @returns how many were queued
 * @throws Fault `validation_failed`, also for more than 50,000 events, and `webhook_not_found`
 */
export async function replayDeliveries(
  tenant: Tenant,
  jobs: Jobs,
  { endpointId, ...sent }: Replay & { readonly endpointId: string },
): Promise<number> {
  const { events, ...times } = readInput(replayDeliveriesInput, sent);
  // The rules of the input require both.
  const { from, to } = replayedRange(times) as { from: Date; to: Date };
  return toEndpoint(tenant, endpointId, async (tx, endpoint) => {
    const wanted = events ?? endpoint.events;
    const types = [
      ...EVENT_TYPES.filter(type => wanted.includes(type) || wanted.includes(EVERY_EVENT)),
      ...NOTICE_TYPES.filter(type => wantsNotice(wanted, type)),
    ];
    // A filter cannot judge old events, because their shipments have changed; and an endpoint gets no notice of itself.
    const onlySent = endpoint.filter != null || endpoint.selection != null || endpoint.topic === 'notices';
    const range = { endpointId: endpoint.id, since: from, until: to, types, onlySent };
    if ((await countEvents(tx, range, MAX_REPLAY + 1)) > MAX_REPLAY) {
      const message = `ends a range of more than ${MAX_REPLAY} events: replay it in parts`;
      throw invalid([{ path: [times.to == null ? 'until' : 'to'], code: 'too_many', message }]);
    }
    const count = await holdBackRange(tx, range);
    if (count > 0 && endpoint.pausedAt == null && endpoint.breaker !== 'open') {
      tx.em.assign(endpoint, { breaker: 'draining' });
      await tx.em.flush();
      await sendDrain(tx, jobs, endpoint.id);
    }
    return count;
  });
}

/** Sends something to an endpoint, which must be active. */
function toEndpoint<T>(
  tenant: Tenant,
  endpointId: string,
  work: (tx: TenantTransaction, endpoint: WebhookEndpointRecord) => Promise<T>,
): Promise<T> {
  return withEndpoint(tenant, { id: endpointId }, (tx, endpoint) => {
    requireActive(endpoint);
    return work(tx, endpoint);
  });
}

/** Sends failed deliveries of all companies again, by the workers. Returns how many. */
export async function redriveDeliveries(jobs: Jobs, max: number): Promise<number> {
  return jobs.redrive(deadDeliveries, max);
}
