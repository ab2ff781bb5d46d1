import { expect, test } from 'vitest';
import { ORDER_COLUMNS } from '../../src/domain/shipping/orders/import/order-columns.catalog.ts';
import { ask } from '../support/platform-side.ts';
import { useSharedWorld } from '../support/world.ts';

const world = useSharedWorld();

/** Runs of what patterns of cells look for, each with an end that fits none. */
const RUNS = [' ', '0', '1 ', '1,', 'cm ', 'x ', '/', '(MI) ', 'localita ', 'via 1 ', 'int 1 ', 'a@', '-', '> 1'];
const COLUMNS = Object.values(ORDER_COLUMNS).map(({ names }) => [names].flat()[0]);
const CHARACTERS = 9_000;

test('Long cells in every column of orders are rejected row by row, as fast as short cells', async () => {
  const caller = await world.company();
  const header = COLUMNS.join(';');
  const rows = RUNS.map(run => {
    const cell = `${run.repeat(CHARACTERS / run.length)}!`;
    return COLUMNS.map(() => cell).join(';');
  });
  const startedAt = performance.now();
  const answer = await ask<{ created: number; problems: readonly object[] }>(
    caller,
    'mutation ($file: TableFileInput!) { importOrders(input: { file: $file }) { created problems { message } userErrors { code } } }',
    { file: { text: [header, ...rows].join('\n') } },
  );
  expect(answer.created).toBe(0);
  expect(answer.problems.length).toBeGreaterThanOrEqual(RUNS.length);
  // A second alone, and more beside other tests. With a pattern that takes the square of a cell it takes minutes.
  expect(performance.now() - startedAt).toBeLessThan(10_000);
});
