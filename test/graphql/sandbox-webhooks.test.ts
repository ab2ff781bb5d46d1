import { expect, test, vi } from 'vitest';
import { feedOrders, feedShipments } from '../rest/feed.ts';
import { REACHABLE, useReceiver } from '../support/receiver.ts';
import { type Caller, useWorld } from '../support/world.ts';
import { ask, askNodes, type Item } from './platform-side.ts';
import { companyWithSandbox, moveOn, WITH_SANDBOX } from './sandbox-calls.ts';
import { CREATE, deliveries, numberOf, REPLAY, SOON, type WithSecret } from './webhook-calls.ts';

// Endpoints of sandbox keys, and what those of live keys get of the sandbox.

const world = useWorld({ ...REACHABLE, ...WITH_SANDBOX });
const receiver = useReceiver();

async function endpoint(by: Caller, fields: Item = {}): Promise<string> {
  const input = { label: 'Gestionale', url: `${receiver.url}/x`, events: ['tracking.*'], ...fields };
  return (await ask<WithSecret>(by, CREATE, { input })).webhookEndpoint.id;
}

/** Numbers of the shipments that an endpoint was told of; deliveries are made with the events. */
const toldOf = async (by: Caller, id: string) => (await deliveries(by, id)).map(numberOf);

const idsOf = async (by: Caller) =>
  (await askNodes<{ id: string }>(by, '{ webhookEndpoints { nodes { id: uuid } } }')).map(({ id }) => id).toSorted();

test('An endpoint of a sandbox key gets events of the sandbox, and one of a live key those of both, whoever records them', async () => {
  const { live, sandbox, numbers } = await companyWithSandbox(world);
  const [ofLive, ofSandbox] = [await endpoint(live), await endpoint(sandbox)];
  await moveOn(live, numbers.live, 30);
  await moveOn(live, numbers.sandbox, 20);
  await moveOn(sandbox, numbers.sandbox, 10, 'delivered');
  expect(await toldOf(live, ofLive)).toEqual([numbers.live, numbers.sandbox, numbers.sandbox]);
  expect(await toldOf(sandbox, ofSandbox)).toEqual([numbers.sandbox, numbers.sandbox]);
});

test('A sandbox key sees the endpoints of sandbox keys, and a live key all', async () => {
  const { live, sandbox } = await companyWithSandbox(world);
  const [ofLive, ofSandbox] = [await endpoint(live), await endpoint(sandbox)];
  expect(await idsOf(sandbox)).toEqual([ofSandbox]);
  expect(await idsOf(live)).toEqual([ofLive, ofSandbox].toSorted());
  expect((await sandbox.rest('DELETE', `/webhooks/${ofLive}`)).body.code).toBe('webhook_not_found');
});

test('A replay to an endpoint of the sandbox sends events of the sandbox, also where a live key asks for it', async () => {
  const { live, sandbox, numbers } = await companyWithSandbox(world);
  await endpoint(live);
  await moveOn(live, numbers.live, 30);
  await moveOn(live, numbers.sandbox, 20);
  // Made after the events, which it has not got.
  const id = await endpoint(sandbox);
  const [since, until] = [-1, 1].map(hours => new Date(Date.now() + hours * 3_600_000).toISOString());
  expect(await ask(live, REPLAY, { id, since, until })).toBe(1);
  expect(await toldOf(sandbox, id)).toEqual([numbers.sandbox]);
});

test('A selection of an endpoint of the sandbox shows what a sandbox key would see', async () => {
  const { live, sandbox, connections, numbers } = await companyWithSandbox(world);
  const order = { orderNumber: `COMUNE-${numbers.live}` };
  await feedOrders(live, order);
  await feedShipments(live, connections.live, { trackingNumber: `${numbers.live}B`, ...order });
  await feedShipments(sandbox, connections.sandbox, { trackingNumber: `${numbers.sandbox}B`, ...order });
  const selection = '{ shipment { order { shipments { nodes { trackingNumber } } } } }';
  const [ofLive, ofSandbox] = [await endpoint(live, { selection }), await endpoint(sandbox, { selection })];
  await moveOn(live, `${numbers.sandbox}B`, 10);
  const shown = async (by: Caller, id: string) =>
    (await deliveries(by, id)).map(({ body }) =>
      JSON.parse(body).data.shipment?.order.shipments.nodes.map((node: Item) => node.trackingNumber),
    );
  // Rendered before the first attempt, which comes soon.
  await vi.waitFor(async () => {
    expect(await shown(live, ofLive)).toEqual([[`${numbers.live}B`, `${numbers.sandbox}B`]]);
    expect(await shown(sandbox, ofSandbox)).toEqual([[`${numbers.sandbox}B`]]);
  }, SOON);
});

test('An event of a shipment of the sandbox names none of its related shipments that is live', async () => {
  const { live, sandbox, connections, numbers } = await companyWithSandbox(world);
  const related = [{ trackingNumber: numbers.live, type: 'return' }];
  await feedShipments(sandbox, connections.sandbox, { trackingNumber: `${numbers.sandbox}B`, related });
  const id = await endpoint(sandbox);
  await moveOn(live, `${numbers.sandbox}B`, 10);
  const [made] = await deliveries(sandbox, id);
  expect(made?.body).toContain(`${numbers.sandbox}B`);
  expect(made?.body).not.toContain(numbers.live);
});
