import type { Database } from '../../../platform/database/database.ts';
import { serviceStatement } from '../../../platform/database/statements.ts';
import { ENDPOINT_STATES, type EndpointState, endpointState } from './endpoint-state.rules.ts';

const COUNTS = serviceStatement(
  'endpoint-metrics',
  `select state, count(w.id)::integer as count
    from unnest($1::text[]) as state left join webhook_endpoint w on ${endpointState('w')} = state group by state`,
);

/** How many endpoints are in each state, over all companies. */
export function endpointCounts(database: Database): Promise<{ state: EndpointState; count: number }[]> {
  return database.rows<{ state: EndpointState; count: number }>(COUNTS, [Object.keys(ENDPOINT_STATES)]);
}
