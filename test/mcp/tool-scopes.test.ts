import { beforeAll, expect, test } from 'vitest';
import { TOOLS } from '../../src/http/mcp/tools.ts';
import { imported, invoiceOf, useInvoices } from '../graphql/invoice-calls.ts';
import {
  ask,
  createWarehouse,
  feedEvents,
  feedOrders,
  feedShipments,
  shipment,
  upsertShipments,
} from '../support/platform-side.ts';
import type { Caller } from '../support/world.ts';
import { assistantOf } from './assistant.ts';

/** Each tool is called with its one scope, for a company that has something of everything. */

const invoices = useInvoices();
let owner: Caller;
let given: Readonly<Record<string, Record<string, unknown>>>;
const SIMULATE = { input: { period: { from: '2026-10-01', to: '2026-10-31' } } };
const STORED = '{ tariffSimulations { totalCount } savedQuotes { totalCount } }';

beforeAll(async () => {
  const { caller, connectionId, made } = await invoices.shipped(60);
  owner = caller;
  const warehouseId = await createWarehouse(caller);
  const { csv } = invoiceOf(made, 3);
  const invoice = await imported(caller, { carrierConnectionId: connectionId, number: '7', date: '2026-11-30', csv });
  await feedOrders(caller, { orderNumber: 'O1', marketplaceOrderNumber: 'M1' });
  await feedShipments(
    caller,
    connectionId,
    { trackingNumber: 'T1', orderNumber: 'O1' },
    { trackingNumber: 'LATE', expectedDeliveryAt: '2026-01-05T09:00:00Z' },
  );
  await feedEvents(caller, { trackingNumber: 'T1', occurredAt: '2026-11-20T08:00:00Z', statusCode: 'in_transit' });
  const left = { warehouseId, weight: '2', volume: '1000', shippedAt: '2026-10-05T09:00:00Z' };
  await upsertShipments(caller, [shipment(connectionId, 'SIM1', left)]);
  const { id } = await ask<{ id: string }>(
    caller,
    'mutation ($input: SimulateTariffsInput!) { simulateTariffs(input: $input) { simulation { id } userErrors { code pointer message } } }',
    SIMULATE,
  );
  const destination = { postalCode: '90139', city: 'Palermo' };
  const parcels = [{ weight: 2, length: 20, width: 20, height: 20 }];
  const quote = { shipment: { parcels: { warehouseId, destination, parcels } } };
  const address = { address: 'Via Roma 1', city: 'Milano', zip: '20121', provincia: 'MI' };
  given = {
    quote_shipment: { input: quote },
    explain_price: { input: quote },
    track_by_number: { trackingNumber: 'T1' },
    track_by_order_number: { orderNumber: 'M1' },
    list_changed_shipments: { updatedSince: '2026-01-01T00:00:00Z' },
    check_address: { input: { carrierConnectionId: connectionId, ...address } },
    simulate_tariffs: SIMULATE,
    get_simulation: { id },
    list_invoice_findings: { id: invoice.id, first: 3 },
    save_quote: { input: { carrierConnectionId: connectionId, quote } },
  };
});

test.each(TOOLS)('The tool $name returns data to a key that has exactly its scope', async ({ name, scope }) => {
  const key = await invoices.world.key(owner.companyId, [scope]);
  const data = await (await assistantOf(invoices.world.app.url, key)).ask(name, given[name] ?? {});
  const [value] = Object.values(data);
  expect(value).not.toBeNull();
  if (typeof value === 'object' && value !== null && 'nodes' in value) expect(value.nodes).not.toEqual([]);
});

test('A mutation stores nothing if its response has a field that the key may not read', async () => {
  const before = await ask(owner, STORED);
  const manager = await invoices.world.key(owner.companyId, ['carriers:manage']);
  const mutation = 'mutation ($input: SimulateTariffsInput!) { simulateTariffs(input: $input) { simulation {';
  for (const selection of [
    'tariffs { carrierConnection { label } } } } }',
    '...S } } } fragment S on TariffSimulation { ... { tariffs { ... on SimulatedTariff { carrierConnection { id } } } } }',
  ]) {
    const { errors } = await manager.graphql(`${mutation} ${selection}`, SIMULATE);
    expect(errors?.map(({ extensions }) => [extensions.code, extensions.requiredScope])).toEqual([
      ['insufficient_scope', 'carriers:read'],
    ]);
  }
  const optional = `mutation ($input: SimulateTariffsInput!, $if: Boolean!) { simulateTariffs(input: $input) {
    simulation { state tariffs { carrierConnection @include(if: $if) { label } } } } }`;
  expect((await manager.graphql(optional, { ...SIMULATE, if: true })).errors).toHaveLength(1);
  expect(await ask(owner, STORED)).toEqual(before);
  const { data, errors } = await manager.graphql(optional, { ...SIMULATE, if: false });
  expect([errors, data]).toEqual([undefined, { simulateTariffs: { simulation: { state: 'done', tariffs: [{}] } } }]);
});
