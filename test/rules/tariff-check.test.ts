import { describe, expect, test } from 'vitest';
import { lineWith, problemsOf, tariffWith, versionWith, zoneWith } from './quote-support.ts';
import { band, dated, extra, fuel, S, to, V, version, weight, when, zone } from './tariff-documents.ts';

const without = (field: string) => {
  const { [field]: _, ...rest } = versionWith() as Record<string, unknown>;
  return { format: 2, name: 'L', versions: [rest] };
};
const Z = `${V}/zones/0`;
const F = `${V}/fuel/0/price`;

type Wrong = [name: string, document: unknown, ...problems: string[]];

const refused = (title: string, table: readonly Wrong[]) =>
  describe(title, () => {
    test.each(table.map(([name, document, ...problems]) => ({ name, document, problems })))(
      '$name: $problems',
      ({ document, problems }) => {
        expect(problemsOf(document).toSorted()).toEqual(problems.toSorted());
      },
    );
  });

refused('Bands are rejected:', [
  ['none', zone({ bands: [] }), `${Z}/bands required`],
  ['the same limit twice', band({ upToKg: 3, price: 1 }, { upToKg: 3, price: 2 }), `${Z}/bands/1/upToKg overlap`],
  ['descending', band({ upToKg: 3, price: 1 }, { upToKg: 2, price: 2 }), `${Z}/bands/1/upToKg overlap`],
  ['a gap', band({ upToKg: 3, price: 1 }, { overKg: 4, upToKg: 5, price: 2 }), `${Z}/bands/1/overKg gap`],
  ['an overlap', band({ upToKg: 3, price: 1 }, { overKg: 2.9, upToKg: 5, price: 2 }), `${Z}/bands/1/overKg overlap`],
  ['a gap before the first', band({ overKg: 0.5, upToKg: 3, price: 1 }), `${Z}/bands/0/overKg gap`],
  ['bands where nothing is carried', zone({ notServed: 'No' }), `${Z}/bands not_allowed`],
  [
    'steps where nothing is carried',
    zone({ notServed: 'No', bands: [], beyond: [{ everyKg: 1, price: 1 }] }),
    `${Z}/bands not_allowed`,
  ],
  [
    'a zone code twice',
    version({ zones: [zoneWith(), zoneWith({ to: { countries: ['IT'] } })] }),
    `${V}/zones/1/code duplicate`,
  ],
]);

refused('Dates are rejected:', [
  ['end before begin', dated({ validUntil: '2025-12-31' }), `${V}/validUntil out_of_range`],
  ['a gap of a day', dated({ validUntil: '2026-02-27' }, { validFrom: '2026-03-01' }), '/versions/1/validFrom gap'],
  [
    'an overlap of a day',
    dated({ validUntil: '2026-03-01' }, { validFrom: '2026-03-01' }),
    '/versions/1/validFrom overlap',
  ],
  [
    'a gap in a leap year',
    dated({ validFrom: '2028-01-01', validUntil: '2028-02-28' }, { validFrom: '2028-03-01' }),
    '/versions/1/validFrom gap',
  ],
  ['two that begin together', dated({}, {}), '/versions/1/validFrom overlap'],
  ['descending', dated({ validFrom: '2027-01-01' }, { validFrom: '2026-01-01' }), '/versions/1/validFrom overlap'],
  ['30 February', dated({ validFrom: '2026-02-30' }), `${V}/validFrom invalid_format`],
  ['29 February of no leap year', dated({ validUntil: '2027-02-29' }), `${V}/validUntil invalid_format`],
  ['month 13', dated({ validFrom: '2026-13-01' }), `${V}/validFrom invalid_format`],
  ['a time of day', dated({ validFrom: '2026-01-01T00:00:00Z' }), `${V}/validFrom invalid_format`],
  ['the Italian way', dated({ validFrom: '01/01/2026' }), `${V}/validFrom invalid_format`],
  [
    'fuel descending',
    fuel({
      rates: [
        { from: '2026-01-01', percent: 1 },
        { from: '2025-12-31', percent: 2 },
      ],
    }),
    `${F}/rates/1/from overlap`,
  ],
  ['fuel without rates', fuel({ rates: [] }), `${F}/rates out_of_range`],
  ['fuel on 31 June', fuel({ rates: [{ from: '2026-06-31', percent: 1 }] }), `${F}/rates/0/from invalid_format`],
]);

