// Endpoints that fail until the breaker opens, and then each time they are tried.
import type { Caller, World } from '../support/world.ts';
import { eventually, sendTest, type useEndpoints, webhook } from './webhooks.ts';

type OpenEndpoint = Awaited<ReturnType<ReturnType<typeof useEndpoints>['open']>>;

/** Has an endpoint fail until it backs off. */
export async function breakDown(caller: Caller, endpointId: string): Promise<void> {
  await Promise.all(Array.from({ length: 6 }, () => sendTest(caller, endpointId)));
  await eventually(() => webhook(caller, endpointId), { state: 'backing_off' });
}

/** Lets time pass, and has the endpoint be tried once more. */
export async function tryAfter(
  { pool }: Pick<World, 'pool'>,
  ms: number,
  { caller, endpointId, pass }: OpenEndpoint,
): Promise<void> {
  const failures = async () => {
    const { rows } = await pool.query(
      'select failures, is_active as "isActive" from webhook_endpoint where company_id = $1 and id = $2',
      [caller.companyId, endpointId],
    );
    return rows[0] as { failures: number; isActive: boolean };
  };
  const before = (await failures()).failures;
  await pass(ms);
  await eventually(async () => ({ isTried: (await failures()).failures > before }), { isTried: true });
}
