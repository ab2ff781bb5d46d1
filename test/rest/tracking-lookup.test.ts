import { beforeAll, describe, expect, test } from 'vitest';
import { createWarehouse, feedEvents, feedOrders, feedShipments, NOTHING, refusal } from '../support/platform-side.ts';
import type { Caller } from '../support/world.ts';
import { send, unnamed } from './raw-http.ts';
import { keys, RECORD_KEYS, useTracking } from './tracking-calls.ts';

const given = useTracking();
const { byNumber, own, world, byOrder } = given;

/** The main number of the shipment a number means, or the code of the refusal. */
async function found(number: string, by: Caller = given.caller): Promise<string> {
  const { status, body } = await byNumber(number, by);
  expect(status).toBe(body.code === undefined ? 200 : 404);
  return body.code ?? body.trackingNumber;
}

describe('A number is compared without spaces, dots, case and MUL:', () => {
  const STORED = ['ABC123', 'abc 124', 'MUL126', ' MUL.128 ', '1MUL129', '\u00a013\u20090'];
  beforeAll(async () => {
    await feedShipments(given.caller, given.brt, ...STORED.map(trackingNumber => ({ trackingNumber })));
  });

  test.each([
    ['ABC123', 'ABC123'],
    [' a b c 1 2 3 ', 'ABC123'],
    ['mul ABC 123', 'ABC123'],
    ['M.U.L ABC123', 'ABC123'],
    ['ABC124', 'abc 124'],
    ['126', 'MUL126'],
    ['128', 'MUL.128'],
    // Only at the beginning.
    ['1MUL129', '1MUL129'],
    ['130', '13 0'],
  ])('%j finds %j', async (number, stored) => {
    expect(await found(number)).toBe(stored);
  });

  test.each(['ABC12', 'ABC-123', '129', 'MUL', '%', '_'])('%j finds nothing', async number => {
    expect(await found(number)).toBe('shipment_not_found');
  });

  test('and the response shows the number as it was stored, not as it was requested', async () => {
    expect((await byNumber('mul abc124')).body.trackingNumber).toBe('abc 124');
  });
});

describe('A number is looked for among', () => {
  test.each([
    ['a secondary label', { labels: ['LAB-1', 'LAB.2'] }, {}, ['LAB-1', 'lab-1', 'LAB 2', 'MUL LAB2']],
    ['parcelId', { parcelId: 'Pid.77' }, {}, ['Pid.77', 'PID77', 'mul pid 77']],
    ['reference', { reference: 'Rif 9/2026' }, {}, ['Rif 9/2026', 'RIF9/2026']],
    ['marketplaceOrderId', {}, { marketplaceOrderId: 'amz.55' }, ['amz.55', 'AMZ55']],
    ['marketplaceOrderNumber', {}, { marketplaceOrderNumber: '#405 1' }, ['#405 1', '#4051']],
  ])('%s', async (_name, shipment, order, numbers) => {
    const { by, brt: carrierCompanyId } = await own();
    await feedOrders(by, { orderNumber: 'O1', ...order });
    await feedShipments(by, carrierCompanyId, { trackingNumber: 'MAIN', orderNumber: 'O1', ...shipment });
    for (const number of numbers) expect(await found(number, by)).toBe('MAIN');
  });

  test('neither internal order numbers, warehouses nor ids', async () => {
    const { by, brt: carrierCompanyId } = await own();
    const warehouseId = await createWarehouse(by);
    await feedOrders(by, { orderNumber: 'INTERNAL', warehouseId, marketplace: 'eBay' });
    const [id] = await feedShipments(by, carrierCompanyId, { trackingNumber: 'MAIN', orderNumber: 'INTERNAL' });
    for (const number of ['INTERNAL', 'eBay', String(id), String(warehouseId), String(carrierCompanyId)]) {
      expect(await found(number, by)).toBe('shipment_not_found');
    }
  });

  test('labels and identifiers until they are removed', async () => {
    const { by, brt: carrierCompanyId } = await own();
    const shipment = { trackingNumber: 'MAIN', labels: ['L1', 'L2'], parcelId: 'P1' };
    await feedShipments(by, carrierCompanyId, shipment);
    await feedShipments(by, carrierCompanyId, { ...shipment, labels: ['L2'], parcelId: null });
    expect(await found('L1', by)).toBe('shipment_not_found');
    expect(await found('P1', by)).toBe('shipment_not_found');
    expect(await found('L2', by)).toBe('MAIN');
  });
});

