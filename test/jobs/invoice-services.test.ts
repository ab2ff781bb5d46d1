import { beforeAll, expect, test } from 'vitest';
import { checkInvoice } from '../../src/domain/spend/invoices/invoice-check.service.ts';
import type { CompanyId } from '../../src/platform/database/tenancy/company-id.ts';
import { Tenant } from '../../src/platform/database/tenancy/tenancy.ts';
import { imported, type Line, linesOf, useInvoices } from '../graphql/invoice-calls.ts';
import { currentTariff } from '../rest/tariffs.ts';
import { ask, order, RECIPIENT, shipment, upsertOrders, upsertShipments } from '../support/platform-side.ts';

// Without workers: the jobs are worked by the tests.
const { world, company } = useInvoices({ ROLE: 'api' });

const zone = (service: string, bands: readonly object[], more: object = {}) => ({
  code: service,
  name: service,
  services: [service],
  to: { countries: ['IT'] },
  bands,
  ...more,
});
const TARIFF = currentTariff(
  {
    services: [
      { code: 'standard', name: 'Standard' },
      { code: 'express', name: 'Express Worldwide' },
      { code: 'collo', name: 'Per collo' },
    ],
    zones: [
      zone('standard', [{ upToKg: 30, price: 8 }]),
      zone('express', [{ upToKg: 30, price: 12 }]),
      zone(
        'collo',
        [
          { upToKg: 3, price: 9 },
          { upToKg: 10, price: 11 },
        ],
        { bandsPer: 'parcel', furtherParcelsDiscount: 10 },
      ),
    ],
    fuel: [{ code: 'fuel', description: 'Carburante', price: { percent: 10, of: ['base'] } }],
  },
  'Contratto',
);

/** Shipments of two parcels of 3 kg, by the service that the order asks for. */
const ASKED = {
  EXPRESS: 'express',
  STANDARD: 'standard',
  PRICED: undefined,
  NAMED: undefined,
  UNKNOWN: undefined,
  COLLO: 'collo',
  'COLLO-ONE': 'collo',
  QUOTED: undefined,
};
const BILLED: Record<keyof typeof ASKED, string> = {
  EXPRESS: ';12,00;1,20',
  STANDARD: ';12,00;1,20',
  PRICED: ';12,00;1,20',
  NAMED: 'express worldwide;13,00;1,30',
  UNKNOWN: ';9,00;0,90',
  COLLO: ';17,10;1,71',
  'COLLO-ONE': ';9,00;0,90',
  QUOTED: ';8,00;0,80',
};
const SAVE = `mutation ($input: SaveQuoteInput!) { saveQuote(input: $input) {
  savedQuote { databaseId serviceCode } userErrors { code pointer message } } }`;

let lines: Map<string, Line>;
beforeAll(async () => {
  const { caller, connectionId, warehouseId } = await company(TARIFF);
  const parcels = [{ weight: 3, length: 20, width: 20, height: 20, quantity: 2 }];
  const common = { warehouseId, recipient: RECIPIENT, parcels };
  await upsertOrders(
    caller,
    Object.entries(ASKED).map(([number, service]) => order(number, { ...common, service })),
  );
  const quote = {
    warehouseId,
    destination: { postalCode: '20121', city: 'Milano', province: 'MI' },
    parcels,
    shipmentDate: '2026-11-03',
  };
  const input = { carrierConnectionId: connectionId, quote, terms: { service: 'express' } };
  const { databaseId: quoteId } = await ask<{ databaseId: number }>(caller, SAVE, { input });
  await upsertShipments(
    caller,
    Object.keys(ASKED).map(number =>
      shipment(connectionId, number, {
        orderNumber: number,
        shippedAt: '2026-11-03T10:00:00Z',
        ...(number === 'QUOTED' && { quoteId }),
      }),
    ),
  );
  const rows = Object.entries(BILLED).map(([number, cells]) => `${number};${cells}`);
  const csv = ['tracking_number;service;base;fuel', ...rows].join('\n');
  const { id, databaseId } = await imported(caller, {
    carrierConnectionId: connectionId,
    number: '7',
    date: '2026-11-30',
    csv,
    mapping: 'PLAIN',
  });
  await checkInvoice(new Tenant(caller.companyId as CompanyId, world.app.database), databaseId, 1);
  lines = new Map((await linesOf(caller, id)).map(line => [line.number ?? '', line]));
});

const foundOf = (number: keyof typeof ASKED) => {
  const line = lines.get(number);
  return {
    state: line?.state,
    due: line?.due,
    findings: line?.findings.nodes.map(({ code, amount, explanation }) => ({ code, amount, explanation })),
  };
};

test('The amount due for a shipment is the price of the service that its order requests', () => {
  expect(foundOf('EXPRESS')).toEqual({ state: 'agrees', due: '13.20', findings: [] });
  expect(foundOf('COLLO')).toEqual({ state: 'agrees', due: '18.81', findings: [] });
});

test('A service other than the requested one is a claim, with the fuel surcharge on it', () => {
  expect(foundOf('STANDARD')).toEqual({
    state: 'differs',
    due: '8.80',
    findings: [
      {
        code: 'service',
        amount: '4.40',
        explanation: 'the price of Express Worldwide, 12.00, was charged; due: Standard, up to 30 kg: 8.00',
      },
    ],
  });
});

test('A shipment without a stated service is checked by the service whose price or name was billed', () => {
  expect(foundOf('PRICED')).toEqual({ state: 'agrees', due: '13.20', findings: [] });
  expect(foundOf('NAMED')).toMatchObject({
    state: 'differs',
    due: '13.20',
    findings: [{ code: 'base_price', amount: '1.10' }],
  });
});

test('The amount due for a shipment that was booked with a quote is the price of the quoted service', () => {
  expect(foundOf('QUOTED')).toMatchObject({
    state: 'differs',
    due: '13.20',
    findings: [{ code: 'service', amount: '-4.40' }],
  });
});

test("The amount due for a shipment that no service's price explains is the price of the cheapest service that fits", () => {
  expect(foundOf('UNKNOWN')).toMatchObject({
    state: 'differs',
    due: '8.80',
    findings: [{ code: 'base_price', amount: '1.10' }],
  });
});

test('Parcels that were priced together, although each has its own price, are a claim of the carrier', () => {
  expect(foundOf('COLLO-ONE')).toMatchObject({
    state: 'differs',
    due: '18.81',
    findings: [{ code: 'base_price', amount: '-8.91' }],
  });
});
