import { expect, test } from 'vitest';
import { askNodes } from './platform-side.ts';
import { IMPORT, useTariffs } from './tariff-calls.ts';

const { newMerchant } = useTariffs();

const FUEL = `mutation ($input: ImportFuelIndexInput!) { importFuelIndex(input: $input) {
  carrierReference { kind name content } userErrors { code pointer message } } }`;
const PLACES = `mutation ($input: ReplacePlaceListInput!) { replacePlaceList(input: $input) {
  carrierReference { kind name content } userErrors { code pointer message } } }`;
const ALL = 'query ($carrier: CarrierCode!) { carrierReferences(carrierCode: $carrier) { kind name content } }';

const referring = {
  format: 2,
  name: 'Listino',
  versions: [
    {
      label: '2026',
      validFrom: '2026-01-01',
      weight: { per: 'shipment', roundUp: [{ toKg: 1 }] },
      zones: [{ code: 'italia', name: 'Italia', to: { countries: ['IT'] }, bands: [{ upToKg: 1000, price: 10 }] }],
      surcharges: [
        { code: 'remote', description: 'Disagiata', when: { to: { lists: ['disagiate'] } }, price: { fixed: 4 } },
      ],
      fuel: [{ code: 'fuel', description: 'Carburante', price: { index: 'gasolio', of: ['base'] } }],
    },
  ],
};

test('an index and a list are replaced, read, and named by tariffs of their carrier alone', async () => {
  const { caller, ids } = await newMerchant(null);
  const [carrierCompanyId] = ids;
  const connections = await askNodes<{ carrierCode: string }>(
    caller,
    '{ carrierConnections { nodes { carrierCode } } }',
  );
  const carrierCode = connections[0]?.carrierCode;
  const tariff = () =>
    caller.graphql<Record<string, object>>(IMPORT, { input: { carrierCompanyId, tariff: referring } });
  expect((await tariff()).data.importTariff).toMatchObject({
    tariff: null,
    userErrors: [{ code: 'unknown_list' }, { code: 'unknown_index', pointer: '/tariff/versions/0/fuel/0/price/index' }],
  });

  const rates = [
    { month: '2026-07', percent: 9.5 },
    { month: '2026-01', percent: 8 },
  ];
  const fuel = await caller.graphql<Record<string, object>>(FUEL, { input: { carrierCode, name: 'gasolio', rates } });
  const index = {
    kind: 'index',
    name: 'gasolio',
    content: [
      { from: '2026-01-01', percent: 8 },
      { from: '2026-07-01', percent: 9.5 },
    ],
  };
  expect(fuel.data.importFuelIndex).toEqual({ carrierReference: index, userErrors: [] });
  const places = { postalCodes: ['90139'] };
  const list = await caller.graphql<Record<string, object>>(PLACES, {
    input: { carrierCode, name: 'disagiate', places },
  });
  expect(list.data.replacePlaceList).toEqual({
    carrierReference: { kind: 'list', name: 'disagiate', content: places },
    userErrors: [],
  });
  const all = await caller.graphql<Record<string, object[]>>(ALL, { carrier: carrierCode });
  expect(all.data.carrierReferences).toEqual([index, { kind: 'list', name: 'disagiate', content: places }]);
  expect((await tariff()).data.importTariff).toMatchObject({ userErrors: [] });
});

test('what is wrong with them is named by its place', async () => {
  const { caller } = await newMerchant(null);
  const rates = [
    { month: '2026-13', percent: 8 },
    { month: '2026-02', percent: 8 },
    { month: '2026-02', percent: 8 },
  ];
  const fuel = await caller.graphql<Record<string, object>>(FUEL, {
    input: { carrierCode: 'BRT', name: 'gasolio', rates },
  });
  expect(fuel.data.importFuelIndex).toMatchObject({
    carrierReference: null,
    userErrors: [
      { code: 'invalid_format', pointer: '/rates/0/month' },
      { code: 'duplicate', pointer: '/rates/2/month' },
    ],
  });
  const places = { regions: ['Sicily'] };
  const list = await caller.graphql<Record<string, object>>(PLACES, {
    input: { carrierCode: 'BRT', name: 'x', places },
  });
  expect(list.data.replacePlaceList).toMatchObject({
    userErrors: [{ code: 'unknown_region', pointer: '/places/regions/0' }],
  });
});