describe('Among several shipments with a number,', () => {
  /** Ways in which a shipment can answer to a number, the most telling first. */
  const RANKS = [
    { by: 'main number', shipment: (n: string) => ({ trackingNumber: n }), order: {} },
    { by: 'secondary label', shipment: (n: string) => ({ labels: [n] }), order: {} },
    { by: 'parcelId', shipment: (n: string) => ({ parcelId: n }), order: {} },
    { by: 'reference', shipment: (n: string) => ({ reference: n }), order: {} },
    {
      by: 'marketplaceOrderId',
      shipment: () => ({}),
      order: (n: string) => ({ marketplaceOrderId: n }),
    },
    {
      by: 'marketplaceOrderNumber',
      shipment: () => ({}),
      order: (n: string) => ({ marketplaceOrderNumber: n }),
    },
  ];

  async function feed(by: Caller, connection: number, rank: (typeof RANKS)[number], number: string, name: string) {
    await feedOrders(by, {
      orderNumber: `O-${name}`,
      ...(typeof rank.order === 'function' ? rank.order(number) : rank.order),
    });
    await feedShipments(by, connection, {
      trackingNumber: name,
      orderNumber: `O-${name}`,
      ...rank.shipment(number),
    });
  }

  const PAIRS = RANKS.flatMap((higher, i) => RANKS.slice(i + 1).map(lower => ({ higher, lower })));
  test.each(PAIRS.map(pair => ({ ...pair, a: pair.higher.by, b: pair.lower.by })))(
    'one with it as $a comes before one with it as $b, whichever is newer',
    async ({ higher, lower }) => {
      const { by, brt: connection } = await own();
      const nameOf = (rank: (typeof RANKS)[number], name: string, number: string) =>
        rank.by === 'main number' ? number : name;
      await feed(by, connection, higher, 'N-1', 'OLD-HIGH');
      await feed(by, connection, lower, 'N-1', 'NEW-LOW');
      expect(await found('N-1', by)).toBe(nameOf(higher, 'OLD-HIGH', 'N-1'));
      await feed(by, connection, lower, 'N-2', 'OLD-LOW');
      await feed(by, connection, higher, 'N-2', 'NEW-HIGH');
      expect(await found('N-2', by)).toBe(nameOf(higher, 'NEW-HIGH', 'N-2'));
    },
  );

  test.each(RANKS.slice(1).map(rank => ({ rank, by: rank.by })))(
    'the newest comes first among equals by $by',
    async ({ rank }) => {
      const { by, brt: connection } = await own();
      await feed(by, connection, rank, 'SAME', 'FIRST');
      await feed(by, connection, rank, 'SAME', 'SECOND');
      expect(await found('SAME', by)).toBe('SECOND');
      // A later event of the older one does not make it newer.
      await feedShipments(by, connection, { trackingNumber: 'FIRST', shippedAt: '2027-01-01T00:00:00Z' });
      await feedEvents(by, { trackingNumber: 'FIRST', occurredAt: new Date().toISOString(), statusCode: 'shipped' });
      expect(await found('SAME', by)).toBe('SECOND');
    },
  );

  test('the newest comes first among equals by main number', async () => {
    const { by, brt: first, gls: second } = await own();
    await feedShipments(by, first, { trackingNumber: 'SAME 1' });
    await feedShipments(by, second, { trackingNumber: 'SAME.1' });
    expect((await byNumber('SAME1', by)).body.carrier.name).toBe('GLS Italy');
    // The letter does not count among main numbers: they are compared normalized.
    expect((await byNumber('SAME 1', by)).body.carrier.name).toBe('GLS Italy');
  });

  test('the newest shipment of an order with several comes first', async () => {
    const { by, brt: connection } = await own();
    await feedOrders(by, { orderNumber: 'O1', marketplaceOrderId: 'M1', marketplaceOrderNumber: 'N1' });
    await feedShipments(
      by,
      connection,
      { trackingNumber: 'FIRST', orderNumber: 'O1' },
      { trackingNumber: 'SECOND', orderNumber: 'O1' },
    );
    expect(await found('M1', by)).toBe('SECOND');
    expect(await found('N1', by)).toBe('SECOND');
  });

  test.each(RANKS.slice(2).map(rank => ({ rank, by: rank.by })))(
    'an exact match comes before a newer one that is equal when normalized, by $by',
    async ({ rank }) => {
      const { by, brt: connection } = await own();
      await feed(by, connection, rank, 'Let.ter 1', 'EXACT');
      await feed(by, connection, rank, 'LETTER1', 'NORMALIZED');
      expect(await found('Let.ter 1', by)).toBe('EXACT');
      expect(await found('LETTER1', by)).toBe('NORMALIZED');
      expect(await found('letter1', by)).toBe('NORMALIZED');
    },
  );

  test('an exact match of a lower rank comes before one of a higher rank that is equal when normalized', async () => {
    const { by, brt: connection } = await own();
    await feedOrders(by, { orderNumber: 'O1', marketplaceOrderNumber: 'X-1' });
    await feedShipments(
      by,
      connection,
      { trackingNumber: 'EXACT', orderNumber: 'O1' },
      { trackingNumber: 'NORMALIZED', parcelId: 'x-1' },
    );
    expect(await found('X-1', by)).toBe('EXACT');
    expect(await found('x-1', by)).toBe('NORMALIZED');
    expect(await found('x-1.', by)).toBe('NORMALIZED');
  });

  test('main numbers and labels come before identifiers even if only those match exactly', async () => {
    const { by, brt: connection } = await own();
    await feedShipments(
      by,
      connection,
      { trackingNumber: 'LABELLED', labels: ['lab el'] },
      { trackingNumber: 'IDENTIFIED', parcelId: 'LABEL' },
    );
    expect(await found('LABEL', by)).toBe('LABELLED');
  });
});

