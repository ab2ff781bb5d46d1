import { beforeAll, describe, expect, test } from 'vitest';
import { type Caller, useWorld } from '../support/world.ts';
import { lastUses } from './key-uses.ts';

const world = useWorld();
let caller: Caller;
beforeAll(async () => {
  caller = await world.company();
});

test('The last use of forty keys is written as well, in a few seconds', async () => {
  const users = await Promise.all(Array.from({ length: 40 }, () => world.key(caller.companyId)));
  await Promise.all(users.map(({ rest }) => rest('GET', '/health')));
  await lastUses(users, 15_000);
});

describe('A key is looked up', () => {
  const lookups = async () => (await world.app.metrics.keyLookups.get()).values[0]?.value ?? 0;

  test('once for a thousand first requests at once, and about once a second from then on', async () => {
    const { rest } = await world.key(caller.companyId);
    const before = await lookups();
    const startedAt = performance.now();
    const answers = await Promise.all(Array.from({ length: 1000 }, () => rest('GET', '/health')));
    const seconds = (performance.now() - startedAt) / 1000;
    expect(answers.filter(({ status }) => status !== 200)).toEqual([]);
    expect((await lookups()) - before).toBeGreaterThan(0);
    expect((await lookups()) - before).toBeLessThanOrEqual(1 + seconds / 0.9);
  });
});
