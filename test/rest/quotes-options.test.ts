import { beforeAll, describe, expect, test } from 'vitest';
import { useSharedWorld } from '../support/world.ts';
import { idsOf, onlyItem, warningOf } from './quote-items.ts';
import { connectWith, flat, italianDay, type Merchant, merchantsOf, PARCEL } from './tariffs.ts';

const world = useSharedWorld();
const newMerchant = merchantsOf(world);

describe('Options', () => {
  const OPTIONS = [
    { code: 'zeta', description: 'Zeta', price: { fixed: 1.5 } },
    { code: 'per_parcel', description: 'Al piano', price: { perParcel: 2 } },
    { code: 'by_weight', description: 'A peso', price: { perKg: 0.105 } },
    { code: 'share', description: 'Percentuale', price: { percent: 10, of: ['base'] } },
    { code: 'greater', description: 'Il maggiore', price: { greaterOf: [{ fixed: 1 }, { perKg: 1 }] } },
    { code: 'alpha', description: 'Alfa', price: { fixed: 0 } },
    { code: 'heavy', description: 'Sponda', when: { chargeableKg: { from: 50 } }, price: { fixed: 15 } },
  ];
  const ALL = ['alpha', 'by_weight', 'greater', 'per_parcel', 'share', 'zeta'];
  let shop: Merchant;
  beforeAll(async () => {
    shop = await newMerchant(flat(5, { options: OPTIONS }));
  });

  test('each have their price, by code, and add up', async () => {
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

  test('that nobody offers are reported in the same way in any order', async () => {
    const answer = await shop.quote({ options: ['nobody', 'alpha', 'anybody'] });
    expect(warningOf(answer)[0]).toBe('OPTION_NOT_SUPPORTED');
    expect((await shop.quote({ options: ['anybody', 'nobody', 'alpha', 'nobody'] })).text).toBe(answer.text);
  });

  test('that a tariff does not have are rejected with the codes that it has', async () => {
    const messageOf = async (options: readonly string[], { quote } = shop) =>
      (await quote({ options })).body.details[0].message;
    expect(await messageOf(['nobody'])).toBe(
      "L'opzione nobody non è offerta. Opzioni del listino: alpha, by_weight, greater, heavy, per_parcel, share, zeta.",
    );
    const plain = await newMerchant(flat(5));
    expect(await messageOf(['nobody'], plain)).toBe("L'opzione nobody non è offerta. Il listino non ha opzioni.");
  });

  test('leave out the carriers that lack one', async () => {
    const own = await newMerchant(flat(1), flat(5, { options: OPTIONS }), flat(2));
    expect(idsOf(await own.quote())).toEqual([own.ids[0], own.ids[2], own.ids[1]]);
    expect(idsOf(await own.quote({ options: ['zeta'] }))).toEqual([own.ids[1]]);
  });
});

describe('The filter carrierCompanyIds', () => {
  let shop: Merchant;
  let strangers: Merchant;
  beforeAll(async () => {
    shop = await newMerchant(flat(1), flat(2), flat(3));
    strangers = await newMerchant(flat(0.5));
  });

  test('leaves out the other carriers', async () => {
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

  test('does not include an inactive carrier', async () => {
    const own = await newMerchant(flat(1));
    const off = await connectWith(own.caller, flat(2), 'GLS', false);
    expect(idsOf(await own.quote())).toEqual(own.ids);
    expect(warningOf(await own.quote({ carrierCompanyIds: [off] }))).toEqual(['NO_CARRIERS_CONNECTED', []]);
  });

  test('returns only the reasons of its carriers', async () => {
    const own = await newMerchant(null, flat(1, { limits: { parcelKg: 1 } }));
    const [a, b] = own.ids;
    expect(warningOf(await own.quote({ carrierCompanyIds: [b] }))).toEqual([
      'WEIGHT_OUT_OF_RANGE',
      [[b, 'WEIGHT_OUT_OF_RANGE']],
    ]);
    expect(warningOf(await own.quote({ carrierCompanyIds: [a] }))[0]).toBe('NO_TARIFF_IN_FORCE');
  });
});

describe('The shipmentDate', () => {
  const versions = (...from: readonly string[]) =>
    from.map((validFrom, i) => ({ ...flat(i + 1).versions[0], label: `v${i + 1}`, validFrom }));

  test('is today in Italy if it is not given', async () => {
    const before = italianDay();
    const { quote: ask } = await newMerchant({
      format: 2,
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

  test.each([
    ['2026-06-30T21:59:59Z', '2026-06-30'],
    ['2026-06-30T22:00:00Z', '2026-07-01'],
    ['2026-06-30T23:59:59.999+02:00', '2026-06-30'],
    ['2026-06-30T17:00:00-05:00', '2026-07-01'],
    ['2026-12-31T22:59:59Z', '2026-12-31'],
    ['2026-12-31T23:00:00Z', '2027-01-01'],
  ])('%s is %s', async (moment, day) => {
    const { quote: ask } = await newMerchant({ format: 2, name: 'Giorni', versions: versions('2020-01-01', day) });
    expect((await onlyItem(ask({ shipmentDate: moment }))).basePrice).toBe(2);
    const { quote: later } = await newMerchant({
      format: 2,
      name: 'Giorni',
      versions: [{ ...versions('2020-01-01')[0], validUntil: day }],
    });
    expect((await onlyItem(later({ shipmentDate: moment }))).basePrice).toBe(1);
  });
});
