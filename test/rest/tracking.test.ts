import { beforeAll, describe, expect, test } from 'vitest';
import { type Caller, useWorld } from '../support/world.ts';
import { connectCarrier, createWarehouse, feedEvents, feedOrders, feedShipments, RECIPIENT } from './feed.ts';
import { send, unnamed } from './raw-http.ts';

const world = useWorld();
let caller: Caller;
let brt: number;
beforeAll(async () => {
  caller = await world.company();
  brt = await connectCarrier(caller, 'BRT');
});

const byNumber = (number: string, by: Caller = caller) =>
  by.rest('GET', `/shipments/tracking/by-tracking-number/${encodeURIComponent(number)}`);
const byOrder = (number: string, by: Caller = caller) =>
  by.rest('GET', `/shipments/tracking/by-order-number/${encodeURIComponent(number)}`);

/** The main number of the shipment a number means, or the code of the refusal. */
async function found(number: string, by: Caller = caller): Promise<string> {
  const { status, body } = await byNumber(number, by);
  expect(status).toBe(body.code === undefined ? 200 : 404);
  return body.code ?? body.trackingNumber;
}

/** A company of its own with one connection, for numbers that would meet those of other tests. */
async function own() {
  const by = await world.company();
  return { by, brt: await connectCarrier(by, 'BRT'), gls: await connectCarrier(by, 'GLS') };
}

const RECORD_KEYS = [
  'trackingNumber',
  'status',
  'shipmentDate',
  'expectedDeliveryDate',
  'deliveredDate',
  'parcelNumber',
  'weight',
  'volume',
  'trackingUrl',
  'orderNumber',
  'marketplaceOrderNumber',
  'carrier',
  'recipient',
  'timeline',
].toSorted();
const RECIPIENT_KEYS = [
  'companyName',
  'address',
  'postalCode',
  'city',
  'province',
  'country',
  'countryCode',
].toSorted();
const EVENT_KEYS = ['timestamp', 'statusCode', 'label', 'description', 'location', 'note'].toSorted();
const RELATED_KEYS = ['id', 'type', 'trackingNumber', 'carrierName', 'createdAt'].toSorted();
const keys = (value: object) => Object.keys(value).toSorted();