refused('Lines are rejected:', [
  ['an unknown zone', when({ zones: ['all', 'nord'] }), `${S}/when/zones/1 unknown_zone`],
  ['an unknown line', extra({ percent: 1, of: ['base', 'istat'] }), `${S}/price/of unknown_line`],
  [
    'an unknown line in the greater of two',
    extra({ greaterOf: [{ fixed: 1 }, { percent: 1, of: ['istat'] }] }),
    `${S}/price/greaterOf/1/of unknown_line`,
  ],
  ['fuel, where there is none', extra({ percent: 1, of: ['fuel'] }), `${S}/price/of unknown_line`],
  ['cod, where there is none', extra({ percent: 1, of: ['cod'] }), `${S}/price/of unknown_line`],
  ['fuel on an unknown line', fuel({ of: ['base', 'area'] }), `${F}/of unknown_line`],
  ['fuel on nothing', fuel({ of: [] }), `${F}/of out_of_range`],
  ['a circle of one', extra({ percent: 1, of: ['s0'] }), `${S}/price/of circle`],
  [
    'a circle of one in the greater of two',
    extra({ greaterOf: [{ percent: 1, of: ['s0'] }, { fixed: 1 }] }),
    `${S}/price/greaterOf/0/of circle`,
  ],
  ['fuel on itself', fuel({ of: ['base', 'fuel'] }), `${F}/of circle`],
  [
    'a circle of three, and one that leads to it',
    extra(
      { percent: 1, of: ['s1'] },
      { percent: 1, of: ['base', 's2'] },
      { percent: 1, of: ['s0'] },
      { percent: 1, of: ['s0'] },
    ),
    `${S}/price/of circle`,
    `${V}/surcharges/1/price/of circle`,
    `${V}/surcharges/2/price/of circle`,
  ],
  [
    'a circle through fuel and an option',
    version({
      fuel: [lineWith('fuel', { of: ['base', 'o'], rates: [{ from: '2026-01-01', percent: 1 }] })],
      options: [lineWith('o', { percent: 1, of: ['fuel'] })],
    }),
    `${F}/of circle`,
    `${V}/options/0/price/of circle`,
  ],
  [
    'a code twice',
    version({ surcharges: [lineWith('a', { fixed: 1 }), lineWith('a', { fixed: 1 })] }),
    `${V}/surcharges/1/code duplicate`,
  ],
  [
    'an option with the code of a surcharge',
    version({ surcharges: [lineWith('a', { fixed: 1 })], options: [lineWith('a', { fixed: 1 })] }),
    `${V}/options/0/code duplicate`,
  ],
  [
    'two options of a code, out of order',
    version({ options: [lineWith('b', { fixed: 1 }), lineWith('a', { fixed: 1 }), lineWith('b', { fixed: 1 })] }),
    `${V}/options/2/code duplicate`,
  ],
  ...['base', 'fuel', 'cod', 'insurance'].map(
    (code): Wrong => [
      `the reserved code ${code}`,
      version({ options: [lineWith(code, { fixed: 1 })] }),
      `${V}/options/0/code duplicate`,
    ],
  ),
  ['a code in capitals', version({ surcharges: [lineWith('Area', { fixed: 1 })] }), `${S}/code invalid_format`],
  [
    'percent without of in the greater of two',
    extra({ greaterOf: [{ fixed: 1 }, { percent: 1 }] }),
    `${S}/price/greaterOf/1/of required`,
  ],
  ['a minimum of nothing', extra({ minimum: 1, maximum: 2 }), `${S}/price required`],
  ['an empty one of two', extra({ greaterOf: [{}, { fixed: 1 }] }), `${S}/price/greaterOf/0 required`],
  ['the greater of one', extra({ greaterOf: [{ fixed: 1 }] }), `${S}/price/greaterOf out_of_range`],
  ['the greatest of eleven', extra({ greaterOf: Array(11).fill({ fixed: 1 }) }), `${S}/price/greaterOf out_of_range`],
  ['cod of nothing', version({ cod: [{ code: 'cod', description: 'C', price: {} }] }), `${V}/cod/0/price required`],
]);

