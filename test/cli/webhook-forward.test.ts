import { createServer } from 'node:http';
import { beforeAll, expect, test, vi } from 'vitest';
import { verify } from '../../src/domain/webhooks/secrets/secret.rules.ts';
import { connectCarrier, recordEvents, shipment, upsertShipments } from '../support/platform-side.ts';
import { freePort } from '../support/ports.ts';
import { type Caller, useSharedWorld } from '../support/world.ts';
import { inProcess } from './in-process.ts';
import { DEADLINE_MS, type Env, expectSentence, type Json, useProcesses } from './processes.ts';

// `webhook listen --forward`: webhooks for a receiver that the service cannot reach.

const processes = useProcesses();
// Nothing is allowed that a receiver on loopback would need.
const world = useSharedWorld();
const SOON = { timeout: DEADLINE_MS, interval: 20 };
let nowhere: Env;
let caller: Caller;
beforeAll(async () => {
  nowhere = { DATA_DIR: await processes.dataDir(), DATABASE_URL: `postgres://me@127.0.0.1:${await freePort()}/x` };
  caller = await world.company();
});

const forwarding = (to: string, ...args: string[]) => {
  return ['--json', 'webhook', 'listen', '--key', caller.apiKey, '--url', world.app.url, '--forward', to, ...args];
};

test('posts each new step of a shipment as a signed webhook, with the record as REST returns it, until Ctrl-C', async () => {
  const received: { headers: Json; text: string }[] = [];
  const receiver = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', chunk => chunks.push(chunk));
    request.on('end', () => {
      received.push({ headers: request.headers, text: Buffer.concat(chunks).toString() });
      response.writeHead(204).end();
    });
  });
  const port = await processes.listen(receiver);
  const connection = await connectCarrier(caller);
  await upsertShipments(caller, [shipment(connection, 'FW1')]);
  const move = (statusCode: string, occurredAt: string) =>
    recordEvents(caller, [{ trackingNumber: 'FW1', statusCode, occurredAt }]);
  await move('shipped', '2026-11-20T10:00:00Z');

  const program = processes.startCli(
    forwarding(`http://127.0.0.1:${port}/hook`, '--events', 'tracking.delivered,tracking.in_transit'),
    nowhere,
  );
  const [first] = await program.said(/^\{.*"secret".*\}\n/);
  const { secret } = JSON.parse(first);
  await move('in_transit', '2026-11-20T11:00:00Z');
  await move('out_for_delivery', '2026-11-20T12:00:00Z');
  await vi.waitFor(() => expect(received).toHaveLength(1), SOON);
  await move('delivered', '2026-11-20T13:00:00Z');
  await vi.waitFor(() => expect(received).toHaveLength(2), SOON);

  for (const { headers, text } of received) expect(verify(secret, headers, text, new Date())).toBe(true);
  const [, delivered] = received.map(({ text }) => JSON.parse(text));
  const { body: record } = await caller.rest('GET', '/shipments/tracking/by-tracking-number/FW1');
  expect(delivered).toEqual({
    id: received[1]?.headers['webhook-id'],
    type: 'tracking.delivered',
    timestamp: expect.any(String),
    sequence: 5,
    change: 5,
    data: {
      ...(record as object),
      statusCode: 'delivered',
      previousStatusCode: 'out_for_delivery',
      event: (record as Json).timeline.at(-1),
    },
  });
  program.kill('SIGINT');
  const { code, stdout, stderr } = await program.ended();
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  expect(
    stdout
      .trim()
      .split('\n')
      .slice(1)
      .map(line => JSON.parse(line)),
  ).toEqual([
    expect.objectContaining({ result: '204', type: 'tracking.in_transit', change: 3, trackingNumber: 'FW1' }),
    expect.objectContaining({ result: '204', type: 'tracking.delivered', change: 5 }),
  ]);
  // No endpoint was made.
  expect((await caller.rest('GET', '/webhooks')).body).toEqual([]);
});

test('names an invalid key, address or option in a sentence', async () => {
  const target = 'http://127.0.0.1:9/';
  const rejected = await inProcess(
    ['webhook', 'listen', '--key', 'sk_x', '--url', world.app.url, '--forward', target],
    nowhere,
  );
  const away = await inProcess(
    ['webhook', 'listen', '--key', 'sk_x', '--url', `http://127.0.0.1:${await freePort()}`, '--forward', target],
    nowhere,
  );
  for (const { code, stderr } of [rejected, away]) {
    expect(code).toBe(1);
    expectSentence(stderr);
  }
  expect(await inProcess(forwarding(target, '--port', '8080'), nowhere)).toMatchObject({ code: 2 });
});
