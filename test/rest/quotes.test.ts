import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import { createWarehouse, feedOrders, RECIPIENT } from '../support/platform-side.ts';
import { runs } from '../support/property-runs.ts';
import { type Caller, useSharedWorld } from '../support/world.ts';
import { idsOf, itemsOf, onlyItem, warningOf } from './quote-items.ts';
import {
  cents,
  demoMerchant,
  type Fields,
  flat,
  type Merchant,
  MILANO,
  merchantsOf,
  PALERMO,
  PARCEL,
  quote,
  SICILY,
  tariffWith,
} from './tariffs.ts';

const world = useSharedWorld();
const newMerchant = merchantsOf(world);

const IN_PALERMO = { ...RECIPIENT, postalCode: '90139', city: 'Palermo', province: 'PA' };

describe('The worked example', () => {
  const EXAMPLE = {
    carrierCode: 'BRT',
    carrierName: 'BRT',
    chargeableWeight: 10.8,
    realWeight: 4,
    volumetricWeight: 10.8,
    basePrice: 12.2,
    fuelPrice: 1.04,
    surchargesPrice: 0.35,
    optionsPrice: 0,
    codPrice: 4.5,
    insurancePrice: 3.5,
    carrierOptionsDetail: [],
    totalPrice: 21.59,
    vatRate: 22,
    vatAmount: 4.75,
    totalPriceWithVat: 26.34,
    currency: 'EUR',
    estimatedDeliveryDays: 2,
  };

  test('has exactly the fields of an item and costs 26.34', async () => {
    const { ids, quote: ask } = await newMerchant(SICILY);
    const answer = await ask({ codAmount: 100, insuranceAmount: 200 });
    expect(answer.status).toBe(200);
    expect(answer.body).toStrictEqual([{ carrierCompanyId: ids[0], ...EXAMPLE }]);
    expect(answer.text).toContain('"totalPriceWithVat":26.34');
    expect(answer.text).toContain('"realWeight":4,');
  });

  test('without deliveryDays in the tariff has null', async () => {
    const { quote: ask } = await newMerchant(flat(5));
    expect((await onlyItem(ask())).estimatedDeliveryDays).toBeNull();
  });
});

