import { afterAll, describe, expect, test } from 'vitest';
import { gls } from '../../src/sandbox/gls-stand-in.ts';
import { startSandbox } from '../../src/sandbox/stand-ins.ts';
import { connectSandbox } from '../support/carriers.ts';
import {
  ask,
  createWarehouse,
  feedOrders,
  feedShipments,
  listed,
  RECIPIENT,
  upsertShipments,
  WAREHOUSE,
} from '../support/platform-side.ts';
import { REACHABLE, startReceiver } from '../support/receiver.ts';
import { MINUTE } from '../support/time.ts';
import { type Caller, useWorld } from '../support/world.ts';
import { usePolls } from './polls.ts';
import { createWebhook } from './webhooks.ts';

let asked = 0;

/** The related numbers in a response of GLS. */
const NAMES: readonly [pattern: RegExp, names: (match: RegExpExecArray) => readonly string[]][] = [
  [/^LOOP(A|B)-/, ([, letter]) => [`LOOP${letter === 'A' ? 'B' : 'A'}-IN_TRANSIT`]],
  [/^CHAIN(\d)-/, ([, n]) => [`CHAIN${Number(n) + 1}-IN_TRANSIT`]],
  [/^AT\d-(\w)-/, ([, name]) => [`SHARED-${name}`]],
  [/^WALKMANY/, () => Array.from({ length: 20 }, () => `MANY${asked++}`)],
];

/** The stand-in, which forwards some numbers as a test wants it. */
const naming: typeof gls = {
  ...gls,
  answer(request) {
    const answer = gls.answer(request);
    const number = request.query.get('NumSped') ?? '';
    const named = NAMES.flatMap(([pattern, names]) => {
      const match = pattern.exec(number);
      return match ? names(match) : [];
    });
    const elements = named.map(one => `<SPEDIZIONEDINOLTRO><NumSped>${one}</NumSped></SPEDIZIONEDINOLTRO>`).join('');
    return { ...answer, body: answer.body.toString('latin1').replace('</SPEDIZIONE>', `${elements}</SPEDIZIONE>`) };
  },
};

const sandbox = await startSandbox({ carriers: [naming] });
const world = useWorld({ ...REACHABLE, CARRIER_SANDBOX_URL: sandbox.url });
afterAll(() => sandbox.close());
const { pollAfter } = usePolls(world);

interface Shipment {
  readonly id: number;
  readonly trackingNumber: string;
  readonly statusCode: string;
  readonly parcelCount: number;
  readonly weight: string | null;
  readonly orderNumber: string | null;
  readonly recipient: object;
  readonly carrierConnection: { readonly databaseId: number };
  readonly relatedShipments: readonly { readonly type: string; readonly trackingNumber: string }[];
}

/** All shipments of a company, oldest first. */
async function shipmentsOf(caller: Caller): Promise<Shipment[]> {
  const found = await ask(
    caller,
    `{ shipments(first: 250) { edges { node { id: databaseId trackingNumber statusCode parcelCount weight orderNumber
      recipient { companyName address postalCode city province countryCode } carrierConnection { databaseId }
      relatedShipments { nodes { type trackingNumber } } } } } }`,
  );
  const { edges } = listed<{ edges: { node: Shipment }[] }>(found);
  return edges.map(({ node }) => node).toReversed();
}

const numbersOf = async (caller: Caller) => (await shipmentsOf(caller)).map(({ trackingNumber }) => trackingNumber);

async function recordOf(caller: Caller, number: string) {
  const { status, body } = await caller.rest('GET', `/shipments/tracking/by-tracking-number/${number}`);
  expect(status).toBe(200);
  return body;
}

const SENDER = {
  companyName: expect.any(String),
  address: WAREHOUSE.address,
  postalCode: WAREHOUSE.postalCode,
  city: WAREHOUSE.city,
  province: WAREHOUSE.state,
  countryCode: 'IT',
};

