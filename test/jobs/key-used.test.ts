import { afterEach, describe, expect, test } from 'vitest';
import type { App } from '../../src/app.ts';
import { keyUsed } from '../../src/domain/account/access/access.jobs.ts';
import type { CompanyId } from '../../src/platform/database/tenancy/company-id.ts';
import { Jobs } from '../../src/platform/jobs/jobs.ts';
import { createLog } from '../../src/platform/telemetry/log.ts';
import { graphqlClient } from '../support/graphql-client.ts';
import { restClient } from '../support/rest-client.ts';
import { startProcess } from '../support/second-process.ts';
import { type Caller, useWorld } from '../support/world.ts';

// The world's own app answers requests and works no job: what it leaves stays to be seen.
const world = useWorld({ ROLE: 'api' });
const others: App[] = [];
afterEach(async () => {
  await Promise.all(others.splice(0).map(app => app.stop()));
  await world.pool.query('delete from pgboss.job');
});

/** Another process of the service over the same database. */
async function start(role: 'api' | 'worker' | 'all'): Promise<App> {
  const app = await startProcess(world, { ROLE: role });
  others.push(app);
  return app;
}

interface Job {
  readonly state: string;
  readonly data: { companyId: string; apiKeyId: string; usedAt: string };
}

async function jobs(): Promise<Job[]> {
  const { rows } = await world.pool.query<Job>(
    `select state, data from pgboss.job where name = $1 order by created_on`,
    [keyUsed.queue],
  );
  return rows;
}

async function lastUse({ apiKeyId }: Pick<Caller, 'apiKeyId'>): Promise<string | null> {
  const { rows } = await world.pool.query<{ at: Date | null }>('select last_used_at as at from api_key where id = $1', [
    apiKeyId,
  ]);
  return rows[0]?.at?.toISOString() ?? null;
}

/** Sends a job as a process of the service does. */
async function send(companyId: string, apiKeyId: string, usedAt: string): Promise<void> {
  const sender = await Jobs.start(world.app.database, createLog('silent'), { worker: false });
  await sender.send(keyUsed, { companyId: companyId as CompanyId, apiKeyId, usedAt });
  await sender.stop(1000);
}

/** The minute it is for the world.pool, in which one job a key may be sent. */
async function minute(): Promise<number> {
  const { rows } = await world.pool.query<{ minute: number }>(
    'select floor(extract(epoch from now()) / 60)::integer as minute',
  );
  return rows[0]?.minute ?? 0;
}

const soon = { timeout: 15_000, interval: 50 };

describe('The use of a key', () => {
  test('is not written during the request, but queued as a job', async () => {
    const caller = await world.company();
    const before = Date.now();
    expect((await caller.rest('GET', '/health')).status).toBe(200);
    await expect.poll(jobs, soon).toHaveLength(1);
    const [job] = await jobs();
    expect(job).toMatchObject({ state: 'created', data: { companyId: caller.companyId, apiKeyId: caller.apiKeyId } });
    const usedAt = Date.parse(job?.data.usedAt ?? '');
    expect(usedAt).toBeGreaterThanOrEqual(before);
    expect(usedAt).toBeLessThanOrEqual(Date.now());
    expect(await lastUse(caller)).toBeNull();
    const { data } = await caller.graphql('{ apiKey { lastUsedAt } }');
    expect(data).toEqual({ apiKey: { lastUsedAt: null } });
  });

  test('is queued without the key itself', async () => {
    const caller = await world.company();
    await caller.rest('GET', '/health');
    await expect.poll(jobs, soon).toHaveLength(1);
    expect(Object.keys((await jobs())[0]?.data ?? {}).toSorted()).toEqual(['apiKeyId', 'companyId', 'usedAt']);
    expect(JSON.stringify(await jobs())).not.toContain(caller.apiKey.slice(41, 84));
  });

  test('is written by a worker on the same database', async () => {
    const caller = await world.company();
    await caller.rest('GET', '/health');
    await expect.poll(jobs, soon).toHaveLength(1);
    const usedAt = (await jobs())[0]?.data.usedAt;
    await start('worker');
    await expect.poll(() => lastUse(caller), soon).toBe(usedAt);
    await expect.poll(jobs, soon).toMatchObject([{ state: 'completed' }]);
    const { data } = await caller.graphql('{ apiKey { lastUsedAt } }');
    expect(data).toEqual({ apiKey: { lastUsedAt: usedAt } });
  });

  test('is one job a minute, however many requests and processes there are', async () => {
    const caller = await world.company();
    const apps = [world.app, await start('api'), await start('api')];
    const from = await minute();
    await Promise.all(
      apps.flatMap(({ url }) => {
        const rest = restClient(url, { 'x-api-key': caller.apiKey });
        const graphql = graphqlClient(url, caller.apiKey);
        return Array.from({ length: 30 }, (_, i) =>
          i % 2 ? rest('GET', '/warehouses') : graphql('{ apiKey { ok } }'),
        );
      }),
    );
    // Once a process has stopped it sends nothing more.
    await Promise.all(others.splice(0).map(app => app.stop()));
    await expect.poll(async () => (await jobs()).length, soon).toBeGreaterThan(0);
    const minutes = (await minute()) - from + 1;
    expect((await jobs()).length).toBeLessThanOrEqual(minutes);
    expect(new Set((await jobs()).map(({ data }) => data.apiKeyId))).toEqual(new Set([caller.apiKeyId]));
  });

  test('is a separate job for each key', async () => {
    const caller = await world.company();
    const keys = [caller, await world.key(caller.companyId), await world.company()];
    await Promise.all(keys.map(({ rest }) => rest('GET', '/health')));
    await expect.poll(jobs, soon).toHaveLength(3);
    expect(new Set((await jobs()).map(({ data }) => `${data.companyId} ${data.apiKeyId}`))).toEqual(
      new Set(keys.map(({ companyId, apiKeyId }) => `${companyId} ${apiKeyId}`)),
    );
  });

  test('is not recorded if the key is rejected', async () => {
    const caller = await world.company();
    await world.administration.revokeKey(caller.apiKeyId);
    expect((await caller.rest('GET', '/health')).status).toBe(401);
    const known = await world.company();
    await known.rest('GET', '/health');
    await expect.poll(jobs, soon).toMatchObject([{ data: { apiKeyId: known.apiKeyId } }]);
  });
});

