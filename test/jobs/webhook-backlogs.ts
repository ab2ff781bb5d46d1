import { deliveries as deliveriesQueue } from '../../src/domain/exchange/webhooks/webhooks.queues.ts';
import type { CompanyId } from '../../src/platform/database/tenancy/company-id.ts';
import type { Caller, World } from '../support/world.ts';

/** Deliveries that wait for an endpoint, written past the service: very many at once. */

interface Filling {
  readonly count: number;
  readonly status: 'pending' | 'retrying' | 'failed';
  readonly tries?: number;
  readonly isHeldBack?: boolean;
  /** When they are due. */
  readonly at?: Date;
}

export function useBacklogs(world: World) {
  /**
   * As many deliveries to an endpoint with their jobs; held back deliveries have none, and jobs of failed ones are dead
   * letters.
   */
  async function fill({ companyId }: Caller, endpointId: string, filling: Filling) {
    const { count, status, tries = 0, isHeldBack = false, at = new Date() } = filling;
    const { rows } = await world.pool.query<{ id: string; eventId: string }>(
      `with told as (
          insert into webhook_event (company_id, id, type, sequence, body)
            select $1, gen_random_uuid(), 'tracking.in_transit', 0, '{}' from generate_series(1, $3) returning id
        )
        insert into webhook_delivery (company_id, event_id, endpoint_id, status, tries, attempts, parked, next_attempt_at)
          select $1, id, $2, $4, $5::integer, $5::integer, $6, case when $4 <> 'failed' then $7::timestamptz end from told
          returning id::text, event_id as "eventId"`,
      [companyId, endpointId, count, status, tries, isHeldBack, at],
    );
    const jobs = rows.map(({ id }) => ({
      data: { companyId: companyId as CompanyId, deliveryId: id, endpointId, ticket: 1 },
      group: endpointId,
      startAfter: at,
    }));
    await world.app.database.transaction(async em => {
      if (status === 'failed') await world.app.jobs.insertDeadLetters(em, deliveriesQueue, jobs);
      else if (!isHeldBack) await world.app.jobs.insert(em, deliveriesQueue, jobs);
    });
    return rows;
  }

  /** How many deliveries of an endpoint there are in each state. */
  async function counts(endpointId: string) {
    const { rows } = await world.pool.query<{ status: string; parked: boolean; attempts: number; count: number }>(
      `select status, parked, attempts, count(*)::integer as count from webhook_delivery
        where endpoint_id = $1 group by 1, 2, 3 order by 1, 2, 3`,
      [endpointId],
    );
    return rows;
  }

  /** When the next attempt of each delivery comes that has one to come. */
  async function jobsOf(endpointId: string) {
    const { rows } = await world.pool.query<{ deliveryId: string; startAfter: Date }>(
      `select data ->> 'deliveryId' as "deliveryId", start_after as "startAfter" from pgboss.job
        where name = 'webhooks.deliver' and data ->> 'endpointId' = $1 and state < 'completed'`,
      [endpointId],
    );
    return rows;
  }

  return { fill, counts, jobsOf };
}
