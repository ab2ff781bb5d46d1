import { parse } from 'graphql';
import { beforeAll, describe, expect, test } from 'vitest';
import { schema } from '../../src/graphql/schema.ts';
import { argumentSchema } from '../../src/http/mcp/argument-schema.ts';
import { TOOLS } from '../../src/http/mcp/tools.ts';
import { imported, invoiceOf, useInvoices } from '../graphql/invoice-calls.ts';
import { useAddressChecks } from '../rest/address-checks.ts';
import { type Fields, flat, MILANO, merchantsOf, SICILY } from '../rest/tariffs.ts';
import { feedEvents, feedOrders, feedShipments, shipment, upsertShipments } from '../support/platform-side.ts';
import { useSharedWorld } from '../support/world.ts';
import { type Assistant, assistantOf } from './assistant.ts';

const world = useSharedWorld();
const newMerchant = merchantsOf(world);
const invoices = useInvoices();
const addresses = useAddressChecks();

/** A quote in the form of REST as the graph takes it. */
function quoteOf({ warehouseId, destination, parcels, ...others }: Fields): Fields {
  return { shipment: { parcels: { warehouseId, destination, parcels } }, ...others };
}

/** A merchant, and an assistant with its key. */
async function shop(...tariffs: (object | null)[]) {
  const merchant = await newMerchant(...tariffs);
  return { ...merchant, assistant: await assistantOf(world.app.url, merchant.caller) };
}

describe('The list of tools', () => {
  let assistant: Assistant;
  beforeAll(async () => {
    assistant = await assistantOf(world.app.url, await world.company());
  });

  test('states what each tool is for, and whether it only reads', async () => {
    const { tools } = await assistant.client.listTools();
    expect(tools.map(({ name }) => name)).toEqual(TOOLS.map(({ name }) => name));
    for (const { description, inputSchema, annotations } of tools) {
      expect(description).toMatch(/^[A-Z].*\.$/);
      expect(inputSchema).toMatchObject({ type: 'object', additionalProperties: false });
      expect(annotations?.destructiveHint).toBe(false);
    }
    const writing = tools.filter(({ annotations }) => annotations?.readOnlyHint === false).map(({ name }) => name);
    expect(writing).toEqual(['simulate_tariffs', 'save_quote']);
  });

  test('describes the arguments of each tool as the variables of its operation, without references', async () => {
    const { tools } = await assistant.client.listTools();
    const schemaOf = (name: string) => tools.find(tool => tool.name === name)?.inputSchema;
    expect(schemaOf('track_by_number')).toEqual({
      type: 'object',
      properties: { trackingNumber: { type: 'string', description: expect.any(String) } },
      required: ['trackingNumber'],
      additionalProperties: false,
    });
    expect(schemaOf('list_late_shipments')).toMatchObject({
      properties: {
        carriers: { type: 'array', items: { type: 'string', enum: expect.arrayContaining(['BRT', 'GLS']) } },
        first: { type: 'integer' },
      },
      required: [],
    });
    const exactlyOne = { type: 'object', minProperties: 1, maxProperties: 1 };
    expect(schemaOf('simulate_tariffs')).toMatchObject({
      properties: { input: { properties: { tariffs: { items: { properties: { tariff: exactlyOne } } } } } },
    });
    expect(schemaOf('quote_shipment')).toMatchObject({
      properties: {
        input: {
          type: 'object',
          properties: {
            shipment: {
              properties: {
                parcels: {
                  properties: {
                    destination: { required: ['city'], additionalProperties: false },
                    parcels: { items: { properties: { weight: { type: 'number', description: expect.any(String) } } } },
                  },
                },
              },
              ...exactlyOne,
            },
          },
        },
        terms: { properties: { codPayment: { enum: expect.arrayContaining(['CASH']) } } },
      },
      required: ['input'],
    });
    for (const { inputSchema } of tools) {
      expect(JSON.stringify(inputSchema)).not.toContain('$ref');
      for (const property of Object.values(inputSchema.properties ?? {}))
        expect(property).toHaveProperty('description');
    }
  });
});