describe('A job that records the use of a key', () => {
  const at = (second: number) => new Date(Date.UTC(2026, 10, 21, 9, 0, second)).toISOString();

  test('changes only keys of its own company', async () => {
    const [mine, theirs] = [await world.company(), await world.company()];
    // One that names another company's key, and after it one of its own.
    await send(mine.companyId, theirs.apiKeyId, at(1));
    await send(mine.companyId, mine.apiKeyId, at(2));
    await start('worker');
    await expect.poll(async () => (await jobs()).map(({ state }) => state), soon).toEqual(['completed', 'completed']);
    expect(await lastUse(mine)).toBe(at(2));
    expect(await lastUse(theirs)).toBeNull();
  });

  test('that arrives late does not move the last use back', async () => {
    const caller = await world.company();
    await send(caller.companyId, caller.apiKeyId, at(5));
    await send(caller.companyId, caller.apiKeyId, at(3));
    await start('worker');
    await expect.poll(async () => (await jobs()).map(({ state }) => state), soon).toEqual(['completed', 'completed']);
    expect(await lastUse(caller)).toBe(at(5));
  });

  test('is worked once, however many workers there are', async () => {
    const keys = await Promise.all(Array.from({ length: 4 }, () => world.company()));
    for (const [i, { companyId, apiKeyId }] of keys.entries()) await send(companyId, apiKeyId, at(i));
    await Promise.all([start('worker'), start('all')]);
    await expect
      .poll(async () => (await jobs()).map(({ state }) => state), { ...soon, timeout: 25_000 })
      .toEqual(keys.map(() => 'completed'));
    expect(await Promise.all(keys.map(lastUse))).toEqual(keys.map((_, i) => at(i)));
    const { rows } = await world.pool.query<{ retries: number }>(
      'select sum(retry_count)::integer as retries from pgboss.job',
    );
    expect(rows).toEqual([{ retries: 0 }]);
  });
});

describe('A worker', () => {
  test('writes the uses of two hundred keys in one minute', async () => {
    const { companyId } = await world.company();
    const keys = await Promise.all(Array.from({ length: 200 }, () => world.key(companyId, ['health:read'])));
    await Promise.all(keys.map(({ rest }) => rest('GET', '/health')));
    await expect.poll(async () => (await jobs()).length, soon).toBe(200);
    await start('worker');
    const written = async () => {
      const { rows } = await world.pool.query<{ keys: number }>(
        'select count(last_used_at)::integer as keys from api_key where company_id = $1',
        [companyId],
      );
      return rows[0]?.keys;
    };
    await expect.poll(written, soon).toBe(200);
  });

  test('responds to probes and nothing else', async () => {
    const { url } = await start('worker');
    const caller = await world.company();
    const headers = { 'x-api-key': caller.apiKey };
    const statusOf = async (path: string) => (await fetch(url + path, { headers })).status;
    expect(await statusOf('/livez')).toBe(200);
    expect(await statusOf('/readyz')).toBe(200);
    expect(await statusOf('/graphql')).toBe(404);
    expect(await statusOf('/api/v1/integrations/health')).toBe(404);
  });
});
