import { expect, test } from 'vitest';
import { isPriceable, type NotPriceable, type Shipped } from '../../src/domain/spend/shipped.rules.ts';
import { ShippedShipments } from '../../src/domain/spend/shipped.service.ts';
import type { CompanyId } from '../../src/platform/database/tenancy/company-id.ts';
import { Tenant } from '../../src/platform/database/tenancy/tenancy.ts';
import { importTariff, TARIFF } from '../rest/feed.ts';
import {
  ask,
  connectCarrier,
  createWarehouse,
  type Item,
  order,
  RECIPIENT,
  shipment,
  times,
  upsertOrders,
  upsertShipments,
} from '../support/platform-side.ts';
import { type Caller, useSharedWorld } from '../support/world.ts';

const world = useSharedWorld();
const OCTOBER = { from: new Date('2026-09-30T22:00:00Z'), to: new Date('2026-10-31T23:00:00Z') };
const SHIPPED = { shippedAt: '2026-10-15T09:00:00Z', weight: '2.5', volume: '12000.5' };
const PARCELS = [
  { weight: '3', length: '40', width: '30', height: '20', quantity: 2 },
  { weight: '1.2', length: '20', width: '20', height: '10', quantity: 1 },
];

interface Shipper {
  readonly caller: Caller;
  readonly brt: number;
  readonly warehouseId: number;
  readonly shipped: ShippedShipments;
}

async function shipper(): Promise<Shipper> {
  const caller = await world.company();
  const tenant = new Tenant(caller.companyId as CompanyId, world.app.database);
  const [brt, warehouseId] = [await connectCarrier(caller), await createWarehouse(caller)];
  return { caller, brt, warehouseId, shipped: new ShippedShipments(tenant) };
}

async function send({ caller, brt, warehouseId }: Shipper, ...shipments: readonly Item[]): Promise<void> {
  const items = shipments.map((one, i) => shipment(brt, `N${i + 1}`, { warehouseId, ...SHIPPED, ...one }));
  expect(await upsertShipments(caller, items)).toMatchObject({ rejected: 0 });
}

async function allOf({ shipped }: Shipper, filter = {}, period = OCTOBER): Promise<(Shipped | NotPriceable)[]> {
  const found: (Shipped | NotPriceable)[] = [];
  let page = await shipped.page(period, filter, null);
  for (; page.next !== null; page = await shipped.page(period, filter, page.next)) found.push(...page.shipments);
  return [...found, ...page.shipments];
}

async function onlyOf(one: Shipper): Promise<Shipped> {
  const [found, ...others] = await allOf(one);
  expect(others).toEqual([]);
  if (!found || !isPriceable(found)) throw new Error(`It can't be priced: ${JSON.stringify(found)}`);
  return found;
}

const numbersOf = (shipments: readonly (Shipped | NotPriceable)[]) =>
  shipments.map(({ trackingNumber }) => trackingNumber);

test('A shipment has the parcels, the cash on delivery and the insured value of its order', async () => {
  const one = await shipper();
  await upsertOrders(one.caller, [
    order('A', { parcels: PARCELS, codAmount: '99.90', insuranceAmount: '250', warehouseId: one.warehouseId }),
  ]);
  await send(one, { orderNumber: 'A', warehouseId: null });
  const { shipment: priced, measuredBy, destinations } = await onlyOf(one);
  expect(measuredBy).toBe('order_parcels');
  expect(priced).toMatchObject({
    grams: 7200,
    parcelCount: 3,
    longestSide: 4000,
    codCents: 9990,
    insuredCents: 25_000,
  });
  expect(priced).toMatchObject({ date: '2026-10-15', origin: { warehouseId: one.warehouseId } });
  expect(destinations).toMatchObject([{ countryCode: 'IT', postalCode: '20121', province: 'MI' }]);
});

