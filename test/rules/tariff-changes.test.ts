import { describe, expect, test } from 'vitest';
import { readTariff } from '../../src/domain/pricing/tariffs/check/tariff.check.rules.ts';
import { tariffChanges } from '../../src/domain/pricing/tariffs/revisions/tariff-changes.rules.ts';
import { DEMO_TARIFFS } from '../rest/tariffs.ts';

type Fields = Record<string, unknown>;

const VERSION = {
  label: '2026',
  validFrom: '2026-01-01',
  weight: { volumetric: [{ kgPerM3: 300 }], per: 'shipment', roundUp: [{ toKg: 1 }] },
  limits: { parcelKg: 50 },
  zones: [
    {
      code: 'italia',
      name: 'Italia',
      to: { countries: ['IT'] },
      deliveryDays: 2,
      bands: [
        { upToKg: 5, price: 6 },
        { upToKg: 30, price: 9 },
      ],
    },
    { code: 'sud', name: 'Sud', to: { regions: ['Sicilia', 'Calabria'] }, bands: [{ upToKg: 30, price: 11 }] },
  ],
  surcharges: [
    { code: 'energia', description: 'Energia', when: { zones: ['sud'] }, price: { percent: 2, of: ['base'] } },
  ],
  fuel: [
    { code: 'fuel', description: 'Carburante', price: { of: ['base'], rates: [{ from: '2026-01-01', percent: 8 }] } },
  ],
  options: [{ code: 'piano', description: 'Al piano', price: { fixed: 4 } }],
  cod: [{ code: 'cod', description: 'Contrassegno', price: { fixed: 3, percent: 1, of: ['codAmount'], minimum: 4 } }],
  insurance: [
    { code: 'insurance', description: 'Assicurazione', price: { percent: 0.5, of: ['insuredValue'], minimum: 2 } },
  ],
};
const tariffOf = (...versions: Fields[]) => readTariff({ format: 2, name: 'Listino', versions });
const [italia = {}, sud = {}]: Fields[] = VERSION.zones;
/** A line of the version with other parts in its price. */
const repriced = ([line]: readonly { readonly price: object }[], price: Fields) => [
  { ...line, price: { ...line?.price, ...price } },
];

/** The changes when fields of the version are replaced. */
const changed = (fields: Fields) => tariffChanges(tariffOf(VERSION), tariffOf({ ...VERSION, ...fields }));

