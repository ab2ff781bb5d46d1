import { companyStatement, type TenantTransaction } from '../../platform/tenancy.ts';
import type { EventType } from './event.rules.ts';

const HAS_ENDPOINTS = companyStatement(
  'has-webhook-endpoints',
  `select 1 from webhook_endpoint where company_id = $1 and disabled_reason is distinct from 'deleted' limit 1`,
);

/** Whether the company has an endpoint that gets events, or that may get them later by a replay. */
export async function hasEndpoints(tx: TenantTransaction): Promise<boolean> {
  return (await tx.rows(HAS_ENDPOINTS)).length > 0;
}

const NUMBER_EVENTS = companyStatement(
  'number-webhook-events',
  `update shipment set event_sequence = event_sequence + 1,
      delay_told_at = case when id = any($3::integer[]) then now() else delay_told_at end
    where company_id = $1 and id = any($2::integer[]) returning id, event_sequence as sequence`,
);

/**
 * The number of the next event of each shipment, which must be locked.
 *
 * @param delayed those whose event is a delay
 */
export async function numberEvents(
  tx: TenantTransaction,
  shipmentIds: readonly number[],
  delayed: readonly number[],
): Promise<ReadonlyMap<number, number>> {
  const rows = await tx.rows<{ id: number; sequence: number }>(NUMBER_EVENTS, shipmentIds, delayed);
  return new Map(rows.map(({ id, sequence }) => [id, sequence]));
}

export interface NewWebhookEvent {
  readonly id: string;
  readonly type: EventType;
  readonly shipmentId: number | null;
  readonly sequence: number;
  readonly body: string;
}

const INSERT_EVENTS = companyStatement(
  'insert-webhook-events',
  `insert into webhook_event (company_id, id, type, shipment_id, sequence, body)
    select c.id, t.id, t.type, t.shipment_id, t.sequence, t.body
      from unnest($2::uuid[], $3::text[], $4::integer[], $5::integer[], $6::text[]) as t(id, type, shipment_id, sequence, body)
      join company c on c.id = $1
    returning company_id = $1`,
);

export async function insertWebhookEvents(tx: TenantTransaction, events: readonly NewWebhookEvent[]): Promise<void> {
  const column = <Field extends keyof NewWebhookEvent>(field: Field) => events.map(event => event[field]);
  await tx.rows(INSERT_EVENTS, column('id'), column('type'), column('shipmentId'), column('sequence'), column('body'));
}

export interface NewDelivery {
  readonly id: string;
  readonly endpointId: string;
  readonly ticket: number;
  /** Without a job, since its endpoint is paused, dead or only just revived. */
  readonly isParked: boolean;
  /** When it is to be tried, in milliseconds since 1970; left out for at once. */
  readonly dueAt?: number | null;
}

const NEW_DELIVERY = 'id::text, endpoint_id as "endpointId", ticket, parked as "isParked"';

// Waits for an endpoint that is being deleted, and then sees that it is: what it got in that moment nobody would cancel.
const FAN_OUT = companyStatement(
  'fan-out',
  `with active as (
      select * from webhook_endpoint where company_id = $1 and is_active order by id for key share
    )
    insert into webhook_delivery (company_id, event_id, endpoint_id, parked, next_attempt_at)
    select w.company_id, t.id, w.id, w.paused_at is not null or w.breaker is not null, now()
      from unnest($2::uuid[], $3::text[]) with ordinality as t(id, type, position)
      join active w on w.events && array[t.type, $4]
      order by t.position, w.id
    returning ${NEW_DELIVERY}`,
);

/** A delivery of each event to each endpoint that subscribes to it. */
export function fanOut(
  tx: TenantTransaction,
  events: readonly Pick<NewWebhookEvent, 'id' | 'type'>[],
  everyEvent: string,
): Promise<NewDelivery[]> {
  return tx.rows<NewDelivery>(
    FAN_OUT,
    events.map(({ id }) => id),
    events.map(({ type }) => type),
    everyEvent,
  );
}
