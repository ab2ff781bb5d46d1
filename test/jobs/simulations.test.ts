import { beforeAll, expect, test } from 'vitest';
import { simulate, simulationOf } from '../graphql/simulation-calls.ts';
import { connectWith, flat } from '../rest/tariffs.ts';
import { createWarehouse } from '../support/platform-side.ts';
import { removeOld } from '../support/retention.ts';
import { type Caller, useWorld } from '../support/world.ts';

/** Simulations of more shipments than a request prices. */

const world = useWorld({ ROLE: 'api' });
const SHIPMENTS = 18_000;

let caller: Caller;

beforeAll(async () => {
  caller = await world.company();
  const warehouseId = await createWarehouse(caller);
  const ids = [await connectWith(caller, flat(5), 'BRT'), await connectWith(caller, flat(6), 'GLS')];
  await world.pool.query(
    `insert into shipment (company_id, carrier_connection_id, tracking_number, tracking_key, warehouse_id, recipient, parcel_number,
        weight, volume, hops, shipment_date, status_code, metadata, created_at, updated_at)
      select $1, ($3::integer[])[1 + i % 2], 'T' || i, 'T' || i, $2,
          '{"companyName": null, "address": "Via Roma 1", "postalCode": "20121", "city": "Milano", "province": "MI", "countryCode": "IT"}',
          1, 1 + i % 20, 1000, 0, at, 'delivered', '{}', at, at
        from generate_series(1, $4::integer) i, lateral (select timestamptz '2026-10-02' + i * interval '1 minute' as at) t`,
    [caller.companyId, warehouseId, ids, SHIPMENTS],
  );
});

test('simulations are deleted after 30 days', async () => {
  const one = await simulate(caller, { period: { from: '2026-09-01', to: '2026-09-02' } });
  const day = 24 * 3_600_000;
  await removeOld(world, { table: 'tariff_simulation', now: new Date(Date.now() + 29 * day) });
  expect(await simulationOf(caller, one.databaseId)).toMatchObject({ state: 'done' });
  await removeOld(world, { table: 'tariff_simulation', now: new Date(Date.now() + 31 * day) });
  const { rows } = await world.pool.query('select count(*)::integer as left from tariff_simulation_page');
  expect(rows).toEqual([{ left: 0 }]);
});
