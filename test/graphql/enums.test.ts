import { isEnumType } from 'graphql';
import { beforeAll, describe, expect, test } from 'vitest';
import { enumName } from '../../src/graphql/enum-type.ts';
import { schema } from '../../src/graphql/schema.ts';
import { ALL_SCOPES } from '../../src/platform/scopes.ts';
import { SDL } from '../security/support/sdl.ts';
import { withoutCost } from '../support/graphql-client.ts';
import { ask, connectCarrier, recordEvents, shipment, unseen, upsertShipments } from '../support/platform-side.ts';
import { type Caller, useSharedWorld } from '../support/world.ts';

const world = useSharedWorld();
let caller: Caller;
beforeAll(async () => {
  caller = await world.company();
  const connection = await connectCarrier(caller);
  await upsertShipments(caller, [
    shipment(connection, 'n', { relatedShipments: [{ trackingNumber: 'other', type: 'return' }] }),
    shipment(connection, 'other'),
  ]);
  await recordEvents(caller, [
    { trackingNumber: 'n', occurredAt: '2026-11-20T09:00:00Z', statusCode: 'out_for_delivery' },
  ]);
});

/** The values on the wire, without a client that maps names to values. */
async function post(query: string, variables: object = {}) {
  const response = await fetch(`${world.app.url}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-api-key': caller.apiKey },
    body: JSON.stringify({ query, variables }),
  });
  return JSON.parse(withoutCost(await response.text()));
}

const ENUMS = Object.values(schema.getTypeMap()).filter(type => isEnumType(type) && !type.name.startsWith('__'));

describe('Names of enums', () => {
  test.each(ENUMS)('of %s are in upper case, and derived from their values', type => {
    if (!isEnumType(type)) throw new Error('This is no enum');
    const values = type.getValues();
    expect(values.length).toBeGreaterThan(1);
    for (const { name, value } of values) {
      expect(name).toMatch(/^[A-Z][A-Z0-9_]*$/);
      expect(name).toBe(enumName(value));
    }
  });

  test('cover the scopes, the carriers and the events too', () => {
    const namesOf = (name: string) => {
      const type = SDL.getType(name);
      return isEnumType(type) ? type.getValues().map(value => value.name) : [];
    };
    expect(namesOf('ApiKeyScope')).toEqual(ALL_SCOPES.map(enumName).toSorted());
    expect(namesOf('CarrierCode')).toContain('POSTE');
    expect(namesOf('WebhookSubscription')).toContain('TRACKING_ALL');
  });
});

describe('The value of an enum', () => {
  test('is shown by REST, while the graph shows its name', async () => {
    const query =
      '{ trackingByNumber(trackingNumber: "n") { statusCode timeline { nodes { statusCode } } relatedShipments { nodes { type } } } }';
    for (const document of [unseen(query), query, query, query, query]) {
      expect(await post(document)).toEqual({
        data: {
          trackingByNumber: {
            statusCode: 'OUT_FOR_DELIVERY',
            timeline: { nodes: [{ statusCode: 'OUT_FOR_DELIVERY' }] },
            relatedShipments: { nodes: [{ type: 'RETURN' }] },
          },
        },
      });
    }
    const { body } = await caller.rest('GET', '/shipments/tracking/by-tracking-number/n');
    expect(body).toMatchObject({
      timeline: [{ statusCode: 'out_for_delivery' }],
      relatedShipments: [{ type: 'return' }],
    });
    expect((await caller.rest('GET', '/health')).body.scopes).toContain('shipments:tracking');
    expect((await caller.rest('GET', '/carriers')).body[0].verificationType).toBe('routing');
  });

  test('is accepted by REST, while the graph accepts its name', async () => {
    const events = ['tracking.delivered', 'tracking.*'];
    const { status, body } = await caller.rest('POST', '/webhooks', { label: 'x', url: 'https://8.8.8.8/', events });
    expect([status, body.events]).toEqual([201, events]);
    expect(await post('{ webhookEndpoints { nodes { events } } }')).toEqual({
      data: { webhookEndpoints: { nodes: [{ events: ['TRACKING_DELIVERED', 'TRACKING_ALL'] }] } },
    });
    const named = await caller.rest('POST', '/webhooks', {
      label: 'x',
      url: 'https://8.8.8.8/',
      events: ['TRACKING_ALL'],
    });
    expect([named.status, named.body.errors]).toMatchObject([422, [{ pointer: '/events/0', code: 'not_allowed' }]]);
    expect(named.body.errors[0].message).toMatch(/^must be one of tracking\.order_shipped, .*tracking\.\*$/);
  });

  test('is rejected by the graph, with the known names', async () => {
    const query = 'query ($of: [TrackingStatusCode!]) { shipments(filter: { statusCodes: $of }) { totalCount } }';
    for (const document of [unseen(query), query, query, query, query]) {
      expect(await post(document, { of: ['OUT_FOR_DELIVERY'] })).toEqual({ data: { shipments: { totalCount: 1 } } });
      const { errors } = await post(document, { of: ['out_for_delivery'] });
      expect(errors[0].extensions).toMatchObject({
        code: 'validation_failed',
        errors: [
          {
            pointer: '/statusCodes/0',
            code: 'not_allowed',
            message: expect.stringMatching(/^must be one of AT_DEPOT, /),
          },
        ],
      });
    }
  });

  test('is the code of an error in REST, while the graph has its name', async () => {
    const wrong = { name: '', typeId: 4, address: 'a', postalCode: '1', city: 'Torino', state: 'TO', country: 'IT' };
    const { body } = await caller.rest('POST', '/warehouses', wrong);
    expect(body.errors).toMatchObject([{ code: 'required' }, { code: 'invalid_postal_code' }]);
    const create = `mutation ($input: CreateWarehouseInput!) { createWarehouse(input: $input) { userErrors { code } } }`;
    expect(await post(create, { input: wrong })).toEqual({
      data: { createWarehouse: { userErrors: [{ code: 'REQUIRED' }, { code: 'INVALID_POSTAL_CODE' }] } },
    });
    expect(await post('mutation { deleteWarehouse(input: { id: 2000000000 }) { userErrors { code } } }')).toEqual({
      data: { deleteWarehouse: { userErrors: [{ code: 'WAREHOUSE_NOT_FOUND' }] } },
    });
    const send = `mutation { upsertOrders(input: { orders: [{ orderNumber: "", recipient: { address: "a", postalCode: "20121", city: "Milano" }, parcels: [{ weight: "1" }] }] }) { results { code errors { code } } } }`;
    expect(await post(send)).toMatchObject({
      data: { upsertOrders: { results: [{ code: 'REQUIRED', errors: [{ code: 'REQUIRED' }] }] } },
    });
  });

  test('is reported with all other errors', async () => {
    const mutation = `mutation ($input: ConnectCarrierInput!) {
      connectCarrier(input: $input) { carrierConnection { carrierCode environment } userErrors { pointer code } }
    }`;
    const input = { carrierCode: 'BRT', label: 5, environment: 'MARS' };
    const { errors } = await post(mutation, { input });
    expect(errors[0].extensions.errors.map(({ pointer }: { pointer: string }) => pointer)).toEqual([
      '/environment',
      '/label',
    ]);
  });
});

describe('Custom scalars', () => {
  test('have a URL of their specification', () => {
    for (const name of ['Date', 'DateTime', 'Decimal', 'JSON', 'Long', 'Money', 'URL', 'UUID']) {
      expect(SDL.getType(name)).toMatchObject({ specifiedByURL: expect.stringMatching(/^https:/) });
    }
  });

  test('for money have two decimals, where REST has a number', async () => {
    const own = await world.company();
    const codAmount = '4.7';
    const recipient = { address: 'Via Roma 1', postalCode: '20121', city: 'Milano', province: 'MI' };
    const upsert = `mutation ($orders: [OrderInput!]!) { upsertOrders(input: { orders: $orders }) { created } }`;
    await own.graphql(upsert, { orders: [{ orderNumber: 'o', recipient, codAmount, parcels: [{ weight: '4.70' }] }] });
    expect(
      await ask(own, '{ order(by: { orderNumber: "o" }) { codAmount insuranceAmount parcels { weight } } }'),
    ).toEqual({
      codAmount: '4.70',
      insuranceAmount: null,
      parcels: [{ weight: '4.7' }],
    });
  });
});
