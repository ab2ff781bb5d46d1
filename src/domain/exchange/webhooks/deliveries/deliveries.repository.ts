import { listLoader, rowLoader } from '../../../../platform/database/gather/loader.ts';
import { type IdPage, type ListPage, MAX_COUNT } from '../../../../platform/database/lists/page.ts';
import { ms } from '../../../../platform/database/statements/sql.ts';
import type { Tenant } from '../../../../platform/database/tenancy/tenancy.ts';
import type { EventType } from '../events/event.rules.ts';
import type { NoticeType } from '../notices/notice.rules.ts';
import type { AttemptOutcome, DeliveryStatus } from './verdict.rules.ts';

/** A delivery for callers. Times are milliseconds since 1970. */
export interface DeliveryRow {
  readonly id: number;
  readonly endpointId: string;
  readonly eventId: string;
  readonly eventType: EventType | NoticeType;
  readonly sequence: number;
  /** Its number among the deliveries of an endpoint with a filter; null otherwise. */
  readonly number: number | null;
  readonly status: DeliveryStatus;
  readonly attemptCount: number;
  readonly isHeldBack: boolean;
  readonly nextAttemptAt: number | null;
  readonly deliveredAt: number | null;
  readonly createdAt: number;
  /** Bytes of the posted body. */
  readonly bodySize: number;
}

export interface AttemptRow {
  readonly number: number;
  readonly startedAt: number;
  readonly durationMs: number;
  readonly outcome: AttemptOutcome;
  readonly status: number | null;
  readonly answer: string | null;
  readonly nextAt: number | null;
}

// Numbers, because ids of deliveries stay below 2^53 long enough.
const DELIVERY = `select d.id::float8 as id, d.endpoint_id as "endpointId", d.event_id as "eventId", e.type as "eventType", e.sequence,
    d.status, d.attempts as "attemptCount", d.parked as "isHeldBack", ${ms('d.next_attempt_at')} as "nextAttemptAt",
    ${ms('d.delivered_at')} as "deliveredAt", ${ms('d.created_at')} as "createdAt", d.number::float8 as number, octet_length(coalesce(d.body, e.body)) as "bodySize"
  from webhook_delivery d join webhook_event e on e.company_id = d.company_id and e.id = d.event_id
  where d.company_id = each.company_id`;

type PageKey = [
  endpointId: string,
  below: number | null,
  above: number | null,
  max: number,
  /** Separated by commas. */
  statuses: string | null,
  from: Date | null,
  to: Date | null,
];

const FILTERED = `(each.statuses is null or d.status = any(string_to_array(each.statuses, ',')))
  and (each.since is null or d.created_at >= each.since) and (each.before is null or d.created_at < each.before)`;

const page = (name: string, order: 'asc' | 'desc') =>
  listLoader<PageKey, DeliveryRow>({
    name,
    key: {
      endpoint_id: 'uuid',
      below: 'bigint',
      above: 'bigint',
      max: 'integer',
      statuses: 'text',
      since: 'timestamptz',
      before: 'timestamptz',
    },
    text: `${DELIVERY} and d.endpoint_id = each.endpoint_id
      and (each.below is null or d.id < each.below) and (each.above is null or d.id > each.above)
      and ${FILTERED}
      order by d.id ${order} limit each.max`,
    order: `r.id ${order}`,
    isSplitByCompany: true,
  });
const PAGE_NEWEST = page('webhook-deliveries-newest', 'desc');
const PAGE_OLDEST = page('webhook-deliveries-oldest', 'asc');

export interface DeliveryFilter {
  readonly status: readonly DeliveryStatus[] | null;
  readonly from: Date | null;
  readonly to: Date | null;
}

type CountKey = [endpointId: string, statuses: string | null, from: Date | null, to: Date | null];

const COUNT = rowLoader<CountKey, { count: number }, number>(
  {
    name: 'count-webhook-deliveries',
    key: { endpoint_id: 'uuid', statuses: 'text', since: 'timestamptz', before: 'timestamptz' },
    text: `select count(*)::integer as count from (select from webhook_delivery d
      where d.company_id = each.company_id and d.endpoint_id = each.endpoint_id and ${FILTERED} limit ${MAX_COUNT}) d`,
    isSplitByCompany: true,
  },
  row => row?.count ?? 0,
);

/** The number of deliveries of an endpoint, up to the limit. */
export function deliveryCount(tenant: Tenant, endpointId: string, filter: DeliveryFilter): Promise<number> {
  return tenant.load(COUNT, endpointId, filter.status?.join() ?? null, filter.from, filter.to);
}

export function deliveryPage(
  tenant: Tenant,
  endpointId: string,
  filter: DeliveryFilter,
  { before, after, limit, inverted }: IdPage,
): Promise<readonly DeliveryRow[]> {
  const statuses = filter.status?.join() ?? null;
  return tenant.load(
    inverted ? PAGE_OLDEST : PAGE_NEWEST,
    endpointId,
    after,
    before,
    limit,
    statuses,
    filter.from,
    filter.to,
  );
}

const BY_ID = rowLoader<[id: number], DeliveryRow>({
  name: 'webhook-delivery',
  key: { id: 'bigint' },
  text: `${DELIVERY} and d.id = each.id`,
});

export function deliveryById(tenant: Tenant, id: number): Promise<DeliveryRow | undefined> {
  return tenant.load(BY_ID, id);
}

const ATTEMPTS = listLoader<[deliveryId: number, after: number | null, max: number], AttemptRow>({
  name: 'webhook-attempts',
  key: { id: 'bigint', after: 'bigint', max: 'integer' },
  text: `select a.number, ${ms('a.started_at')} as "startedAt", a.duration_ms as "durationMs", a.outcome,
      a.status, a.answer, ${ms('a.next_at')} as "nextAt"
    from webhook_attempt a where a.company_id = each.company_id and a.delivery_id = each.id
      and (each.after is null or a.number > each.after)
    order by a.number limit each.max`,
  order: 'r.number',
  isSplitByCompany: true,
});

/** A part of the attempts of a delivery, first to last. */
export function attemptsOf(
  tenant: Tenant,
  id: number,
  { after, limit }: ListPage<number>,
): Promise<readonly AttemptRow[]> {
  return tenant.load(ATTEMPTS, id, after, limit);
}

const BODY = rowLoader<[id: number], { body: string }, string>(
  {
    name: 'webhook-delivery-body',
    key: { id: 'bigint' },
    text: `select coalesce(d.body, e.body) as body
      from webhook_delivery d join webhook_event e on e.company_id = d.company_id and e.id = d.event_id
      where d.company_id = each.company_id and d.id = each.id`,
    isSplitByCompany: true,
  },
  row => row?.body ?? '',
);

/** The posted body, byte by byte. */
export function deliveryBody(tenant: Tenant, id: number): Promise<string> {
  return tenant.load(BODY, id);
}
