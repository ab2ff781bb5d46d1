import { isObjectType } from 'graphql';
import { beforeAll, describe, expect, test } from 'vitest';
import { SDL } from '../security/support/sdl.ts';
import { globalId } from '../support/global-id.ts';
import {
  ask,
  connectCarrier,
  createWarehouse,
  order,
  refusal,
  shipment,
  times,
  unseen,
  upsertOrders,
  upsertShipments,
} from '../support/platform-side.ts';
import { statementsOf } from '../support/statements.ts';
import { type Caller, useWorld } from '../support/world.ts';

const world = useWorld({ ROLE: 'api' });
const COUNT = 5;
let caller: Caller;
let connection: number;
beforeAll(async () => {
  caller = await world.company();
  connection = await connectCarrier(caller);
  for (let i = 0; i < COUNT; i++) await createWarehouse(caller, { name: `W ${i}` });
  await upsertOrders(caller, [order('o-0', { marketplace: 'A' }), order('o-1', { marketplace: 'B' })]);
  await upsertShipments(
    caller,
    times(COUNT, i => shipment(connection, `n${i}`, { orderNumber: i < 3 ? 'o-0' : 'o-1' })),
  );
});

interface Page {
  readonly nodes: readonly { readonly id: string }[];
  readonly edges: readonly { readonly cursor: string; readonly node: { readonly id: string } }[];
  readonly pageInfo: {
    readonly hasNextPage: boolean;
    readonly hasPreviousPage: boolean;
    readonly startCursor: string | null;
    readonly endCursor: string | null;
  };
  readonly totalCount: number;
}
const PAGE =
  'nodes { id } edges { cursor node { id } } pageInfo { hasNextPage hasPreviousPage startCursor endCursor } totalCount';
const shipments = (args = '') => ask<Page>(caller, `{ shipments${args} { ${PAGE} } }`);
const warehouses = (args = '') => ask<Page>(caller, `{ warehouses${args} { ${PAGE} } }`);
const idsOf = ({ nodes }: Page) => nodes.map(({ id }) => id);

