import fc from 'fast-check';
import { beforeAll, describe, expect, test, vi } from 'vitest';
import type { Answer } from '../support/rest-client.ts';
import { type Caller, useWorld } from '../support/world.ts';
import { connectCarrier, createWarehouse, feedOrders, importTariff, RECIPIENT } from './feed.ts';
import {
  connectWith,
  demoMerchant,
  type Fields,
  flat,
  italianDay,
  type Merchant,
  MILANO,
  merchant,
  merchantsOf,
  PALERMO,
  PARCEL,
  quote,
  SICILY,
  tariffWith,
} from './tariffs.ts';

const world = useWorld();
const newMerchant = merchantsOf(world);

interface Item {
  readonly carrierCompanyId: number;
  readonly totalPrice: number;
  readonly totalPriceWithVat: number;
  readonly vatRate: number;
  readonly vatAmount: number;
  readonly carrierOptionsDetail: readonly { code: string; price: number; calculated: boolean; description: string }[];
  readonly [field: string]: unknown;
}

function itemsOf({ status, body }: Answer): Item[] {
  expect([status, Array.isArray(body) ? 'items' : body]).toEqual([200, 'items']);
  return body;
}

async function onlyItem(pending: Promise<Answer>): Promise<Item> {
  const [item, ...others] = itemsOf(await pending);
  expect(others).toEqual([]);
  return item as Item;
}

const idsOf = (answer: Answer) => itemsOf(answer).map(({ carrierCompanyId }) => carrierCompanyId);

/** Code of the warning and of each connection's reason, after everything else was checked that warnings promise. */
function warningOf({ status, body }: Answer): [code: string, reasons: [id: number, code: string][]] {
  expect([status, body.warning]).toEqual([200, true]);
  expect(Object.keys(body).toSorted()).toEqual(['code', 'details', 'message', 'warning']);
  expect(body.message).toMatch(/corrier[ei]/);
  const ids: number[] = [];
  for (const detail of body.details) {
    expect(Object.keys(detail).toSorted()).toEqual(['carrierCompanyId', 'carrierName', 'code', 'message']);
    expect(detail.carrierName).toMatch(/\w/);
    // Italian, a whole sentence, and none of our own words.
    expect(detail.message).toMatch(/^[A-Z].*\b(il|la|le|un|una|non|di|i|nessun|massimo|servita)\b.*\.$/i);
    expect(detail.message).not.toMatch(/undefined|null|NaN|Infinity/);
    ids.push(detail.carrierCompanyId);
  }
  expect(ids).toEqual(ids.toSorted((a, b) => a - b));
  const reasons = body.details.map((detail: { carrierCompanyId: number; code: string }): [number, string] => [
    detail.carrierCompanyId,
    detail.code,
  ]);
  return [body.code, reasons];
}

const cents = (amount: unknown) => Math.round(Number(amount) * 100);

describe('the worked example', () => {
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

  test('costs the same as an order', async () => {
    const { caller, warehouseId, ids } = await newMerchant(SICILY);
    const [orderId] = await feedOrders(caller, {
      orderNumber: 'WORKED',
      warehouseId,
      parcels: [PARCEL],
      codAmount: 100,
      insuranceAmount: 200,
    });
    const { body } = await quote(caller, { orderId });
    expect(body).toStrictEqual([{ carrierCompanyId: ids[0], ...EXAMPLE }]);
  });

  test('without deliveryDays in the tariff has null', async () => {
    const { quote: ask } = await newMerchant(flat(5));
    expect((await onlyItem(ask())).estimatedDeliveryDays).toBeNull();
  });
});

