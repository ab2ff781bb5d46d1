import { beforeAll, expect, test } from 'vitest';
import { flat, merchant } from '../rest/tariffs.ts';
import { globalId } from '../support/global-id.ts';
import { type Item, NOTHING, refusal, unseen } from '../support/platform-side.ts';
import { type Caller, useSharedWorld } from '../support/world.ts';

/** Mutations that name a record which is not there: the error is in the data, with the field that names it. */

const world = useSharedWorld();
let caller: Caller;
let connection = 0;
beforeAll(async () => {
  const shop = await merchant(await world.company(), flat(5));
  caller = shop.caller;
  [connection = 0] = shop.ids;
});

const NEVER = 2_000_000_000;
const UUID = '00000000-0000-4000-8000-000000000000';
const TARIFF = flat(1);

const MUTATIONS: readonly (readonly [name: string, input: Item, pointer: string, code: string])[] = [
  ['updateApiKey', { id: UUID, label: 'x' }, '/id', 'api_key_not_found'],
  ['rotateApiKey', { id: UUID }, '/id', 'api_key_not_found'],
  ['revokeApiKey', { id: UUID }, '/id', 'api_key_not_found'],
  ['updateCarrierConnection', { id: NEVER, label: 'x' }, '/id', 'carrier_connection_not_found'],
  ['disconnectCarrier', { id: NEVER }, '/id', 'carrier_connection_not_found'],
  ['testCarrierConnection', { id: NEVER }, '/id', 'carrier_connection_not_found'],
  [
    'importTariff',
    { carrierConnectionId: NEVER, tariff: TARIFF },
    '/carrierConnectionId',
    'carrier_connection_not_found',
  ],
  [
    'createTariffDraft',
    { carrierConnectionId: NEVER, tariff: TARIFF },
    '/carrierConnectionId',
    'carrier_connection_not_found',
  ],
  ['discardTariffDraft', { id: NEVER }, '/id', 'tariff_revision_not_found'],
  ['publishTariff', { id: NEVER }, '/id', 'tariff_revision_not_found'],
  ['rollbackTariff', { id: NEVER }, '/id', 'tariff_revision_not_found'],
  ['deleteTariffSimulation', { id: NEVER }, '/id', 'tariff_simulation_not_found'],
  ['deleteCarrierInvoice', { id: NEVER }, '/id', 'carrier_invoice_not_found'],
  ['recheckCarrierInvoice', { id: NEVER }, '/id', 'carrier_invoice_not_found'],
  ['updateWarehouse', { id: NEVER, name: 'x' }, '/id', 'warehouse_not_found'],
  ['deleteWarehouse', { id: NEVER }, '/id', 'warehouse_not_found'],
  ['updateWebhookEndpoint', { id: UUID, label: 'x' }, '/id', 'webhook_not_found'],
  ['pauseWebhookEndpoint', { id: UUID }, '/id', 'webhook_not_found'],
  ['sendTestEvent', { endpointId: UUID }, '/endpointId', 'webhook_not_found'],
  ['redeliver', { deliveryId: NEVER }, '/deliveryId', 'webhook_not_found'],
  ['refreshTracking', { shipmentId: NEVER }, '/shipmentId', 'shipment_not_found'],
];

test.each(MUTATIONS)(
  'The error of %s for an unknown record points at the field with its id',
  async (name, input, pointer, code) => {
    const type = `${name.charAt(0).toUpperCase()}${name.slice(1)}Input`;
    const query = `mutation ($input: ${type}!) { ${name}(input: $input) { userErrors { code pointer message } } }`;
    for (const document of [unseen(query), query, query, query]) {
      const { data, errors } = await caller.graphql<Record<string, unknown>>(document, { input });
      expect(errors).toBeUndefined();
      expect(data[name]).toEqual({ userErrors: [{ code, pointer, message: expect.stringMatching(/with this id\b/) }] });
    }
  },
);

test.each([
  ['an order', { orderId: NEVER }, '/quote/shipment/orderId', 'order_not_found'],
  [
    'a warehouse',
    { warehouseId: NEVER, destination: { postalCode: '20121', city: 'Milano' }, totalWeight: 1, totalVolume: 1000 },
    '/quote/shipment/totals/warehouseId',
    'warehouse_not_found',
  ],
])(
  'The error for a quote that cannot be saved, because %s in it is unknown, points at the field',
  async (_what, quote, pointer, code) => {
    const query = `mutation ($input: SaveQuoteInput!) { saveQuote(input: $input) { userErrors { code pointer } } }`;
    const { data, errors } = await caller.graphql(query, { input: { carrierConnectionId: connection, quote } });
    expect(errors).toBeUndefined();
    expect(data).toEqual({ saveQuote: { userErrors: [{ code, pointer }] } });
  },
);

test.each([
  'shipment(id: $id) { id }',
  'order(by: { id: $id }) { id }',
  'warehouse(id: $id) { id }',
  'carrierConnection(id: $id) { id }',
  'tariff(id: $id) { id }',
  'tariffRevision(id: $id) { id }',
  'tariffRevisions(carrierConnectionId: $id) { totalCount }',
  'tariffDiff(to: $id) { changes { totalCount } }',
  'savedQuote(id: $id) { id }',
  'tariffSimulation(id: $id) { id }',
  'carrierInvoice(id: $id) { id }',
  'carrierClaimsCsv(id: $id) { csv }',
  'webhookDelivery(id: $id) { id }',
  'webhookEndpoint(id: $id) { id }',
  'tariffDrafts(carrierConnectionId: $id) { totalCount }',
  'tariffDiff(from: $id, to: $id) { changes { totalCount } }',
  'node(id: $id) { id }',
])('The field %s is null for every id that names no record', async field => {
  const look = (id: string) => refusal(caller, `query ($id: ID!) { ${field} }`, { id });
  const texts = [
    'x',
    '',
    ' 1',
    '1.5',
    '９',
    '1e3',
    '9'.repeat(30),
    'null',
    UUID,
    'x'.repeat(2_000),
    'U2hpcG1lbnQ6',
    '\u0000',
  ];
  const others = [globalId('Nothing', 1), globalId('Marketplace', 'x'), `${globalId('Shipment', 1)}=`];
  for (const id of [String(NEVER), '0', '-1', ...texts, ...others]) expect([id, await look(id)]).toEqual([id, NOTHING]);
});

test('An unknown record does not affect the others of a list', async () => {
  const query = 'query ($ids: [ID!]!) { nodes(ids: $ids) { __typename } }';
  const ids = [globalId('CarrierConnection', connection), globalId('CarrierConnection', NEVER)];
  const { data, errors } = await caller.graphql(query, { ids });
  expect([data, errors]).toEqual([{ nodes: [{ __typename: 'CarrierConnection' }, null] }, undefined]);
  expect(await refusal(caller, 'query ($id: ID!) { node(id: $id) { id } }', { id: ids[1] })).toBe(NOTHING);
});
