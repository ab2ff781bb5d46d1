import { isInterfaceType, isObjectType } from 'graphql';
import { beforeAll, describe, expect, test } from 'vitest';
import { globalId } from '../../src/graphql/node-id.ts';
import { importTariff, TARIFF } from '../rest/feed.ts';
import { PALERMO } from '../rest/tariffs.ts';
import { SDL } from '../security/support/sdl.ts';
import { insertCarrierCalls } from '../support/carrier-calls.ts';
import { withClient } from '../support/databases.ts';
import {
  ask,
  askNodes,
  connectCarrier,
  createWarehouse,
  NOTHING,
  order,
  recordEvents,
  refusal,
  shipment,
  times,
  unseen,
  upsertOrders,
  upsertShipments,
} from '../support/platform-side.ts';
import { REACHABLE } from '../support/receiver.ts';
import { statementsOf } from '../support/statements.ts';
import { type Caller, useWorld } from '../support/world.ts';

/** Every type with a global id, and a document that finds ids of it. */
const FOUND: Readonly<Record<string, string>> = {
  ApiKey: '{ apiKey { id } }',
  AuditEntry: '{ auditLog { nodes { id } } }',
  Carrier: '{ shipments { nodes { carrier { id } } } }',
  CarrierCall: '{ carrierCalls { nodes { id } } }',
  CarrierConnection: '{ carrierConnections { nodes { id } } }',
  CarrierInvoice: '{ carrierInvoices { nodes { id } } }',
  CarrierInvoiceFinding: '{ carrierInvoices { nodes { findings { nodes { id } } } } }',
  CarrierInvoiceLine: '{ carrierInvoices { nodes { lines { nodes { id } } } } }',
  CarrierReference: '{ carrierReferences { nodes { id } } }',
  CompanyApiKey: '{ apiKeys { nodes { id } } }',
  Marketplace: '{ marketplaces { nodes { id } } }',
  Order: '{ orders { nodes { id } } }',
  RelatedShipment: '{ shipments { nodes { relatedShipments { nodes { id } } } } }',
  SavedQuote: '{ savedQuotes { nodes { id } } }',
  Shipment: '{ shipments { nodes { id } } }',
  Tariff: '{ tariffs { nodes { id } } }',
  TariffRevision: '{ tariffs { nodes { revision { id } } } }',
  TariffSimulation: '{ tariffSimulations { nodes { id } } }',
  TrackingEvent: '{ shipments { nodes { timeline { nodes { id } } } } }',
  Warehouse: '{ warehouses { nodes { id } } }',
  WebhookDelivery: '{ webhookEndpoints { nodes { deliveries { nodes { id } } } } }',
  WebhookEndpoint: '{ webhookEndpoints { nodes { id } } }',
};
const TYPES = Object.keys(FOUND);

/** The scope that each of them needs; any key may read what carriers there are. */
const SCOPE: Readonly<Record<string, string | undefined>> = {
  ApiKey: 'health:read',
  AuditEntry: 'audit:read',
  CarrierCall: 'carriers:manage',
  CarrierConnection: 'carriers:read',
  CarrierReference: 'carriers:manage',
  CarrierInvoice: 'carriers:manage',
  CarrierInvoiceFinding: 'carriers:manage',
  CarrierInvoiceLine: 'carriers:manage',
  CompanyApiKey: 'keys:manage',
  Marketplace: 'marketplaces:read',
  Order: 'shipments:tracking',
  RelatedShipment: 'shipments:tracking',
  SavedQuote: 'shipments:quote',
  Shipment: 'shipments:tracking',
  Tariff: 'carriers:manage',
  TariffRevision: 'carriers:manage',
  TariffSimulation: 'carriers:manage',
  TrackingEvent: 'shipments:tracking',
  Warehouse: 'warehouses:read',
  WebhookDelivery: 'webhooks:manage',
  WebhookEndpoint: 'webhooks:manage',
};
const NODE = 'query ($id: ID!) { node(id: $id) { __typename id } }';

const world = useWorld({ ...REACHABLE, ROLE: 'api' });
let caller: Caller;
let outsider: Caller;

