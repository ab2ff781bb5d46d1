import { describe, expect, test } from 'vitest';
import { readTariff } from '../../src/domain/tariffs/check/tariff.check.rules.ts';
import { type LegacyVersionInput, problemsOf, tariffWith } from './quote-support.ts';

// Tariffs of version 0.1 are translated where they enter; the tables of prices by hand are written in it.

/** The version that a version of 0.1 becomes. */
function translated(version: Partial<LegacyVersionInput>) {
  return readTariff(tariffWith(version)).versions[0];
}

const line = { code: 'extra', description: 'Supplemento' };

describe('A tariff of version 0.1', () => {
  test('becomes one of the format of today, with every list that it left out', () => {
    expect(readTariff(tariffWith())).toEqual({
      format: 2,
      name: 'Listino',
      currency: 'EUR',
      versions: [
        {
          label: '2026',
          validFrom: '2026-01-01',
          origins: [],
          weight: { per: 'shipment', volumetric: [], minimums: [], roundUp: [{ toKg: 1 }] },
          limits: {},
          zones: [
            {
              code: 'all',
              name: 'Ovunque',
              to: { anywhere: true },
              bands: [{ upToKg: 10, price: 5 }],
              beyond: [],
              pallets: [],
            },
          ],
          surcharges: [],
          fuel: [],
          options: [],
          cod: [],
          insurance: [],
          afterShipment: [],
        },
      ],
    });
  });

  test.each<[what: string, version: Partial<LegacyVersionInput>, becomes: object]>([
    [
      'a volumetric factor',
      { weight: { per: 'parcel', roundUpToKg: 0.5, volumetric: { cm3PerKg: 5000 } } },
      { weight: { per: 'parcel', volumetric: [{ cm3PerKg: 5000 }], minimums: [], roundUp: [{ toKg: 0.5 }] } },
    ],
    [
      'fuel',
      { fuel: { description: 'Carburante', of: ['base'], rates: [{ from: '2026-01-01', percent: 8 }] } },
      {
        fuel: [
          {
            code: 'fuel',
            description: 'Carburante',
            price: { of: ['base'], rates: [{ from: '2026-01-01', percent: 8 }] },
          },
        ],
      },
    ],
    [
      'cash on delivery up to an amount',
      { cod: { fixed: 3, percent: 1, minimum: 4, maximumAmount: 500 } },
      {
        cod: [
          {
            code: 'cod',
            description: 'Contrassegno',
            when: { codAmount: { upTo: 500 } },
            price: { fixed: 3, percent: 1, of: ['codAmount'], minimum: 4 },
          },
        ],
      },
    ],
    [
      'cash on delivery of a minimum alone',
      { cod: { minimum: 4 } },
      { cod: [{ code: 'cod', description: 'Contrassegno', price: { fixed: 0, minimum: 4 } }] },
    ],
    [
      'insurance above an allowance',
      { insurance: { description: 'Copertura', percent: 0.6, allowance: 100, maximumAmount: 10_000 } },
      {
        insurance: [
          {
            code: 'insurance',
            description: 'Copertura',
            when: { insuredValue: { upTo: 10_000 } },
            price: { percent: 0.6, of: ['insuredValue'], above: 100 },
          },
        ],
      },
    ],
    [
      'a price for each parcel of a shipment with a heavy one',
      { surcharges: [{ ...line, when: { parcelFromKg: 30 }, price: { perParcel: 4 } }] },
      {
        surcharges: [
          { ...line, when: { parcel: { weightKg: { from: 30 } } }, price: { perParcel: 4, parcels: 'all' } },
        ],
      },
    ],
    [
      'conditions that different parcels may meet',
      {
        surcharges: [
          { ...line, when: { fromKg: 5, longestSideOverCm: 100, sumOfSidesOverCm: 200 }, price: { fixed: 4 } },
        ],
      },
      {
        surcharges: [
          {
            ...line,
            when: {
              chargeableKg: { from: 5 },
              allOf: [{ parcel: { longestSideCm: { over: 100 } } }, { parcel: { sumOfSidesCm: { over: 200 } } }],
            },
            price: { fixed: 4 },
          },
        ],
      },
    ],
  ])('with %s', (_what, version, becomes) => {
    expect(translated(version)).toMatchObject(becomes);
  });

  test('has its errors named by their places in the document that was sent', () => {
    const document = tariffWith({
      weight: { per: 'shipment', roundUpToKg: 0.0001 },
      fuel: { description: 'Carburante', of: ['enrgy'], rates: [{ from: '2026-01-01', percent: 8 }] },
      insurance: { percent: 1, allowance: 0.001 },
    });
    expect(problemsOf(document).toSorted()).toEqual([
      '/versions/0/fuel/of unknown_line',
      '/versions/0/insurance/allowance too_precise',
      '/versions/0/weight/roundUpToKg too_precise',
    ]);
  });

  test('is never changed: a translated tariff is read unchanged', () => {
    const tariff = readTariff(tariffWith({ cod: { fixed: 3, maximumAmount: 500 } }));
    expect(readTariff(structuredClone(tariff))).toEqual(tariff);
  });
});