describe('An unusual number in the path', () => {
  const STRANGE = [
    'A%2FB',
    '%2F',
    '.',
    '..',
    '%2e%2e',
    '..%2Fhealth',
    '%00',
    'AB%00C',
    '%zz',
    '%',
    '%E0%A4%A',
    '%ED%A0%80',
    '%FF%FE',
    '%20',
    '%F0%9F%93%A6',
    '%E2%80%AE',
    "1'%20or%20'1'='1",
    '%25%25',
    '*',
    'a+b',
    '%7Bid%7D',
    '__proto__',
    'x'.repeat(5000),
    '%F0%9F%93%A6'.repeat(400),
    '9'.repeat(400),
  ];

  test.each(
    STRANGE.map(number => [number.length > 30 ? `${number.slice(0, 24)}… (${number.length})` : number, number]),
  )('is not found if it is %s', async (_name, number) => {
    for (const [door, codes] of [
      ['by-tracking-number', 'shipment_not_found'],
      ['by-order-number', 'order_not_found'],
    ] as const) {
      const at = (text: string) =>
        send(world.app.url, {
          path: `/api/v1/integrations/shipments/tracking/${door}/${text}`,
          headers: { 'x-api-key': given.caller.apiKey },
        });
      const never = await at('NEVER');
      const strange = await at(number);
      expect([strange.status, strange.body.code]).toEqual([404, codes]);
      expect(unnamed(strange)).toEqual(unnamed(never));
    }
  });

  test.each(['A/B', '100%', 'a+b', '📦1', 'x?y=1', 'x#y', 'è;ü', '%zz', '..'])(
    'such as %j finds its shipment, encoded',
    async trackingNumber => {
      const { by, brt: connection } = await own();
      await feedOrders(by, { orderNumber: 'O1', marketplaceOrderNumber: trackingNumber });
      await feedShipments(by, connection, { trackingNumber, orderNumber: 'O1' });
      for (const door of ['by-tracking-number', 'by-order-number']) {
        const { status, body } = await send(world.app.url, {
          path: `/api/v1/integrations/shipments/tracking/${door}/${encodeURIComponent(trackingNumber)}`,
          headers: { 'x-api-key': by.apiKey },
        });
        expect(status).toBe(200);
        expect([body].flat()[0].trackingNumber).toBe(trackingNumber);
      }
    },
  );
});

