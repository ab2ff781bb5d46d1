import { getIntrospectionQuery } from 'graphql';
import { describe, expect, test } from 'vitest';
import { ask, askNodes, type Item, listed, times, unseen } from '../support/platform-side.ts';
import { NOT_FOUND, type Reply, useGraph } from './graph-calls.ts';

const given = useGraph();
const { post, get, world } = given;

const FRAGMENTS = `
  query Rich($number: String!, $withTimeline: Boolean!, $bare: Boolean = false) {
    __typename
    one: trackingByNumber(trackingNumber: $number) { ...Record }
    two: trackingByNumber(trackingNumber: "n3") { ...Record ... on Shipment { reference } }
    apiKey @skip(if: $bare) { __typename label }
  }
  fragment Record on Shipment {
    __typename number: trackingNumber statusLabel statusCode weight volume shippedAt
    carrier { __typename code } recipient { ...Place country }
    timeline @include(if: $withTimeline) { nodes { __typename at: occurredAt statusLabel location note } }
    relatedShipments { nodes { type trackingNumber createdAt } }
    order { orderNumber parcels { weight length quantity } shipments { nodes { trackingNumber ...Deep } } warehouse { name warehouseType { name } } }
  }
  fragment Place on Recipient { postalCode city }
  fragment Deep on Shipment { warehouse { id: databaseId isPrincipal } carrierConnection { label capabilities } }`;