test('A variable within a required input is described as the field that takes it', () => {
  const document = parse('mutation ($id: ID!) { refreshTracking(input: { shipmentId: $id }) { shipment { id } } }');
  expect(argumentSchema(schema, document).properties).toEqual({
    id: { type: 'string', description: expect.stringContaining('The shipment') },
  });
});

describe('For prices', () => {
  test('list_carriers returns the connections of the company', async () => {
    const { assistant } = await shop(SICILY);
    const { carrierConnections } = await assistant.ask('list_carriers');
    expect(carrierConnections).toMatchObject({
      nodes: [{ id: expect.any(String), carrierName: 'BRT', isActive: true }],
    });
  });

  test('quote_shipment returns the price of the tariff, or why no carrier applies', async () => {
    const { assistant, body } = await shop(SICILY);
    const { quoteShipment } = await assistant.ask('quote_shipment', {
      input: quoteOf(body({ codAmount: 100, insuranceAmount: 200 })),
    });
    expect(quoteShipment).toMatchObject({ items: [{ carrierName: 'BRT', totalPriceWithVat: '26.34' }] });
    const { quoteShipment: none } = await assistant.ask('quote_shipment', {
      input: quoteOf(body({ destination: MILANO })),
    });
    expect(none).toMatchObject({ warning: true, details: [{ carrierName: 'BRT', message: expect.any(String) }] });
  });

  test('explain_price returns the zone, the band and each line with its calculation', async () => {
    const { assistant, body } = await shop(SICILY);
    const { quoteShipment } = await assistant.ask('explain_price', { input: quoteOf(body()) });
    expect(quoteShipment).toMatchObject({
      items: [
        {
          explanation: {
            tariffName: 'Esempio',
            zone: { code: 'sicilia' },
            band: { price: '12.20' },
            lines: expect.arrayContaining([
              expect.objectContaining({ code: 'istat', amount: '0.35', calculation: expect.stringContaining('2.9 %') }),
            ]),
          },
        },
      ],
    });
  });

  test('save_quote stores the price that was quoted', async () => {
    const { assistant, body, ids, caller } = await shop(SICILY);
    const { carrierConnections } = await assistant.ask<{ carrierConnections: { nodes: [{ id: string }] } }>(
      'list_carriers',
    );
    const [{ id }] = carrierConnections.nodes;
    const { saveQuote } = await assistant.ask('save_quote', {
      input: { carrierConnectionId: id, quote: quoteOf(body()) },
    });
    expect(ids).toHaveLength(1);
    expect(saveQuote).toMatchObject({ savedQuote: { carrierName: 'BRT', totalPrice: expect.any(String) } });
    const { data } = await caller.graphql('{ savedQuotes { totalCount } }');
    expect(data).toEqual({ savedQuotes: { totalCount: 1 } });
  });

  test('simulate_tariffs compares tariffs, and get_simulation reads the result again', async () => {
    const { assistant, caller, ids, warehouseId } = await shop(flat(10), flat(8));
    const left = { warehouseId, weight: '2', volume: '1000', shippedAt: '2026-10-05T09:00:00Z' };
    await upsertShipments(caller, [shipment(ids[0] ?? 0, 'SIM1', left), shipment(ids[0] ?? 0, 'SIM2', left)]);
    const { simulateTariffs } = await assistant.ask<{ simulateTariffs: { simulation: { id: string } } }>(
      'simulate_tariffs',
      { input: { period: { from: '2026-10-01', to: '2026-10-31' } } },
    );
    const { simulation } = simulateTariffs;
    expect(simulation).toMatchObject({
      state: 'DONE',
      asShipped: { shipments: 2, total: '20.00' },
      cheapestMix: { total: '16.00' },
    });
    const { tariffSimulation } = await assistant.ask('get_simulation', { id: simulation.id });
    expect(tariffSimulation).toEqual(simulation);
  });
});

