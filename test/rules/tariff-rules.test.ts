import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { readTariff } from '../../src/domain/pricing/tariffs/check/tariff.check.rules.ts';
import { NO_REFERENCES } from '../../src/domain/pricing/tariffs/references/references.rules.ts';
import { Fault, pointer } from '../../src/platform/fault.ts';
import { shown } from './quote-support.ts';
import { line, parcels, priceOn, surcharge, type TariffInput, tariffOf, zone } from './tariff-cases.ts';

const V = '/versions/0';
const S = `${V}/surcharges/0`;

/** The errors of a document, as `pointer code`. */
function problems(document: unknown): string[] {
  try {
    readTariff(document, [], { references: NO_REFERENCES });
    return [];
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    return (error.options.issues ?? []).map(({ path, code }) => `${pointer(path)} ${code}`);
  }
}
const price = (one: object) => tariffOf(surcharge(one as never));
const when = (one: object) => tariffOf(surcharge({ fixed: 1 }, one as never));
const weight = (one: object) => tariffOf({ weight: { per: 'shipment', roundUp: [{ toKg: 1 }], ...one } as never });
const inZone = (one: object) => tariffOf({ zones: [zone(one as never)] });
const two = { zones: [zone(), zone({ code: 'b', to: { countries: ['IT'] } })] };