describe('a record', () => {
  test('has exactly the fields of the specification, with the values that were fed', async () => {
    const { by, brt: carrierCompanyId } = await own();
    const warehouseId = await createWarehouse(by);
    await feedOrders(by, {
      orderNumber: 'INT-1',
      marketplace: 'Amazon',
      marketplaceOrderId: 'AMZ-1',
      marketplaceOrderNumber: '405-1',
      warehouseId,
      recipient: { ...RECIPIENT, province: 'PA', email: 'giulia@example.com', telephone: '+39 091 555 0101' },
    });
    await feedShipments(by, carrierCompanyId, {
      trackingNumber: '084007001234567',
      orderNumber: 'INT-1',
      warehouseId,
      reference: 'RIF-1',
      parcelId: 'PARCEL-1',
      labels: ['084007001234568'],
      parcelNumber: 2,
      weight: '10.80',
      volume: 36000,
      trackingUrl: 'https://example.com/track?n=084007001234567',
      shipmentDate: '2026-11-20T08:00:00+01:00',
      expectedDeliveryDate: '2026-11-23T18:30:00.5Z',
      related: [{ trackingNumber: 'R1', type: 'return' }],
    });
    await feedShipments(by, carrierCompanyId, { trackingNumber: 'R1' });
    await feedEvents(
      by,
      { trackingNumber: '084007001234567', timestamp: '2026-11-20T08:00:00Z', statusCode: 'shipped' },
      {
        trackingNumber: '084007001234567',
        timestamp: '2026-11-22T11:15:30.250+01:00',
        statusCode: 'delivered',
        carrierStatusCode: '704',
        description: 'CONSEGNATA',
        location: 'PALERMO',
        note: 'Firmato',
      },
    );

    const { status, body } = await byNumber('084007001234567', by);
    expect(status).toBe(200);
    expect(body).toEqual({
      trackingNumber: '084007001234567',
      status: 'Consegnata',
      shipmentDate: '2026-11-20T07:00:00.000Z',
      expectedDeliveryDate: '2026-11-23T18:30:00.500Z',
      deliveredDate: '2026-11-22T10:15:30.250Z',
      parcelNumber: 2,
      weight: '10.8',
      volume: '36000',
      trackingUrl: 'https://example.com/track?n=084007001234567',
      orderNumber: 'INT-1',
      marketplaceOrderNumber: '405-1',
      carrier: { name: 'BRT', logoUrl: `${world.app.url}/logos/brt.svg` },
      recipient: { ...RECIPIENT, province: 'PA', country: 'Italia', countryCode: 'IT' },
      timeline: [
        {
          timestamp: '2026-11-20T08:00:00.000Z',
          statusCode: 'shipped',
          label: 'Spedita',
          description: null,
          location: null,
          note: null,
        },
        {
          timestamp: '2026-11-22T10:15:30.250Z',
          statusCode: 'delivered',
          label: 'Consegnata',
          description: 'CONSEGNATA',
          location: 'PALERMO',
          note: 'Firmato',
        },
      ],
      relatedShipments: [
        {
          id: expect.any(Number),
          type: 'return',
          trackingNumber: 'R1',
          carrierName: 'BRT',
          createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
        },
      ],
    });
    // The same through the other door.
    expect((await byOrder('405-1', by)).body).toEqual([body]);
  });

  test('without values has nulls, an empty timeline, one parcel and no relatedShipments', async () => {
    const recipient = { address: 'Via Roma 1', postalCode: '00185', city: 'Roma' };
    await feedShipments(caller, brt, { trackingNumber: 'BARE1', recipient });
    const { body } = await byNumber('BARE1');
    expect(body).toEqual({
      trackingNumber: 'BARE1',
      status: 'Spedizione registrata',
      shipmentDate: null,
      expectedDeliveryDate: null,
      deliveredDate: null,
      parcelNumber: 1,
      weight: null,
      volume: null,
      trackingUrl: null,
      orderNumber: null,
      marketplaceOrderNumber: null,
      carrier: { name: 'BRT', logoUrl: expect.any(String) },
      recipient: { ...recipient, companyName: null, province: null, country: 'Italia', countryCode: 'IT' },
      timeline: [],
    });
    expect(keys(body)).toEqual(RECORD_KEYS);
  });

  test.each([
    { email: 'order@mark.example', telephone: '+39 333 0001', of: 'order' },
    { email: 'own@mark.example', telephone: '+39 333 0002', of: 'shipment' },
  ])('shows seven fields of its recipient, and no way to reach the $of’s', async ({ of, email, telephone }) => {
    const recipient = { ...RECIPIENT, email, telephone };
    const number = `REACH-${of}`;
    await feedOrders(caller, {
      orderNumber: number,
      marketplaceOrderNumber: number,
      ...(of === 'order' && { recipient }),
    });
    await feedShipments(caller, brt, {
      trackingNumber: number,
      orderNumber: number,
      ...(of === 'shipment' && { recipient }),
    });
    await feedEvents(caller, { trackingNumber: number, timestamp: '2026-11-20T08:00:00Z', statusCode: 'shipped' });
    for (const { status, text, body } of [await byNumber(number), await byOrder(number)]) {
      expect(status).toBe(200);
      const [record] = Array.isArray(body) ? body : [body];
      expect(keys(record.recipient)).toEqual(RECIPIENT_KEYS);
      expect(text).not.toContain('mark.example');
      expect(text).not.toContain('333 000');
      expect(text).not.toMatch(/"(e-?mail|telephone|phone)"/i);
    }
  });

  test('takes the recipient of its order unless it has its own', async () => {
    await feedOrders(caller, { orderNumber: 'REC-1', recipient: { ...RECIPIENT, companyName: "L'ordine" } });
    await feedShipments(
      caller,
      brt,
      { trackingNumber: 'REC1', orderNumber: 'REC-1' },
      { trackingNumber: 'REC2', orderNumber: 'REC-1', recipient: { ...RECIPIENT, companyName: 'La spedizione' } },
    );
    expect((await byNumber('REC1')).body.recipient.companyName).toBe("L'ordine");
    expect((await byNumber('REC2')).body.recipient.companyName).toBe('La spedizione');
  });

  test.each([
    ['IT', '00185', 'Italia'],
    ['de', '10827', 'Germania'],
    ['FR', '75001', 'Francia'],
    ['GB', 'EC1A 1BB', 'Regno Unito'],
    ['US', '95014', 'Stati Uniti'],
    ['CH', '8001', 'Svizzera'],
    ['VA', '00120', 'Città del Vaticano'],
  ])('names the country %s (postal code %s) %s', async (countryCode, postalCode, country) => {
    const trackingNumber = `LAND${countryCode}`;
    await feedShipments(caller, brt, { trackingNumber, recipient: { ...RECIPIENT, countryCode, postalCode } });
    expect((await byNumber(trackingNumber)).body.recipient).toMatchObject({
      country,
      countryCode: countryCode.toUpperCase(),
    });
  });

  test.each([
    { sent: '4', told: '4' },
    { sent: '4.500', told: '4.5' },
    { sent: '0.001', told: '0.001' },
    { sent: 10.8, told: '10.8' },
    { sent: '0', told: '0' },
    { sent: '123456.789', told: '123456.789' },
    { sent: '0.10', told: '0.1' },
  ])('tells weight and volume $sent as the text $told, exactly', async ({ sent, told }) => {
    const trackingNumber = `W${sent}-${typeof sent}`;
    await feedShipments(caller, brt, { trackingNumber, weight: sent, volume: sent });
    const { weight, volume } = (await byNumber(trackingNumber)).body;
    expect({ weight, volume }).toEqual({ weight: told, volume: told });
  });
});