describe('A GraphQL connection', () => {
  test('is named after its elements, and has the fields that every connection has', () => {
    const connections = Object.values(SDL.getTypeMap()).filter(type => type.name.endsWith('Connection'));
    // The change log has an end to continue from, and is not counted.
    const frames = connections.filter(type => isObjectType(type) && type.getFields().totalCount);
    expect(frames.map(({ name }) => name)).toEqual([
      'AuditEntryConnection',
      'CarrierCallConnection',
      'CarrierConnectionConnection',
      'CarrierInvoiceConnection',
      'CarrierInvoiceFindingConnection',
      'CarrierInvoiceLineConnection',
      'CarrierReferenceConnection',
      'CompanyApiKeyConnection',
      'MarketplaceConnection',
      'OrderConnection',
      'SavedQuoteConnection',
      'ShipmentConnection',
      'SimulationCsvPageConnection',
      'TariffChangeConnection',
      'TariffConnection',
      'TariffRevisionConnection',
      'TariffSimulationConnection',
      'WarehouseConnection',
      'WebhookDeliveryConnection',
      'WebhookEndpointConnection',
    ]);
    for (const type of frames) {
      const fields = isObjectType(type) ? type.getFields() : {};
      expect(Object.keys(fields)).toEqual(['edges', 'isTotalCountExact', 'nodes', 'pageInfo', 'totalCount']);
      const of = type.name.replace(/Connection$/, '');
      expect([String(fields.nodes?.type), String(fields.edges?.type), String(fields.totalCount?.type)]).toEqual([
        `[${of}!]!`,
        `[${of}Edge!]!`,
        'Int!',
      ]);
    }
  });

  test('has the same records in nodes and edges, and the cursors of its ends', async () => {
    const page = await shipments('(first: 3)');
    expect(page.edges.map(({ node }) => node)).toEqual(page.nodes);
    expect(page.pageInfo).toMatchObject({ startCursor: page.edges[0]?.cursor, endCursor: page.edges.at(-1)?.cursor });
    const empty = await shipments('(filter: { orderNumber: "none" })');
    expect(empty).toEqual({
      nodes: [],
      edges: [],
      pageInfo: { hasNextPage: false, hasPreviousPage: false, startCursor: null, endCursor: null },
      totalCount: 0,
    });
  });

  test('says on each page whether there are others before and after it', async () => {
    const all = idsOf(await shipments());
    const first = await shipments('(first: 2)');
    expect(first.pageInfo).toMatchObject({ hasNextPage: true, hasPreviousPage: false });
    const second = await shipments(`(first: 2, after: "${first.pageInfo.endCursor}")`);
    expect(second.pageInfo).toMatchObject({ hasNextPage: true, hasPreviousPage: true });
    const third = await shipments(`(first: 2, after: "${second.pageInfo.endCursor}")`);
    expect(third.pageInfo).toMatchObject({ hasNextPage: false, hasPreviousPage: true });
    expect([first, second, third].flatMap(idsOf)).toEqual(all);
    // And back again.
    const last = await shipments('(last: 2)');
    expect([idsOf(last), last.pageInfo]).toMatchObject([all.slice(3), { hasNextPage: false, hasPreviousPage: true }]);
    for (const args of ['last: 2,', '']) {
      const before = await shipments(`(${args} before: "${last.pageInfo.startCursor}")`);
      expect(idsOf(before)).toEqual(args ? all.slice(1, 3) : all.slice(0, 3));
      expect(before.pageInfo).toMatchObject({ hasNextPage: true, hasPreviousPage: args !== '' });
    }
    const between = await shipments(
      `(first: 5, after: "${first.pageInfo.startCursor}", before: "${last.pageInfo.endCursor}")`,
    );
    expect([idsOf(between), between.pageInfo]).toMatchObject([
      all.slice(1, 4),
      { hasNextPage: true, hasPreviousPage: true },
    ]);
  });

  test('says the same for a list that is only read forwards', async () => {
    const all = idsOf(await warehouses());
    const first = await warehouses('(first: 3)');
    expect(first.pageInfo).toMatchObject({ hasNextPage: true, hasPreviousPage: false });
    const second = await warehouses(`(first: 3, after: "${first.pageInfo.endCursor}")`);
    expect(second.pageInfo).toMatchObject({ hasNextPage: false, hasPreviousPage: true });
    expect([first, second].flatMap(idsOf)).toEqual(all);
  });

  test.each(['shipments', 'orders'])('such as %s cannot be read from both ends at once', async field => {
    const query = `{ ${field}(first: 1, last: 1) { nodes { id } } }`;
    expect(await refusal(caller, query)).toBe('validation_failed: /last not_allowed');
  });
});

describe('The field totalCount', () => {
  test('counts all records that match the filter, whatever the page', async () => {
    expect((await shipments('(first: 1)')).totalCount).toBe(COUNT);
    expect((await shipments('(filter: { orderNumber: "o-0" })')).totalCount).toBe(3);
    expect((await shipments('(filter: { isOpen: false })')).totalCount).toBe(0);
    expect((await warehouses('(first: 2)')).totalCount).toBe(COUNT);
    expect(
      await ask(
        caller,
        '{ orders(filter: { marketplace: "A" }) { totalCount nodes { shipments(first: 1) { totalCount nodes { id } } } } }',
      ),
    ).toMatchObject({ totalCount: 1, nodes: [{ shipments: { totalCount: 3, nodes: { length: 1 } } }] });
    const others =
      '{ a: carrierConnections { totalCount } b: apiKeys { totalCount } c: marketplaces { totalCount } d: tariffs { totalCount } e: webhookEndpoints { totalCount } }';
    const { data } = await caller.graphql(others);
    expect(Object.values(data as object).map(({ totalCount }) => totalCount)).toEqual([1, 1, 2, 0, 0]);
  });

  test('counts only records of the company that asks', async () => {
    const other = await world.company();
    const query =
      '{ shipments { totalCount } warehouses { totalCount } orders { totalCount } marketplaces { totalCount } }';
    const { data } = await other.graphql(query);
    expect(Object.values(data as object)).toEqual(Array(4).fill({ totalCount: 0 }));
  });

  test('is calculated only if it is requested, and then nothing else is read', async () => {
    const of = (query: string) => statementsOf(world, () => ask(caller, query));
    expect(await of('{ shipments(first: 1) { nodes { id } } }')).toEqual(['shipments-newest']);
    expect(await of('{ shipments(first: 1) { totalCount } }')).toEqual(['count-shipments']);
    expect(await of('{ warehouses { pageInfo { hasNextPage } } }')).toEqual(['warehouses']);
    expect(await of('{ warehouses { totalCount } }')).toEqual(['count-warehouses']);
  });
});

