import type { Database } from '../../../platform/database/database.ts';
import { statementForEach } from '../../../platform/database/tenancy.ts';
import { type EndpointState, endpointState } from '../endpoints/endpoint-state.rules.ts';
import type { DeliveryJob } from '../webhooks.queues.ts';
import type { DeliveryStatus } from './verdict.rules.ts';

/** A delivery as a worker needs it. */
export interface DueDelivery {
  /** Of its job, from 1. */
  readonly position: number;
  readonly eventId: string;
  readonly status: DeliveryStatus;
  readonly tries: number;
  readonly ticket: number;
  readonly isParked: boolean;
  readonly body: string;
}

/** An endpoint as a worker needs it. */
export interface Target {
  readonly endpointId: string;
  readonly url: string;
  readonly state: EndpointState;
  /** Whether failures are recorded of it, which a success resets. */
  readonly isAiling: boolean;
  /** Sealed secrets, newest first. */
  readonly boxes: readonly Buffer[];
}

const DUE_DELIVERIES = statementForEach(
  'due-webhook-deliveries',
  `select each.position::integer, d.event_id as "eventId", d.status, d.tries, d.ticket, d.parked as "isParked", e.body
    from unnest($1::uuid[], $2::bigint[]) with ordinality as each(company_id, delivery_id, position)
    join webhook_delivery d on d.company_id = each.company_id and d.id = each.delivery_id
    join webhook_event e on e.company_id = each.company_id and e.id = d.event_id`,
);

export function dueDeliveries(
  database: Database,
  jobs: readonly Pick<DeliveryJob, 'companyId' | 'deliveryId'>[],
): Promise<DueDelivery[]> {
  return database.rows<DueDelivery>(DUE_DELIVERIES, [
    jobs.map(({ companyId }) => companyId),
    jobs.map(({ deliveryId }) => deliveryId),
  ]);
}

const TARGETS = statementForEach(
  'webhook-targets',
  `select w.id as "endpointId", w.url, ${endpointState('w')} as state,
      w.failures > 0 or w.breaker is not null as "isAiling",
      array(select s.box from webhook_secret s where s.company_id = each.company_id and s.endpoint_id = w.id
        and (s.expires_at is null or s.expires_at > now()) order by s.id desc) as boxes
    from unnest($1::uuid[], $2::uuid[]) as each(company_id, endpoint_id)
    join webhook_endpoint w on w.company_id = each.company_id and w.id = each.endpoint_id`,
);

/** Endpoints by their ids. */
export async function targets(
  database: Database,
  endpoints: readonly Pick<DeliveryJob, 'companyId' | 'endpointId'>[],
): Promise<ReadonlyMap<string, Target>> {
  const distinct = [...new Map(endpoints.map(endpoint => [endpoint.endpointId, endpoint])).values()];
  const rows = await database.rows<Target>(TARGETS, [
    distinct.map(({ companyId }) => companyId),
    distinct.map(({ endpointId }) => endpointId),
  ]);
  return new Map(rows.map(target => [target.endpointId, target]));
}