refused('Places are rejected:', [
  ['none', to({}), `${Z}/to required`],
  ['empty lists', to({ postalCodes: [], regions: [] }), `${Z}/to required`],
  ['an empty area of a condition', when({ to: {} }), `${S}/when/to required`],
  [
    'a CAP of two zones',
    to({ postalCodes: ['90139'] }, { postalCodes: ['20121', '90139'] }),
    `${V}/zones/1/to/postalCodes/1 conflict`,
  ],
  [
    'a range of two zones',
    to({ postalCodes: ['90*'] }, { postalCodes: ['90000-90999'] }),
    `${V}/zones/1/to/postalCodes/0 conflict`,
  ],
  [
    'a foreign beginning of two zones',
    to({ postalCodes: ['GB BT*'] }, { postalCodes: ['GB bt*'] }),
    `${V}/zones/1/to/postalCodes/0 conflict`,
  ],
  [
    'a comune of two zones',
    to({ municipalities: ['Livigno'] }, { municipalities: ['LIVIGNO'] }),
    `${V}/zones/1/to/municipalities/0 conflict`,
  ],
  [
    'a province of two zones',
    to({ provinces: ['PA'] }, { provinces: ['Palermo'] }),
    `${V}/zones/1/to/provinces/0 conflict`,
  ],
  [
    'a region of two zones',
    to({ regions: ["Valle d'Aosta"] }, { regions: ['VALLE D’AOSTA'] }),
    `${V}/zones/1/to/regions/0 conflict`,
  ],
  [
    'a country of two zones',
    to({ countries: ['FR'] }, { countries: ['DE', 'FR'] }),
    `${V}/zones/1/to/countries/1 conflict`,
  ],
  ['the Union of two zones', to({ countries: ['EU'] }, { countries: ['EU'] }), `${V}/zones/1/to/countries/0 conflict`],
  ['anywhere of two zones', to({ anywhere: true }, { anywhere: true }), `${V}/zones/1/to/anywhere conflict`],
  [
    'ranges that cross',
    to({ postalCodes: ['57030-57039'] }, { postalCodes: ['57035-57045'] }),
    `${V}/zones/1/to/postalCodes/0 overlap`,
  ],
  [
    'ranges that cross by one code',
    to({ postalCodes: ['57030-57039', '57039-57045'] }),
    `${Z}/to/postalCodes/1 overlap`,
  ],
  ['a range that ends before it begins', to({ postalCodes: ['57039-57030'] }), `${Z}/to/postalCodes/0 empty_range`],
  ['a CAP of four digits', to({ postalCodes: ['9013'] }), `${Z}/to/postalCodes/0 invalid_postal_code`],
  ['a CAP of six digits', to({ postalCodes: ['901390'] }), `${Z}/to/postalCodes/0 invalid_postal_code`],
  ['a CAP with a letter', to({ postalCodes: ['9013A'] }), `${Z}/to/postalCodes/0 invalid_postal_code`],
  ['a whole CAP as a beginning', to({ postalCodes: ['90139*'] }), `${Z}/to/postalCodes/0 invalid_postal_code`],
  ['a zone that names a column', zone({ code: 'up_to_kg' }), `${Z}/code not_allowed`],
  ['half of a British range', to({ postalCodes: ['GB BT1-9'] }), `${Z}/to/postalCodes/0 invalid_postal_code`],
  [
    'a Polish range without an end',
    to({ postalCodes: ['PL 00-001 - 00'] }),
    `${Z}/to/postalCodes/0 invalid_postal_code`,
  ],
  ['half a Dutch code', to({ postalCodes: ['NL 1012'] }), `${Z}/to/postalCodes/0 invalid_postal_code`],
  ['a range of unlike ends', to({ postalCodes: ['570-57039'] }), `${Z}/to/postalCodes/0 invalid_postal_code`],
  ['a star in the middle', to({ postalCodes: ['90*39'] }), `${Z}/to/postalCodes/0 invalid_postal_code`],
  ['a star alone', to({ postalCodes: ['*'] }), `${Z}/to/postalCodes/0 invalid_postal_code`],
  ['a CAP that is a number', to({ postalCodes: [90139] }), `${Z}/to/postalCodes/0 wrong_type`],
  ['an unknown province', to({ provinces: ['PA', 'XX'] }), `${Z}/to/provinces/1 unknown_province`],
  [
    'a comune in an unknown province',
    to({ municipalities: ['Samone (XX)'] }),
    `${Z}/to/municipalities/0 unknown_province`,
  ],
  ['an unknown region', to({ regions: ['Sicilia', 'Padania'] }), `${Z}/to/regions/1 unknown_region`],
  ['an unknown country', to({ countries: ['IT', 'XX'] }), `${Z}/to/countries/1 unknown_country`],
  ['UK is no code', to({ countries: ['UK'] }), `${Z}/to/countries/0 unknown_country`],
  ['a country in small letters', to({ countries: ['it'] }), `${Z}/to/countries/0 invalid_format`],
  ['a postal code of an unknown country', to({ postalCodes: ['XX 35*'] }), `${Z}/to/postalCodes/0 unknown_country`],
  ['a postal code of the Union', to({ postalCodes: ['EU 35*'] }), `${Z}/to/postalCodes/0 unknown_country`],
  ['anywhere: false', to({ anywhere: false }), `${Z}/to/anywhere not_allowed`],
  ['an empty comune', to({ municipalities: [' '] }), `${Z}/to/municipalities/0 invalid_text`],
  ['a comune with half an emoji', to({ municipalities: ['A\ud83d'] }), `${Z}/to/municipalities/0 invalid_text`],
  ['very many CAPs that are numbers', to({ postalCodes: Array(199_000).fill(1) }), `${Z}/to/postalCodes/0 wrong_type`],
  ['an unknown origin', version({ originCountries: ['IT', 'XK'] }), `${V}/originCountries/1 unknown_country`],
  ['no origin', version({ originCountries: [] }), `${V}/originCountries out_of_range`],
  [
    'an unknown province in a condition',
    when({ to: { provinces: ['XX'] } }),
    `${S}/when/to/provinces/0 unknown_province`,
  ],
  ['VAT that leaves some out', version({ vat: [{ to: { countries: ['IT', 'EU'] }, percent: 22 }] }), `${V}/vat gap`],
  [
    'VAT of a country twice',
    version({
      vat: [
        { to: { anywhere: true, countries: ['FR'] }, percent: 22 },
        { to: { countries: ['FR'] }, percent: 20 },
      ],
    }),
    `${V}/vat/1/to/countries/0 conflict`,
  ],
  [
    'VAT of an unknown region',
    version({ vat: [{ to: { anywhere: true, regions: ['X'] }, percent: 22 }] }),
    `${V}/vat/0/to/regions/0 unknown_region`,
  ],
  [
    'more than 200,000 rules',
    to({ postalCodes: Array(150_000).fill('90139') }, { postalCodes: Array(50_001).fill('20121') }),
    `${V}/zones/1/to/postalCodes too_many`,
  ],
]);