describe('an order', () => {
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
    cod: { fixed: 1, percent: 1 },
    insurance: { percent: 2 },
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
    ['in Sicily', RECIPIENT, 20],
    ['in Milan', { address: 'Via Roma 1', postalCode: '20121', city: 'Milano', province: 'MI' }, 10],
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
  ])('%s', async (_what, ofOrder, sent, expected) => {
    const orderId = await orderWith(ofOrder);
    expect(await onlyItem(quote(shop.caller, { orderId, ...sent, carrierCompanyIds: [shop.ids[0]] }))).toMatchObject(
      expected,
    );
  });

  test('is quoted as the same shipment given by hand', async () => {
    const demo = await demoMerchant(await world.company());
    const parcels = [
      { ...PARCEL, quantity: 2 },
      { weight: 1.25, length: 60.5, width: 10, height: 12.25 },
    ];
    const [orderId] = await feedOrders(demo.caller, {
      orderNumber: 'SAME',
      warehouseId: demo.warehouseId,
      parcels,
      codAmount: '99.99',
      insuranceAmount: '250.5',
    });
    const terms = { options: ['phone_notice'], shipmentDate: '2026-06-15' };
    const ofOrder = await quote(demo.caller, { orderId, ...terms });
    const { province: _, ...destination } = PALERMO;
    const byHand = await demo.quote({ destination, parcels, codAmount: 99.99, insuranceAmount: 250.5, ...terms });
    expect(idsOf(ofOrder).length).toBeGreaterThan(1);
    expect(ofOrder.text).toBe(byHand.text);
  });
});