/** A company with one of everything that has an id. */
async function furnished(label: string): Promise<Caller> {
  const own = await world.company();
  const connection = await connectCarrier(own);
  await importTariff(own, connection, TARIFF);
  const warehouseId = await createWarehouse(own);
  await withClient(world.ownerUrl, client => insertCarrierCalls(client, own.companyId, [connection]));
  const parcels = { totalWeight: '3', totalVolume: '1000' };
  await ask(
    own,
    'mutation ($input: SaveQuoteInput!) { saveQuote(input: $input) { savedQuote { id } userErrors { code pointer message } } }',
    { input: { carrierConnectionId: connection, quote: { warehouseId, destination: PALERMO, ...parcels } } },
  );
  await ask(
    own,
    `mutation { replacePlaceList(input: { carrierCode: BRT, name: "${label}", places: { postalCodes: ["90010"] } }) {
      carrierReference { id } userErrors { code pointer message } } }`,
  );
  await upsertOrders(own, [order('o', { marketplace: `M ${label} è` })]);
  const related = [{ trackingNumber: 'other', type: 'child' }];
  await upsertShipments(own, [
    shipment(connection, 'n', { orderNumber: 'o', relatedShipments: related }),
    shipment(connection, 'other'),
  ]);
  await recordEvents(own, [{ trackingNumber: 'n', occurredAt: '2026-11-20T09:00:00Z', statusCode: 'in_transit' }]);
  const { body } = await own.rest('POST', '/webhooks', {
    label,
    url: 'http://127.0.0.1:9/x',
    events: ['tracking.*'],
  });
  await recordEvents(own, [{ trackingNumber: 'n', occurredAt: '2026-11-20T10:00:00Z', statusCode: 'delivered' }]);
  expect(body.label).toBe(label);
  const period = '{ from: "2026-11-20", to: "2026-11-20" }';
  await ask(
    own,
    `mutation { simulateTariffs(input: { period: ${period} }) { simulation { id } userErrors { message } } }`,
  );
  const rows = [{ trackingNumber: 'nobody', charges: [{ kinds: ['base'], amount: '5' }] }];
  await ask(
    own,
    'mutation ($input: ImportCarrierInvoiceInput!) { importCarrierInvoice(input: $input) { carrierInvoice { id } userErrors { code pointer message } } }',
    { input: { carrierConnectionId: connection, number: label, date: '2026-11-30', source: { rows } } },
  );
  return own;
}

beforeAll(async () => {
  [caller, outsider] = [await furnished('own'), await furnished('theirs')];
});

/** The ids anywhere in a value. */
function idsIn(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return [];
  const { id, ...inner } = value as { id?: string };
  return [...(id === undefined ? [] : [id]), ...Object.values(inner).flatMap(idsIn)];
}

/** The response as it is on the wire: the client of the tests shows the UUIDs in ids. */
async function sent(of: Pick<Caller, 'apiKey'>, query: string, variables: object = {}) {
  const response = await fetch(`${world.app.url}/graphql`, {
    method: 'POST',
    headers: { 'x-api-key': of.apiKey, 'content-type': 'application/json' },
    body: JSON.stringify({ query, variables }),
  });
  const { data, errors } = (await response.json()) as { data: Record<string, unknown>; errors?: unknown };
  expect(errors).toBeUndefined();
  return data;
}

async function idsOf(of: Caller, type: string): Promise<string[]> {
  return idsIn(await sent(of, FOUND[type] ?? ''));
}

describe('A global id', () => {
  test('is the `id` of every type that implements Node, and every other `id` refers to such an id', () => {
    const node = SDL.getType('Node');
    expect(
      isInterfaceType(node) &&
        SDL.getPossibleTypes(node)
          .map(({ name }) => name)
          .toSorted(),
    ).toEqual(TYPES);
    const others = Object.values(SDL.getTypeMap()).flatMap(type =>
      isObjectType(type) && type.getFields().id && !(type.name in FOUND) ? [type.name] : [],
    );
    expect(others).toEqual(['AuditSubject', 'ItemResult']);
  });

  test.each(TYPES)('of a %s finds its record again, interpreted and compiled', async type => {
    const ids = await idsOf(caller, type);
    expect(ids.length).toBeGreaterThan(0);
    for (const id of ids) {
      expect(id).toMatch(/^[\w-]+$/);
      for (const query of [unseen(NODE), NODE, NODE, NODE, NODE]) {
        expect(await sent(caller, query, { id })).toEqual({ node: { __typename: type, id } });
      }
    }
  });

  test.each(TYPES.filter(type => type !== 'Carrier'))('of another company’s %s finds nothing', async type => {
    const [id = ''] = await idsOf(outsider, type);
    const { data, errors } = await caller.graphql(NODE, { id });
    expect(data).toEqual({ node: null });
    expect(errors).toBeUndefined();
  });

  test.each(TYPES)('of a %s requires the scope of its type', async type => {
    const [id = ''] = await idsOf(caller, type);
    const scope = SCOPE[type];
    const without = await world.key(caller.companyId, [scope === 'health:read' ? 'warehouses:read' : 'health:read']);
    if (scope === undefined) expect(await sent(without, NODE, { id })).toEqual({ node: { __typename: type, id } });
    else {
      const { data, errors } = await without.graphql(NODE, { id });
      expect(data).toEqual({ node: null });
      expect(errors).toMatchObject([{ extensions: { code: 'insufficient_scope', requiredScope: scope } }]);
    }
  });

  test.each([
    ['', 'nothing'],
    ['x', 'no id'],
    ['1', 'a number, whose type nobody knows'],
    [globalId('Nothing', 1), 'a type that does not exist'],
    [globalId('Query', 1), 'a type that has no id'],
    [globalId('Warehouse', 'x'), 'a key of another kind'],
    [globalId('Warehouse', 2 ** 31), 'a number that no key is'],
    [globalId('WebhookEndpoint', 1), 'a number for a UUID'],
    [`${globalId('Warehouse', 1)}=`, 'padding'],
    [globalId('Warehouse', 1).toLowerCase(), 'another case'],
    [globalId('Marketplace', 'x'.repeat(2_000)), 'a text that is too long'],
  ])('like %s finds nothing: %s', async id => {
    expect(await refusal(caller, NODE, { id })).toBe(NOTHING);
  });

  test('is opaque, and the same each time', async () => {
    const [first] = await idsOf(caller, 'Warehouse');
    expect(await idsOf(caller, 'Warehouse')).toEqual([first]);
    const { body } = await caller.rest('GET', '/warehouses');
    expect(String(first)).not.toContain(String(body[0].id));
  });
});