describe('A look-up', () => {
  test('that finds nothing is null without an error, but a quote for an unknown record is an error', async () => {
    const query = `{
      found: trackingByNumber(trackingNumber: "n1") { trackingNumber }
      number: trackingByNumber(trackingNumber: "never") { id }
      orderNumber: trackingByOrderNumber(orderNumber: "never") { nodes { id } }
      warehouse(id: 2000000000) { id }
      shipment(id: 2000000000) { id }
      order(by: { orderNumber: "never" }) { id }
      tariff(id: 2000000000) { id }
      carrierConnection(id: 2000000000) { id }
      webhookEndpoint(id: "00000000-0000-4000-8000-000000000000") { id }
      webhookDelivery(id: 900) { id }
      savedQuote(id: 900) { id }
      tariffRevision(id: 900) { id }
      tariffRevisions(carrierConnectionId: 2000000000) { totalCount }
      tariffDrafts(carrierConnectionId: 2000000000) { totalCount }
      tariffSimulation(id: 900) { id }
      carrierInvoice(id: 900) { id }
      node(id: "${globalId('Shipment', 2_000_000_000)}") { id }
      quoteShipment(input: { shipment: { orderId: 2000000000 } }) { __typename }
    }`;
    for (let i = 0; i < 5; i++) {
      const { data, errors = [] } = await caller.graphql<Record<string, unknown>>(query);
      const { found, ...others } = data;
      expect(found).toEqual({ trackingNumber: 'n1' });
      expect(new Set(Object.values(others))).toEqual(new Set([null]));
      const codes = Object.fromEntries(errors.map(({ path, extensions }) => [path?.join('.'), extensions.code]));
      expect(codes).toEqual({ quoteShipment: 'order_not_found' });
    }
  });

  test('of an order takes its id or its number, and not both', async () => {
    expect(await ask(caller, '{ order(by: { orderNumber: "o-1" }) { orderNumber } }')).toEqual({ orderNumber: 'o-1' });
    const query = 'query ($by: OrderBy!) { order(by: $by) { id } }';
    for (const [by, wrong] of [
      [{}, 'required'],
      [{ id: null }, 'required'],
      [{ id: 1, orderNumber: 'o-1' }, 'not_allowed'],
    ] as const) {
      for (const document of [unseen(query), query, query, query]) {
        expect(await refusal(caller, document, { by })).toBe(`validation_failed:  ${wrong}`);
      }
    }
    for (const by of ['{}', '{ id: 1, orderNumber: "o-1" }']) {
      expect(await refusal(caller, `{ order(by: ${by}) { id } }`)).toBe('graphql_invalid');
    }
  });
});

describe('The list trackingByNumbers', () => {
  const query = 'query ($numbers: [String!]!) { trackingByNumbers(numbers: $numbers) { trackingNumber } }';

  test('is in the order of the numbers, with null for unknown ones', async () => {
    for (let i = 0; i < 5; i++) {
      const { data, errors } = await caller.graphql(query, { numbers: ['n3', 'never', 'N 1', 'n3'] });
      const [n1, n3] = ['n1', 'n3'].map(trackingNumber => ({ trackingNumber }));
      expect(data).toEqual({ trackingByNumbers: [n3, null, n1, n3] });
      expect(errors).toBeUndefined();
    }
  });

  test('takes one statement, however many numbers there are', async () => {
    for (const count of [2, 100]) {
      const numbers = times(count, i => `n${i % COUNT}`);
      expect(await statementsOf(world, () => ask(caller, query, { numbers }))).toEqual(['tracking-by-main-number']);
    }
  });

  test('takes at most a hundred numbers', async () => {
    expect(await refusal(caller, query, { numbers: times(101, String) })).toBe('validation_failed: /numbers too_many');
  });
});