describe('The endpoint by order number', () => {
  test('returns an array, also for one shipment', async () => {
    const { by, brt: connection } = await own();
    await feedOrders(by, { orderNumber: 'INT', marketplaceOrderNumber: 'N1' });
    await feedShipments(by, connection, { trackingNumber: 'A', orderNumber: 'INT' });
    const { status, body } = await byOrder('N1', by);
    expect(status).toBe(200);
    expect(body.map(keys)).toEqual([RECORD_KEYS]);
  });

  test('returns one record for every shipment of every matching order, oldest first', async () => {
    const { by, brt: connection, gls } = await own();
    await feedOrders(
      by,
      { orderNumber: 'INT-1', marketplaceOrderNumber: 'N1', marketplace: 'Amazon' },
      { orderNumber: 'INT-2', marketplaceOrderNumber: 'N1', marketplace: 'eBay' },
      { orderNumber: 'INT-3', marketplaceOrderNumber: 'N1' },
      { orderNumber: 'INT-4', marketplaceOrderNumber: 'N10' },
    );
    await feedShipments(by, gls, { trackingNumber: 'Z', orderNumber: 'INT-2' });
    await feedShipments(
      by,
      connection,
      { trackingNumber: 'Y', orderNumber: 'INT-1' },
      { trackingNumber: 'X', orderNumber: 'INT-2' },
      { trackingNumber: 'OTHER', orderNumber: 'INT-4' },
      { trackingNumber: 'W', orderNumber: 'INT-1', shippedAt: '2020-01-01T00:00:00Z' },
    );
    const { body } = await byOrder('N1', by);
    const told = body.map((record: { trackingNumber: string; orderNumber: string }) => [
      record.trackingNumber,
      record.orderNumber,
    ]);
    expect(told).toEqual([
      ['Z', 'INT-2'],
      ['Y', 'INT-1'],
      ['X', 'INT-2'],
      ['W', 'INT-1'],
    ]);
  });

  describe('is exact', () => {
    let by: Caller;
    beforeAll(async () => {
      const world1 = await own();
      by = world1.by;
      await feedOrders(by, { orderNumber: 'INT-1', marketplaceOrderId: 'M-1', marketplaceOrderNumber: 'Ab.1 2' });
      await feedShipments(by, world1.brt, {
        trackingNumber: 'T1',
        orderNumber: 'INT-1',
        reference: 'R-1',
        parcelId: 'P-1',
      });
    });

    test('to the letter', async () => {
      expect((await byOrder('Ab.1 2', by)).status).toBe(200);
    });

    test.each(['ab.1 2', 'Ab12', ' Ab.1 2', 'Ab.1 2 ', 'INT-1', 'M-1', 'R-1', 'P-1', 'T1'])(
      'so that %j is not an order',
      async number => {
        const { status, body } = await byOrder(number, by);
        expect([status, body.code]).toEqual([404, 'order_not_found']);
      },
    );
  });

  test('has different 404 responses for an order without a shipment and for no order', async () => {
    const { by } = await own();
    await feedOrders(
      by,
      { orderNumber: 'INT-1', marketplaceOrderNumber: 'N1' },
      { orderNumber: 'INT-2', marketplaceOrderNumber: 'N1' },
    );
    const waiting = await byOrder('N1', by);
    expect([waiting.status, waiting.body.code]).toEqual([404, 'shipment_not_found']);
    const never = await byOrder('N2', by);
    expect([never.status, never.body.code]).toEqual([404, 'order_not_found']);
  });
});

describe('The 404 of an order number', () => {
  const MEANT = "The marketplace's order number is meant, not the internal one.";
  const NO_ORDER = `The company has no order with this number on the marketplace. ${MEANT}`;
  const NO_SHIPMENT = `The order with this number on the marketplace has no shipment. ${MEANT}`;
  const INTERNAL = 'This is the internal number of an order,';

  test.each([
    ['no order has it', 'N9', 'order_not_found', NO_ORDER],
    ['it is internal', 'INT-1', 'order_not_found', `${NO_ORDER} ${INTERNAL} whose number on the marketplace is 405-1.`],
    [
      'the order has none',
      'INT-2',
      'order_not_found',
      `${NO_ORDER} ${INTERNAL} which has no number on the marketplace.`,
    ],
    ['the order has no shipment', '405-1', 'shipment_not_found', NO_SHIPMENT],
    [
      'it is internal, and the number of an order without a shipment',
      'INT-3',
      'shipment_not_found',
      `${NO_SHIPMENT} ${INTERNAL} which has no number on the marketplace.`,
    ],
  ])('says which number is expected if %s; in GraphQL there are no shipments', async (_, number, code, detail) => {
    const { by } = await own();
    await feedOrders(
      by,
      { orderNumber: 'INT-1', marketplaceOrderNumber: '405-1' },
      { orderNumber: 'INT-2' },
      { orderNumber: 'INT-3' },
      { orderNumber: 'INT-4', marketplaceOrderNumber: 'INT-3' },
    );
    expect((await byOrder(number, by)).body).toMatchObject({ status: 404, code, detail });
    const query = 'query ($n: String!) { trackingByOrderNumber(orderNumber: $n) { nodes { id: databaseId } } }';
    expect(await refusal(by, query, { n: number })).toBe(NOTHING);
  });

  test('contains nothing of another company’s orders', async () => {
    const [{ by }, { by: other }] = [await own(), await own()];
    await feedOrders(other, { orderNumber: 'INT-1', marketplaceOrderNumber: '405-1' });
    expect((await byOrder('INT-1', by)).body).toMatchObject({ code: 'order_not_found', detail: NO_ORDER });
  });
});