describe('An order', () => {
  let shop: Merchant;
  /** Serves everything, and has a price for everything that an order supplies. */
  const TELLING = tariffWith({
    zones: [
      {
        code: 'italia',
        name: 'Italia',
        to: { countries: ['IT'] },
        bands: [{ upToKg: 100, price: 10 }],
      },
      { code: 'sicilia', name: 'Sicilia', to: { regions: ['Sicilia'] }, bands: [{ upToKg: 100, price: 20 }] },
      { code: 'francia', name: 'Francia', to: { countries: ['FR'] }, bands: [{ upToKg: 100, price: 30 }] },
    ],
    surcharges: [
      { code: 'handling', description: 'Movimentazione, per collo', price: { perParcel: 0.1, perKg: 0.01 } },
    ],
    cod: [{ code: 'cod', description: 'Contrassegno', price: { fixed: 1, percent: 1, of: ['codAmount'] } }],
    insurance: [{ code: 'insurance', description: 'Assicurazione', price: { percent: 2, of: ['insuredValue'] } }],
  });
  beforeAll(async () => {
    shop = await newMerchant(TELLING);
  });
  let orders = 0;
  const orderWith = async (fields: Fields) => {
    const [id] = await feedOrders(shop.caller, {
      orderNumber: `O-${++orders}`,
      warehouseId: shop.warehouseId,
      parcels: [PARCEL],
      ...fields,
    });
    return id as number;
  };

  test.each([
    ['in Sicily', IN_PALERMO, 20],
    ['in Milan', RECIPIENT, 10],
    ['in France', { address: 'Rue 1', postalCode: '75001', city: 'Paris', countryCode: 'FR' }, 30],
  ])('supplies the destination: %s', async (_where, recipient, basePrice) => {
    const orderId = await orderWith({ recipient });
    expect((await onlyItem(quote(shop.caller, { orderId }))).basePrice).toBe(basePrice);
  });

  test('supplies parcels with their quantities', async () => {
    const orderId = await orderWith({
      parcels: [
        { ...PARCEL, quantity: 3 },
        { weight: 0.5, length: 10, width: 10, height: 10 },
      ],
    });
    // 3 × 36,000 + 1,000 cm³ at 300 kg/m³ are 32.7 kg.
    expect(await onlyItem(quote(shop.caller, { orderId }))).toMatchObject({
      realWeight: 12.5,
      volumetricWeight: 32.7,
      chargeableWeight: 32.7,
      surchargesPrice: 0.73,
    });
  });

  test('supplies the warehouse', async () => {
    const own = await newMerchant(flat(1, { originCountries: ['FR'] }));
    const { caller, ids } = own;
    const french = await createWarehouse(caller, { country: 'FR', postalCode: '75001', city: 'Paris' });
    for (const [warehouseId, quoted] of [
      [french, true],
      [own.warehouseId, false],
    ] as const) {
      const [orderId] = await feedOrders(caller, {
        orderNumber: `FROM-${warehouseId}`,
        warehouseId,
        parcels: [PARCEL],
      });
      const answer = await quote(caller, { orderId });
      if (quoted) expect(idsOf(answer)).toEqual(ids);
      else expect(warningOf(answer)).toEqual(['DESTINATION_NOT_SERVED', [[ids[0], 'DESTINATION_NOT_SERVED']]]);
      // Manually it is the same.
      const manual = await quote(caller, own.body({ warehouseId }));
      expect(manual.text).toBe(answer.text);
    }
  });

  test.each<[string, Fields, Fields, Fields]>([
    ['its own amounts count', { codAmount: 100, insuranceAmount: 200 }, {}, { codPrice: 2, insurancePrice: 4 }],
    [
      'codAmount counts in place',
      { codAmount: 100, insuranceAmount: 200 },
      { codAmount: 50.5 },
      { codPrice: 1.51, insurancePrice: 4 },
    ],
    [
      'insuranceAmount counts in place',
      { codAmount: 100, insuranceAmount: 200 },
      { insuranceAmount: 1000 },
      { codPrice: 2, insurancePrice: 20 },
    ],
    [
      '0 removes cash on delivery',
      { codAmount: 100, insuranceAmount: 200 },
      { codAmount: 0 },
      { codPrice: 0, insurancePrice: 4 },
    ],
    [
      '0 removes insurance',
      { codAmount: 100, insuranceAmount: 200 },
      { insuranceAmount: 0 },
      { codPrice: 2, insurancePrice: 0 },
    ],
    [
      'null leaves them',
      { codAmount: 100, insuranceAmount: 200 },
      { codAmount: null, insuranceAmount: null },
      { codPrice: 2, insurancePrice: 4 },
    ],
    ['both are added to one without', {}, { codAmount: 100, insuranceAmount: 200 }, { codPrice: 2, insurancePrice: 4 }],
    ['one without has none', {}, {}, { codPrice: 0, insurancePrice: 0 }],
    ['one with zeros has none', { codAmount: 0, insuranceAmount: 0 }, {}, { codPrice: 0, insurancePrice: 0 }],
  ])('supplies COD and insurance: %s', async (_what, ofOrder, sent, expected) => {
    const orderId = await orderWith(ofOrder);
    expect(await onlyItem(quote(shop.caller, { orderId, ...sent, carrierCompanyIds: [shop.ids[0]] }))).toMatchObject(
      expected,
    );
  });

  test('is quoted as the same shipment without an order', async () => {
    const demo = await demoMerchant(await world.company());
    const parcels = [
      { ...PARCEL, quantity: 2 },
      { weight: 1.25, length: 60.5, width: 10, height: 12.25 },
    ];
    const [orderId] = await feedOrders(demo.caller, {
      orderNumber: 'SAME',
      recipient: IN_PALERMO,
      warehouseId: demo.warehouseId,
      parcels,
      codAmount: '99.99',
      insuranceAmount: '250.5',
    });
    const terms = { options: ['phone_notice'], shipmentDate: '2026-06-15' };
    const ofOrder = await quote(demo.caller, { orderId, ...terms });
    const byHand = await demo.quote({
      destination: PALERMO,
      parcels,
      codAmount: 99.99,
      insuranceAmount: 250.5,
      ...terms,
    });
    expect(idsOf(ofOrder).length).toBeGreaterThan(1);
    expect(ofOrder.text).toBe(byHand.text);
  });
});

