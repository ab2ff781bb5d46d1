import { describe, expect, test, vi } from 'vitest';
import { connectCarrier } from '../support/platform-side.ts';
import { SEEN_WITHIN_MS } from '../support/time.ts';
import { useSharedWorld } from '../support/world.ts';
import { importTariff } from './feed.ts';
import { idsOf, onlyItem, warningOf } from './quote-items.ts';
import { connectWith, type Fields, flat, merchant, merchantsOf, PARCEL, tariffWith } from './tariffs.ts';

const world = useSharedWorld();
const newMerchant = merchantsOf(world);

describe('A warning', () => {
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
      flat(5, { cod: [{ code: 'cod', description: 'C', when: { codAmount: { upTo: 99.99 } }, price: { fixed: 1 } }] }),
      NEED_COD,
      /100,00.*99,99/,
    ],
    ['no insurance', 'INSURANCE_NOT_SUPPORTED', flat(5), NEED_INSURANCE, /assicurazione/],
    [
      'too high a value',
      'INSURANCE_NOT_SUPPORTED',
      flat(5, {
        insurance: [
          {
            code: 'insurance',
            description: 'I',
            when: { insuredValue: { upTo: 99.99 } },
            price: { percent: 1, of: ['insuredValue'] },
          },
        ],
      }),
      NEED_INSURANCE,
      /100,00.*99,99/,
    ],
    ['no such option', 'OPTION_NOT_SUPPORTED', flat(5), { options: ['saturday'] }, /saturday/],
    [
      'an option not for this shipment',
      'OPTION_NOT_SUPPORTED',
      flat(5, {
        options: [
          { code: 'saturday', description: 'Sabato', when: { chargeableKg: { from: 50 } }, price: { fixed: 1 } },
        ],
      }),
      { options: ['saturday'] },
      /saturday/,
    ],
    ['no tariff at all', 'NO_TARIFF_IN_FORCE', null, {}, /listino/],
    ['a tariff that ended', 'NO_TARIFF_IN_FORCE', flat(5, { validUntil: '2020-12-31' }), {}, /listino/],
    ['a tariff yet to come', 'NO_TARIFF_IN_FORCE', flat(5, { validFrom: '2098-01-01' }), {}, /listino/],
  ];

  test.each(REASONS)('gives the reason for %s: %s', async (_what, code, tariff, request, says) => {
    const { ids, quote: ask } = await newMerchant(tariff, tariff);
    const answer = await ask(request);
    expect(warningOf(answer)).toEqual([code, ids.map(id => [id, code])]);
    for (const { message, carrierName } of answer.body.details) {
      expect(message).toMatch(says);
      expect(carrierName).toBe('BRT');
    }
  });

  test('is not given if one other connection applies', async () => {
    const { ids, quote: ask } = await newMerchant(flat(5, { limits: { parcelKg: 3.9 } }), flat(5));
    expect(idsOf(await ask())).toEqual([ids[1]]);
  });

  test('is given to a company without connections', async () => {
    const { caller, quote: ask } = await newMerchant();
    expect(warningOf(await ask())).toEqual(['NO_CARRIERS_CONNECTED', []]);
    await connectWith(caller, flat(5), 'BRT', false);
    expect(warningOf(await ask())).toEqual(['NO_CARRIERS_CONNECTED', []]);
  });

  test('reports a price that is too large to calculate, without wrong numbers', async () => {
    const dear = zone({ bands: [{ upToKg: 0.001, price: 100_000 }], beyond: [{ everyKg: 0.001, price: 100_000 }] });
    const { ids, quote: ask } = await newMerchant(
      tariffWith({ zones: dear, weight: { per: 'shipment', roundUp: [{ toKg: 0.001 }] } }),
    );
    const parcels = [{ ...PARCEL, weight: 200, quantity: 500 }];
    expect(warningOf(await ask({ parcels }))).toEqual(['WEIGHT_OUT_OF_RANGE', [[ids[0], 'WEIGHT_OUT_OF_RANGE']]]);
    // Its step is a gram: 0.1 kg are 100 × 100,000.00, the dearest that is priced.
    const most = { ...PARCEL, weight: 0.1 };
    expect(await onlyItem(ask({ parcels: [most] }))).toMatchObject({ totalPrice: 1e7, totalPriceWithVat: 1.22e7 });
    expect(warningOf(await ask({ parcels: [{ ...most, weight: 0.101 }] }))[0]).toBe('WEIGHT_OUT_OF_RANGE');
  });

  test('for different reasons is NO_CARRIER_AVAILABLE and keeps each', async () => {
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

  test('gives the reason of connections with a tariff in force, even if others have none', async () => {
    const ended = flat(5, { validUntil: '2020-12-31' });
    const light = flat(5, { limits: { parcelKg: 1 } });
    const { ids, quote: ask } = await newMerchant(null, light, ended, light);
    expect(warningOf(await ask())).toEqual([
      'WEIGHT_OUT_OF_RANGE',
      [
        [ids[0], 'NO_TARIFF_IN_FORCE'],
        [ids[1], 'WEIGHT_OUT_OF_RANGE'],
        [ids[2], 'NO_TARIFF_IN_FORCE'],
        [ids[3], 'WEIGHT_OUT_OF_RANGE'],
      ],
    ]);
    expect(warningOf(await ask({ carrierCompanyIds: [ids[0], ids[2]] }))[0]).toBe('NO_TARIFF_IN_FORCE');
  });

  test('names each carrier by its common name', async () => {
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

  test('is replaced by a quote as soon as a tariff is imported', async () => {
    const { caller, ids, quote: ask } = await newMerchant(null);
    expect(warningOf(await ask())[0]).toBe('NO_TARIFF_IN_FORCE');
    await importTariff(caller, ids[0] as number, flat(7));
    await vi.waitFor(async () => expect((await onlyItem(ask())).basePrice).toBe(7), {
      timeout: SEEN_WITHIN_MS,
      interval: 5,
    });
  });
});
