import type { Database } from '../../../platform/database/database.ts';
import { rowLoader } from '../../../platform/database/gather/loader.ts';
import { ms } from '../../../platform/database/statements/sql.ts';
import { serviceStatement } from '../../../platform/database/statements/statements.ts';
import type { CompanyId } from '../../../platform/database/tenancy/company-id.ts';
import { Tenant } from '../../../platform/database/tenancy/tenancy.ts';
import { ENDPOINT_STATES, type EndpointState, endpointState } from './endpoint-state.rules.ts';

const COUNTS = serviceStatement(
  'endpoint-metrics',
  `select state, count(w.id)::integer as count
    from unnest($1::text[]) as state left join webhook_endpoint w on ${endpointState('w')} = state group by state`,
);

/** The number of endpoints in each state, over all companies. */
export function endpointCounts(database: Database): Promise<{ state: EndpointState; count: number }[]> {
  return database.rows<{ state: EndpointState; count: number }>(COUNTS, [Object.keys(ENDPOINT_STATES)]);
}

/** An endpoint whose deliveries are held back, at least in part. */
export interface StoppedEndpoint {
  readonly companyId: CompanyId;
  readonly endpointId: string;
  readonly label: string;
  readonly state: EndpointState;
  /** Milliseconds since 1970. */
  readonly failingSince: number | null;
  /** Deliveries that are held back for it, counted up to `MAX_HELD_BACK`. */
  readonly heldBack: number;
}

/** The limit on endpoints whose held back deliveries are counted, and on the count. */
const MAX_STOPPED = 200;
export const MAX_HELD_BACK = 1_000;

const STOPPED = serviceStatement(
  'stopped-endpoints',
  `select company_id as "companyId", id as "endpointId", label, state, ${ms('failing_since')} as "failingSince" from (
      select e.company_id, e.id, e.label, e.failing_since, ${endpointState('e')} as state
        from (select * from webhook_endpoint where is_active limit 50000) e
    ) w where state <> 'active' order by failing_since nulls last, id limit ${MAX_STOPPED}`,
);

const HELD_BACK = rowLoader<[endpointId: string], { readonly count: number }>({
  name: 'deliveries-held-back',
  key: { id: 'uuid' },
  text: `select count(*)::integer as count from (
      select from webhook_delivery d where d.company_id = each.company_id and d.endpoint_id = each.id and d.parked
        limit ${MAX_HELD_BACK}
    ) held`,
});

/** Endpoints that are paused, fail or catch up, over all companies: those with the most held back deliveries first. */
export async function stoppedEndpoints(database: Database): Promise<StoppedEndpoint[]> {
  const stopped = await database.rows<Omit<StoppedEndpoint, 'heldBack'>>(STOPPED, []);
  const counted = await Promise.all(
    stopped.map(async endpoint => {
      const held = await new Tenant(endpoint.companyId, database).load(HELD_BACK, endpoint.endpointId);
      return { ...endpoint, heldBack: held?.count ?? 0 };
    }),
  );
  return counted.toSorted((one, other) => other.heldBack - one.heldBack);
}
