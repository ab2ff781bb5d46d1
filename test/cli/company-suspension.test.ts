import { writeFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { makeKey } from '../../src/domain/account/access/key.rules.ts';
import { startSandbox } from '../../src/sandbox/stand-ins.ts';
import { errorsOf, useReaders } from '../graphql/live-readers.ts';
import { createWebhook, eventually, runSchedule, webhook } from '../jobs/webhooks.ts';
import { connectSandbox } from '../support/carriers.ts';
import { connectCarrier, recordEvents, shipment, upsertShipments } from '../support/platform-side.ts';
import { REACHABLE, type Receiver, startReceiver } from '../support/receiver.ts';
import { startProcess } from '../support/second-process.ts';
import { passTime, SEEN_WITHIN_MS } from '../support/time.ts';
import { type Caller, SECRETS_KEY, useWorld } from '../support/world.ts';
import { inProcess } from './in-process.ts';
import { answerOf, type Env, type Json, useProcesses } from './processes.ts';

// `company suspend` and `company resume`: keys are rejected, jobs wait, and nothing is lost or done twice.

const sandbox = await startSandbox();
const processes = useProcesses();
const world = useWorld({ ...REACHABLE, CARRIER_SANDBOX_URL: sandbox.url });
const { watch } = useReaders(world);
const receivers: Receiver[] = [];
let settings: Env;
let folder: string;
beforeAll(async () => {
  folder = await processes.dataDir();
  settings = { DATA_DIR: folder, DATABASE_URL: world.databaseUrl, SECRETS_KEY };
});
afterAll(() => Promise.all([sandbox, ...receivers].map(server => server.close())));

const json = async (...args: string[]): Promise<Json> => answerOf(await inProcess(['--json', ...args], settings));
const suspend = ({ companyId }: Caller) => json('company', 'suspend', '--company', companyId, '--yes');
const resume = ({ companyId }: Caller) => json('company', 'resume', '--company', companyId);

async function rowsOf<Row = Json>(text: string, ...values: unknown[]): Promise<Row[]> {
  return (await world.pool.query(text, values)).rows;
}

const jobsOf = ({ companyId }: Caller, queue: string) =>
  rowsOf(
    `select state from pgboss.job where name = $1 and data ->> 'companyId' = $2 and state < 'completed'`,
    queue,
    companyId,
  );
/** Webhooks that were put aside; when a key was last used may be there too. */
const putAside = ({ companyId }: Caller) =>
  rowsOf<{ queue: string }>(
    `select queue from suspended_job where company_id = $1 and queue = 'webhooks.deliver' order by id`,
    companyId,
  );

/** Something happens to a shipment of a suspended company: the platform's operator imports a file. */
async function importEvent({ companyId }: Caller, trackingNumber: string, statusCode: string): Promise<void> {
  const file = `${folder}-${trackingNumber}-${statusCode}.ndjson`;
  await writeFile(file, JSON.stringify({ trackingNumber, statusCode, occurredAt: new Date().toISOString() }));
  expect(await json('import', 'events', file, '--company', companyId)).toMatchObject({ created: 1, rejected: 0 });
}

/** A company with an endpoint, its receiver and a shipment. */
async function subscribed() {
  const caller = await world.company();
  const receiver = await startReceiver();
  receivers.push(receiver);
  const connection = await connectCarrier(caller);
  await upsertShipments(caller, [shipment(connection, 'S1')]);
  const { id: endpointId } = await createWebhook(caller, receiver.url);
  return { caller, receiver, endpointId };
}

describe('The keys of a suspended company', () => {
  test('are rejected by every process with the reason, and accepted again once it is resumed', async () => {
    const second = await startProcess(world, { ROLE: 'api' });
    try {
      const [caller, other] = [await world.company(), await world.company()];
      const health = async (url: string, { apiKey }: Caller) => {
        const response = await fetch(`${url}/api/v1/integrations/health`, { headers: { 'x-api-key': apiKey } });
        return { status: response.status, body: (await response.json()) as Json };
      };
      const urls = [world.app.url, second.url];
      for (const url of urls) expect((await health(url, caller)).status).toBe(200);
      expect(await suspend(caller)).toEqual({ companyId: caller.companyId, suspendedAt: expect.any(String) });
      for (const url of urls) {
        const rejected = await vi.waitFor(
          async () => {
            const answer = await health(url, caller);
            expect(answer.status).toBe(401);
            return answer.body;
          },
          { timeout: SEEN_WITHIN_MS },
        );
        expect(rejected).toMatchObject({ code: 'invalid_api_key', reason: 'suspended' });
        expect(rejected.detail).toContain('suspended');
        expect((await health(url, other)).status).toBe(200);
      }
      const { errors } = await caller.graphql('{ __typename }');
      expect(errors?.[0]?.extensions).toMatchObject({ code: 'invalid_api_key', reason: 'suspended' });
      expect(await resume(caller)).toEqual({ companyId: caller.companyId, suspendedAt: null });
      for (const url of urls) {
        await vi.waitFor(async () => expect((await health(url, caller)).status).toBe(200), { timeout: SEEN_WITHIN_MS });
      }
    } finally {
      await second.stop();
    }
  });

  test('are rejected together with the keys of its sandbox', async () => {
    const live = await world.company();
    const sandbox = await world.key(live.companyId, ['all'], undefined, 'sandbox');
    const status = async () => {
      const statuses = [live, sandbox].map(async ({ apiKey }) => {
        const headers = { 'x-api-key': apiKey };
        return (await fetch(`${world.app.url}/api/v1/integrations/health`, { headers })).status;
      });
      return Promise.all(statuses);
    };
    expect(await status()).toEqual([200, 200]);
    await suspend(live);
    await vi.waitFor(async () => expect(await status()).toEqual([401, 401]), { timeout: SEEN_WITHIN_MS });
    await resume(live);
    await vi.waitFor(async () => expect(await status()).toEqual([200, 200]), { timeout: SEEN_WITHIN_MS });
  });

  test('are not shown as suspended to a caller who knows only the id of a key', async () => {
    const caller = await world.company();
    await suspend(caller);
    const { status, body } = await caller.rest('GET', '/health', undefined, {
      'x-api-key': makeKey(caller.apiKeyId, 'live'),
    });
    expect([status, body.code, body.reason]).toEqual([401, 'invalid_api_key', undefined]);
  });

  test('no longer keep a stream open', async () => {
    const caller = await world.company();
    const reader = await watch(caller);
    await suspend(caller);
    await vi.waitFor(() => expect(reader.isEnded).toBe(true), { timeout: SEEN_WITHIN_MS });
    expect(errorsOf(reader)).toEqual(['invalid_api_key']);
  });
});

describe('The work of a suspended company', () => {
  test('waits: webhooks are sent once it is resumed, each once, in their order', async () => {
    const { caller, receiver } = await subscribed();
    const others = await subscribed();
    await suspend(caller);
    await importEvent(caller, 'S1', 'shipped');
    await importEvent(caller, 'S1', 'delivered');
    await recordEvents(others.caller, [
      { trackingNumber: 'S1', statusCode: 'shipped', occurredAt: new Date().toISOString() },
    ]);
    await others.receiver.waitFor(1);
    await vi.waitFor(async () => expect(await putAside(caller)).toHaveLength(2), { timeout: 10_000 });
    expect(await jobsOf(caller, 'webhooks.deliver')).toEqual([]);
    expect(receiver.requests).toEqual([]);

    await resume(caller);
    const sent = await receiver.waitFor(2);
    expect(sent.map(({ json: { type } }) => type)).toEqual(['tracking.order_shipped', 'tracking.delivered']);
    await eventually(async () => ({ left: (await jobsOf(caller, 'webhooks.deliver')).length }), { left: 0 });
    expect(await putAside(caller)).toEqual([]);
    expect(receiver.requests).toHaveLength(2);
    const attempts = await rowsOf('select outcome from webhook_attempt where company_id = $1', caller.companyId);
    expect(attempts).toHaveLength(2);
  });

  test('does not count its time against an endpoint that failed before', async () => {
    const { caller, endpointId } = await subscribed();
    const hours = (count: number) => new Date(Date.now() - count * 3_600_000);
    await rowsOf('update webhook_endpoint set failing_since = $2 where company_id = $1', caller.companyId, hours(100));
    await suspend(caller);
    await rowsOf('update company set suspended_at = $2 where id = $1', caller.companyId, hours(90));
    await resume(caller);
    await eventually(async () => caller.rest('GET', '/health'), { status: 200 });
    const { failingSince } = await webhook(caller, endpointId);
    expect(Date.now() - Date.parse(failingSince as string)).toBeLessThan(11 * 3_600_000);
  });

  test('makes no request to a carrier, and continues once it is resumed', async () => {
    const live = await world.company();
    const caller = await world.key(live.companyId, ['all'], undefined, 'sandbox');
    const connection = await connectSandbox(caller, 'GLS');
    await upsertShipments(caller, [shipment(connection, 'POLLED1')]);
    const polled = async () => {
      const [row] = await rowsOf<{ isPolled: boolean }>(
        'select polled_at is not null as "isPolled" from tracking_poll where company_id = $1',
        caller.companyId,
      );
      return { isPolled: row?.isPolled };
    };
    await suspend(live);
    await passTime(world.pool, 3_600_000, caller.companyId);
    await runSchedule(world, 'tracking.claim');
    expect(await jobsOf(caller, 'tracking.poll')).toEqual([]);
    expect(await polled()).toEqual({ isPolled: false });
    await resume(live);
    await runSchedule(world, 'tracking.claim');
    await eventually(polled, { isPolled: true });
  });

  test('is not put aside by a worker that has not heard yet that the company was resumed', async () => {
    const { caller, receiver } = await subscribed();
    await suspend(caller);
    await importEvent(caller, 'S1', 'shipped');
    await vi.waitFor(async () => expect(await putAside(caller)).toHaveLength(1), { timeout: 10_000 });
    // Without a notification: workers look by themselves within a second.
    await rowsOf('update company set suspended_at = null where id = $1', caller.companyId);
    await importEvent(caller, 'S1', 'delivered');
    const [sent] = await receiver.waitFor(1);
    expect(sent?.json.type).toBe('tracking.delivered');
  });

  test('stays put aside if the company is suspended again before it continued', async () => {
    const { caller, receiver } = await subscribed();
    await suspend(caller);
    await importEvent(caller, 'S1', 'shipped');
    await vi.waitFor(async () => expect(await putAside(caller)).toHaveLength(1), { timeout: 10_000 });
    await resume(caller);
    await suspend(caller);
    // Jobs that were sent meanwhile were not put aside again.
    await eventually(
      async () => ({
        waiting: (await jobsOf(caller, 'webhooks.deliver')).length + (await jobsOf(caller, 'companies.resumed')).length,
      }),
      { waiting: 0 },
    );
    await resume(caller);
    await receiver.waitFor(1);
    await eventually(async () => ({ left: (await putAside(caller)).length }), { left: 0 });
    expect(receiver.requests).toHaveLength(1);
  });
});

test('Suspension and resumption are in the audit trail, once each, and `company list` shows since when a company is suspended', async () => {
  const caller = await world.company();
  const first = await suspend(caller);
  expect(await suspend(caller)).toEqual(first);
  const find = async () =>
    ((await json('company', 'list')) as Json[]).find(({ companyId }: Json) => companyId === caller.companyId);
  expect(await find()).toMatchObject({ suspendedAt: first.suspendedAt });
  await resume(caller);
  await resume(caller);
  expect(await find()).toMatchObject({ suspendedAt: null });
  const entries = await json('audit', '--company', caller.companyId, '--actions', 'company_suspended,company_resumed');
  expect(entries.map(({ action, actor }: Json) => `${action} ${actor.kind}`)).toEqual([
    'COMPANY_RESUMED OPERATOR',
    'COMPANY_SUSPENDED OPERATOR',
  ]);
});

test('A company is suspended only if it exists, and only after a confirmation', async () => {
  const { companyId } = await world.company();
  const unconfirmed = await inProcess(['company', 'suspend', '--company', companyId], settings);
  expect([unconfirmed.code, unconfirmed.stderr]).toEqual([2, expect.stringContaining('Give --yes')]);
  const unknown = await inProcess(
    ['company', 'suspend', '--company', '00000000-0000-4000-8000-000000000000'],
    settings,
  );
  expect([unknown.code, unknown.stderr]).toEqual([1, expect.stringContaining('must be the id of a company')]);
});
