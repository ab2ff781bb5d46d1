import type { Database } from '../../../../platform/database/database.ts';
import { rowLoader } from '../../../../platform/database/gather/loader.ts';
import { ms } from '../../../../platform/database/statements/sql.ts';
import { serviceStatement } from '../../../../platform/database/statements/statements.ts';
import type { CompanyId } from '../../../../platform/database/tenancy/company-id.ts';
import { Tenant } from '../../../../platform/database/tenancy/tenancy.ts';
import { ENDPOINT_STATES, type EndpointState, endpointState } from './endpoint.rules.ts';

const COUNTS = serviceStatement(
  'endpoint-metrics',
  `select state, count(w.id)::integer as count
    from unnest($1::text[]) as state left join webhook_endpoint w on ${endpointState('w')} = state group by state`,
);

/** The number of endpoints in each state, over all companies. */
export function endpointCounts(database: Database): Promise<{ state: EndpointState; count: number }[]> {
  return database.rows<{ state: EndpointState; count: number }>(COUNTS, [Object.keys(ENDPOINT_STATES)]);
}

/** An endpoint with deliveries that are not sent at once. Times are milliseconds since 1970. */
export interface WaitingEndpoint {
  readonly companyId: CompanyId;
  readonly endpointId: string;
  readonly label: string;
  readonly state: EndpointState;
  readonly failingSince: number | null;
  /** When it is probed next, while it backs off. */
  readonly probeAt: number | null;
  /** Deliveries that are held back for it, counted up to `MAX_COUNTED`. */
  readonly heldBack: number;
  readonly deliveries: DeliveryCounts;
}

/** The states of the newest deliveries of an endpoint, at most `MAX_COUNTED` of those that are kept. */
interface DeliveryCounts {
  /** The sum of the other three. Cancelled deliveries are left out. */
  readonly expected: number;
  readonly delivered: number;
  readonly failed: number;
  readonly waiting: number;
}

/** The limits on endpoints whose deliveries are counted, and on the counts. */
const MAX_ENDPOINTS = 200;
export const MAX_COUNTED = 1_000;

const WAITING = serviceStatement(
  'waiting-endpoints',
  `select company_id as "companyId", id as "endpointId", label, state, ${ms('failing_since')} as "failingSince",
      ${ms('probe_after')} as "probeAt" from (
      select e.company_id, e.id, e.label, e.failing_since, e.probe_after, ${endpointState('e')} as state
        from (select * from webhook_endpoint where is_active limit 50000) e
    ) w where state <> 'active' or id = any($1::uuid[]) order by failing_since nulls last, id limit ${MAX_ENDPOINTS}`,
);

const HELD_BACK = rowLoader<[endpointId: string], { readonly count: number }>({
  name: 'deliveries-held-back',
  key: { id: 'uuid' },
  text: `select count(*)::integer as count from (
      select from webhook_delivery d where d.company_id = each.company_id and d.endpoint_id = each.id and d.parked
        limit ${MAX_COUNTED}
    ) held`,
});

const DELIVERIES = rowLoader<[endpointId: string], Omit<DeliveryCounts, 'expected'>>({
  name: 'deliveries-of-endpoint',
  key: { id: 'uuid' },
  text: `select count(*) filter (where status = 'success')::integer as delivered,
      count(*) filter (where status = 'failed')::integer as failed,
      count(*) filter (where status in ('pending', 'retrying'))::integer as waiting from (
      select status from webhook_delivery d where d.company_id = each.company_id and d.endpoint_id = each.id
        and d.status <> 'cancelled' order by d.id desc limit ${MAX_COUNTED}
    ) newest`,
});

/**
 * Endpoints that are paused, fail or catch up, and those with deliveries to be tried later, over all companies: those with
 * the most held back deliveries first.
 */
export async function waitingEndpoints(database: Database, withLater: readonly string[]): Promise<WaitingEndpoint[]> {
  const waiting = await database.rows<Omit<WaitingEndpoint, 'heldBack' | 'deliveries'>>(WAITING, [withLater]);
  const counted = await Promise.all(
    waiting.map(async endpoint => {
      const tenant = new Tenant(endpoint.companyId, database);
      const [held, counts] = await Promise.all([
        tenant.load(HELD_BACK, endpoint.endpointId),
        tenant.load(DELIVERIES, endpoint.endpointId),
      ]);
      const { delivered = 0, failed = 0, waiting = 0 } = counts ?? {};
      const deliveries = { expected: delivered + failed + waiting, delivered, failed, waiting };
      return { ...endpoint, heldBack: held?.count ?? 0, deliveries };
    }),
  );
  return counted.toSorted((one, other) => other.heldBack - one.heldBack);
}