describe('A tariff is rejected for', () => {
  test.each<[name: string, document: unknown, ...wrong: string[]]>([
    ['another format', { ...tariffOf({}), format: 3 }, '/format not_allowed'],
    ['a price of nothing', price({}), `${S}/price required`],
    ['a percentage of nothing', price({ percent: 5 }), `${S}/price/of required`],
    ['lines without a percentage', price({ of: ['base'] }), `${S}/price required`, `${S}/price/percent required`],
    [
      'two percentages',
      price({ percent: 5, rates: [{ from: '2026-01-01', percent: 1 }], of: ['base'] }),
      `${S}/price/rates not_allowed`,
    ],
    [
      'rates that begin late',
      price({ rates: [{ from: '2026-01-02', percent: 1 }], of: ['base'] }),
      `${S}/price/rates/0/from gap`,
    ],
    [
      'rates out of order',
      price({
        rates: [
          { from: '2026-01-01', percent: 1 },
          { from: '2026-01-01', percent: 2 },
        ],
        of: ['base'],
      }),
      `${S}/price/rates/1/from overlap`,
    ],
    [
      'parts beside the greatest of',
      price({ fixed: 1, greaterOf: [{ fixed: 1 }, { fixed: 2 }] }),
      `${S}/price not_allowed`,
    ],
    [
      'parts beside brackets',
      price({ fixed: 1, brackets: { by: 'parcels', prices: [{ fixed: 1 }] } }),
      `${S}/price not_allowed`,
    ],
    [
      'a last bracket with an end',
      price({ brackets: { by: 'parcels', prices: [{ upTo: 3, fixed: 1 }] } }),
      `${S}/price/brackets/prices/0/upTo gap`,
    ],
    [
      'a bracket without an end before it',
      price({ brackets: { by: 'parcels', prices: [{ fixed: 1 }, { fixed: 2 }] } }),
      `${S}/price/brackets/prices/0/upTo required`,
    ],
    [
      'brackets that descend',
      price({ brackets: { by: 'parcels', prices: [{ upTo: 3, fixed: 1 }, { upTo: 3, fixed: 2 }, { fixed: 2 }] } }),
      `${S}/price/brackets/prices/1/upTo overlap`,
    ],
    [
      'half a parcel',
      price({ brackets: { by: 'parcels', prices: [{ upTo: 3.5, fixed: 1 }, { fixed: 2 }] } }),
      `${S}/price/brackets/prices/0/upTo too_precise`,
    ],
    [
      'a step of too many decimals',
      price({ per: [{ measure: 'codAmount', every: 0.001, price: 1 }] }),
      `${S}/price/per/0/every too_precise`,
    ],
    [
      'a measure of later',
      price({ per: [{ measure: 'storageDays', every: 1, price: 1 }] }),
      `${S}/price/per/0/measure not_allowed`,
    ],
    [
      'days of storage in a part of a condition of a quote',
      tariffOf({ surcharges: [line('extra', { fixed: 1 }, { anyOf: [{ storageDays: { over: 3 } }] })] }),
      `${S}/when/anyOf/0/storageDays not_allowed`,
    ],
    ['kilograms above without a price', price({ fixed: 1, aboveKg: 3 }), `${S}/price/perKg required`],
    ['parcels without a price', price({ fixed: 1, parcels: 'all' }), `${S}/price/perParcel required`],
    ['what is left out of nothing', price({ fixed: 1, above: 3 }), `${S}/price/of required`],
    ['a maximum below the minimum', price({ fixed: 1, minimum: -1, maximum: -2 }), `${S}/price/maximum out_of_range`],
    ['an index that is not there', price({ index: 'fuel', of: ['base'] }), `${S}/price/index unknown_index`],
    [
      'a discount among the options',
      tariffOf({ options: [line('o', { fixed: -1 })] }),
      `${V}/options/0/price/fixed out_of_range`,
    ],
    [
      'a discount of fuel',
      tariffOf({ fuel: [line('fuel', { percent: -1, of: ['base'] })] }),
      `${V}/fuel/0/price/percent out_of_range`,
    ],
    ['the name of another kind', tariffOf({ surcharges: [line('fuel', { fixed: 1 })] }), `${S}/code duplicate`],
    ['a line of no name', price({ percent: 1, of: ['cod'] }), `${S}/price/of unknown_line`],
    [
      'a circle through brackets',
      price({ brackets: { by: 'parcels', prices: [{ percent: 1, of: ['extra'] }] } }),
      `${S}/price/brackets/prices/0/of circle`,
    ],
    ['an empty range', when({ parcels: {} }), `${S}/when/parcels required`],
    ['two beginnings', when({ parcels: { from: 1, over: 1 } }), `${S}/when/parcels/over not_allowed`],
    ['a range that holds nothing', when({ realKg: { over: 5, upTo: 5 } }), `${S}/when/realKg/upTo out_of_range`],
    [
      'a side of too many decimals',
      when({ parcel: { girthCm: { over: 1.234 } } }),
      `${S}/when/parcel/girthCm/over too_precise`,
    ],
    ['a parcel of no test', when({ parcel: {} }), `${S}/when/parcel required`],
    [
      'dates that end before they begin',
      when({ dates: { from: '2026-02-02', until: '2026-02-01' } }),
      `${S}/when/dates/until out_of_range`,
    ],
    [
      'an origin that is not there',
      when({ anyOf: [{ origins: ['x'] }] }),
      `${S}/when/anyOf/0/origins/0 unknown_origin`,
    ],
    ['a zone that is not there', when({ noneOf: [{ zones: ['x'] }] }), `${S}/when/noneOf/0/zones/0 unknown_zone`],
    ['an option that is not there', when({ options: ['x'] }), `${S}/when/options/0 unknown_line`],
    ['a list that is not there', when({ to: { lists: ['x'] } }), `${S}/when/to/lists/0 unknown_list`],
    ['days of storage in a quote', when({ storageDays: { from: 1 } }), `${S}/when/storageDays not_allowed`],
    [
      'both factors',
      weight({ volumetric: [{ kgPerM3: 200, cm3PerKg: 5000 }] }),
      `${V}/weight/volumetric/0 not_allowed`,
    ],
    ['rounding that may not hold', weight({ roundUp: [{ upToKg: 30, toKg: 1 }] }), `${V}/weight/roundUp/0 gap`],
    [
      'a weight that depends on itself',
      weight({ volumetric: [{ when: { chargeableKg: { from: 1 } }, kgPerM3: 200 }] }),
      `${V}/weight/volumetric/0/when/chargeableKg unknown_field`,
    ],
    ['a band without a price', inZone({ bands: [{ upToKg: 5, minimum: 1 }] }), `${V}/zones/0/bands/0/price required`],
    [
      'steps that overlap',
      inZone({ beyond: [{ upToKg: 900, everyKg: 1, price: 1 }] }),
      `${V}/zones/0/beyond/0/upToKg overlap`,
    ],
    [
      'a step after one without an end',
      inZone({
        beyond: [
          { everyKg: 1, price: 1 },
          { everyKg: 1, price: 1 },
        ],
      }),
      `${V}/zones/0/beyond/0/upToKg required`,
    ],
    [
      'a type of pallets twice',
      inZone({ pallets: [{ types: ['A', 'A'], prices: [{ upTo: 1, price: 1 }] }] }),
      `${V}/zones/0/pallets/0/types/1 duplicate`,
    ],
    ['an exception of no place', inZone({ to: { anywhere: true, except: {} } }), `${V}/zones/0/to/except required`],
    [
      'an exception that is unknown',
      inZone({ to: { anywhere: true, except: { regions: ['Sicily'] } } }),
      `${V}/zones/0/to/except/regions/0 unknown_region`,
    ],
    [
      'two zones in the same province',
      tariffOf({ zones: [zone({ to: { sameProvince: true } }), zone({ code: 'b', to: { sameProvince: true } })] }),
      `${V}/zones/1/to/sameProvince conflict`,
    ],
    [
      'two zones for an origin at one place',
      tariffOf({
        origins: [{ code: 'o', warehouses: [1] }],
        zones: [zone({ from: ['o'] }), zone({ code: 'b', from: ['o'] })],
      }),
      `${V}/zones/1/to/anywhere conflict`,
    ],
    [
      'a warehouse of two origins',
      tariffOf({
        ...two,
        origins: [
          { code: 'o', warehouses: [1] },
          { code: 'p', warehouses: [1] },
        ],
      }),
      `${V}/origins/1/warehouses/0 conflict`,
    ],
    ['an origin of nothing', tariffOf({ ...two, origins: [{ code: 'o' }] }), `${V}/origins/0 required`],
  ])('%s', (_name, document, ...wrong) => {
    expect(problems(document).toSorted()).toEqual(wrong.toSorted());
  });

  test('but not for zones at one place that are for different origins', () => {
    const origins = [
      { code: 'o', warehouses: [1] },
      { code: 'p', places: { provinces: ['MI'] } },
    ];
    const zones = [zone(), zone({ code: 'b', from: ['o'] }), zone({ code: 'c', from: ['p'] })];
    expect(problems(tariffOf({ origins, zones }))).toEqual([]);
  });
});

test('The example of the guide has the price that the guide calculates', () => {
  const guide = readFileSync(new URL('../../src/docs/tariff-document.md', import.meta.url), 'utf8');
  const [, text = ''] = /save corriere\.json -->\n```json\n([\s\S]*?)```/.exec(guide) ?? [];
  const result = priceOn(JSON.parse(text) as TariffInput, {
    ...parcels([2, 8, 40, 30, 30], [1, 12, 160, 45, 40]),
    to: { countryCode: 'IT', postalCode: '87100', city: 'Cosenza', province: 'CS' },
    from: { countryCode: 'IT', postalCode: '20121', city: 'Milano', province: 'MI' },
    date: '2026-11-23',
    cod: 250,
    insured: 600,
    monthly: 800,
  });
  expect(shown(result)).toMatchObject({
    zone: 'italia',
    volumetricGrams: 133_200,
    grams: 200_000,
    lines: {
      base: '72.00',
      oversize: '18.00',
      second_parcel: '2.20',
      peak: '0.60',
      discount: '-3.60',
      fuel: '7.38',
      cod_cash: '4.20',
      insurance: '4.00',
    },
    total: '104.78',
    vat: '22.17',
    gross: '126.95',
  });
});