describe('For shipments', () => {
  test('track_by_number and track_by_order_number return where a shipment is', async () => {
    const { assistant, caller, ids } = await shop(null);
    await feedOrders(caller, { orderNumber: 'O1', marketplaceOrderNumber: 'M1' });
    await feedShipments(caller, ids[0] ?? 0, { trackingNumber: 'T1', orderNumber: 'O1' });
    await feedEvents(caller, {
      trackingNumber: 'T1',
      occurredAt: '2026-11-20T08:00:00Z',
      statusCode: 'IN_TRANSIT',
      location: 'Bologna',
    });
    const wanted = { trackingNumber: 'T1', statusCode: 'IN_TRANSIT', timeline: { nodes: [{ location: 'Bologna' }] } };
    const { trackingByNumber } = await assistant.ask('track_by_number', { trackingNumber: 't 1' });
    expect(trackingByNumber).toMatchObject(wanted);
    const { trackingByOrderNumber } = await assistant.ask('track_by_order_number', { orderNumber: 'M1' });
    expect(trackingByOrderNumber).toMatchObject({ nodes: [wanted] });
  });

  test('list_late_shipments returns the shipments past their date, of the requested carriers', async () => {
    const { assistant, caller, ids } = await shop(null);
    const expectedDeliveryAt = '2026-01-05T09:00:00Z';
    await feedShipments(
      caller,
      ids[0] ?? 0,
      { trackingNumber: 'LATE', expectedDeliveryAt },
      { trackingNumber: 'OTHER' },
    );
    const { shipments } = await assistant.ask('list_late_shipments', { carriers: ['BRT'] });
    expect(shipments).toMatchObject({ nodes: [{ trackingNumber: 'LATE' }], totalCount: 1 });
    const { shipments: none } = await assistant.ask('list_late_shipments', { carriers: ['GLS'], first: 5 });
    expect(none).toMatchObject({ nodes: [], totalCount: 0 });
  });

  test('list_changed_shipments returns the shipments that changed since a time, page by page', async () => {
    const { assistant, caller, ids } = await shop(null);
    await feedShipments(caller, ids[0] ?? 0, { trackingNumber: 'C1' }, { trackingNumber: 'C2' });
    type Page = { shipments: { nodes: { trackingNumber: string }[]; pageInfo: { endCursor: string } } };
    const since = { updatedSince: '2026-01-01T00:00:00Z', first: 1 };
    const { shipments } = await assistant.ask<Page>('list_changed_shipments', since);
    const { endCursor: after } = shipments.pageInfo;
    const { shipments: next } = await assistant.ask<Page>('list_changed_shipments', { ...since, after });
    expect([...shipments.nodes, ...next.nodes].map(({ trackingNumber }) => trackingNumber)).toEqual(['C1', 'C2']);
    const later = { updatedSince: '2099-01-01T00:00:00Z' };
    expect((await assistant.ask<Page>('list_changed_shipments', later)).shipments.nodes).toEqual([]);
  });
});

test("The tool check_address returns the carrier's verdict", async () => {
  const assistant = await assistantOf(addresses.world.app.url, addresses.caller);
  const { checkAddress } = await assistant.ask('check_address', {
    input: {
      carrierConnectionId: addresses.connections.DHL,
      ...{ address: 'Via della Libertà 12', city: 'Palermo', zip: '90139', provincia: 'PA' },
    },
  });
  expect(checkAddress).toMatchObject({ code: 'ADDRESS_VALID', carrierName: 'DHL Express' });
});

test('The tools list_invoices and list_invoice_findings return the amounts that a carrier overbilled', async () => {
  const { caller, connectionId, made } = await invoices.shipped(60);
  const { csv } = invoiceOf(made, 3);
  const { id } = await imported(caller, { carrierConnectionId: connectionId, number: '7', date: '2026-11-30', csv });
  const assistant = await assistantOf(invoices.world.app.url, caller);
  const { carrierInvoices } = await assistant.ask('list_invoices');
  expect(carrierInvoices).toMatchObject({ nodes: [{ id, number: '7' }] });
  const { carrierInvoice } = await assistant.ask<{ carrierInvoice: { findings: { nodes: object[] } } }>(
    'list_invoice_findings',
    { id, first: 3 },
  );
  expect(carrierInvoice.findings.nodes).toHaveLength(3);
  expect(carrierInvoice.findings.nodes[0]).toMatchObject({
    code: expect.any(String),
    amount: expect.any(String),
    explanation: expect.any(String),
    line: { number: expect.any(String) },
  });
});