describe('Totals', () => {
  let shop: Merchant;
  beforeAll(async () => {
    shop = await demoMerchant(await world.company());
  });
  const totals = (fields: Fields) => shop.quote({ parcels: undefined, shipmentDate: '2026-06-15', ...fields });

  test.each([1, 2, 3, 7])('are %d equal parcels', async parcelNumber => {
    const asTotals = await totals({ totalWeight: 4 * parcelNumber, totalVolume: 36_000 * parcelNumber, parcelNumber });
    const asParcels = await shop.quote({
      parcels: [{ ...PARCEL, quantity: parcelNumber }],
      shipmentDate: '2026-06-15',
    });
    expect(idsOf(asTotals).length).toBeGreaterThan(2);
    expect(asTotals.text).toBe(asParcels.text);
  });

  test('without parcelNumber are one parcel', async () => {
    const one = await totals({ totalWeight: 12, totalVolume: 50_000, parcelNumber: 1 });
    expect((await totals({ totalWeight: 12, totalVolume: 50_000 })).text).toBe(one.text);
    expect((await totals({ totalWeight: 12, totalVolume: 50_000, parcelNumber: 2 })).text).not.toBe(one.text);
  });

  test('are divided exactly, and each parcel is rounded up by itself if the tariff says so', async () => {
    const own = await newMerchant(
      flat(5, { weight: { volumetric: [{ cm3PerKg: 5000 }], per: 'parcel', roundUp: [{ toKg: 0.5 }] } }),
      flat(5, { weight: { volumetric: [{ kgPerM3: 200 }], per: 'shipment', roundUp: [{ toKg: 0.5 }] } }),
    );
    const weights = async (fields: Fields) =>
      itemsOf(await own.quote({ parcels: undefined, ...fields })).map(({ chargeableWeight }) => chargeableWeight);
    // 10 kg of three: 3.333… each, so 3.5 each.
    expect(await weights({ totalWeight: 10, totalVolume: 1, parcelNumber: 3 })).toEqual([10.5, 10]);
    // 50,000 cm³ of three: 3.333… kg each.
    expect(await weights({ totalWeight: 1, totalVolume: 50_000, parcelNumber: 3 })).toEqual([10.5, 10]);
    // Exactly the step: nothing is begun.
    expect(await weights({ totalWeight: 10.5, totalVolume: 1, parcelNumber: 3 })).toEqual([10.5, 10.5]);
    expect(await weights({ totalWeight: 10.501, totalVolume: 1, parcelNumber: 3 })).toEqual([12, 11]);
  });

  test('are subject to limits of weight, not of sides', async () => {
    const { ids, quote: ask } = await newMerchant(
      flat(5, { limits: { parcelKg: 10, longestSideCm: 1, sumOfSidesCm: 2 } }),
    );
    const at = (totalWeight: number, parcelNumber: number) =>
      ask({ parcels: undefined, totalWeight, totalVolume: 1_000_000, parcelNumber });
    expect(idsOf(await at(10, 1))).toEqual(ids);
    expect(warningOf(await at(10.001, 1))[0]).toBe('WEIGHT_OUT_OF_RANGE');
    expect(idsOf(await at(20, 2))).toEqual(ids);
    expect(warningOf(await at(20.001, 2))[0]).toBe('WEIGHT_OUT_OF_RANGE');
    expect(warningOf(await ask())[0]).toBe('DIMENSIONS_OUT_OF_RANGE');
  });
});

describe('The order of items', () => {
  const vat = (percent: number) => ({ vat: [{ to: { anywhere: true }, percent }] });

  test('is totalPriceWithVat, then totalPrice, then carrierCompanyId', async () => {
    const { ids, quote: ask } = await newMerchant(
      flat(12.2, vat(0)), // 12.20 of 12.20
      flat(50),
      flat(10), // 12.20 of 10.00
      flat(50),
      flat(12.2, vat(0)),
      flat(1),
      flat(10),
    );
    const answer = await ask();
    const [a, b, c, d, e, f, g] = ids;
    expect(idsOf(answer)).toEqual([f, c, g, a, e, b, d]);
    for (let i = 0; i < 5; i++) expect((await ask()).text).toBe(answer.text);
  });

  test('is the same for the same shipment requested at once many times', async () => {
    const shop = await demoMerchant(await world.company());
    const answers = await Promise.all(Array.from({ length: 30 }, () => shop.quote({ shipmentDate: '2026-06-15' })));
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
  });
});

