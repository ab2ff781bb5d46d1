import { describe, expect, test } from 'vitest';
import { createWarehouse, feedEvents, feedOrders, feedShipments, RECIPIENT } from '../support/platform-side.ts';
import { keys, RECORD_KEYS, useTracking } from './tracking-calls.ts';

const given = useTracking();
const { own, byNumber, world, byOrder } = given;

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

describe('A tracking record', () => {
  test('has exactly the fields of the specification, with the values that were sent', async () => {
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
      parcelCount: 2,
      weight: '10.80',
      volume: 36000,
      trackingUrl: 'https://example.com/track?n=084007001234567',
      shippedAt: '2026-11-20T08:00:00+01:00',
      expectedDeliveryAt: '2026-11-23T18:30:00.5Z',
      relatedShipments: [{ trackingNumber: 'R1', type: 'return' }],
    });
    await feedShipments(by, carrierCompanyId, { trackingNumber: 'R1' });
    await feedEvents(
      by,
      { trackingNumber: '084007001234567', occurredAt: '2026-11-20T08:00:00Z', statusCode: 'shipped' },
      {
        trackingNumber: '084007001234567',
        occurredAt: '2026-11-22T11:15:30.250+01:00',
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
    // The look-up by order number returns the record too.
    expect((await byOrder('405-1', by)).body).toEqual([body]);
  });

  test('without values has nulls, its carrier’s page, an empty timeline, one parcel and no relatedShipments', async () => {
    const recipient = { address: 'Via Roma 1', postalCode: '00185', city: 'Roma' };
    await feedShipments(given.caller, given.brt, { trackingNumber: 'BARE1', recipient });
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
      trackingUrl: 'https://www.mybrt.it/it/mybrt/my-parcels/incoming?parcelNumber=BARE1',
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
  ])('shows seven fields of its recipient, and no contact data of the $of', async ({ of, email, telephone }) => {
    const recipient = { ...RECIPIENT, email, telephone };
    const number = `REACH-${of}`;
    await feedOrders(given.caller, {
      orderNumber: number,
      marketplaceOrderNumber: number,
      ...(of === 'order' && { recipient }),
    });
    await feedShipments(given.caller, given.brt, {
      trackingNumber: number,
      orderNumber: number,
      ...(of === 'shipment' && { recipient }),
    });
    await feedEvents(given.caller, {
      trackingNumber: number,
      occurredAt: '2026-11-20T08:00:00Z',
      statusCode: 'shipped',
    });
    for (const { status, text, body } of [await byNumber(number), await byOrder(number)]) {
      expect(status).toBe(200);
      const [record] = Array.isArray(body) ? body : [body];
      expect(keys(record.recipient)).toEqual(RECIPIENT_KEYS);
      expect(text).not.toContain('mark.example');
      expect(text).not.toContain('333 000');
      expect(text).not.toMatch(/"(e-?mail|telephone|phone)"/i);
    }
  });

  test('has the recipient of its order unless it has its own', async () => {
    await feedOrders(given.caller, { orderNumber: 'REC-1', recipient: { ...RECIPIENT, companyName: "L'ordine" } });
    await feedShipments(
      given.caller,
      given.brt,
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
    await feedShipments(given.caller, given.brt, {
      trackingNumber,
      recipient: { ...RECIPIENT, countryCode, postalCode },
    });
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
  ])('shows weight and volume $sent as the text $told, exactly', async ({ sent, told }) => {
    const trackingNumber = `W${sent}-${typeof sent}`;
    await feedShipments(given.caller, given.brt, { trackingNumber, weight: sent, volume: sent });
    const { weight, volume } = (await byNumber(trackingNumber)).body;
    expect({ weight, volume }).toEqual({ weight: told, volume: told });
  });
});

describe('The timeline', () => {
  const at = (time: string) => `2026-11-20T${time}:00.000Z`;

  test('runs from oldest to newest, in whatever order the events arrive', async () => {
    const trackingNumber = 'LATE1';
    await feedShipments(given.caller, given.brt, { trackingNumber });
    await feedEvents(
      given.caller,
      { trackingNumber, occurredAt: at('12:00'), statusCode: 'in_transit' },
      { trackingNumber, occurredAt: at('10:00'), statusCode: 'created' },
    );
    await feedEvents(given.caller, { trackingNumber, occurredAt: at('11:00'), statusCode: 'shipped' });
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

  test('shows the text of the carrier unchanged, and an unknown code as unknown', async () => {
    const trackingNumber = 'RAW1';
    await feedShipments(given.caller, given.brt, { trackingNumber });
    await feedEvents(
      given.caller,
      { trackingNumber, occurredAt: at('10:00'), carrierStatusCode: '???', description: 'QUALCOSA DI NUOVO' },
      { trackingNumber, occurredAt: at('11:00'), carrierStatusCode: 'MIC', description: 'IN CONSEGNA' },
    );
    const { status, timeline } = (await byNumber(trackingNumber)).body;
    expect(status).toBe('In consegna');
    expect(timeline).toMatchObject([
      { statusCode: 'unknown', label: 'Stato sconosciuto', description: 'QUALCOSA DI NUOVO' },
      { statusCode: 'out_for_delivery', label: 'In consegna', description: 'IN CONSEGNA' },
    ]);
  });
});

describe('The list of related shipments', () => {
  test.each([
    { type: 'parent', seenFromThere: 'child' },
    { type: 'forward', seenFromThere: 'parent' },
    { type: 'return', seenFromThere: 'parent' },
    { type: 'child', seenFromThere: 'parent' },
  ])('shows a $type, which shows the other as its $seenFromThere', async ({ type, seenFromThere }) => {
    const { by, brt: connection, gls } = await own();
    const related = [{ trackingNumber: 'mul.there', type }];
    const [here] = await feedShipments(by, connection, { trackingNumber: 'HERE', relatedShipments: related });
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

  test('is omitted where there are none, or none that is known yet', async () => {
    const { by, brt: connection } = await own();
    await feedShipments(
      by,
      connection,
      { trackingNumber: 'ALONE' },
      { trackingNumber: 'EARLY', relatedShipments: [{ trackingNumber: 'TO COME', type: 'forward' }] },
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

  test('is omitted record by record in a list', async () => {
    const { by, brt: connection } = await own();
    await feedOrders(by, { orderNumber: 'O1', marketplaceOrderNumber: 'N1' });
    await feedShipments(
      by,
      connection,
      { trackingNumber: 'A', orderNumber: 'O1' },
      { trackingNumber: 'B', orderNumber: 'O1', relatedShipments: [{ trackingNumber: 'C', type: 'return' }] },
      { trackingNumber: 'C' },
    );
    const { body } = await byOrder('N1', by);
    expect(body.map((record: object) => 'relatedShipments' in record)).toEqual([false, true]);
  });
});
