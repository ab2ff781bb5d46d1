import type { Database } from '../../../../platform/database/database.ts';
import { rowLoader } from '../../../../platform/database/gather/loader.ts';
import { companyStatement } from '../../../../platform/database/statements/statements.ts';
import type { Tenant } from '../../../../platform/database/tenancy/tenancy.ts';
import { type EndpointState, endpointState } from '../endpoints/endpoint.rules.ts';
import type { DeliveryJob } from '../webhooks.queues.ts';
import type { DeliveryStatus } from './verdict.rules.ts';

export interface DueDelivery {
  readonly eventId: string;
  readonly status: DeliveryStatus;
  readonly tries: number;
  readonly ticket: number;
  readonly isHeldBack: boolean;
  /** Null unless its endpoint has a filter. */
  readonly number: number | null;
  /** The body to post: the rendered one, or the body of the event. */
  readonly body: string;
  /** Whether a selection of its endpoint must still be rendered: nothing was rendered or sent yet. */
  readonly isToRender: boolean;
  readonly shipmentId: number | null;
  readonly trackingEventId: number | null;
}

/** An endpoint, as an attempt needs it. */
export interface Target {
  readonly endpointId: string;
  readonly url: string;
  readonly state: EndpointState;
  /** Whether it has recorded failures or a notice about failures, which a success resets. */
  readonly hasFailures: boolean;
  readonly selection: string | null;
  /** Sealed secrets, newest first. */
  readonly boxes: readonly Buffer[];
}

const DUE_DELIVERY = rowLoader<[deliveryId: string], DueDelivery>({
  name: 'due-webhook-delivery',
  key: { id: 'bigint' },
  text: `select d.event_id as "eventId", d.status, d.tries, d.ticket, d.parked as "isHeldBack", d.number::float8 as number,
      coalesce(d.body, e.body) as body, d.body is null and d.attempts = 0 as "isToRender",
      e.shipment_id as "shipmentId", e.tracking_event_id::float8 as "trackingEventId"
    from webhook_delivery d join webhook_event e on e.company_id = d.company_id and e.id = d.event_id
    where d.company_id = each.company_id and d.id = each.id`,
});

/** The deliveries of jobs, in their order; undefined if one is gone. */
export function dueDeliveries(
  { loaders }: Database,
  jobs: readonly Pick<DeliveryJob, 'companyId' | 'deliveryId'>[],
): Promise<(DueDelivery | undefined)[]> {
  return loaders.loadForService(
    DUE_DELIVERY,
    jobs.map(({ companyId, deliveryId }) => ({ companyId, key: [deliveryId] })),
  );
}

const TARGET = rowLoader<[endpointId: string], Target>({
  name: 'webhook-target',
  key: { id: 'uuid' },
  text: `select w.id as "endpointId", w.url, ${endpointState('w')} as state,
      w.failures > 0 or w.breaker is not null or w.failing_told is not null as "hasFailures", w.selection,
      array(select s.box from webhook_secret s where s.company_id = each.company_id and s.endpoint_id = w.id
        and (s.expires_at is null or s.expires_at > now()) order by s.id desc) as boxes
    from webhook_endpoint w where w.company_id = each.company_id and w.id = each.id`,
});

/** Endpoints by their ids. */
export async function targets(
  { loaders }: Database,
  endpoints: readonly Pick<DeliveryJob, 'companyId' | 'endpointId'>[],
): Promise<ReadonlyMap<string, Target>> {
  const distinct = [...new Map(endpoints.map(endpoint => [endpoint.endpointId, endpoint])).values()];
  const found = await loaders.loadForService(
    TARGET,
    distinct.map(({ companyId, endpointId }) => ({ companyId, key: [endpointId] })),
  );
  return new Map(found.flatMap(target => (target ? [[target.endpointId, target] as const] : [])));
}

const KEEP_BODY = companyStatement(
  'keep-webhook-body',
  `update webhook_delivery d set body = coalesce(d.body, $3) where d.company_id = $1 and d.id = $2::bigint returning d.body`,
);

/** Stores the rendered body of a delivery, so that every attempt posts equal bytes; returns an earlier one. */
export async function keepBody(tenant: Tenant, deliveryId: string, rendered: string): Promise<string> {
  const [row] = await tenant.rows<{ body: string }>(KEEP_BODY, deliveryId, rendered);
  return row?.body ?? rendered;
}
