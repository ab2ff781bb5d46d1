import type { Database } from '../../platform/database/database.ts';

/** How many endpoints fare how, over all companies. */
export interface EndpointFigures {
  readonly healthy: number;
  readonly open: number;
  readonly draining: number;
  readonly paused: number;
}

const FIGURES = {
  name: 'endpoint-figures',
  text: `select count(*) filter (where breaker is null and paused_at is null)::integer as healthy,
      count(*) filter (where breaker = 'open' and paused_at is null)::integer as open,
      count(*) filter (where breaker = 'draining' and paused_at is null)::integer as draining,
      count(*) filter (where paused_at is not null)::integer as paused
    from webhook_endpoint where is_active`,
};

/** Active endpoints by state. */
export async function endpointFigures(database: Database): Promise<EndpointFigures> {
  const [row] = await database.rows<EndpointFigures>(FIGURES, []);
  if (!row) throw new Error('A count has no row');
  return row;
}
