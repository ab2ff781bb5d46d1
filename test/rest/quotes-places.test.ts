import { beforeAll, describe, expect, test } from 'vitest';
import { createWarehouse, feedOrders } from '../support/platform-side.ts';
import { wrongFields } from '../support/rest-client.ts';
import { useSharedWorld } from '../support/world.ts';
import { onlyItem, warningOf } from './quote-items.ts';
import { type Fields, flat, type Merchant, merchantsOf, PARCEL, quote, tariffWith } from './tariffs.ts';

const world = useSharedWorld();
const newMerchant = merchantsOf(world);

const zone = (code: string, price: number, to: Fields) => ({ code, name: code, to, bands: [{ upToKg: 100, price }] });
let orders = 0;

/** The only item for a destination, in both modes. */
async function bothWays(shop: Merchant, destination: Fields) {
  const { country: countryCode = 'IT', ...place } = destination;
  const [orderId] = await feedOrders(shop.caller, {
    orderNumber: `PLACE-${++orders}`,
    warehouseId: shop.warehouseId,
    parcels: [PARCEL],
    recipient: { address: 'Via Roma 1', countryCode, ...place },
  });
  const [byHand, ofOrder] = [await shop.quote({ destination }), await quote(shop.caller, { orderId })];
  return { byHand, ofOrder };
}

describe('San Marino and the Vatican', () => {
  /** A country apart, and its CAPs as a range of Italian ones; prices tell which. */
  const byCountry = [
    zone('italia', 10, { countries: ['IT'], postalCodes: ['47*', '001*'] }),
    zone('ue', 15, { countries: ['EU'] }),
    zone('fuori', 20, { countries: ['SM', 'VA'] }),
  ];
  const byCap = [
    zone('italia', 10, { countries: ['IT'] }),
    zone('fuori', 20, { postalCodes: ['47890-47899', '00120'] }),
  ];
  let shops: Merchant[];
  beforeAll(async () => {
    shops = [await newMerchant(tariffWith({ zones: byCountry })), await newMerchant(tariffWith({ zones: byCap }))];
  });

  test.each<[destination: Fields, base: number, vat: number]>([
    [{ country: 'IT', postalCode: '47890', city: 'San Marino' }, 20, 0],
    [{ postalCode: '47899', city: 'Serravalle', province: 'RN' }, 20, 0],
    [{ country: 'SM', postalCode: '47890', city: 'San Marino', province: 'RSM' }, 20, 0],
    [{ country: 'VA', postalCode: '00120', city: 'Città del Vaticano' }, 20, 0],
    [{ postalCode: '47900', city: 'Rimini', province: 'RN' }, 10, 22],
  ])(
    'are priced: %j costs %d, with VAT of %d percent, however the tariff names the place',
    async (destination, basePrice, vatRate) => {
      for (const shop of shops) {
        const { byHand, ofOrder } = await bothWays(shop, destination);
        expect(await onlyItem(Promise.resolve(byHand))).toMatchObject({ basePrice, vatRate });
        expect(ofOrder.text).toBe(byHand.text);
      }
    },
  );

  test('are not served by a tariff for Italy alone', async () => {
    const { byHand } = await bothWays(await newMerchant(flat(5)), { postalCode: '47890', city: 'San Marino' });
    expect(warningOf(byHand)[0]).toBe('DESTINATION_NOT_SERVED');
  });

  test.each<[country: string, postalCode: string, served: boolean]>([
    ['IT', '47891', false],
    ['SM', '47891', false],
    ['IT', '47921', true],
  ])(
    'are outside Italy as the place of a warehouse: one in %s %s ships from Italy: %s',
    async (country, postalCode, served) => {
      const shop = await newMerchant(flat(5, { originCountries: ['IT'] }));
      const warehouseId = await createWarehouse(shop.caller, { country, postalCode, city: 'Dogana' });
      const answer = await shop.quote({ warehouseId });
      if (served) expect((await onlyItem(Promise.resolve(answer))).basePrice).toBe(5);
      else expect(warningOf(answer)[0]).toBe('DESTINATION_NOT_SERVED');
    },
  );
});

