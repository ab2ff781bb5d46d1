import { beforeAll, expect, test, vi } from 'vitest';
import { useProcesses } from '../cli/processes.ts';
import { csvOf, ended, type Simulation, simulate, simulationOf } from '../graphql/simulation-calls.ts';
import { connectWith, flat } from '../rest/tariffs.ts';
import { createWarehouse } from '../support/platform-side.ts';
import { startProcess } from '../support/second-process.ts';
import { SEEN_WITHIN_MS } from '../support/time.ts';
import { type Caller, SECRETS_KEY, useWorld } from '../support/world.ts';

/** Simulations of more shipments than a request prices. */

const world = useWorld({ ROLE: 'api' });
const processes = useProcesses();
const OCTOBER = { from: '2026-10-01', to: '2026-10-31' };
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

/** The result without what differs from one simulation to the next. */
function resultOf({
  id: _,
  databaseId: __,
  createdAt: ___,
  finishedAt: ____,
  expiresAt: _____,
  ...result
}: Simulation) {
  return result;
}

const batchesOf = async ({ databaseId }: Simulation) =>
  (await world.pool.query('select batches from tariff_simulation where id = $1', [databaseId])).rows[0]?.batches;

test('A simulation of many shipments continues as a job, and another worker takes over from a killed one', {
  timeout: 120_000,
}, async () => {
  const whole = await simulate(caller, { period: OCTOBER });
  expect(whole).toMatchObject({ state: 'running', problem: null, finishedAt: null });
  expect(whole.shipments).toBeGreaterThan(1_000);
  expect(whole.progress).toBeGreaterThan(0);
  const cut = await simulate(caller, { period: OCTOBER });

  // The second one can't store its third batch while this transaction has a row in its place.
  const client = await world.pool.connect();
  await client.query('begin');
  await client.query(
    `insert into tariff_simulation_page (company_id, simulation_id, number, shipments, csv) values ($1, $2, 3, 0, '')`,
    [caller.companyId, cut.databaseId],
  );
  const killed = processes.start({ DATABASE_URL: world.databaseUrl, SECRETS_KEY, ROLE: 'worker', PORT: '0' });
  const done = await ended(caller, whole);
  expect(done).toMatchObject({ state: 'done', progress: 1, shipments: SHIPMENTS });
  await vi.waitFor(async () => expect(await batchesOf(cut)).toBe(2), { timeout: 20 * SEEN_WITHIN_MS, interval: 50 });
  killed.kill('SIGKILL');
  await killed.ended();
  await client.query('rollback');
  client.release();
  expect(await simulationOf(caller, cut.databaseId)).toMatchObject({ state: 'running' });

  // As if its heartbeats had been missed for long enough.
  await world.pool.query(
    `update pgboss.job set heartbeat_on = now() - interval '1 hour' where name = 'tariffs.simulate'`,
  );
  const next = await startProcess(world, { ROLE: 'worker' });
  try {
    const resumed = await ended(caller, cut);
    expect(resultOf(resumed)).toEqual(resultOf(done));
    expect(await csvOf(caller, resumed)).toBe(await csvOf(caller, done));
    expect((await csvOf(caller, done)).split('\r\n')).toHaveLength(SHIPMENTS + 2);
  } finally {
    await next.stop();
  }
});