describe('A document with', () => {
  const documents: [what: string, query: string, variables: Item][] = [
    ['fragments, aliases and included fields', FRAGMENTS, { number: 'n1', withTimeline: true }],
    [
      'defaults of required variables, which are left out',
      `query ($number: String! = "n1", $first: Int! = 2, $codes: [CarrierCode!]! = [BRT, GLS], $filter: ShipmentFilter! = { open: false }) {
        trackingByNumber(trackingNumber: $number) { trackingNumber }
        shipments(first: $first, filter: $filter) { edges { cursor } }
        some: shipments(filter: { carriers: $codes }) { totalCount }
      }`,
      {},
    ],
    ['excluded fields', FRAGMENTS, { number: 'n1', withTimeline: false, bare: true }],
    ['a field that stands twice', '{ apiKey { ok label } apiKey { label authScheme } }', {}],
    ['fields out of order', '{ b: apiKey { authScheme a: label ok } __typename a: apiKey { ok } }', {}],
    [
      'a list with nested lists',
      '{ shipments { edges { node { trackingNumber timeline { nodes { statusLabel } } relatedShipments { nodes { type } } } cursor } pageInfo { endCursor hasNextPage } } }',
      {},
    ],
    [
      'a filter in the document',
      '{ shipments(filter: { statusCodes: [DELIVERED, HELD], isOpen: false }, first: 2) { edges { node { trackingNumber } } } }',
      {},
    ],
    [
      'a filter in a variable',
      'query ($filter: ShipmentFilter) { shipments(filter: $filter) { edges { node { trackingNumber } } } }',
      { filter: { statusCodes: ['DELIVERED'] } },
    ],
    [
      'a variable inside a literal',
      'query ($states: [TrackingStatusCode!], $open: Boolean) { shipments(filter: { statusCodes: $states, isOpen: $open }) { edges { node { trackingNumber } } } }',
      { states: 'created' },
    ],
    [
      'a default of a variable',
      'query ($first: Int = 1) { shipments(first: $first) { edges { node { trackingNumber } } } }',
      {},
    ],
    [
      'null in place of that default',
      'query ($first: Int = 1) { shipments(first: $first) { edges { node { trackingNumber } } } }',
      { first: null },
    ],
    ['a variable nobody uses', 'query { apiKey { ok } }', { unused: { a: [1] } }],
    ['introspection', getIntrospectionQuery({ inputValueDeprecation: true, specifiedByUrl: true }), {}],
    [
      'introspection beside data',
      '{ __schema { queryType { name } } apiKey { __typename ok } __type(name: "Shipment") { fields { name type { kind } } } }',
      {},
    ],
    ['a record that is missing', '{ apiKey { ok } trackingByNumber(trackingNumber: "never") { id: databaseId } }', {}],
    ['a missing variable', NOT_FOUND, {}],
    ['a wrong document', '{ apiKey { nope } }', {}],
  ];

  test.each(documents)('%s gets the same bytes ten times', async (_what, query, variables) => {
    const headers = { 'x-request-id': 'same' };
    const answers: Reply[] = [];
    for (let i = 0; i < 10; i++) answers.push(await post(given.caller, { query, variables }, headers));
    const [first, ...others] = answers.map(({ status, headers, text }) => [status, headers.get('content-type'), text]);
    expect(first?.[2]).toMatch(/^\{"(data|errors)":/);
    for (const other of others) expect(other).toEqual(first);
    // And by GET.
    const asked = await get(given.caller, { query, variables: JSON.stringify(variables) }, headers);
    expect(asked.text).toBe(first?.[2]);
  });
});

describe('The response to a document', () => {
  test.each([
    ['interpreted', 1],
    ['compiled', 5],
  ])('has the fields of the document, %s', async (how, runs) => {
    const query = `${FRAGMENTS} # ${how}`;
    let data: unknown;
    for (let i = 0; i < runs; i++)
      data = (await post(given.caller, { query, variables: { number: 'n1', withTimeline: true } })).body.data;
    expect(data).toMatchObject({
      __typename: 'Query',
      one: {
        __typename: 'Shipment',
        number: 'n1',
        statusLabel: 'Consegnata',
        statusCode: 'DELIVERED',
        weight: '10.8',
        carrier: { __typename: 'Carrier', code: 'GLS' },
        timeline: {
          nodes: [{ at: '2026-11-21T08:00:00.000Z' }, { at: '2026-11-21T11:00:00.000Z', note: 'Firma' }],
        },
        relatedShipments: { nodes: [{ type: 'RETURN', trackingNumber: 'n2' }] },
        order: {
          orderNumber: 'o-1',
          parcels: [{ weight: '10.8', length: null, quantity: 1 }],
          shipments: {
            nodes: [
              { trackingNumber: 'n1', carrierConnection: { label: 'Conto' } },
              { trackingNumber: 'n2', warehouse: null },
            ],
          },
          warehouse: { name: 'Magazzino centrale', warehouseType: { name: 'Principale' } },
        },
      },
      two: { number: 'n3', reference: null, timeline: { nodes: [] }, relatedShipments: { nodes: [] }, order: null },
      apiKey: { __typename: 'ApiKey', label: 'Test' },
    });
  });

  test.each([
    ['interpreted', () => unseen(FRAGMENTS)],
    ['compiled', () => FRAGMENTS],
  ])('lacks the fields that are skipped, %s', async (_how, document) => {
    for (let i = 0; i < 4; i++) {
      const { body } = await post(given.caller, {
        query: document(),
        variables: { number: 'n1', withTimeline: false, bare: true },
      });
      expect(Object.keys(body.data ?? {})).toEqual(['__typename', 'one', 'two']);
      expect(body.data?.one).not.toHaveProperty('timeline');
    }
  });

  test('comes from the operation that the request names', async () => {
    const query = 'query A { apiKey { ok } } query B { apiKey { label } }';
    for (let i = 0; i < 5; i++) {
      const answers = await Promise.all(['A', 'B'].map(operationName => post(given.caller, { query, operationName })));
      expect(answers.map(({ body }) => body.data)).toEqual([{ apiKey: { ok: true } }, { apiKey: { label: 'Test' } }]);
    }
  });

  test('belongs to the company that asks, whichever company sent the document first', async () => {
    const other = await world.company();
    const query = '{ apiKey { companyId } warehouses { nodes { id: databaseId } } } # shared';
    for (let i = 0; i < 5; i++) await post(given.caller, { query });
    expect((await post(other, { query })).body.data).toEqual({
      apiKey: { companyId: other.companyId },
      warehouses: { nodes: [] },
    });
  });

  test('is the same for many concurrent requests', async () => {
    const other = await world.company();
    const query =
      '{ apiKey { companyId } shipments { edges { node { trackingNumber timeline { nodes { statusLabel } } } } } }';
    const [mine, theirs] = [await post(given.caller, { query }), await post(other, { query })];
    const answers = await Promise.all(times(40, i => post(i % 2 ? given.caller : other, { query })));
    expect(answers.map(({ text }) => text)).toEqual(times(40, i => (i % 2 ? mine : theirs).text));
  });
});

describe('The graph and REST', () => {
  const RECORD = `trackingNumber status: statusLabel shipmentDate: shippedAt expectedDeliveryDate: expectedDeliveryAt
    deliveredDate: deliveredAt parcelNumber: parcelCount weight volume trackingUrl
    orderNumber marketplaceOrderNumber carrier { name logoUrl }
    recipient { companyName address postalCode city province country countryCode }
    timeline { nodes { timestamp: occurredAt statusCode label: statusLabel description location note } }
    relatedShipments { nodes { id: databaseId type trackingNumber carrierName createdAt } }`;

  test.each(['n1', 'n2', 'n3'])('return the same for the shipment %s', async number => {
    const record = await ask<Item>(
      given.caller,
      `query ($n: String!) { trackingByNumber(trackingNumber: $n) { ${RECORD} } }`,
      {
        n: number,
      },
    );
    const { body } = await given.caller.rest('GET', `/shipments/tracking/by-tracking-number/${number}`);
    // REST leaves the field out where there is no relation.
    expect({ relatedShipments: [], ...body }).toEqual(listed(record));
    expect('relatedShipments' in body).toBe(number !== 'n3');
  });

  test('return the same for the shipments of an order', async () => {
    const records = await askNodes<Item>(
      given.caller,
      `{ trackingByOrderNumber(orderNumber: "405-1") { nodes { ${RECORD} } } }`,
    );
    expect(records).toHaveLength(2);
    const { body } = await given.caller.rest('GET', '/shipments/tracking/by-order-number/405-1');
    expect(body).toEqual(listed(records));
  });

  test('return the same for one shipment and for a list of shipments', async () => {
    const { edges } = await ask<{ edges: { node: Item }[] }>(
      given.caller,
      `{ shipments { edges { node { ${RECORD} } } } }`,
    );
    const alone = (number: string) =>
      ask<Item>(given.caller, `{ trackingByNumber(trackingNumber: "${number}") { ${RECORD} } }`);
    expect(edges.map(({ node }) => node)).toEqual(await Promise.all(['n3', 'n2', 'n1'].map(alone)));
  });

  test('return the same for warehouses and carriers', async () => {
    const warehouses = await askNodes(
      given.caller,
      '{ warehouses { nodes { id: databaseId name typeId address postalCode city state country isPrincipal warehouseType { id: databaseId name } createdAt updatedAt } } }',
    );
    expect((await given.caller.rest('GET', '/warehouses')).body).toEqual(warehouses);
    const carriers = await askNodes(
      given.caller,
      '{ carriers: carrierConnections { nodes { carrierCompanyId: databaseId carrierCode carrierName label logoUrl isActive capabilities verificationType countryScope } } }',
    );
    expect((await given.caller.rest('GET', '/carriers')).body).toEqual(carriers);
  });

  test('return the same for the key', async () => {
    const key = await ask(given.caller, '{ apiKey { ok companyId apiKeyId: id label scopes authScheme } }');
    expect((await given.caller.rest('GET', '/health')).body).toEqual(key);
  });

  test.each([
    [
      'shipment_not_found',
      '/shipments/tracking/by-tracking-number/never',
      '{ trackingByNumber(trackingNumber: "never") { id: databaseId } }',
    ],
    [
      'order_not_found',
      '/shipments/tracking/by-order-number/never',
      '{ trackingByOrderNumber(orderNumber: "never") { nodes { id: databaseId } } }',
    ],
    ['warehouse_not_found', '/warehouses/2000000000', '{ warehouse(id: 2000000000) { id: databaseId } }'],
  ])('respond to an unknown record with %s in REST, and null in the graph', async (code, path, query) => {
    const { body } = await given.caller.rest('GET', path);
    expect(body.code).toBe(code);
    for (let i = 0; i < 4; i++) {
      const { data, errors } = (await post(given.caller, { query })).body;
      expect([Object.values(data ?? {}), errors]).toEqual([[null], undefined]);
    }
  });
});
