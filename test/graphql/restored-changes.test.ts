import { describe, expect, test } from 'vitest';
import { expireCursors } from '../../src/domain/shipping/tracking/changes/change-retention.service.ts';
import { appendChanges } from '../../src/domain/shipping/tracking/changes/changes.repository.ts';
import type { CompanyId } from '../../src/platform/database/tenancy/company-id.ts';
import { Tenant } from '../../src/platform/database/tenancy/tenancy.ts';
import { ask, connectCarrier, shipment, times, upsertShipments } from '../support/platform-side.ts';
import { type Caller, useSharedWorld } from '../support/world.ts';

// The fate of the cursors of consumers when a database is restored.

const world = useSharedWorld();
const CHANGES = `query ($after: String, $first: Int) {
  changes(after: $after, first: $first) { nodes { number shipmentId } pageInfo { endCursor } hasGap }
}`;
const LOG = '{ changeLog { cursor } }';

interface Page {
  readonly nodes: readonly { readonly number: number; readonly shipmentId: number }[];
  readonly pageInfo: { readonly endCursor: string };
  readonly hasGap: boolean;
}

const poll = (caller: Caller, variables: { readonly after?: string; readonly first?: number } = {}) =>
  ask<Page>(caller, CHANGES, variables);

/** A company with ten changes, as a consumer has received them. */
async function companyWithChanges() {
  const caller = await world.company();
  const connection = await connectCarrier(caller);
  await upsertShipments(
    caller,
    times(10, i => shipment(connection, `R${i}`)),
  );
  return { caller, polled: (await poll(caller)).nodes };
}

describe('After the database was restored to an earlier time', () => {
  /** The count after the log has lost the changes behind a number. */
  async function restore({ companyId }: Caller, last: number): Promise<void> {
    await world.pool.query('delete from tracking_change where company_id = $1 and number > $2', [companyId, last]);
    await world.pool.query('update tracking_change_count set last = $2 where company_id = $1', [companyId, last]);
  }

  test('a cursor beyond the end of the log has expired at once', async () => {
    const { caller, polled } = await companyWithChanges();
    const [early, late] = [await poll(caller, { first: 3 }), await poll(caller)];
    await restore(caller, 5);
    expect(await poll(caller, { after: late.pageInfo.endCursor })).toMatchObject({ nodes: [], hasGap: true });
    expect((await poll(caller, { after: early.pageInfo.endCursor })).nodes).toEqual(polled.slice(3, 5));
  });

  test('a command makes every earlier cursor expire, even if no change is left, and new cursors work', async () => {
    const { caller, polled } = await companyWithChanges();
    const late = await poll(caller);
    const fresh = await world.company();
    const { cursor: ofNone } = await ask<{ cursor: string }>(fresh, LOG);
    await restore(caller, 5);
    const companies = [caller, fresh].map(({ companyId }) => companyId as CompanyId);
    await expireCursors(world.app.database, companies, new Date());
    // As many again as were lost: by the number alone the cursor would fit.
    const tenant = new Tenant(caller.companyId as CompanyId, world.app.database);
    const again = times(polled.length - 5, () => ({ kind: 'created', shipmentId: 1 }) as const);
    await tenant.transaction(tx => appendChanges(tx, again));
    expect((await poll(caller, { after: late.pageInfo.endCursor })).hasGap).toBe(true);
    expect((await poll(fresh, { after: ofNone })).hasGap).toBe(true);
    const { cursor } = await ask<{ cursor: string }>(caller, LOG);
    await tenant.transaction(tx => appendChanges(tx, [{ kind: 'created', shipmentId: 2 }]));
    expect((await poll(caller, { after: cursor })).nodes).toEqual([{ number: polled.length + 1, shipmentId: 2 }]);
    expect((await poll(caller)).nodes).toHaveLength(polled.length + 1);
    const { cursor: ofFresh } = await ask<{ cursor: string }>(fresh, LOG);
    expect((await poll(fresh, { after: ofFresh })).nodes).toEqual([]);
  });
});