describe('The list nodes', () => {
  const NODES = 'query ($ids: [ID!]!) { nodes(ids: $ids) { __typename id } }';

  test('accepts ids of which some are variables', async () => {
    const [warehouse = ''] = await idsOf(caller, 'Warehouse');
    const [event = ''] = await idsOf(caller, 'TrackingEvent');
    const query = `query ($event: ID!) { nodes(ids: ["${warehouse}", $event]) { id } }`;
    for (const document of [unseen(query), query, query, query, query]) {
      const { data } = await caller.graphql(document, { event });
      expect(data).toEqual({ nodes: [{ id: warehouse }, { id: event }] });
    }
  });

  test('keeps the order of its ids, with null for an unknown record and for an invalid id', async () => {
    const [warehouse = ''] = await idsOf(caller, 'Warehouse');
    const [event = ''] = await idsOf(caller, 'TrackingEvent');
    const [theirs = ''] = await idsOf(outsider, 'Order');
    const ids = [event, theirs, warehouse, 'x', event];
    for (const query of [unseen(NODES), NODES, NODES, NODES, NODES]) {
      const { data, errors } = await caller.graphql<{ nodes: unknown[] }>(query, { ids });
      const found = { __typename: 'TrackingEvent', id: event };
      expect(data.nodes).toEqual([found, null, { __typename: 'Warehouse', id: warehouse }, null, found]);
      expect(errors).toBeUndefined();
    }
  });

  test('of one type takes one statement, however many ids there are', async () => {
    for (const count of [2, 100]) {
      const ids = times(count, i => globalId('Warehouse', i + 1));
      expect(await statementsOf(world, () => caller.graphql(NODES, { ids }))).toEqual(['warehouse-by-id']);
    }
  });

  test('takes at most a hundred ids', async () => {
    const ids = times(101, i => globalId('Warehouse', i + 1));
    expect(await refusal(caller, NODES, { ids })).toBe('validation_failed: /ids too_many');
    expect(await ask(caller, NODES, { ids: [] })).toEqual([]);
  });
});

describe('An argument for a record', () => {
  test.each([
    ['warehouse', '{ warehouses { nodes { id key: databaseId } } }'],
    ['shipment', '{ shipments { nodes { id key: databaseId } } }'],
    ['order', '{ orders { nodes { id key: databaseId } } }'],
    ['tariff', '{ tariffs { nodes { id key: databaseId } } }'],
    ['carrierConnection', '{ carrierConnections { nodes { id key: databaseId } } }'],
    ['webhookEndpoint', '{ webhookEndpoints { nodes { id key: id } } }'],
  ])('of %s takes its global id, and the id that REST shows, as a text or a number', async (field, list) => {
    const [{ id, key } = { id: '', key: '' }] = await askNodes<{ id: string; key: number | string }>(caller, list);
    const query = `query ($id: ID!) { ${field}(${field === 'order' ? 'by: { id: $id }' : 'id: $id'}) { id } }`;
    for (const named of [id, key, String(key)]) expect(await ask(caller, query, { id: named })).toEqual({ id });
    const [order = ''] = await idsOf(caller, 'Order');
    const [warehouse = ''] = await idsOf(caller, 'Warehouse');
    for (const wrong of ['x', field === 'order' ? warehouse : order]) {
      expect(await refusal(caller, query, { id: wrong })).toBe(NOTHING);
    }
  });
});
