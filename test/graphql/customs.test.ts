import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { flat, merchantsOf } from '../rest/tariffs.ts';
import { ask, createWarehouse, feedOrders, RECIPIENT, shipment, upsertShipments } from '../support/platform-side.ts';
import { useSharedWorld } from '../support/world.ts';
import { simulate } from './simulation-calls.ts';

const world = useSharedWorld();
const newMerchant = merchantsOf(world);

/** The surcharges that the guide shows. */
function surchargesOfGuide(): object[] {
  const guide = readFileSync(new URL('../../src/docs/tariff-document.md', import.meta.url), 'utf8');
  const [, section = ''] = guide.split('\n## Customs\n');
  return JSON.parse(/```json\n([\s\S]*?)```/.exec(section)?.[1] ?? '');
}

const QUOTE = `query ($input: QuoteInput!, $terms: QuoteTermsInput) { quoteShipment(input: $input, terms: $terms) {
  ... on QuoteList { items { totalPrice explanation { lines { code amount calculation(language: EN) } } } } } }`;

interface Quoted {
  readonly items: readonly {
    readonly totalPrice: string;
    readonly explanation: { readonly lines: readonly { code: string; amount: string; calculation: string }[] };
  }[];
}

const LUGANO = { country: 'CH', postalCode: '6900', city: 'Lugano' };
const ZONES = [{ code: 'tutto', name: 'Tutto', to: { anywhere: true }, bands: [{ upToKg: 100, price: 30 }] }];

async function exporter() {
  const version = { ...flat(0).versions[0], weight: { per: 'shipment', roundUp: [{ toKg: 1 }] }, zones: ZONES };
  const tariff = { format: 2, name: 'Export', versions: [{ ...version, surcharges: surchargesOfGuide() }] };
  const { caller, body, warehouseId, ids } = await newMerchant(tariff);
  const linesTo = async (destination: object, terms: object, fields: object = {}) => {
    const [item] = (await ask<Quoted>(caller, QUOTE, { input: body({ destination, ...fields }), terms })).items;
    return item?.explanation.lines.slice(1);
  };
  return { caller, warehouseId, carrierId: ids[0] ?? 0, linesTo };
}

test('Goods that cross a customs border cost the clearance and a share of their value and of the advanced duties', async () => {
  const { linesTo } = await exporter();
  expect(await linesTo(LUGANO, { goodsValue: 900, dutiesAmount: 72.9 })).toEqual([
    { code: 'dogana', amount: '25.00', calculation: '25.00' },
    {
      code: 'valore',
      amount: '7.20',
      calculation: '900.00, above the last bracket: 0.8 % of 900.00, at least 6.00, at most 90.00',
    },
    { code: 'anticipo_dazi', amount: '15.00', calculation: '2.5 % of 72.90, at least 15.00' },
  ]);
  expect(await linesTo(LUGANO, {})).toMatchObject([{ code: 'dogana' }, { code: 'valore', amount: '4.50' }]);
  expect(await linesTo(LUGANO, { goodsValue: 50_000 })).toMatchObject([
    { code: 'dogana' },
    { code: 'valore', amount: '90.00' },
  ]);
});

test('Livigno and the Canary Islands need clearance, while Belfast and ordinary places of member states do not', async () => {
  const { linesTo } = await exporter();
  const isCleared = async (country: string, postalCode: string, city: string) =>
    ((await linesTo({ country, postalCode, city }, { goodsValue: 900 })) ?? []).length > 0;
  expect(await isCleared('IT', '23041', 'Livigno')).toBe(true);
  expect(await isCleared('ES', '35001', 'Las Palmas')).toBe(true);
  expect(await isCleared('GB', 'EC1A 1BB', 'London')).toBe(true);
  expect(await isCleared('IT', '00184', 'Roma')).toBe(false);
  expect(await isCleared('ES', '28001', 'Madrid')).toBe(false);
  expect(await isCleared('GB', 'BT1 5GS', 'Belfast')).toBe(false);
});

test('A place outside the customs territory of its country is a separate territory, for warehouses there too', async () => {
  const { caller, linesTo } = await exporter();
  const places = {
    livigno: { country: 'IT', postalCode: '23041', city: 'Livigno' },
    campione: { country: 'IT', postalCode: '22061', city: "Campione d'Italia" },
    palmas: { country: 'ES', postalCode: '35001', city: 'Las Palmas' },
    tenerife: { country: 'ES', postalCode: '38001', city: 'Santa Cruz de Tenerife' },
    ceuta: { country: 'ES', postalCode: '51001', city: 'Ceuta' },
    melilla: { country: 'ES', postalCode: '52001', city: 'Melilla' },
    jersey: { country: 'GB', postalCode: 'JE2 3AB', city: 'St Helier' },
    london: { country: 'GB', postalCode: 'EC1A 1BB', city: 'London' },
  };
  const isCleared = async (from: keyof typeof places, to: keyof typeof places) => {
    const { country, ...address } = places[from];
    const warehouseId = await createWarehouse(caller, { ...address, country, state: from === 'livigno' ? 'SO' : 'XX' });
    return ((await linesTo(places[to], {}, { warehouseId })) ?? []).length > 0;
  };
  expect(await isCleared('livigno', 'campione')).toBe(true);
  expect(await isCleared('palmas', 'ceuta')).toBe(true);
  expect(await isCleared('ceuta', 'melilla')).toBe(true);
  expect(await isCleared('london', 'jersey')).toBe(true);
  expect(await isCleared('livigno', 'livigno')).toBe(false);
  expect(await isCleared('palmas', 'tenerife')).toBe(false);
});

test("The value of an order's goods is used by quotes and simulations", async () => {
  const { caller, warehouseId, carrierId } = await exporter();
  const recipient = { ...RECIPIENT, postalCode: '6900', city: 'Lugano', province: null, countryCode: 'CH' };
  const parcels = [{ weight: '4', length: '40', width: '30', height: '30', quantity: 1 }];
  const order = { orderNumber: 'A', warehouseId, recipient, parcels, goodsValue: '900.00' };
  const [orderId] = await feedOrders(caller, order);
  const shown = 'query ($number: String!) { order(by: { orderNumber: $number }) { goodsValue } }';
  expect(await ask(caller, shown, { number: 'A' })).toEqual({ goodsValue: '900.00' });
  const valueLine = async (terms: object) =>
    (await ask<Quoted>(caller, QUOTE, { input: { orderId }, terms })).items[0]?.explanation.lines.find(
      ({ code }) => code === 'valore',
    )?.amount;
  expect([await valueLine({}), await valueLine({ goodsValue: 5000 })]).toEqual(['7.20', '40.00']);
  const sent = { shippedAt: '2026-10-15T09:00:00Z', weight: '4', volume: '8000', orderNumber: 'A' };
  await upsertShipments(caller, [shipment(carrierId, 'N1', { ...sent, recipient })]);
  const { tariffs } = await simulate(caller, { period: { from: '2026-10-01', to: '2026-10-31' } });
  expect(tariffs[0]?.lines.find(({ code }) => code === 'valore')).toMatchObject({ shipments: 1, amount: '7.20' });
});