describe('a number is compared without spaces, dots, case and MUL', () => {
  const STORED = ['ABC123', 'abc 124', 'A.B.C.125', 'MUL126', 'mul 12 7', ' MUL.128 ', '1MUL129', '\u00a013\u20090'];
  beforeAll(async () => {
    await feedShipments(caller, brt, ...STORED.map(trackingNumber => ({ trackingNumber })));
  });

  test.each([
    ['ABC123', 'ABC123'],
    ['abc123', 'ABC123'],
    [' a b c 1 2 3 ', 'ABC123'],
    ['ABC.123', 'ABC123'],
    ['...ABC...123...', 'ABC123'],
    ['MULABC123', 'ABC123'],
    ['mul ABC 123', 'ABC123'],
    ['M.U.L ABC123', 'ABC123'],
    ['\tabc123\n', 'ABC123'],
    ['ABC124', 'abc 124'],
    ['ABC125', 'A.B.C.125'],
    ['126', 'MUL126'],
    ['MUL126', 'MUL126'],
    ['mul.126', 'MUL126'],
    ['127', 'mul 12 7'],
    ['128', 'MUL.128'],
    // Only at the beginning.
    ['1MUL129', '1MUL129'],
    ['130', '13\u20090'],
  ])('%j finds %j', async (number, stored) => {
    expect(await found(number)).toBe(stored);
  });

  test.each(['ABC12', 'ABC1233', 'BC123', 'ABC-123', 'ABC_123', '129', 'ABC123MUL', 'MUL', '%', '_', 'ABC%', '*'])(
    '%j finds nothing',
    async number => {
      expect(await found(number)).toBe('shipment_not_found');
    },
  );

  test('the answer shows the number as it was stored, not as it was asked for', async () => {
    expect((await byNumber('mul abc124')).body.trackingNumber).toBe('abc 124');
  });
});

describe('a number is looked for among', () => {
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

  test('but not the internal order number, the warehouse or the ids', async () => {
    const { by, brt: carrierCompanyId } = await own();
    const warehouseId = await createWarehouse(by);
    await feedOrders(by, { orderNumber: 'INTERNAL', warehouseId, marketplace: 'eBay' });
    const [id] = await feedShipments(by, carrierCompanyId, { trackingNumber: 'MAIN', orderNumber: 'INTERNAL' });
    for (const number of ['INTERNAL', 'eBay', String(id), String(warehouseId), String(carrierCompanyId)]) {
      expect(await found(number, by)).toBe('shipment_not_found');
    }
  });

  test('and a label or identifier that was taken away finds nothing any more', async () => {
    const { by, brt: carrierCompanyId } = await own();
    const shipment = { trackingNumber: 'MAIN', labels: ['L1', 'L2'], parcelId: 'P1' };
    await feedShipments(by, carrierCompanyId, shipment);
    await feedShipments(by, carrierCompanyId, { ...shipment, labels: ['L2'], parcelId: null });
    expect(await found('L1', by)).toBe('shipment_not_found');
    expect(await found('P1', by)).toBe('shipment_not_found');
    expect(await found('L2', by)).toBe('MAIN');
  });
});