describe('totals', () => {
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

  test('are shared out exactly, and each parcel is rounded up by itself where the tariff says so', async () => {
    const own = await newMerchant(
      flat(5, { weight: { volumetric: { cm3PerKg: 5000 }, per: 'parcel', roundUpToKg: 0.5 } }),
      flat(5, { weight: { volumetric: { kgPerM3: 200 }, per: 'shipment', roundUpToKg: 0.5 } }),
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

  test('are held to limits of weight, not of sides', async () => {
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

describe('the order of items', () => {
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

  test('is the same for the same shipment asked at once many times', async () => {
    const shop = await demoMerchant(await world.company());
    const answers = await Promise.all(Array.from({ length: 30 }, () => shop.quote({ shipmentDate: '2026-06-15' })));
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
  });
});

describe('options', () => {
  const OPTIONS = [
    { code: 'zeta', description: 'Zeta', price: { fixed: 1.5 } },
    { code: 'per_parcel', description: 'Al piano', price: { perParcel: 2 } },
    { code: 'by_weight', description: 'A peso', price: { perKg: 0.105 } },
    { code: 'share', description: 'Percentuale', price: { percent: 10, of: ['base'] } },
    { code: 'greater', description: 'Il maggiore', price: { greaterOf: [{ fixed: 1 }, { perKg: 1 }] } },
    { code: 'alpha', description: 'Alfa', price: { fixed: 0 } },
    { code: 'heavy', description: 'Sponda', when: { fromKg: 50 }, price: { fixed: 15 } },
  ];
  const ALL = ['alpha', 'by_weight', 'greater', 'per_parcel', 'share', 'zeta'];
  let shop: Merchant;
  beforeAll(async () => {
    shop = await newMerchant(flat(5, { options: OPTIONS }));
  });

  test('have each their price, by code, and add up', async () => {
    const item = await onlyItem(shop.quote({ options: ALL.toReversed(), parcels: [{ ...PARCEL, quantity: 2 }] }));
    expect(item.carrierOptionsDetail).toStrictEqual([
      { code: 'alpha', price: 0, calculated: false, description: 'Alfa' },
      { code: 'by_weight', price: 2.27, calculated: true, description: 'A peso' },
      { code: 'greater', price: 21.6, calculated: true, description: 'Il maggiore' },
      { code: 'per_parcel', price: 4, calculated: false, description: 'Al piano' },
      { code: 'share', price: 0.5, calculated: true, description: 'Percentuale' },
      { code: 'zeta', price: 1.5, calculated: false, description: 'Zeta' },
    ]);
    expect(item.optionsPrice).toBe(29.87);
    expect(item.totalPrice).toBe(34.87);
  });

  test('in any order and twice are the same request', async () => {
    const once = await shop.quote({ options: ALL });
    expect((await shop.quote({ options: [...ALL.toReversed(), ...ALL, 'alpha', ' zeta '] })).text).toBe(once.text);
  });

  test.each([[undefined], [null], [[]]])('given as %j are none', async options => {
    expect(await onlyItem(shop.quote({ options }))).toMatchObject({ optionsPrice: 0, carrierOptionsDetail: [] });
  });

  test('that nobody offers are told of alike in any order', async () => {
    const answer = await shop.quote({ options: ['nobody', 'alpha', 'anybody'] });
    expect(warningOf(answer)[0]).toBe('OPTION_NOT_SUPPORTED');
    expect((await shop.quote({ options: ['anybody', 'nobody', 'alpha', 'nobody'] })).text).toBe(answer.text);
  });

  test('leave out the carriers that lack one', async () => {
    const own = await newMerchant(flat(1), flat(5, { options: OPTIONS }), flat(2));
    expect(idsOf(await own.quote())).toEqual([own.ids[0], own.ids[2], own.ids[1]]);
    expect(idsOf(await own.quote({ options: ['zeta'] }))).toEqual([own.ids[1]]);
  });

  test('are offered only where their condition holds', async () => {
    expect(warningOf(await shop.quote({ options: ['heavy'] }))[0]).toBe('OPTION_NOT_SUPPORTED');
    const item = await onlyItem(shop.quote({ options: ['heavy'], parcels: [{ ...PARCEL, weight: 50 }] }));
    expect(item.optionsPrice).toBe(15);
  });
});

describe('carrierCompanyIds', () => {
  let shop: Merchant;
  let strangers: Merchant;
  beforeAll(async () => {
    shop = await newMerchant(flat(1), flat(2), flat(3));
    strangers = await newMerchant(flat(0.5));
  });

  test('leaves the others out', async () => {
    const [a, , c] = shop.ids;
    expect(idsOf(await shop.quote({ carrierCompanyIds: [c, a] }))).toEqual([a, c]);
    expect(idsOf(await shop.quote({ carrierCompanyIds: [c, c] }))).toEqual([c]);
    expect(idsOf(await shop.quote({ carrierCompanyIds: null }))).toEqual(shop.ids);
  });

  test.each([
    ['an unknown one', () => 2_147_483_647],
    ['another company’s', () => strangers.ids[0]],
    ['zero', () => 0],
    ['a negative one', () => -1],
  ])('with %s still has the others, and alone nothing', async (_what, id) => {
    const [, b] = shop.ids;
    const alone = await shop.quote({ carrierCompanyIds: [b] });
    expect((await shop.quote({ carrierCompanyIds: [id(), b] })).text).toBe(alone.text);
    const nothing = await shop.quote({ carrierCompanyIds: [id()] });
    expect(warningOf(nothing)).toEqual(['NO_CARRIERS_CONNECTED', []]);
    expect(nothing.text).toBe((await shop.quote({ carrierCompanyIds: [2_147_483_646] })).text);
  });

  test('does not bring back an inactive one', async () => {
    const own = await newMerchant(flat(1));
    const off = await connectWith(own.caller, flat(2), 'GLS', false);
    expect(idsOf(await own.quote())).toEqual(own.ids);
    expect(warningOf(await own.quote({ carrierCompanyIds: [off] }))).toEqual(['NO_CARRIERS_CONNECTED', []]);
  });

  test('counts only its own reasons', async () => {
    const own = await newMerchant(null, flat(1, { limits: { parcelKg: 1 } }));
    const [a, b] = own.ids;
    expect(warningOf(await own.quote({ carrierCompanyIds: [b] }))).toEqual([
      'WEIGHT_OUT_OF_RANGE',
      [[b, 'WEIGHT_OUT_OF_RANGE']],
    ]);
    expect(warningOf(await own.quote({ carrierCompanyIds: [a] }))[0]).toBe('NO_TARIFF_IN_FORCE');
  });
});

describe('shipmentDate', () => {
  const versions = (...from: readonly string[]) =>
    from.map((validFrom, i) => ({ ...flat(i + 1).versions[0], label: `v${i + 1}`, validFrom }));

  test('picks the version in force, first and last days included', async () => {
    const [first, second] = versions('2020-01-01', '2021-07-01');
    const { quote: ask } = await newMerchant({
      name: 'Due versioni',
      versions: [first, { ...second, validUntil: '2021-12-31' }],
    });
    const priceOn = async (shipmentDate: string) => {
      const answer = await ask({ shipmentDate });
      return Array.isArray(answer.body) ? itemsOf(answer)[0]?.basePrice : warningOf(answer)[0];
    };
    expect(await priceOn('2019-12-31')).toBe('NO_TARIFF_IN_FORCE');
    expect(await priceOn('2020-01-01')).toBe(1);
    expect(await priceOn('2020-02-29')).toBe(1);
    expect(await priceOn('2021-06-30')).toBe(1);
    expect(await priceOn('2021-07-01')).toBe(2);
    expect(await priceOn('2021-12-31')).toBe(2);
    expect(await priceOn('2022-01-01')).toBe('NO_TARIFF_IN_FORCE');
  });

  test('is today in Italy where it is not given', async () => {
    const before = italianDay();
    const { quote: ask } = await newMerchant({
      name: 'Di giorno in giorno',
      versions: versions('2020-01-01', ...[-1, 0, 1, 2].map(italianDay)),
    });
    const prices = [
      (await onlyItem(ask())).basePrice,
      (await onlyItem(ask({ shipmentDate: null }))).basePrice,
      (await onlyItem(ask({ shipmentDate: italianDay() }))).basePrice,
    ];
    // Over midnight it may be tomorrow.
    const allowed = before === italianDay() ? [3] : [3, 4];
    for (const price of prices) expect(allowed).toContain(price);
  });

  test('picks the rate of fuel', async () => {
    const rates = [
      { from: '2020-01-01', percent: 10 },
      { from: '2026-02-01', percent: 20 },
    ];
    const { quote: ask } = await newMerchant(flat(5, { fuel: { description: 'Carburante', of: ['base'], rates } }));
    expect((await onlyItem(ask({ shipmentDate: '2026-01-31' }))).fuelPrice).toBe(0.5);
    expect((await onlyItem(ask({ shipmentDate: '2026-02-01' }))).fuelPrice).toBe(1);
  });

  test.each([
    ['2026-06-30T21:59:59Z', '2026-06-30'],
    ['2026-06-30T22:00:00Z', '2026-07-01'],
    ['2026-06-30T23:59:59.999+02:00', '2026-06-30'],
    ['2026-06-30T17:00:00-05:00', '2026-07-01'],
    ['2026-12-31T22:59:59Z', '2026-12-31'],
    ['2026-12-31T23:00:00Z', '2027-01-01'],
  ])('%s is %s', async (moment, day) => {
    const { quote: ask } = await newMerchant({ name: 'Giorni', versions: versions('2020-01-01', day) });
    expect((await onlyItem(ask({ shipmentDate: moment }))).basePrice).toBe(2);
    const { quote: later } = await newMerchant({
      name: 'Giorni',
      versions: [{ ...versions('2020-01-01')[0], validUntil: day }],
    });
    expect((await onlyItem(later({ shipmentDate: moment }))).basePrice).toBe(1);
  });
});

describe('a warning', () => {
  const zone = (fields: Fields) => [
    { code: 'italia', name: 'Italia', to: { countries: ['IT'] }, bands: [{ upToKg: 20, price: 5 }], ...fields },
  ];
  const NEED_COD = { codAmount: 100 };
  const NEED_INSURANCE = { insuranceAmount: 100 };
  const REASONS: [what: string, code: string, tariff: object | null, request: Fields, says: RegExp][] = [
    ['no zone', 'DESTINATION_NOT_SERVED', tariffWith({ zones: zone({ to: { regions: ['Lombardia'] } }) }), {}, /zona/],
    [
      'a zone not served',
      'DESTINATION_NOT_SERVED',
      tariffWith({ zones: zone({ bands: [], notServed: 'Sospesa per ferie' }) }),
      {},
      /Sospesa per ferie\.$/,
    ],
    [
      'another country',
      'DESTINATION_NOT_SERVED',
      flat(5),
      { destination: { country: 'FR', postalCode: '75001', city: 'Paris' } },
      /zona/,
    ],
    ['another origin', 'DESTINATION_NOT_SERVED', flat(5, { originCountries: ['FR', 'DE'] }), {}, /IT/],
    ['too heavy a parcel', 'WEIGHT_OUT_OF_RANGE', flat(5, { limits: { parcelKg: 3.9 } }), {}, /4 kg.*3,9 kg/],
    [
      'too heavy a shipment',
      'WEIGHT_OUT_OF_RANGE',
      flat(5, { limits: { shipmentKg: 30 } }),
      { parcels: [{ ...PARCEL, quantity: 8 }] },
      /32 kg.*30 kg/,
    ],
    [
      'beyond the last band',
      'WEIGHT_OUT_OF_RANGE',
      tariffWith({ zones: zone({ bands: [{ upToKg: 10, price: 5 }] }) }),
      {},
      /10,8 kg.*10 kg/,
    ],
    ['too long', 'DIMENSIONS_OUT_OF_RANGE', flat(5, { limits: { longestSideCm: 39.99 } }), {}, /40 cm.*39,99 cm/],
    ['too large in all', 'DIMENSIONS_OUT_OF_RANGE', flat(5, { limits: { sumOfSidesCm: 99.9 } }), {}, /100 cm.*99,9 cm/],
    [
      'too many parcels',
      'DIMENSIONS_OUT_OF_RANGE',
      flat(5, { limits: { parcels: 2 } }),
      { parcels: [{ ...PARCEL, quantity: 3 }] },
      /3.*2/,
    ],
    ['no cash on delivery', 'COD_NOT_SUPPORTED', flat(5), NEED_COD, /contrassegno/],
    [
      'too much cash',
      'COD_NOT_SUPPORTED',
      flat(5, { cod: { fixed: 1, maximumAmount: 99.99 } }),
      NEED_COD,
      /100,00.*99,99/,
    ],
    ['no insurance', 'INSURANCE_NOT_SUPPORTED', flat(5), NEED_INSURANCE, /assicurazione/],
    [
      'too high a value',
      'INSURANCE_NOT_SUPPORTED',
      flat(5, { insurance: { percent: 1, maximumAmount: 99.99 } }),
      NEED_INSURANCE,
      /100,00.*99,99/,
    ],
    ['no such option', 'OPTION_NOT_SUPPORTED', flat(5), { options: ['saturday'] }, /saturday/],
    [
      'an option not for this shipment',
      'OPTION_NOT_SUPPORTED',
      flat(5, { options: [{ code: 'saturday', description: 'Sabato', when: { fromKg: 50 }, price: { fixed: 1 } }] }),
      { options: ['saturday'] },
      /saturday/,
    ],
    ['no tariff at all', 'NO_TARIFF_IN_FORCE', null, {}, /listino/],
    ['a tariff that ended', 'NO_TARIFF_IN_FORCE', flat(5, { validUntil: '2020-12-31' }), {}, /listino/],
    ['a tariff yet to come', 'NO_TARIFF_IN_FORCE', flat(5, { validFrom: '2098-01-01' }), {}, /listino/],
  ];

  test.each(REASONS)('says of %s: %s', async (_what, code, tariff, request, says) => {
    const { ids, quote: ask } = await newMerchant(tariff, tariff);
    const answer = await ask(request);
    expect(warningOf(answer)).toEqual([code, ids.map(id => [id, code])]);
    for (const { message, carrierName } of answer.body.details) {
      expect(message).toMatch(says);
      expect(carrierName).toBe('BRT');
    }
  });

  test.each(REASONS)('is none where one other connection applies: %s', async (_what, _code, tariff, request) => {
    const anything = {
      cod: { fixed: 1 },
      insurance: { percent: 1 },
      options: [{ code: 'saturday', description: 'Sabato', price: { fixed: 1 } }],
      zones: zone({ to: { anywhere: true }, bands: [{ upToKg: 1000, price: 5 }] }),
    };
    const { ids, quote: ask } = await newMerchant(tariff, tariffWith(anything));
    expect(idsOf(await ask(request))).toEqual([ids[1]]);
  });

  test('of a company without connections', async () => {
    const { caller, quote: ask } = await newMerchant();
    expect(warningOf(await ask())).toEqual(['NO_CARRIERS_CONNECTED', []]);
    await connectWith(caller, flat(5), 'BRT', false);
    expect(warningOf(await ask())).toEqual(['NO_CARRIERS_CONNECTED', []]);
  });

  test('says of a price beyond reckoning that it is, in no nonsense of numbers', async () => {
    const dear = zone({ bands: [{ upToKg: 0.001, price: 100_000 }], beyond: { everyKg: 0.001, price: 100_000 } });
    const { ids, quote: ask } = await newMerchant(
      tariffWith({ zones: dear, weight: { per: 'shipment', roundUpToKg: 0.001 } }),
    );
    const parcels = [{ ...PARCEL, weight: 200, quantity: 500 }];
    expect(warningOf(await ask({ parcels }))).toEqual(['WEIGHT_OUT_OF_RANGE', [[ids[0], 'WEIGHT_OUT_OF_RANGE']]]);
    // Its step is a gram: 0.1 kg are 100 × 100,000.00, the dearest that is priced.
    const most = { ...PARCEL, weight: 0.1 };
    expect(await onlyItem(ask({ parcels: [most] }))).toMatchObject({ totalPrice: 1e7, totalPriceWithVat: 1.22e7 });
    expect(warningOf(await ask({ parcels: [{ ...most, weight: 0.101 }] }))[0]).toBe('WEIGHT_OUT_OF_RANGE');
  });

  test('of different reasons is NO_CARRIER_AVAILABLE and keeps each', async () => {
    const { ids, quote: ask } = await newMerchant(
      null,
      flat(5, { limits: { parcelKg: 1 } }),
      flat(5, { limits: { longestSideCm: 1 } }),
      flat(5, { limits: { parcelKg: 1 } }),
      flat(5, { originCountries: ['FR'] }),
    );
    expect(warningOf(await ask())).toEqual([
      'NO_CARRIER_AVAILABLE',
      [
        [ids[0], 'NO_TARIFF_IN_FORCE'],
        [ids[1], 'WEIGHT_OUT_OF_RANGE'],
        [ids[2], 'DIMENSIONS_OUT_OF_RANGE'],
        [ids[3], 'WEIGHT_OUT_OF_RANGE'],
        [ids[4], 'DESTINATION_NOT_SERVED'],
      ],
    ]);
  });

  test('names each carrier as people know it', async () => {
    const caller = await world.company();
    const own = await merchant(caller);
    for (const code of ['GLS', 'DHL', 'POSTE']) await connectCarrier(caller, code);
    const { body } = await own.quote();
    expect(body.details.map(({ carrierName }: { carrierName: string }) => carrierName)).toEqual([
      'GLS Italy',
      'DHL Express',
      'Poste Italiane',
    ]);
  });

  test('gives way to a quote as soon as a tariff is imported', async () => {
    const { caller, ids, quote: ask } = await newMerchant(null);
    expect(warningOf(await ask())[0]).toBe('NO_TARIFF_IN_FORCE');
    await importTariff(caller, ids[0] as number, flat(7));
    await vi.waitFor(async () => expect((await onlyItem(ask())).basePrice).toBe(7), { timeout: 1000, interval: 5 });
  });
});

describe('limits include what they name', () => {
  test.each<[string, Fields]>([
    ['parcelKg', { parcelKg: 4 }],
    ['shipmentKg', { shipmentKg: 4 }],
    ['longestSideCm', { longestSideCm: 40 }],
    ['sumOfSidesCm', { sumOfSidesCm: 100 }],
    ['parcels', { parcels: 1 }],
  ])('%s', async (_what, limits) => {
    const { ids, quote: ask } = await newMerchant(flat(5, { limits }));
    expect(idsOf(await ask())).toEqual(ids);
  });

  test('bands, to the gram', async () => {
    const bands = [
      { upToKg: 3, price: 1 },
      { upToKg: 5, price: 2 },
    ];
    const zones = [
      { code: 'italia', name: 'Italia', to: { countries: ['IT'] }, bands, beyond: { everyKg: 2, price: 0.5 } },
    ];
    const { quote: ask } = await newMerchant(tariffWith({ zones, weight: { per: 'shipment', roundUpToKg: 0.001 } }));
    const priceAt = async (weight: number) =>
      (await onlyItem(ask({ parcels: [{ weight, length: 1, width: 1, height: 1 }] }))).basePrice;
    expect(await priceAt(0.001)).toBe(1);
    expect(await priceAt(3)).toBe(1);
    expect(await priceAt(3.001)).toBe(2);
    expect(await priceAt(5)).toBe(2);
    expect(await priceAt(5.001)).toBe(2.5);
    expect(await priceAt(7)).toBe(2.5);
    expect(await priceAt(7.001)).toBe(3);
  });

  test('conditions of surcharges: "over" leaves it out, "from" takes it in', async () => {
    const when = (fixed: number, condition: Fields) => ({
      code: `s${fixed}`,
      description: 'Supplemento',
      when: condition,
      price: { fixed },
    });
    const surcharges = [
      when(1, { longestSideOverCm: 40 }),
      when(2, { sumOfSidesOverCm: 100 }),
      when(4, { fromKg: 20 }),
      when(8, { parcelFromKg: 20 }),
    ];
    const { quote: ask } = await newMerchant(flat(5, { surcharges }));
    const charged = async (fields: Fields) =>
      (await onlyItem(ask({ parcels: [{ ...PARCEL, ...fields }] }))).surchargesPrice;
    expect(await charged({})).toBe(0);
    expect(await charged({ length: 40.01 })).toBe(3);
    expect(await charged({ length: 39.99, width: 30.02 })).toBe(2);
    expect(await charged({ weight: 19.9 })).toBe(0);
    expect(await charged({ weight: 19.95 })).toBe(4);
    expect(await charged({ weight: 20 })).toBe(12);
    expect(await charged({ weight: 10, quantity: 2 })).toBe(4);
  });

  test('amounts', async () => {
    const { ids, quote: ask } = await newMerchant(
      flat(5, { cod: { fixed: 1, maximumAmount: 99.99 }, insurance: { percent: 1, maximumAmount: 99.99 } }),
    );
    expect(idsOf(await ask({ codAmount: 99.99, insuranceAmount: 99.99 }))).toEqual(ids);
  });
});

describe('money adds up', () => {
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
          const codes = new Set(reasons.map(([, reason]) => reason));
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
      { numRuns: 200, seed: 20_261_121 },
    );
    // It was about something.
    expect(items).toBeGreaterThan(200);
    expect(options).toBeGreaterThan(20);
    expect(warnings).toBeGreaterThan(5);
  });
});