refused('Too many decimals are rejected:', [
  ['money: price', band({ upToKg: 3, price: 1.001 }), `${Z}/bands/0/price too_precise`],
  ['money: price beyond', zone({ beyond: [{ everyKg: 1, price: 0.005 }] }), `${Z}/beyond/0/price too_precise`],
  ['money: fixed', extra({ fixed: 1.001 }), `${S}/price/fixed too_precise`],
  ['money: perParcel', extra({ perParcel: 1.001 }), `${S}/price/perParcel too_precise`],
  [
    'money: minimum and maximum',
    extra({ fixed: 1, minimum: 0.001, maximum: 9.999 }),
    `${S}/price/minimum too_precise`,
    `${S}/price/maximum too_precise`,
  ],
  [
    'money: in the greater of two',
    extra({ greaterOf: [{ fixed: 1 }, { fixed: 1.001 }] }),
    `${S}/price/greaterOf/1/fixed too_precise`,
  ],
  [
    'money: cod',
    version({ cod: [lineWith('cod', { fixed: 1.001, minimum: 1.001 }, { codAmount: { upTo: 4999.999 } })] }),
    `${V}/cod/0/price/fixed too_precise`,
    `${V}/cod/0/price/minimum too_precise`,
    `${V}/cod/0/when/codAmount/upTo too_precise`,
  ],
  [
    'money: insurance',
    version({ insurance: [lineWith('insurance', { percent: 1, of: ['insuredValue'], minimum: 1.001, above: 1.001 })] }),
    `${V}/insurance/0/price/minimum too_precise`,
    `${V}/insurance/0/price/above too_precise`,
  ],
  ['perKg: six', extra({ perKg: 0.123456 }), `${S}/price/perKg too_precise`],
  ['perKg: a millionth', extra({ perKg: 1e-6 }), `${S}/price/perKg too_precise`],
  ['percent: five', extra({ percent: 1.23456, of: ['base'] }), `${S}/price/percent too_precise`],
  ['percent: fuel', fuel({ rates: [{ from: '2026-01-01', percent: 8.12345 }] }), `${F}/rates/0/percent too_precise`],
  ['percent: VAT', version({ vat: [{ to: { anywhere: true }, percent: 22.00001 }] }), `${V}/vat/0/percent too_precise`],
  ['kg: bands', band({ overKg: 0, upToKg: 3.0001, price: 1 }), `${Z}/bands/0/upToKg too_precise`],
  ['kg: step', zone({ beyond: [{ everyKg: 0.0001, price: 1 }] }), `${Z}/beyond/0/everyKg too_precise`],
  ['kg: rounding', weight({ roundUp: [{ toKg: 0.0005 }] }), `${V}/weight/roundUp/0/toKg too_precise`],
  [
    'kg: conditions',
    when({ chargeableKg: { from: 1.0001 }, parcel: { weightKg: { over: 1.0001 } } }),
    `${S}/when/chargeableKg/from too_precise`,
    `${S}/when/parcel/weightKg/over too_precise`,
  ],
  [
    'kg: limits',
    version({ limits: { parcelKg: 1.0001, shipmentKg: 1.0001 } }),
    `${V}/limits/parcelKg too_precise`,
    `${V}/limits/shipmentKg too_precise`,
  ],
  [
    'cm: limits',
    version({ limits: { longestSideCm: 1.001, sumOfSidesCm: 1.001 } }),
    `${V}/limits/longestSideCm too_precise`,
    `${V}/limits/sumOfSidesCm too_precise`,
  ],
  [
    'cm: conditions',
    when({ parcel: { longestSideCm: { over: 1.001 }, sumOfSidesCm: { over: 1.001 } } }),
    `${S}/when/parcel/longestSideCm/over too_precise`,
    `${S}/when/parcel/sumOfSidesCm/over too_precise`,
  ],
]);