describe('A CAP that provinces share', () => {
  const zones = [
    zone('italia', 10, { countries: ['IT'] }),
    zone('liguria', 20, { regions: ['Liguria'] }),
    zone('cuneo', 30, { provinces: ['CN'] }),
    zone('sardegna', 40, { regions: ['Sardegna'] }),
    zone('nuoro', 50, { provinces: ['NU'] }),
  ];
  let shop: Merchant;
  let indifferent: Merchant;
  beforeAll(async () => {
    shop = await newMerchant(tariffWith({ zones }));
    indifferent = await newMerchant(flat(7));
  });

  test.each<[destination: Fields, base: number, why: string]>([
    [{ postalCode: '12071', city: 'Bagnasco' }, 30, 'of Cuneo'],
    [{ postalCode: '12071', city: 'Massimino' }, 20, 'of Savona'],
    [{ postalCode: '12071', city: 'Massimino', province: 'CN' }, 30, 'the province given comes first'],
    [{ postalCode: '18025', city: 'Somewhere (IM)' }, 20, 'as the city says'],
    [{ postalCode: '08020', city: 'Posada', province: 'Nuoro' }, 50, 'as given'],
    [{ postalCode: '08045', city: 'Lanusei', province: 'OG' }, 50, 'Nuoro’s until 2025'],
    [{ postalCode: '07026', city: 'Olbia' }, 40, 'OT and SS are in one zone'],
  ])('has prices by province: %j costs %d: %s', async (destination, basePrice) => {
    const { byHand, ofOrder } = await bothWays(shop, destination);
    expect(await onlyItem(Promise.resolve(byHand))).toMatchObject({ basePrice });
    expect(ofOrder.text).toBe(byHand.text);
  });

  test.each<[destination: Fields, provinces: string]>([
    [{ postalCode: '12071', city: 'Somewhere' }, 'CN, SV'],
    [{ postalCode: '18025', city: 'Somewhere', province: '' }, 'CN, IM'],
    [{ postalCode: '08020', city: 'Posada', province: null }, 'NU, OT, SS'],
  ])('needs the province: %j, where the price depends on which of %s it is in', async (destination, provinces) => {
    const { byHand, ofOrder } = await bothWays(shop, destination);
    expect(warningOf(byHand)).toEqual(['PROVINCE_NEEDED', [[shop.ids[0], 'PROVINCE_NEEDED']]]);
    expect(byHand.body.details[0].message).toBe(
      `Il CAP ${destination.postalCode} appartiene a più province (${provinces}) con condizioni diverse: indicare la provincia.`,
    );
    expect(ofOrder.text).toBe(byHand.text);
  });

  test('is quoted without a province on the connections whose price does not depend on it', async () => {
    const destination = { postalCode: '12071', city: 'Somewhere' };
    expect(await onlyItem(indifferent.quote({ destination }))).toMatchObject({ basePrice: 7 });
    const both = await newMerchant(tariffWith({ zones }), flat(7));
    expect(await onlyItem(both.quote({ destination }))).toMatchObject({ carrierCompanyId: both.ids[1], basePrice: 7 });
  });

  test('is excluded for another reason if the connection has no price in any of the provinces', async () => {
    const closed = (code: string, to: Fields) => ({
      ...zone(code, 1, to),
      bands: [],
      notServed: `Zona ${code} chiusa`,
    });
    const light = (code: string, to: Fields) => ({ ...zone(code, 1, to), bands: [{ upToKg: 0.1, price: 1 }] });
    const cuneo = { provinces: ['CN'] };
    const liguria = { regions: ['Liguria'] };
    const closedInBoth = tariffWith({ zones: [closed('cuneo', cuneo), closed('liguria', liguria)] });
    const lightOrClosed = tariffWith({ zones: [light('cuneo', cuneo), closed('liguria', liguria)] });
    const { ids, quote: ask } = await newMerchant(closedInBoth, lightOrClosed);
    const answer = await ask({ destination: { postalCode: '12071', city: 'Somewhere' } });
    expect(warningOf(answer)[1]).toEqual([
      [ids[0], 'DESTINATION_NOT_SERVED'],
      [ids[1], 'WEIGHT_OUT_OF_RANGE'],
    ]);
  });

  test('needs the province also if only a surcharge, VAT or the service differs', async () => {
    const destination = { postalCode: '18025', city: 'Somewhere' };
    const inLiguria = { to: { regions: ['Liguria'] } };
    const differing: Fields[] = [
      { surcharges: [{ code: 'sea', description: 'Mare', when: inLiguria, price: { fixed: 1 } }] },
      {
        vat: [
          { ...inLiguria, percent: 10 },
          { to: { anywhere: true }, percent: 22 },
        ],
      },
      { zones: [zone('piemonte', 5, { regions: ['Piemonte'] })] },
    ];
    for (const version of differing) {
      const answer = await (await newMerchant(flat(5, version))).quote({ destination });
      expect(warningOf(answer)[0]).toBe('PROVINCE_NEEDED');
    }
  });

  test('is rejected with a province that it cannot belong to, and the error names the possible ones', async () => {
    const answer = await shop.quote({ destination: { postalCode: '12071', city: 'Bagnasco', province: 'MI' } });
    expect(wrongFields(answer)).toEqual([['/destination/postalCode', 'postal_code_not_in_province']]);
    expect(answer.body.errors[0].message).toContain('it belongs to CN or SV');
  });
});

describe('A comune', () => {
  let shop: Merchant;
  beforeAll(async () => {
    const named = ['Livigno', "Sant'Agata Bolognese", 'Samone (TO)', 'Lipari (ME 98055)', 'Bolzano/Bozen'];
    shop = await newMerchant(
      tariffWith({ zones: [zone('italia', 10, { countries: ['IT'] }), zone('detti', 20, { municipalities: named })] }),
    );
  });

  test.each<[destination: Fields, base: number, vat: number]>([
    [{ postalCode: '23041', city: 'Livigno' }, 20, 0],
    [{ postalCode: '23030', city: 'LIVIGNO (SO)', province: 'SO' }, 20, 0],
    [{ postalCode: '23030', city: 'Fraz. Trepalle', province: 'SO' }, 10, 0],
    [{ postalCode: '23030', city: 'Valfurva', province: 'SO' }, 10, 22],
    [{ postalCode: '40019', city: 'S. Agata Bolognese' }, 20, 22],
    [{ postalCode: '10010', city: 'Samone' }, 20, 22],
    [{ postalCode: '38059', city: 'Samone' }, 10, 22],
    [{ postalCode: '39100', city: 'Bozen' }, 20, 22],
  ])('has its price: %j costs %d, with VAT of %d percent', async (destination, basePrice, vatRate) => {
    const { byHand, ofOrder } = await bothWays(shop, destination);
    expect(await onlyItem(Promise.resolve(byHand))).toMatchObject({ basePrice, vatRate });
    expect(ofOrder.text).toBe(byHand.text);
  });
});