describe.concurrent('A shipment that the carrier names', () => {
  test('in the sandbox is created, polled and linked in both directions, and subscribers are notified', async () => {
    const caller = await world.sandbox();
    const receiver = await startReceiver();
    try {
      await createWebhook(caller, receiver.url);
      const connection = await connectSandbox(caller, 'GLS');
      const warehouseId = await createWarehouse(caller);
      const marketplaceOrderNumber = '405-1';
      await feedOrders(caller, { orderNumber: 'ORDER-1', marketplaceOrderNumber, warehouseId });
      const trackingNumber = 'TEST-DELIVERED-RELATED-78';
      await feedShipments(caller, connection, {
        trackingNumber,
        orderNumber: 'ORDER-1',
        parcelCount: 2,
        weight: '3.5',
      });
      await pollAfter(caller, 2 * MINUTE);
      const [forward, back] = ['TEST-DELIVERED-FORWARD-78', 'TEST-DELIVERED-RETURN-78'] as const;
      expect((await recordOf(caller, trackingNumber)).relatedShipments).toMatchObject([
        { type: 'forward', trackingNumber: forward, carrierName: 'GLS Italy' },
        { type: 'return', trackingNumber: back },
      ]);
      const alike = { parcelCount: 2, weight: '3.5', carrierConnection: { databaseId: connection } };
      const related = [{ type: 'parent', trackingNumber }];
      expect((await shipmentsOf(caller)).slice(1)).toMatchObject([
        { ...alike, trackingNumber: forward, orderNumber: 'ORDER-1', recipient: RECIPIENT, relatedShipments: related },
        { ...alike, trackingNumber: back, orderNumber: null, recipient: SENDER, relatedShipments: related },
      ]);
      await pollAfter(caller, 2 * MINUTE);
      expect((await shipmentsOf(caller)).map(({ statusCode }) => statusCode)).toEqual(Array(3).fill('delivered'));
      expect((await recordOf(caller, back)).timeline).toHaveLength(6);

      const ofOrder = await caller.rest('GET', `/shipments/tracking/by-order-number/${marketplaceOrderNumber}`);
      expect(ofOrder.body.map((one: { trackingNumber: string }) => one.trackingNumber)).toEqual([
        trackingNumber,
        forward,
      ]);
      const told = await receiver.waitFor(3, ({ json }) => json.type === 'tracking.delivered');
      const delivered = told.map(({ json }) => json.data);
      expect(delivered.map(data => [data.trackingNumber, data.orderNumber]).toSorted()).toEqual([
        [forward, 'ORDER-1'],
        [trackingNumber, 'ORDER-1'],
        [back, null],
      ]);
    } finally {
      await receiver.close();
    }
  });

  test('is created once, however many responses name it at the same time', async () => {
    const caller = await world.sandbox();
    const naming = Array.from({ length: 8 }, (_, n) => `AT${n}-X-IN_TRANSIT`);
    for (const trackingNumber of naming) {
      await feedShipments(caller, await connectSandbox(caller, 'GLS'), { trackingNumber });
    }
    for (let poll = 0; poll < 3; poll++) await pollAfter(caller, 2 * MINUTE);
    const shipments = await shipmentsOf(caller);
    // The schedule may have asked about some before the others were there.
    expect(shipments.map(({ trackingNumber }) => trackingNumber).toSorted()).toEqual([...naming, 'SHARED-X']);
    const shared = shipments.find(({ trackingNumber }) => trackingNumber === 'SHARED-X');
    expect(shared?.relatedShipments.map(({ type }) => type)).toEqual(naming.map(() => 'parent'));
  });

  test('is only linked if the company has it, on any connection or as a label', async () => {
    const caller = await world.sandbox();
    const [one, other] = [await connectSandbox(caller, 'GLS'), await connectSandbox(caller, 'GLS')];
    await feedShipments(caller, other, { trackingNumber: 'shared-y' });
    await feedShipments(
      caller,
      one,
      { trackingNumber: 'AT1-Y-IN_TRANSIT' },
      { trackingNumber: 'AT1-Z-IN_TRANSIT', labels: ['SHARED-Z'] },
    );
    await pollAfter(caller, 2 * MINUTE);
    expect(await numbersOf(caller)).toEqual(['shared-y', 'AT1-Y-IN_TRANSIT', 'AT1-Z-IN_TRANSIT']);
    const { relatedShipments } = await recordOf(caller, 'AT1-Y-IN_TRANSIT');
    expect(relatedShipments).toMatchObject([{ type: 'forward', trackingNumber: 'shared-y' }]);
  });

  test('is the same shipment if the platform sends it later', async () => {
    const caller = await world.sandbox();
    const carrierConnectionId = await connectSandbox(caller, 'GLS');
    await feedShipments(caller, carrierConnectionId, { trackingNumber: 'AT1-W-IN_TRANSIT' });
    await pollAfter(caller, 2 * MINUTE);
    const created = (await shipmentsOf(caller)).at(-1);
    const { results } = await upsertShipments(caller, [
      {
        carrierConnectionId,
        trackingNumber: 'shared-w',
        recipient: { ...RECIPIENT, city: 'Catania' },
        reference: 'R1',
      },
    ]);
    expect(results).toMatchObject([{ outcome: 'updated', databaseId: created?.id }]);
    expect((await shipmentsOf(caller)).at(-1)).toMatchObject({ id: created?.id, recipient: { city: 'Catania' } });
  });

  test('returns to a sender of whom only the name is known if the company has no warehouse', async () => {
    const caller = await world.sandbox();
    const connection = await connectSandbox(caller, 'GLS');
    await feedShipments(caller, connection, { trackingNumber: 'TEST-HELD-RELATED' });
    await pollAfter(caller, 2 * MINUTE);
    const { recipient } = await recordOf(caller, 'TEST-HELD-RETURN');
    expect(recipient).toEqual({
      companyName: expect.stringMatching(/./),
      address: '',
      postalCode: '',
      city: '',
      province: null,
      country: 'Italia',
      countryCode: 'IT',
    });
  });
});

describe.concurrent('A chain of related shipments', () => {
  test('ends if two numbers name each other', async () => {
    const caller = await world.sandbox();
    const connection = await connectSandbox(caller, 'GLS');
    await feedShipments(caller, connection, { trackingNumber: 'LOOPA-IN_TRANSIT' });
    for (let poll = 0; poll < 4; poll++) await pollAfter(caller, 2 * MINUTE);
    expect(await numbersOf(caller)).toEqual(['LOOPA-IN_TRANSIT', 'LOOPB-IN_TRANSIT']);
  });

  test('ends after three if each number names another', async () => {
    const caller = await world.sandbox();
    const connection = await connectSandbox(caller, 'GLS');
    await feedShipments(caller, connection, { trackingNumber: 'CHAIN1-IN_TRANSIT' });
    for (let poll = 0; poll < 5; poll++) await pollAfter(caller, 2 * MINUTE);
    expect(await numbersOf(caller)).toEqual([1, 2, 3, 4].map(n => `CHAIN${n}-IN_TRANSIT`));
  });

  test('ends after fifty if each response names others', async () => {
    const caller = await world.sandbox();
    const connection = await connectSandbox(caller, 'GLS');
    await feedShipments(caller, connection, { trackingNumber: 'WALKMANY' });
    for (let poll = 0; poll < 4; poll++) await pollAfter(caller, 2 * MINUTE);
    expect(await numbersOf(caller)).toHaveLength(51);
  });
});