test('A shipment that names its quote is priced as it was quoted, on the day on which it left', async () => {
  const one = await shipper();
  await importTariff(one.caller, one.brt, TARIFF);
  const save = `mutation ($input: SaveQuoteInput!) { saveQuote(input: $input) { savedQuote { databaseId } userErrors { code pointer message } } }`;
  const quote = {
    warehouseId: one.warehouseId,
    destination: { ...RECIPIENT, country: 'IT' },
    parcels: [{ ...PARCELS[0], quantity: 1 }],
    shipmentDate: '2026-10-01',
  };
  const input = { carrierConnectionId: one.brt, quote, terms: { codPayment: 'card', monthlyShipments: 7 } };
  const { databaseId: quoteId } = await ask<{ databaseId: number }>(one.caller, save, { input });
  await send(one, { quoteId, weight: '99' });
  const { shipment: priced, measuredBy } = await onlyOf(one);
  expect(measuredBy).toBe('quote');
  expect(priced).toMatchObject({
    grams: 3000,
    parcelCount: 1,
    codPayment: 'card',
    monthlyShipments: 7,
    date: '2026-10-15',
  });
});

test("Shipments that share an order have their own totals, and the order's cash on delivery is collected once", async () => {
  const one = await shipper();
  await upsertOrders(one.caller, [order('A', { parcels: PARCELS, codAmount: '50', insuranceAmount: '80' })]);
  await send(one, { orderNumber: 'A', parcelCount: 4 }, { orderNumber: 'A', weight: '1' });
  const found = await allOf(one);
  expect(found).toMatchObject([
    {
      measuredBy: 'shipment_totals',
      shipment: { grams: 2500, volumeCm3: 12_001, parcelCount: 4, codCents: 5000, insuredCents: 8000 },
    },
    { measuredBy: 'shipment_totals', shipment: { grams: 1000, parcelCount: 1, codCents: 0, insuredCents: 0 } },
  ]);
});

test('A period has the shipments that left in it, or else became known in it, in Italian time', async () => {
  const one = await shipper();
  await send(
    one,
    { shippedAt: '2026-09-30T21:59:59Z' },
    { shippedAt: '2026-09-30T22:00:00Z' },
    { shippedAt: '2026-10-31T22:59:59Z' },
    { shippedAt: '2026-10-31T23:00:00Z' },
    { shippedAt: null },
  );
  const found = await allOf(one);
  expect(numbersOf(found)).toEqual(['N2', 'N3']);
  expect(found).toMatchObject([{ shipment: { date: '2026-10-01' } }, { shipment: { date: '2026-10-31' } }]);
  const day = 24 * 3_600_000;
  const today = { from: new Date(Date.now() - day), to: new Date(Date.now() + day) };
  expect(numbersOf(await allOf(one, {}, today))).toEqual(['N5']);
});

test('A filter selects the same shipments as in a list of shipments', async () => {
  const one = await shipper();
  const gls = await connectCarrier(one.caller, 'GLS');
  await send(one, {}, { recipient: { ...RECIPIENT, postalCode: '90139', city: 'Palermo', province: 'PA' } });
  await upsertShipments(one.caller, [shipment(gls, 'G1', { ...SHIPPED, warehouseId: one.warehouseId })]);
  expect(numbersOf(await allOf(one, { provinces: ['PA'] }))).toEqual(['N2']);
  expect(numbersOf(await allOf(one, { carrierConnectionId: gls }))).toEqual(['G1']);
  expect(numbersOf(await allOf(one, { carriers: ['BRT'], postalCodes: ['20121'] }))).toEqual(['N1']);
  expect(numbersOf(await allOf(one))).toEqual(['N1', 'N2', 'G1']);
});

test('Pages have every shipment once, even if most of the examined shipments are of other periods', async () => {
  const one = await shipper();
  const isWanted = (i: number) => i % 5 === 0 || i > 1100;
  await send(one, ...times(1000, i => (isWanted(i) ? {} : { shippedAt: '2026-08-01T00:00:00Z' })));
  const more = times(700, i => shipment(one.brt, `M${i}`, { ...SHIPPED, warehouseId: one.warehouseId }));
  await upsertShipments(one.caller, more);
  const found = numbersOf(await allOf(one));
  expect(found).toHaveLength(200 + 700);
  expect(new Set(found).size).toBe(900);
});

