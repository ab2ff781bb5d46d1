import type { Database } from '../../../../platform/database/database.ts';
import { Tenant } from '../../../../platform/database/tenancy/tenancy.ts';
import type { Work } from '../../../../platform/limits/work.ts';
import type { Log } from '../../../../platform/telemetry/log.ts';
import type { Metrics } from '../../../../platform/telemetry/metrics.ts';
import type { ShipmentPromises } from '../../../shipping/tracking/promised.rules.ts';
import type { StatusCode } from '../../../shipping/tracking/status.rules.ts';
import { eventById, shipmentById } from '../../../shipping/tracking/tracking.service.ts';
import { type Envelope, selectedBody } from '../events/event.payload.ts';
import type { SelectedEvent } from '../events/event.port.ts';
import { exampleShipment } from '../events/example.payload.ts';
import type { DeliveryJob } from '../webhooks.queues.ts';
import { type DueDelivery, keepBody, type Target } from './attempt.repository.ts';

/**
 * Renders the selection of an endpoint for a delivery, before its first attempt. The result is stored with the
 * delivery, so that every later attempt posts equal bytes. Recording an event renders nothing, so a selection can
 * neither slow it down nor make it fail.
 */

export interface RenderTools {
  readonly database: Database;
  readonly promisesOf: (tenant: Tenant) => ShipmentPromises;
  readonly publicUrl: () => string;
  readonly log: Log;
  readonly metrics: Metrics;
}

/** Deliveries of a company that may wait here: more than a worker takes at once. */
const MAX_WAITING = 10_000;

/**
 * The body of a delivery to an endpoint with a selection. A company renders one at a time in each process.
 *
 * @throws Fault `unavailable` while the database is down
 */
export function renderedBody(
  tools: RenderTools,
  job: DeliveryJob,
  due: DueDelivery,
  target: Target & { readonly selection: string },
): Promise<string> {
  const rendering = () => render(tools, job, due, target);
  return tools.database.inLine(`${job.companyId} selections`, rendering, { maxWaiting: MAX_WAITING });
}

async function render(
  { database, promisesOf, publicUrl, log, metrics }: RenderTools,
  { companyId, deliveryId }: DeliveryJob,
  due: DueDelivery,
  { endpointId, selection }: Target & { readonly selection: string },
): Promise<string> {
  const tenantFor = (work?: Work) => new Tenant(companyId, database, { work, isFresh: true });
  const tenant = tenantFor();
  const body = JSON.parse(due.body) as EventBody;
  const event = await selectedEvent(tenant, due, body);
  const source = { companyId, tenantFor, promisesOf, publicUrl: publicUrl(), endpointId, log, metrics };
  return keepBody(tenant, deliveryId, await selectedBody(body, selection, event, source));
}

/** The needed part of an event's body. */
interface EventBody extends Envelope {
  readonly data: { readonly statusCode: StatusCode; readonly previousStatusCode: StatusCode };
}

async function selectedEvent(
  tenant: Tenant,
  { shipmentId, trackingEventId }: DueDelivery,
  { id, type, timestamp, sequence, change, data }: EventBody,
): Promise<SelectedEvent | undefined> {
  const at = new Date(timestamp);
  const { statusCode, previousStatusCode } = data;
  const about = { id, type, at, sequence, change, statusCode, previousStatusCode };
  if (shipmentId === null) {
    const { shipment } = exampleShipment(type, at.getTime());
    return { ...about, shipment, event: shipment.timeline.at(-1) ?? null };
  }
  const [shipment, event] = await Promise.all([
    shipmentById(tenant, shipmentId),
    trackingEventId === null ? undefined : eventById(tenant, trackingEventId),
  ]);
  return shipment && { ...about, shipment, event: event ?? null };
}