refused('A wrong form is rejected:', [
  ['nothing', undefined, ' required'],
  ['null', null, ' wrong_type'],
  ['a list', [], ' wrong_type'],
  ['an empty object', {}, '/format required'],
  ['no format, and much else that is wrong', { name: 1, versions: [{ weight: {} }] }, '/format required'],
  ['a current tariff without its format', { ...tariffWith(), format: undefined }, '/format required'],
  ...[1, '2', null, 3].map(
    (format): Wrong => [`format ${format}`, { ...version({ a: 1 }), format }, '/format not_allowed'],
  ),
  ['a format alone', { format: 2 }, '/name required', '/versions required'],
  ['no versions', { format: 2, name: 'L', versions: [] }, '/versions out_of_range'],
  ['an empty name', { ...tariffWith(), name: '  ' }, '/name out_of_range'],
  ['another currency', { ...tariffWith(), currency: 'USD' }, '/currency not_allowed'],
  ['an unknown field of the tariff', { ...tariffWith(), carrier: 'BRT' }, '/carrier unknown_field'],
  ['two unknown fields of a version', version({ a: 1, b: 2 }), `${V}/a unknown_field`, `${V}/b unknown_field`],
  ['an unknown field of a zone', zone({ days: 1 }), `${Z}/days unknown_field`],
  ['an unknown field of a band', band({ upToKg: 1, price: 1, prezzo: 1 }), `${Z}/bands/0/prezzo unknown_field`],
  ['an unknown kind of place', to({ cap: ['90139'] }), `${Z}/to/cap unknown_field`],
  ['an unknown field of a price', extra({ fixed: 1, perkg: 1 }), `${S}/price/perkg unknown_field`],
  ['an unknown condition', when({ fromKgs: 1 }), `${S}/when/fromKgs unknown_field`],
  ['an unknown limit', version({ limits: { kg: 1 } }), `${V}/limits/kg unknown_field`],
  ...['label', 'validFrom', 'weight', 'zones'].map(
    (field): Wrong => [`no ${field}`, without(field), `${V}/${field} required`],
  ),
  ['a price that is text', band({ upToKg: 1, price: '1' }), `${Z}/bands/0/price wrong_type`],
  ['a price that is null', band({ upToKg: 1, price: null }), `${Z}/bands/0/price wrong_type`],
  ['a negative price', band({ upToKg: 1, price: -0.01 }), `${Z}/bands/0/price out_of_range`],
  ['too high a price', band({ upToKg: 1, price: 100_000.01 }), `${Z}/bands/0/price out_of_range`],
  ['a band up to 0', band({ upToKg: 0, price: 1 }), `${Z}/bands/0/upToKg out_of_range`],
  ['too high a percentage', extra({ percent: 300.0001, of: ['base'] }), `${S}/price/percent out_of_range`],
  ['too dear a kilogram', extra({ perKg: 50.00001 }), `${S}/price/perKg out_of_range`],
  ['a step of 0', zone({ beyond: [{ everyKg: 0, price: 1 }] }), `${Z}/beyond/0/everyKg out_of_range`],
  ['half a day', zone({ deliveryDays: 1.5 }), `${Z}/deliveryDays wrong_type`],
  ['a zone code with a space', zone({ code: 'a b' }), `${Z}/code invalid_format`],
  ['an unknown way to weigh', weight({ per: 'pallet' }), `${V}/weight/per not_allowed`],
  ['rounding to 0', weight({ roundUp: [{ toKg: 0 }] }), `${V}/weight/roundUp/0/toKg out_of_range`],
  ['neither', weight({ volumetric: [{}] }), `${V}/weight/volumetric/0 not_allowed`],
  ['half a factor', weight({ volumetric: [{ kgPerM3: 300.5 }] }), `${V}/weight/volumetric/0/kgPerM3 wrong_type`],
  [
    'too small a divisor',
    weight({ volumetric: [{ cm3PerKg: 999 }] }),
    `${V}/weight/volumetric/0/cm3PerKg out_of_range`,
  ],
  ['501 parcels', version({ limits: { parcels: 501 } }), `${V}/limits/parcels out_of_range`],
  ['VAT above 100 %', version({ vat: [{ to: { anywhere: true }, percent: 101 }] }), `${V}/vat/0/percent out_of_range`],
  ['an empty VAT table', version({ vat: [] }), `${V}/vat out_of_range`],
]);

refused('Texts that PostgreSQL cannot store are rejected:', [
  ['a name with U+0000', { ...tariffWith(), name: 'a\u0000b' }, '/name invalid_format'],
  ['a label with U+0000', version({ label: 'a\u0000b' }), `${V}/label invalid_format`],
  ['a label with half an emoji', version({ label: 'a\ud83d' }), `${V}/label invalid_format`],
  [
    'a description with half an emoji',
    version({ surcharges: [{ ...lineWith('a', { fixed: 1 }), description: 'a\ud83d' }] }),
    `${S}/description invalid_format`,
  ],
  ['the name of a zone with half an emoji', zone({ name: '\udc00' }), `${Z}/name invalid_format`],
  ['a comune with U+0000', to({ municipalities: ['Li\u0000vigno'] }), `${Z}/to/municipalities/0 invalid_text`],
  ['the year 0', dated({ validFrom: '0000-01-01' }), `${V}/validFrom invalid_format`],
]);