test('The fields that a shipment lacks for a price are reported', async () => {
  const one = await shipper();
  await upsertOrders(one.caller, [
    order('no sides', { parcels: [{ weight: '1', quantity: 1 }] }),
    order('too dear', { parcels: PARCELS, insuranceAmount: '2000000' }),
  ]);
  await send(
    one,
    { warehouseId: null },
    { weight: null },
    { volume: null },
    { orderNumber: 'no sides', weight: null, volume: null },
    { orderNumber: 'too dear' },
    { recipient: { ...RECIPIENT, postalCode: '90139', province: 'MI' } },
    { weight: '200000' },
  );
  const found = (await allOf(one)).map(shipped => !isPriceable(shipped) && [shipped.missing, shipped.detail]);
  expect(found).toEqual([
    ['warehouse_missing', 'neither the shipment nor its order has a warehouse'],
    ['weight_missing', 'the shipment has no weight'],
    ['volume_missing', 'the shipment has no volume'],
    ['parcels_not_quotable', expect.stringContaining('0/length')],
    ['amount_not_quotable', expect.stringContaining('insuranceAmount must be')],
    ['recipient_not_quotable', expect.stringContaining('must belong to the province MI')],
    ['parcels_not_quotable', 'the totals are greater than the largest priced amount'],
  ]);
});

test('The default parcel supplies sides to shipments with only a weight, and never a weight', async () => {
  const one = await shipper();
  const SET = `mutation ($parcel: DefaultParcelInput!) { setDefaultParcel(input: { parcel: $parcel }) {
    defaultParcel { length } userErrors { code pointer message } } }`;
  await ask(one.caller, SET, { parcel: { weight: '9', length: '40', width: '30', height: '20' } });
  await upsertOrders(one.caller, [
    order('no sides', { parcels: [{ weight: '1', quantity: 3 }] }),
    order('nothing', { parcels: [] }),
  ]);
  await send(
    one,
    { volume: null, parcelCount: 2 },
    { orderNumber: 'no sides', weight: null, volume: null },
    { orderNumber: 'nothing', weight: null, volume: null },
    { orderNumber: 'nothing' },
  );
  const found = (await allOf(one)).map(shipped =>
    isPriceable(shipped)
      ? [shipped.measuredBy, shipped.shipment.grams, shipped.shipment.volumeCm3, shipped.shipment.parcelCount]
      : shipped.missing,
  );
  expect(found).toEqual([
    ['default_parcel', 2_500, 48_000, 2],
    ['default_parcel', 3_000, 72_000, 3],
    'weight_missing',
    ['shipment_totals', 2_500, 12_001, 1],
  ]);
});

test('Shipments are found by each of their numbers, and only by their company', async () => {
  const one = await shipper();
  await upsertOrders(one.caller, [order('A'), order('B')]);
  await send(
    one,
    { orderNumber: 'A', parcelId: 'P.1', labels: ['L1', 'L2'], reference: 'DDT 7' },
    { orderNumber: 'B', reference: 'DDT 7' },
  );
  const by = async ({ shipped }: Shipper, kind: Parameters<ShippedShipments['byNumber']>[0], ...keys: string[]) =>
    Object.fromEntries([...(await shipped.byNumber(kind, keys))].map(([key, found]) => [key, numbersOf(found)]));
  expect(await by(one, 'tracking_number', 'N1', 'N2', 'N3')).toEqual({ N1: ['N1'], N2: ['N2'] });
  expect(await by(one, 'label', 'L2')).toEqual({ L2: ['N1'] });
  expect(await by(one, 'parcel_id', 'P1')).toEqual({ P1: ['N1'] });
  expect(await by(one, 'reference', 'DDT7')).toEqual({ DDT7: ['N1', 'N2'] });
  expect(await by(one, 'order_number', 'B', 'A')).toEqual({ A: ['N1'], B: ['N2'] });
  expect(await by(await shipper(), 'tracking_number', 'N1')).toEqual({});
});