describe('Money adds up', () => {
  let shop: Merchant;
  let caller: Caller;
  beforeAll(async () => {
    caller = await world.company();
    shop = await demoMerchant(caller);
  });

  const destination = fc.constantFrom<Fields>(
    PALERMO,
    MILANO,
    { postalCode: '23041', city: 'Livigno', province: 'SO' },
    { postalCode: '30121', city: 'Venezia', province: 'VE' },
    { postalCode: '57030', city: 'Marciana', province: 'LI' },
    { postalCode: '09124', city: 'Cagliari' },
    { postalCode: '22061', city: "Campione d'Italia", province: 'CO' },
    { postalCode: '67030', city: 'Scanno', province: 'AQ' },
    { country: 'SM', postalCode: '47890', city: 'San Marino' },
    { country: 'FR', postalCode: '75001', city: 'Paris' },
    { country: 'ES', postalCode: '35001', city: 'Las Palmas' },
    { country: 'US', postalCode: '10001', city: 'New York' },
  );
  const decimal = (max: number, decimals: number) =>
    fc.integer({ min: 1, max: max * 10 ** decimals }).map(count => count / 10 ** decimals);
  const small = (max: number, decimals: number) => fc.oneof(decimal(max / 20, decimals), decimal(max, decimals));
  const parcel = fc.record({
    weight: small(80, 3),
    length: small(160, 2),
    width: small(80, 2),
    height: small(80, 2),
    quantity: fc.integer({ min: 1, max: 4 }),
  });
  const load = fc.oneof(
    fc.record({ parcels: fc.array(parcel, { minLength: 1, maxLength: 3 }) }),
    fc.record({
      totalWeight: small(200, 3),
      totalVolume: small(800_000, 2),
      parcelNumber: fc.integer({ min: 1, max: 6 }),
    }),
  );
  const terms = fc.record(
    {
      codAmount: small(800, 2),
      insuranceAmount: small(2500, 2),
      options: fc
        .subarray(['phone_notice', 'saturday', 'appointment', 'floor_delivery', 'tail_lift'])
        .map(all => all.slice(0, 2)),
      shipmentDate: fc.constantFrom('2025-12-31', '2026-01-01', '2026-06-15', '2026-08-01', '2026-12-31'),
    },
    { requiredKeys: [] },
  );

  test('in every quote of 200 random shipments', async () => {
    let items = 0;
    let options = 0;
    let warnings = 0;
    await fc.assert(
      fc.asyncProperty(destination, load, terms, async (to, parcels, rest) => {
        const answer = await quote(caller, { warehouseId: shop.warehouseId, destination: to, ...parcels, ...rest });
        expect(answer.status).toBe(200);
        if (!Array.isArray(answer.body)) {
          const [code, reasons] = warningOf(answer);
          const all = reasons.map(([, reason]) => reason);
          const inForce = all.filter(reason => reason !== 'NO_TARIFF_IN_FORCE');
          const codes = new Set(inForce.length > 0 ? inForce : all);
          expect(code).toBe(codes.size === 1 ? [...codes][0] : 'NO_CARRIER_AVAILABLE');
          expect(reasons.map(([id]) => id)).toEqual(shop.ids);
          warnings++;
          return;
        }
        const rows = itemsOf(answer);
        for (const item of rows) {
          items++;
          options += item.carrierOptionsDetail.length;
          const total = cents(item.totalPrice);
          const components = ['base', 'fuel', 'surcharges', 'options', 'cod', 'insurance'].map(name =>
            cents(item[`${name}Price`]),
          );
          expect(components.reduce((sum, part) => sum + part, 0)).toBe(total);
          expect(item.carrierOptionsDetail.reduce((sum, { price }) => sum + cents(price), 0)).toBe(
            cents(item.optionsPrice),
          );
          expect(cents(item.vatAmount)).toBe(Math.floor((total * item.vatRate + 50) / 100));
          expect(total + cents(item.vatAmount)).toBe(cents(item.totalPriceWithVat));
          const amounts = Object.entries(item).filter(([name]) => /Price|vatAmount/.test(name));
          for (const [, amount] of amounts) expect(amount).toBe(cents(amount) / 100);
          expect(Number(item.chargeableWeight)).toBeGreaterThanOrEqual(Number(item.realWeight));
          expect(Number(item.chargeableWeight)).toBeGreaterThanOrEqual(Number(item.volumetricWeight));
          expect(item.carrierOptionsDetail.map(({ code }) => code)).toEqual((rest.options ?? []).toSorted());
        }
        const sorted = rows.toSorted(
          (a, b) =>
            a.totalPriceWithVat - b.totalPriceWithVat ||
            a.totalPrice - b.totalPrice ||
            a.carrierCompanyId - b.carrierCompanyId,
        );
        expect(rows).toEqual(sorted);
        expect(new Set(idsOf(answer)).size).toBe(rows.length);
      }),
      { numRuns: runs(200), seed: 20_261_121 },
    );
    // It was about something.
    expect(items).toBeGreaterThan(runs(200));
    expect(options).toBeGreaterThan(runs(20));
    expect(warnings).toBeGreaterThan(runs(5));
  });
});
