import { beforeAll, describe, expect, test } from 'vitest';
import {
  connectWith,
  demoMerchant,
  type Fields,
  flat,
  type Merchant,
  MILANO,
  merchantsOf,
  PALERMO,
  PARCEL,
  tariffWith,
} from '../rest/tariffs.ts';
import { ask, askNodes, feedOrders } from '../support/platform-side.ts';
import { type Caller, useSharedWorld } from '../support/world.ts';
import { listOf, onlyItem, quoteGraph } from './quote-calls.ts';

const world = useSharedWorld();
const newMerchant = merchantsOf(world);

async function documentOf(caller: Caller, tariffId: number): Promise<unknown> {
  return (
    await ask<{ document: unknown }>(caller, 'query ($id: ID!) { tariff(id: $id) { document } }', { id: tariffId })
  ).document;
}

/** The value at an RFC 6901 pointer; undefined if there is none. */
function at(document: unknown, pointer: string): unknown {
  if (pointer === '') return document;
  expect(pointer).toMatch(/^\//);
  return pointer
    .slice(1)
    .split('/')
    .map(step => step.replaceAll('~1', '/').replaceAll('~0', '~'))
    .reduce((value: unknown, step) => (value as Record<string, unknown> | undefined)?.[step], document);
}

describe('The explanation of a price', () => {
  test('beyond the last band counts the started steps', async () => {
    const zones = [
      {
        code: 'italia',
        name: 'Italia',
        to: { countries: ['IT'] },
        bands: [
          { upToKg: 5, price: 4 },
          { upToKg: 10, price: 6 },
        ],
        beyond: [{ everyKg: 2.5, price: 1.1 }],
      },
    ];
    const { caller, body } = await newMerchant(
      tariffWith({ zones, weight: { per: 'parcel', roundUp: [{ toKg: 0.5 }] } }),
    );
    const { explanation, basePrice, volumetricWeight } = await onlyItem(
      caller,
      body({ parcels: [{ ...PARCEL, weight: 15.1 }] }),
    );
    expect([basePrice, volumetricWeight]).toEqual(['9.3', '0']);
    expect(explanation.band).toEqual({
      overKg: '5',
      upToKg: '10',
      price: '6',
      steps: 3,
      stepKg: '2.5',
      stepPrice: '1.1',
    });
    expect(explanation.lines[0]).toMatchObject({
      amount: '9.3',
      calculation: 'up to 10 kg: 6.00, and 3 × 1.10 for each 2.5 kg begun beyond',
      rule: '/versions/0/zones/0/bands/1',
    });
    expect(explanation.weight).toBe('real 15.1 kg, of each parcel, rounded up to 0.5 kg: 15.5 kg');
    const first = await onlyItem(caller, body({ parcels: [{ ...PARCEL, weight: 5 }] }));
    expect(first.explanation.band).toMatchObject({ overKg: '0', upToKg: '5', steps: 0, stepKg: '2.5' });
  });

  test('has the calculation of every kind of charge', async () => {
    const surcharges = [
      { code: 'per_kg', description: 'A peso', price: { fixed: 12, perKg: 0.15 } },
      { code: 'per_parcel', description: 'A collo', price: { perParcel: 0.5 } },
      {
        code: 'greater',
        description: 'Il maggiore',
        price: { greaterOf: [{ fixed: 3 }, { percent: 50, of: ['base', 'per_kg'] }] },
      },
      { code: 'bounded', description: 'Limitato', price: { percent: 100, of: ['base'], minimum: 1, maximum: 2.5 } },
      { code: 'elsewhere', description: 'Altrove', when: { to: { regions: ['Lazio'] } }, price: { fixed: 99 } },
      { code: 'of_nothing', description: 'Di niente', price: { percent: 10, of: ['elsewhere'] } },
    ];
    const insurance = [
      { code: 'insurance', description: 'I', price: { percent: 1.5, of: ['insuredValue'], above: 50 } },
    ];
    const { caller, body } = await newMerchant(flat(5, { surcharges, insurance }));
    const { explanation, surchargesPrice } = await onlyItem(
      caller,
      body({ parcels: [{ ...PARCEL, weight: 20, quantity: 2 }], insuranceAmount: 150 }),
    );
    expect(explanation.lines.map(({ code, amount, calculation }) => [code, amount, calculation])).toEqual([
      ['base', '5', 'up to 100000 kg: 5.00'],
      ['per_kg', '18', '12.00 + 0.15 × 40 kg'],
      ['per_parcel', '1', '0.50 × 2 parcels'],
      ['greater', '11.5', 'the greater of 3.00 and 50 % of 23.00 (base + per_kg)'],
      ['bounded', '2.5', '100 % of 5.00 (base), at least 1.00, at most 2.50'],
      ['of_nothing', '0', '10 % of 0.00 (nothing)'],
      ['insurance', '1.5', '1.5 % of 100.00 (150.00 less 50.00)'],
    ]);
    expect(surchargesPrice).toBe('33');
  });

  test('has a note about VAT if there is a legal ground', async () => {
    const { caller, body } = await newMerchant(flat(5));
    const livigno = { postalCode: '23041', city: 'Livigno', province: 'SO' };
    const item = await onlyItem(caller, body({ destination: livigno }));
    expect([item.vatRate, item.vatAmount]).toEqual(['0', '0']);
    expect(item.explanation.vatNote).toMatch(/633\/72/);
    expect((await onlyItem(caller, body())).explanation.vatNote).toBeNull();
    // Another place of that name pays VAT.
    const elsewhere = await onlyItem(caller, body({ destination: { ...MILANO, city: 'Livigno' } }));
    expect([elsewhere.vatRate, elsewhere.explanation.vatNote]).toEqual(['22', null]);
  });

  test('of a CAP of San Marino written as Italian names the zone and the VAT of San Marino', async () => {
    const zones = [
      { code: 'italia', name: 'Italia', to: { countries: ['IT'] }, bands: [{ upToKg: 100, price: 5 }] },
      { code: 'sm', name: 'San Marino', to: { countries: ['SM'] }, bands: [{ upToKg: 100, price: 9 }] },
    ];
    const { caller, body } = await newMerchant(tariffWith({ zones }));
    const item = await onlyItem(
      caller,
      body({ destination: { country: 'IT', postalCode: '47890', city: 'San Marino' } }),
    );
    expect(item.explanation.zone).toMatchObject({ code: 'sm', ruleKind: 'country', place: 'SM' });
    expect([item.vatRate, item.explanation.vatNote]).toEqual(['0', expect.stringMatching(/artt. 71 e 72/)]);
  });

  describe('names the rule that chose the zone', () => {
    const zone = (code: string, to: Fields) => ({ code, name: code, to, bands: [{ upToKg: 100, price: 5 }] });
    const ZONES = [
      zone('altrove', { anywhere: true }),
      zone('ue', { countries: ['EU'] }),
      zone('paesi', { countries: ['CH', 'IT'] }),
      zone('regione', { regions: ['Lazio', 'Sicilia'] }),
      zone('provincia', { provinces: ['MI', 'Agrigento'] }),
      zone('comune', { municipalities: ['Assago', 'Cefalù (PA)', 'Lipari (ME 98055)'] }),
      zone('intervallo', { postalCodes: ['57030-57039', '9013*'] }),
      zone('cap', { postalCodes: ['57034', 'FR 75001', '47890-47899'] }),
    ];
    let shop: Merchant;
    beforeAll(async () => {
      shop = await newMerchant(tariffWith({ zones: ZONES }));
    });

    test.each<[Fields, kind: string, zone: string, place: string, rule: string]>([
      [{ postalCode: '57034', city: 'Marciana', province: 'LI' }, 'postal_code', 'cap', '57034', '/7/to/postalCodes/0'],
      [
        { postalCode: '57035', city: 'Marciana', province: 'LI' },
        'postal_code_range',
        'intervallo',
        '57030-57039',
        '/6/to/postalCodes/0',
      ],
      [
        { postalCode: '90015', city: "cefalu'", province: 'PA' },
        'municipality',
        'comune',
        'Cefalù (PA)',
        '/5/to/municipalities/1',
      ],
      [{ ...MILANO }, 'province', 'provincia', 'MI', '/4/to/provinces/0'],
      [{ postalCode: '95121', city: 'Catania' }, 'region', 'regione', 'Sicilia', '/3/to/regions/1'],
      [{ postalCode: '10121', city: 'Torino', province: 'TO' }, 'country', 'paesi', 'IT', '/2/to/countries/1'],
      [{ country: 'DE', postalCode: '10115', city: 'Berlin' }, 'country_group', 'ue', 'EU', '/1/to/countries/0'],
      [{ country: 'US', postalCode: '10001', city: 'New York' }, 'default', 'altrove', 'anywhere', '/0/to/anywhere'],
    ])('for %j: %s', async (destination, ruleKind, code, place, rule) => {
      const { explanation } = await onlyItem(shop.caller, shop.body({ destination }));
      expect(explanation.zone).toEqual({ code, name: code, ruleKind, place, rule: `/versions/0/zones${rule}` });
      const document = await documentOf(shop.caller, explanation.tariffId);
      expect(at(document, explanation.zone.rule)).toBe(ruleKind === 'default' ? true : place);
    });
  });

  test('points at rules of the exported tariff', async () => {
    const shop = await demoMerchant(await world.company());
    const documents = new Map<number, Promise<unknown>>();
    const exported = (tariffId: number) => {
      const document = documents.get(tariffId) ?? documentOf(shop.caller, tariffId);
      documents.set(tariffId, document);
      return document;
    };
    const destinations: Fields[] = [
      PALERMO,
      MILANO,
      { postalCode: '23041', city: 'Livigno', province: 'SO' },
      { postalCode: '57030', city: 'Marciana', province: 'LI' },
      { country: 'FR', postalCode: '75001', city: 'Paris' },
      { country: 'US', postalCode: '10001', city: 'New York' },
    ];
    const requests: Fields[] = [
      {},
      { codAmount: 100, insuranceAmount: 200, options: ['phone_notice'] },
      {
        parcels: [{ weight: 60, length: 170, width: 80, height: 90 }],
        options: ['saturday'],
        shipmentDate: '2026-06-15',
      },
      { parcels: [{ ...PARCEL, quantity: 60 }], shipmentDate: '2025-06-15' },
      { codAmount: 10_000 },
      { options: ['unheard_of'] },
    ];
    let rules = 0;
    for (const destination of destinations) {
      for (const request of requests) {
        const result = await quoteGraph(shop.caller, shop.body({ destination, ...request }));
        for (const { explanation } of result.items ?? []) {
          const document = await exported(explanation.tariffId);
          const version = at(document, explanation.zone.rule.split('/').slice(0, 3).join('/')) as Fields;
          expect([version.label, version.validFrom]).toEqual([explanation.version, explanation.validFrom]);
          const zone = at(document, explanation.zone.rule.split('/').slice(0, 5).join('/')) as Fields;
          expect([zone.code, zone.name]).toEqual([explanation.zone.code, explanation.zone.name]);
          expect(at(document, explanation.zone.rule)).toBe(explanation.zone.place);
          for (const line of explanation.lines) {
            const rule = at(document, line.rule) as Fields;
            expect([line.rule, typeof rule]).toEqual([line.rule, 'object']);
            if (line.component === 'base') expect(rule.upToKg).toBe(Number(explanation.band.upToKg));
            else if ('code' in rule) expect([rule.code, rule.description]).toEqual([line.code, line.description]);
            rules++;
          }
          expect(explanation.lines[0]?.code).toBe('base');
        }
        for (const { code, rule, carrierConnectionId, version } of result.excluded ?? result.details) {
          const tariffId = await tariffIdOf(shop.caller, carrierConnectionId);
          const document = await exported(tariffId);
          expect(rule).toMatch(/^\/versions/);
          // A service that is not offered has no rule: then the version that lacks it is named.
          const lacks = /\/(cod|insurance)$/.test(rule) && at(document, rule) === undefined;
          if (!lacks) expect([code, rule, at(document, rule) === undefined]).toEqual([code, rule, false]);
          if (code !== 'NO_TARIFF_IN_FORCE')
            expect((at(document, rule.split('/').slice(0, 3).join('/')) as Fields).label).toBe(version);
          rules++;
        }
      }
    }
    expect(rules).toBeGreaterThan(200);
  });

  async function tariffIdOf(caller: Caller, carrierConnectionId: number): Promise<number> {
    const all = await askNodes<{ id: number; carrierConnectionId: number }>(
      caller,
      '{ tariffs { nodes { id: databaseId carrierConnectionId } } }',
    );
    return all.find(one => one.carrierConnectionId === carrierConnectionId)?.id ?? 0;
  }
});

describe('An excluded connection', () => {
  test('is listed beside the items, with its rule and the version', async () => {
    const { caller, ids, body } = await newMerchant(
      null,
      flat(5, { limits: { parcelKg: 1 }, label: 'Leggera' }),
      flat(7),
      flat(5, { validUntil: '2020-12-31' }),
      flat(5, { label: 'Senza sabato' }),
      flat(4, { options: [{ code: 'saturday', description: 'Sabato', price: { fixed: 1 } }] }),
    );
    const { items, excluded, notices } = await listOf(caller, body());
    expect(items.map(({ carrierConnectionId }) => carrierConnectionId)).toEqual([ids[5], ids[4], ids[2]]);
    expect(excluded).toEqual([
      {
        carrierConnectionId: ids[0],
        carrierName: 'BRT',
        code: 'NO_TARIFF_IN_FORCE',
        message: expect.stringMatching(/listino/),
        version: null,
        rule: '',
      },
      {
        carrierConnectionId: ids[1],
        carrierName: 'BRT',
        code: 'WEIGHT_OUT_OF_RANGE',
        message: expect.stringMatching(/4 kg/),
        version: 'Leggera',
        rule: '/versions/0/limits/parcelKg',
      },
      {
        carrierConnectionId: ids[3],
        carrierName: 'BRT',
        code: 'NO_TARIFF_IN_FORCE',
        message: expect.stringMatching(/listino/),
        version: null,
        rule: '/versions',
      },
    ]);
    expect(notices).toEqual([]);
    const saturday = await listOf(caller, body({ options: ['saturday'] }));
    expect(saturday.items.map(({ carrierConnectionId }) => carrierConnectionId)).toEqual([ids[5]]);
    expect(saturday.excluded.find(({ carrierConnectionId }) => carrierConnectionId === ids[4])).toMatchObject({
      code: 'OPTION_NOT_SUPPORTED',
      version: 'Senza sabato',
      rule: '/versions/0/options',
    });
  });

  test.each<[string, Fields, Fields, rule: string]>([
    ['origin', { originCountries: ['FR'] }, {}, '/versions/0/originCountries'],
    ['zones', {}, { destination: { country: 'FR', postalCode: '75001', city: 'Paris' } }, '/versions/0/zones'],
    ['shipmentKg', { limits: { shipmentKg: 1 } }, {}, '/versions/0/limits/shipmentKg'],
    ['longestSideCm', { limits: { longestSideCm: 1 } }, {}, '/versions/0/limits/longestSideCm'],
    ['sumOfSidesCm', { limits: { sumOfSidesCm: 1 } }, {}, '/versions/0/limits/sumOfSidesCm'],
    ['parcels', { limits: { parcels: 1 } }, { parcels: [{ ...PARCEL, quantity: 2 }] }, '/versions/0/limits/parcels'],
    ['no cod', {}, { codAmount: 1 }, '/versions/0/cod'],
    [
      'cod',
      { cod: [{ code: 'cod', description: 'C', when: { codAmount: { upTo: 5 } }, price: { fixed: 1 } }] },
      { codAmount: 6 },
      '/versions/0/cod/0/when/codAmount',
    ],
    ['no insurance', {}, { insuranceAmount: 1 }, '/versions/0/insurance'],
    [
      'insurance',
      {
        insurance: [
          {
            code: 'insurance',
            description: 'I',
            when: { insuredValue: { upTo: 5 } },
            price: { percent: 1, of: ['insuredValue'] },
          },
        ],
      },
      { insuranceAmount: 6 },
      '/versions/0/insurance/0/when/insuredValue',
    ],
    [
      'an option’s condition',
      {
        options: [
          { code: 'a', description: 'A', price: { fixed: 1 } },
          { code: 'b', description: 'B', when: { chargeableKg: { from: 50 } }, price: { fixed: 1 } },
        ],
      },
      { options: ['a', 'b'] },
      '/versions/0/options/1/when',
    ],
  ])('by %s is a warning with its rule', async (_what, version, request, rule) => {
    const { caller, body } = await newMerchant(flat(5, version));
    const result = await quoteGraph(caller, body(request));
    expect(result.__typename).toBe('QuoteWarning');
    expect(result.details).toMatchObject([{ rule, version: '2020' }]);
    expect(result.code).toBe(result.details[0]?.code);
  });

  test('is missing from the warning for a company without connections', async () => {
    const { caller, body } = await newMerchant();
    expect(await quoteGraph(caller, body())).toMatchObject({
      __typename: 'QuoteWarning',
      warning: true,
      code: 'NO_CARRIERS_CONNECTED',
      details: [],
      notices: [],
    });
  });
});

describe('A notice', () => {
  test('reports an unknown province', async () => {
    const { caller, body } = await newMerchant(flat(5));
    const { notices } = await listOf(caller, body({ destination: { ...PALERMO, province: 'ZZ' } }));
    expect(notices).toEqual([
      {
        code: 'unknown_province',
        pointer: '/shipment/parcels/destination/province',
        message: expect.stringContaining('ZZ'),
      },
    ]);
    // Abroad a province is whatever it is.
    const abroad = await quoteGraph(
      caller,
      body({ destination: { country: 'FR', postalCode: '75001', city: 'Paris', province: 'ZZ' } }),
    );
    expect(abroad.notices).toEqual([]);
  });

  test('about an order’s province points at the order', async () => {
    const { caller, warehouseId } = await newMerchant(flat(5));
    const [orderId] = await feedOrders(caller, {
      orderNumber: 'PROVINCE',
      warehouseId,
      parcels: [PARCEL],
      recipient: { address: 'Via Roma 1', postalCode: '20121', city: 'Milano', province: 'Lombardy' },
    });
    expect((await listOf(caller, { orderId: orderId as number })).notices).toMatchObject([
      { code: 'unknown_province', pointer: '/shipment/orderId' },
    ]);
  });

  test('reports unknown connections, such as another company’s, also beside a warning', async () => {
    const { caller, ids, body } = await newMerchant(flat(5));
    const strangers = await newMerchant(flat(5));
    const notice = (id: unknown) => ({
      code: 'carrier_connection_not_found',
      pointer: '/carrierConnectionIds',
      message: `${id} is not an active carrier connection of the company.`,
    });
    const off = await connectWith(caller, flat(1), 'BRT', false);
    const unknown = [strangers.ids[0], 2_147_483_647, off];
    const { notices } = await listOf(caller, body({ carrierConnectionIds: [ids[0], ...unknown, off] }));
    expect(notices).toEqual(unknown.map(notice));
    const alone = await quoteGraph(caller, body({ carrierConnectionIds: unknown }));
    expect(alone).toMatchObject({ __typename: 'QuoteWarning', code: 'NO_CARRIERS_CONNECTED', details: [] });
    expect(alone.notices).toEqual(unknown.map(notice));
  });
});