describe('A change is described by its subject', () => {
  test.each<[string, Fields, Fields]>([
    [
      'a price of a band',
      {
        zones: [
          {
            ...italia,
            bands: [
              { upToKg: 5, price: 6.3 },
              { upToKg: 30, price: 9 },
            ],
          },
          sud,
        ],
      },
      {
        part: 'zone',
        aspect: 'price',
        zone: 'italia',
        name: 'Italia',
        upToKg: 5,
        before: 6,
        after: 6.3,
        path: 'versions/2026-01-01/zones/italia/bands/5/price',
        text: 'from 2026-01-01: zone Italia (italia), up to 5 kg, price: 6.00 → 6.30 (+5 %)',
      },
    ],
    [
      'a band that is added',
      {
        zones: [
          {
            ...italia,
            bands: [
              { upToKg: 5, price: 6 },
              { upToKg: 20, price: 7.5 },
              { upToKg: 30, price: 9 },
            ],
          },
          sud,
        ],
      },
      {
        change: 'added',
        part: 'zone',
        aspect: 'price',
        zone: 'italia',
        upToKg: 20,
        before: null,
        text: 'from 2026-01-01: zone Italia (italia), up to 20 kg: added (price 7.50)',
      },
    ],
    [
      'a zone that is added',
      { zones: [italia, sud, { ...sud, code: 'isole', name: 'Isole', to: { regions: ['Sardegna'] } }] },
      { change: 'added', part: 'zone', aspect: 'whole', zone: 'isole', name: 'Isole', before: null },
    ],
    [
      'places of a zone',
      { zones: [italia, { ...sud, to: { regions: ['Sicilia', 'Puglia'] } }] },
      {
        part: 'zone',
        aspect: 'places',
        zone: 'sud',
        before: ['Calabria'],
        after: ['Puglia'],
        text: 'from 2026-01-01: zone Sud (sud), places, regions: 1 added (Puglia), 1 removed (Calabria)',
      },
    ],
    [
      'days to delivery',
      { zones: [{ ...italia, deliveryDays: 3 }, sud] },
      { part: 'zone', aspect: 'other', text: 'from 2026-01-01: zone Italia (italia), days to delivery: 2 → 3 (+50 %)' },
    ],
    [
      'the percentage of a surcharge',
      { surcharges: [{ ...VERSION.surcharges[0], price: { percent: 2.5, of: ['base'] } }] },
      {
        part: 'surcharge',
        aspect: 'price',
        line: 'energia',
        name: 'Energia',
        before: 2,
        after: 2.5,
        text: 'from 2026-01-01: surcharge Energia (energia), price, percent: 2 → 2.5 (+25 %)',
      },
    ],
    [
      'the condition of a surcharge',
      { surcharges: [{ ...VERSION.surcharges[0], when: { zones: ['sud', 'italia'] } }] },
      { part: 'surcharge', aspect: 'condition', line: 'energia', before: [], after: ['italia'] },
    ],
    [
      'a rate of fuel that is added',
      {
        fuel: repriced(VERSION.fuel, {
          rates: [
            { from: '2026-01-01', percent: 8 },
            { from: '2026-05-01', percent: 9 },
          ],
        }),
      },
      { change: 'added', part: 'fuel', aspect: 'price', line: 'fuel' },
    ],
    [
      'an option',
      { options: [{ ...VERSION.options[0], price: { fixed: 5 } }] },
      { part: 'option', aspect: 'price', line: 'piano', before: 4, after: 5 },
    ],
    [
      'cash on delivery',
      { cod: repriced(VERSION.cod, { fixed: 3.5 }) },
      { part: 'cod', aspect: 'price', before: 3, after: 3.5 },
    ],
    [
      'insurance',
      { insurance: repriced(VERSION.insurance, { minimum: 3 }) },
      { part: 'insurance', aspect: 'price', after: 3 },
    ],
    ['insurance that ends', { insurance: [] }, { change: 'removed', part: 'insurance', aspect: 'whole' }],
    ['a limit', { limits: { parcelKg: 40 } }, { part: 'limits', before: 50, after: 40 }],
    [
      'the volumetric factor',
      { weight: { ...VERSION.weight, volumetric: [{ kgPerM3: 250 }] } },
      { part: 'weight', before: 300, after: 250 },
    ],
    ['the last day', { validUntil: '2026-12-31' }, { part: 'version', aspect: 'dates', after: '2026-12-31' }],
  ])('%s', (_what, fields, expected) => {
    expect(changed(fields)).toEqual([expect.objectContaining({ version: '2026-01-01', ...expected })]);
  });

  test.each<[string, Fields, Fields]>([
    ['a price of a line', { price: { fixed: 2 } }, { aspect: 'price', before: 1, after: 2 }],
    [
      'its days',
      { when: { dates: { from: '2026-11-01', until: '2026-12-31' } } },
      { aspect: 'dates', before: '2026-12-01', after: '2026-11-01' },
    ],
  ])('%s', (_what, fields, expected) => {
    const line = {
      code: 'peak',
      description: 'Picco',
      price: { fixed: 1 },
      when: { dates: { from: '2026-12-01', until: '2026-12-31' } },
    };
    const { versions, ...head } = tariffOf(VERSION);
    const withLine = (one: Fields) =>
      readTariff({
        ...head,
        versions: versions.map(version => ({ ...version, surcharges: [...version.surcharges, one] })),
      });
    expect(tariffChanges(withLine(line), withLine({ ...line, ...fields }))).toEqual([
      expect.objectContaining({ part: 'surcharge', line: 'peak', name: 'Picco', ...expected }),
    ]);
  });
});

describe('Versions', () => {
  const next = { ...VERSION, label: '2027', validFrom: '2027-01-01', cod: repriced(VERSION.cod, { fixed: 3.2 }) };

  test('that are new are compared with the one that would be in force', () => {
    const changes = tariffChanges(tariffOf(VERSION), tariffOf({ ...VERSION, validUntil: '2026-12-31' }, next));
    expect(changes).toMatchObject([
      { change: 'added', part: 'version', aspect: 'whole', version: '2027-01-01' },
      { part: 'cod', version: '2027-01-01', comparedWith: '2026-01-01', before: 3, after: 3.2 },
    ]);
  });

  test('that begin before all others are added, and compared with nothing', () => {
    const fuel = repriced(VERSION.fuel, { rates: [{ from: '2025-01-01', percent: 8 }] });
    const first = { ...VERSION, label: '2025', validFrom: '2025-01-01', fuel };
    expect(tariffChanges(tariffOf(VERSION), tariffOf(first, VERSION))).toMatchObject([
      { change: 'added', version: '2025-01-01' },
    ]);
  });

  test('end where the next one begins, whether that is stated or not', () => {
    const [said, unsaid] = [tariffOf({ ...VERSION, validUntil: '2026-12-31' }, next), tariffOf(VERSION, next)];
    expect(tariffChanges(said, unsaid)).toEqual([]);
  });
});

test.each(DEMO_TARIFFS)('The tariff of %s does not differ from itself', (_code, document) => {
  expect(tariffChanges(readTariff(document), readTariff(structuredClone(document)))).toEqual([]);
});

test('Long lists of places are compared as a whole, and described by their differences', () => {
  const codes = (from: number) => Array.from({ length: 8000 }, (_, i) => String(10_000 + from + i));
  const far = (from: number) =>
    tariffOf({
      ...VERSION,
      zones: [italia, { ...sud, to: { countries: ['FR'], postalCodes: codes(from).map(code => `FR ${code}`) } }],
    });
  const [change, ...others] = tariffChanges(far(0), far(3));
  expect(others).toEqual([]);
  expect(change).toMatchObject({
    before: ['FR 10000', 'FR 10001', 'FR 10002'],
    after: ['FR 18000', 'FR 18001', 'FR 18002'],
  });
});