describe('of several shipments a number could mean', () => {
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
    '$a goes before $b, whichever is newer',
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
    'the newest goes first among equals by $by',
    async ({ rank }) => {
      const { by, brt: connection } = await own();
      await feed(by, connection, rank, 'SAME', 'FIRST');
      await feed(by, connection, rank, 'SAME', 'SECOND');
      expect(await found('SAME', by)).toBe('SECOND');
      // What happens to the older one later does not make it newer.
      await feedShipments(by, connection, { trackingNumber: 'FIRST', shipmentDate: '2027-01-01T00:00:00Z' });
      await feedEvents(by, { trackingNumber: 'FIRST', timestamp: '2027-01-01T00:00:00Z', statusCode: 'shipped' });
      expect(await found('SAME', by)).toBe('SECOND');
    },
  );

  test('the newest goes first among equals by main number', async () => {
    const { by, brt: first, gls: second } = await own();
    await feedShipments(by, first, { trackingNumber: 'SAME 1' });
    await feedShipments(by, second, { trackingNumber: 'SAME.1' });
    expect((await byNumber('SAME1', by)).body.carrier.name).toBe('GLS Italy');
    // The letter does not count among main numbers: they are compared normalized.
    expect((await byNumber('SAME 1', by)).body.carrier.name).toBe('GLS Italy');
  });

  test('the newest shipment of an order with several goes first', async () => {
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
    'one equal to the letter goes before a newer one that is equal when normalized, by $by',
    async ({ rank }) => {
      const { by, brt: connection } = await own();
      await feed(by, connection, rank, 'Let.ter 1', 'EXACT');
      await feed(by, connection, rank, 'LETTER1', 'NORMALIZED');
      expect(await found('Let.ter 1', by)).toBe('EXACT');
      expect(await found('LETTER1', by)).toBe('NORMALIZED');
      expect(await found('letter1', by)).toBe('NORMALIZED');
    },
  );

  test('one equal to the letter by a lower rank goes before one of a higher that is equal when normalized', async () => {
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

  test('main numbers and labels go before identifiers even where only those are equal to the letter', async () => {
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

describe('the timeline', () => {
  const at = (time: string) => `2026-11-20T${time}:00.000Z`;

  test('runs from oldest to newest, however the events arrive', async () => {
    const trackingNumber = 'LATE1';
    await feedShipments(caller, brt, { trackingNumber });
    await feedEvents(
      caller,
      { trackingNumber, timestamp: at('12:00'), statusCode: 'in_transit' },
      { trackingNumber, timestamp: at('10:00'), statusCode: 'created' },
    );
    await feedEvents(caller, { trackingNumber, timestamp: at('11:00'), statusCode: 'shipped' });
    const { timeline } = (await byNumber(trackingNumber)).body;
    expect(
      timeline.map(({ timestamp, statusCode }: { timestamp: string; statusCode: string }) => [timestamp, statusCode]),
    ).toEqual([
      [at('10:00'), 'created'],
      [at('11:00'), 'shipped'],
      [at('12:00'), 'in_transit'],
    ]);
    for (const item of timeline) expect(keys(item)).toEqual(EVENT_KEYS);
  });

  test('keeps equal timestamps in the order they arrived, within a batch and between batches', async () => {
    const trackingNumber = 'EQUAL1';
    await feedShipments(caller, brt, { trackingNumber });
    const told = ['Zeta', 'Alfa', 'Milano', 'Beta', 'Como'];
    const event = (location: string) => ({
      trackingNumber,
      timestamp: at('10:00'),
      statusCode: 'at_depot',
      location,
    });
    await feedEvents(caller, ...told.slice(0, 3).map(event));
    for (const location of told.slice(3)) await feedEvents(caller, event(location));
    const { timeline } = (await byNumber(trackingNumber)).body;
    expect(timeline.map(({ location }: { location: string }) => location)).toEqual(told);
  });

  test('has an event that is told twice once', async () => {
    const trackingNumber = 'TWICE1';
    await feedShipments(caller, brt, { trackingNumber });
    const event = { trackingNumber, timestamp: at('10:00'), carrierStatusCode: '702', location: 'MILANO' };
    await feedEvents(caller, event, event);
    await feedEvents(caller, { ...event, timestamp: '2026-11-20T11:00:00+01:00' });
    expect((await byNumber(trackingNumber)).body.timeline).toHaveLength(1);
  });

  test('shows the text of the carrier as it came, and what is not understood as unknown', async () => {
    const trackingNumber = 'RAW1';
    await feedShipments(caller, brt, { trackingNumber });
    await feedEvents(
      caller,
      { trackingNumber, timestamp: at('10:00'), carrierStatusCode: '???', description: 'QUALCOSA DI NUOVO' },
      { trackingNumber, timestamp: at('11:00'), carrierStatusCode: '703', description: 'IN CONSEGNA' },
    );
    const { status, timeline } = (await byNumber(trackingNumber)).body;
    expect(status).toBe('In consegna');
    expect(timeline).toMatchObject([
      { statusCode: 'unknown', label: 'Stato sconosciuto', description: 'QUALCOSA DI NUOVO' },
      { statusCode: 'out_for_delivery', label: 'In consegna', description: 'IN CONSEGNA' },
    ]);
  });
});

describe('the status is that of the newest event by its own time', () => {
  const at = (time: string) => `2026-11-20T${time}:00Z`;

  test.each([
    {
      name: 'in order',
      events: [
        ['10:00', 'shipped'],
        ['11:00', 'in_transit'],
      ],
      status: 'In transito',
    },
    {
      name: 'a late event moves nothing back',
      events: [
        ['11:00', 'out_for_delivery'],
        ['10:00', 'in_transit'],
      ],
      status: 'In consegna',
    },
    {
      name: 'also in one batch',
      events: [
        ['12:00', 'delayed'],
        ['10:00', 'shipped'],
        ['11:00', 'in_transit'],
      ],
      status: 'In ritardo',
    },
    {
      name: 'of equal times the last to arrive',
      events: [
        ['10:00', 'shipped'],
        ['10:00', 'in_transit'],
      ],
      status: 'In transito',
    },
    {
      name: 'after a delivery too',
      events: [
        ['10:00', 'delivered'],
        ['11:00', 'returning'],
      ],
      status: 'In restituzione al mittente',
      deliveredDate: null,
    },
    {
      name: 'a delivery gives its date',
      events: [
        ['11:30', 'delivered'],
        ['11:00', 'out_for_delivery'],
      ],
      status: 'Consegnata',
      deliveredDate: '2026-11-20T11:30:00.000Z',
    },
  ])('$name', async ({ name, events, status, deliveredDate = null }) => {
    for (const [batches, suffix] of [
      [[events], 'together'],
      [events.map(event => [event]), 'apart'],
    ] as const) {
      const trackingNumber = `STATUS ${name} ${suffix}`;
      await feedShipments(caller, brt, { trackingNumber });
      for (const batch of batches) {
        await feedEvents(
          caller,
          ...batch.map(([time = '', statusCode]) => ({ trackingNumber, timestamp: at(time), statusCode })),
        );
      }
      const { body } = await byNumber(trackingNumber);
      expect({ status: body.status, deliveredDate: body.deliveredDate }).toEqual({ status, deliveredDate });
      expect(body.timeline).toHaveLength(events.length);
    }
  });
});

describe('related shipments', () => {
  test.each([
    { type: 'parent', seenFromThere: 'child' },
    { type: 'forward', seenFromThere: 'parent' },
    { type: 'return', seenFromThere: 'parent' },
    { type: 'child', seenFromThere: 'parent' },
  ])('a $type is shown, and shows the other as its $seenFromThere', async ({ type, seenFromThere }) => {
    const { by, brt: connection, gls } = await own();
    const related = [{ trackingNumber: 'mul.there', type }];
    const [here] = await feedShipments(by, connection, { trackingNumber: 'HERE', related });
    const [there] = await feedShipments(by, gls, { trackingNumber: 'THERE' });
    const one = (await byNumber('HERE', by)).body.relatedShipments;
    expect(one).toEqual([
      {
        id: there,
        type,
        trackingNumber: 'THERE',
        carrierName: 'GLS Italy',
        createdAt: expect.stringMatching(/\.\d{3}Z$/),
      },
    ]);
    expect(keys(one[0])).toEqual(RELATED_KEYS);
    expect((await byNumber('THERE', by)).body.relatedShipments).toMatchObject([
      { id: here, type: seenFromThere, trackingNumber: 'HERE', carrierName: 'BRT' },
    ]);
  });

  test('are left out where there are none, or none that is known yet', async () => {
    const { by, brt: connection } = await own();
    await feedShipments(
      by,
      connection,
      { trackingNumber: 'ALONE' },
      { trackingNumber: 'EARLY', related: [{ trackingNumber: 'TO COME', type: 'forward' }] },
    );
    for (const number of ['ALONE', 'EARLY']) {
      const { text, body } = await byNumber(number, by);
      expect(keys(body)).toEqual(RECORD_KEYS);
      expect(text).not.toContain('relatedShipments');
    }
    await feedShipments(by, connection, { trackingNumber: 'TOCOME' });
    expect((await byNumber('EARLY', by)).body.relatedShipments).toMatchObject([
      { type: 'forward', trackingNumber: 'TOCOME' },
    ]);
  });

  test('are left out record by record in a list', async () => {
    const { by, brt: connection } = await own();
    await feedOrders(by, { orderNumber: 'O1', marketplaceOrderNumber: 'N1' });
    await feedShipments(
      by,
      connection,
      { trackingNumber: 'A', orderNumber: 'O1' },
      { trackingNumber: 'B', orderNumber: 'O1', related: [{ trackingNumber: 'C', type: 'return' }] },
      { trackingNumber: 'C' },
    );
    const { body } = await byOrder('N1', by);
    expect(body.map((record: object) => 'relatedShipments' in record)).toEqual([false, true]);
  });
});

describe('strange numbers in the path', () => {
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
  )('%s is a number nobody has', async (_name, number) => {
    for (const [door, codes] of [
      ['by-tracking-number', 'shipment_not_found'],
      ['by-order-number', 'order_not_found'],
    ] as const) {
      const at = (text: string) =>
        send(world.app.url, {
          path: `/api/v1/integrations/shipments/tracking/${door}/${text}`,
          headers: { 'x-api-key': caller.apiKey },
        });
      const never = await at('NEVER');
      const strange = await at(number);
      expect([strange.status, strange.body.code]).toEqual([404, codes]);
      expect(unnamed(strange)).toEqual(unnamed(never));
    }
  });

  test.each(['A/B', '100%', 'a+b', '📦1', 'x?y=1', 'x#y', 'è;ü', '%zz', '..'])(
    'a shipment whose number is %j is found by it, encoded',
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

describe('by order number', () => {
  test('answers an array, also for one shipment', async () => {
    const { by, brt: connection } = await own();
    await feedOrders(by, { orderNumber: 'INT', marketplaceOrderNumber: 'N1' });
    await feedShipments(by, connection, { trackingNumber: 'A', orderNumber: 'INT' });
    const { status, body } = await byOrder('N1', by);
    expect(status).toBe(200);
    expect(body.map(keys)).toEqual([RECORD_KEYS]);
  });

  test('answers one record for every shipment of every matching order, oldest first', async () => {
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
      { trackingNumber: 'W', orderNumber: 'INT-1', shipmentDate: '2020-01-01T00:00:00Z' },
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

    test.each([
      'AB.1 2',
      'ab.1 2',
      'Ab12',
      'Ab.12',
      'Ab1 2',
      ' Ab.1 2',
      'Ab.1 2 ',
      'MULAb.1 2',
      'Ab.1  2',
      'Ab.1',
      'INT-1',
      'M-1',
      'R-1',
      'P-1',
      'T1',
    ])('so that %j is no order', async number => {
      const { status, body } = await byOrder(number, by);
      expect([status, body.code]).toEqual([404, 'order_not_found']);
    });
  });

  test('an order without a shipment is another 404 than no order', async () => {
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
