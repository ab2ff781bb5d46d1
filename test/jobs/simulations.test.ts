import { expect, test } from 'vitest';
import { simulate, simulationOf } from '../graphql/simulation-calls.ts';
import { connectWith, flat } from '../rest/tariffs.ts';
import { removeOld } from '../support/retention.ts';
import { useWorld } from '../support/world.ts';

const world = useWorld({ ROLE: 'api' });

test('Simulations are deleted after 30 days', async () => {
  const caller = await world.company();
  await connectWith(caller, flat(5));
  const one = await simulate(caller, { period: { from: '2026-09-01', to: '2026-09-02' } });
  const day = 24 * 3_600_000;
  await removeOld(world, { table: 'tariff_simulation', now: new Date(Date.now() + 29 * day) });
  expect(await simulationOf(caller, one.databaseId)).toMatchObject({ state: 'done' });
  await removeOld(world, { table: 'tariff_simulation', now: new Date(Date.now() + 31 * day) });
  const { rows } = await world.pool.query('select count(*)::integer as left from tariff_simulation_page');
  expect(rows).toEqual([{ left: 0 }]);
});
