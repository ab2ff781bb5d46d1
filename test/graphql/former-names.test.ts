import { beforeAll, expect, test } from 'vitest';
import { flat, merchant, PALERMO } from '../rest/tariffs.ts';
import { ask, feedOrders, feedShipments, type Item, refusal } from '../support/platform-side.ts';
import { REACHABLE } from '../support/receiver.ts';
import { type Caller, useWorld } from '../support/world.ts';

/** Inputs that got another name: either name has the same effect, and both together are rejected or must both hold. */

const world = useWorld({ ...REACHABLE, ROLE: 'api' });
let caller: Caller;
let connection = 0;
let endpointId = '';
let warehouseId = 0;
beforeAll(async () => {
  const shop = await merchant(await world.company(), flat(5));
  caller = shop.caller;
  [connection = 0] = shop.ids;
  ({ warehouseId } = shop);
  await feedOrders(caller, { orderNumber: 'a', marketplace: 'eBay' }, { orderNumber: 'b', marketplace: 'Amazon' });
  await feedShipments(caller, connection, { trackingNumber: 'n' });
  const { body } = await caller.rest('POST', '/webhooks', {
    label: 'x',
    url: 'http://127.0.0.1:9/x',
    events: ['tracking.*'],
  });
  endpointId = String(body.id);
});

const [PAST, FUTURE] = ['2020-01-01T00:00:00Z', '2099-01-01T00:00:00Z'];

const ORDERS = 'query ($filter: OrderFilter) { orders(filter: $filter) { nodes { orderNumber } } }';
const SHIPMENTS = 'query ($filter: ShipmentFilter) { shipments(filter: $filter) { nodes { trackingNumber } } }';

const nodes = async (query: string, filter: Item) =>
  (await ask<{ nodes: Item[] }>(caller, query, { filter })).nodes.flatMap(node => Object.values(node));

test.each([
  ['orders of a marketplace', ORDERS, { marketplaces: ['eBay'] }, { marketplace: 'eBay' }, ['a']],
  ['orders of several marketplaces', ORDERS, { marketplaces: ['eBay', 'Amazon', 'eBay'] }, {}, ['b', 'a']],
  ['orders by their last change', ORDERS, { updatedAt: { from: PAST } }, { updatedSince: PAST }, ['b', 'a']],
  ['orders that changed later', ORDERS, { updatedAt: { from: FUTURE } }, { updatedSince: FUTURE }, []],
  ['shipments by their last change', SHIPMENTS, { updatedAt: { from: PAST } }, { updatedSince: PAST }, ['n']],
  ['shipments that changed later', SHIPMENTS, { updatedAt: { from: FUTURE } }, { updatedSince: FUTURE }, []],
])('A list of %s accepts the new and the former name', async (_what, query, now, former, found) => {
  expect((await nodes(query, now)).toSorted()).toEqual(found.toSorted());
  expect((await nodes(query, former)).toSorted()).toEqual(found.toSorted());
});

test('A list must meet both conditions if both names are used, and a range has an end', async () => {
  expect(await nodes(ORDERS, { marketplaces: ['eBay'], marketplace: 'Amazon' })).toEqual([]);
  expect(await nodes(SHIPMENTS, { updatedAt: { from: PAST }, updatedSince: FUTURE })).toEqual([]);
  expect(await nodes(SHIPMENTS, { updatedAt: { from: FUTURE }, updatedSince: PAST })).toEqual([]);
  expect(await nodes(SHIPMENTS, { updatedAt: { from: PAST, to: PAST } })).toEqual([]);
  expect(await nodes(ORDERS, { updatedAt: { to: PAST } })).toEqual([]);
});

const REPLAY = `mutation ($input: ReplayDeliveriesInput!) {
  replayDeliveries(input: $input) { count userErrors { code pointer message } } }`;
const replay = (range: Item) => refusal(caller, REPLAY, { input: { endpointId, ...range } });

test('A replay accepts a range by either name, and needs both ends', async () => {
  for (const range of [
    { from: PAST, to: FUTURE },
    { since: PAST, until: FUTURE },
    { from: PAST, until: FUTURE },
  ]) {
    expect(await ask(caller, REPLAY, { input: { endpointId, ...range } })).toBe(0);
  }
  expect(await replay({ from: PAST })).toBe('validation_failed: /to required');
  expect(await replay({})).toBe('validation_failed: /from required, /to required');
  expect(await replay({ from: PAST, since: PAST, to: FUTURE })).toBe('validation_failed: /since not_allowed');
  expect(await replay({ from: FUTURE, to: PAST })).toBe('validation_failed: /to out_of_range');
  expect(await replay({ since: FUTURE, until: PAST })).toBe('validation_failed: /until out_of_range');
});

test('Deliveries are filtered by their creation time', async () => {
  const DELIVERIES = `query ($id: ID!, $createdAt: DateTimeRange, $since: DateTime) {
    webhookEndpoint(id: $id) { deliveries(createdAt: $createdAt, since: $since) { totalCount } } }`;
  await ask(
    caller,
    'mutation ($id: ID!) { sendTestEvent(input: { endpointId: $id }) { webhookDelivery { id } userErrors { code pointer message } } }',
    { id: endpointId },
  );
  const count = async (times: Item) =>
    (await ask<{ deliveries: { totalCount: number } }>(caller, DELIVERIES, { id: endpointId, ...times })).deliveries
      .totalCount;
  expect(await count({ createdAt: { from: PAST } })).toBe(1);
  expect(await count({ since: PAST })).toBe(1);
  expect(await count({ createdAt: { from: PAST, to: FUTURE } })).toBe(1);
  expect(await count({ createdAt: { to: PAST } })).toBe(0);
  expect(await count({ createdAt: { from: PAST }, since: FUTURE })).toBe(0);
});

test('A quote accepts its day as a date', async () => {
  const QUOTE = `query ($input: QuoteInput!) { quoteShipment(input: $input) {
    ... on QuoteList { items { totalPrice } } ... on QuoteWarning { code } } }`;
  const shipment = {
    totals: {
      warehouseId: warehouseId,
      destination: PALERMO,
      ...{ weight: 1, volume: 1_000, parcelCount: 1 },
    },
  };
  const quoted = (day: Item) => caller.graphql(QUOTE, { input: { shipment, ...day } });
  const now = await quoted({ shipmentDay: '2026-06-15' });
  expect(now).toEqual(await quoted({ shipmentDate: '2026-06-15' }));
  expect(await refusal(caller, QUOTE, { input: { shipment, shipmentDay: '2026-06-31' } })).toBe(
    'validation_failed: /shipmentDay invalid_date_time',
  );
  const both = { shipmentDay: '2026-06-15', shipmentDate: '2026-06-15' };
  expect(await refusal(caller, QUOTE, { input: { shipment, ...both } })).toBe(
    'validation_failed: /shipmentDate not_allowed',
  );
});
