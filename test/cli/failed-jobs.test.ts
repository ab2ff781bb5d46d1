import { randomUUID } from 'node:crypto';
import { beforeAll, expect, test } from 'vitest';
import { basic, operators } from '../support/operators.ts';
import { useWorld } from '../support/world.ts';
import { inProcess } from './in-process.ts';

/** Operators look at failed jobs on the command line and in the dashboard. */

const PASSWORD = 'password-of-the-operators';
const world = useWorld({ ROLE: 'api', OPS_USERS: operators({ anna: PASSWORD }) });
const [failed, dead, waiting] = [randomUUID(), randomUUID(), randomUUID()];
const data = { companyId: randomUUID() };

beforeAll(async () => {
  const insert = 'insert into pgboss.job (name, id, data, state, output, completed_on) values ($1, $2, $3, $4, $5, $6)';
  const error = {
    name: 'Error',
    message: "the carrier's table is gone <b>\nrow (Mario Rossi)",
    stack: 'Error\n  at x',
  };
  const at = new Date('2026-11-28T10:00:00Z');
  await world.pool.query(insert, ['tracking.poll', failed, data, 'failed', error, at]);
  await world.pool.query(insert, ['webhooks.dead', dead, data, 'created', null, null]);
  await world.pool.query(insert, ['tracking.poll', waiting, data, 'created', null, null]);
});

const run = (...args: string[]) =>
  inProcess(['queue', 'failed', ...args, '--json'], { DATABASE_URL: world.databaseUrl });

test('`queue failed` lists failed jobs and dead letters with their error and data, without the row that an error quotes', async () => {
  const { stdout } = await run();
  const jobs = JSON.parse(stdout) as { id: string }[];
  expect(jobs.map(({ id }) => id).toSorted()).toEqual([failed, dead].toSorted());
  expect(jobs.find(({ id }) => id === failed)).toEqual({
    queue: 'tracking.poll',
    id: failed,
    state: 'failed',
    createdAt: expect.any(String),
    completedAt: '2026-11-28T10:00:00.000Z',
    retryCount: 0,
    error: "the carrier's table is gone <b>",
    data,
  });
  expect(stdout).not.toContain('Mario Rossi');
  expect(JSON.parse((await run('--queue', 'webhooks.dead')).stdout)).toMatchObject([{ id: dead, state: 'created' }]);
  expect(JSON.parse((await run('--limit', '1')).stdout)).toHaveLength(1);
  expect((await run('--queue', 'nobody')).code).toBe(2);
});

test('The page of a job below /ops/jobs has its state, error and data, and pages of queues lead to it', async () => {
  const page = (path: string, headers: Record<string, string> = basic('anna', PASSWORD)) =>
    fetch(`${world.app.url}/ops/jobs${path}`, { headers });
  const shown = await page(`/queues/tracking.poll/jobs/${failed}`);
  expect([shown.status, shown.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
  const html = await shown.text();
  for (const text of [failed, 'failed', 'table is gone &#60;b&#62;', data.companyId]) expect(html).toContain(text);
  expect(html).not.toContain('Mario Rossi');
  expect((await page(`/queues/tracking.poll/jobs/${randomUUID()}`)).status).toBe(404);
  expect((await page(`/queues/webhooks.dead/jobs/${failed}`)).status).toBe(404);
  expect((await page(`/queues/tracking.poll/jobs/${failed}`, {})).status).toBe(401);
  const queue = await (await page('/queues/tracking.poll')).text();
  expect(queue).toMatch(/location\.assign\(a\.href\).*<\/script><\/body>/s);
});
