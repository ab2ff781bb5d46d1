import { expect, test, vi } from 'vitest';
import { currentTariff } from '../rest/tariffs.ts';
import { ask, askNodes, connectCarrier, times } from '../support/platform-side.ts';
import type { Caller } from '../support/world.ts';
import { IMPORT, useTariffs } from './tariff-calls.ts';

// biome-ignore lint/suspicious/noExplicitAny: a response, of which tests look at single fields
type Json = any;

const { world, newMerchant, withClient } = useTariffs();

const FUEL = `mutation ($input: ImportFuelIndexInput!) { importFuelIndex(input: $input) {
  carrierReference { kind name content } userErrors { code pointer message } } }`;
const PLACES = `mutation ($input: ReplacePlaceListInput!) { replacePlaceList(input: $input) {
  carrierReference { kind name content } userErrors { code pointer message } } }`;
const DELETE = `mutation ($id: ID!) { deleteCarrierReference(input: { id: $id }) {
  carrierReference { kind name content } userErrors { code pointer message } } }`;
const LISTED = `query ($carrier: CarrierCode, $kind: CarrierReferenceKind, $first: Int, $after: String) {
  carrierReferences(carrierCode: $carrier, kind: $kind, first: $first, after: $after) {
    nodes { id carrierCode kind name content } totalCount pageInfo { endCursor hasNextPage } } }`;

interface Reference {
  readonly id: string;
  readonly carrierCode: string;
  readonly kind: string;
  readonly name: string;
}

const pageOf = async (caller: Caller, variables: object) => {
  const { data, errors } = await caller.graphql<Json>(LISTED, { first: 10, ...variables });
  expect(errors).toBeUndefined();
  return data.carrierReferences;
};
const listed = async (caller: Caller, variables: object = {}): Promise<Reference[]> =>
  (await pageOf(caller, variables)).nodes;
const put = async (caller: Caller, carrierCode: string, name: string, places: object = { postalCodes: ['90139'] }) =>
  (await caller.graphql<Json>(PLACES, { input: { carrierCode, name, places } })).data.replacePlaceList;
const remove = async (caller: Caller, id: string) =>
  (await caller.graphql<Json>(DELETE, { id })).data.deleteCarrierReference;

const referring = currentTariff({
  zones: [{ code: 'italia', name: 'Italia', to: { countries: ['IT'] }, bands: [{ upToKg: 1000, price: 10 }] }],
  surcharges: [
    { code: 'remote', description: 'Disagiata', when: { to: { lists: ['disagiate'] } }, price: { fixed: 4 } },
  ],
  fuel: [{ code: 'fuel', description: 'Carburante', price: { index: 'gasolio', of: ['base'] } }],
});

test('An index and a list are replaced and read, and named only by tariffs of their carrier', async () => {
  const { caller, ids } = await newMerchant(null);
  const [carrierConnectionId] = ids;
  const connections = await askNodes<{ carrierCode: string }>(
    caller,
    '{ carrierConnections { nodes { carrierCode } } }',
  );
  const carrierCode = connections[0]?.carrierCode;
  const tariff = () =>
    caller.graphql<Record<string, object>>(IMPORT, { input: { carrierConnectionId, tariff: referring } });
  expect((await tariff()).data.importTariff).toMatchObject({
    tariff: null,
    userErrors: [{ code: 'unknown_list' }, { code: 'unknown_index', pointer: '/tariff/versions/0/fuel/0/price/index' }],
  });

  const rates = [
    { from: '2026-07', percent: 9.5 },
    { from: '2026-01', percent: 8 },
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
  expect(await listed(caller, { carrier: carrierCode })).toMatchObject([
    index,
    { kind: 'list', name: 'disagiate', content: places },
  ]);
  expect((await tariff()).data.importTariff).toMatchObject({ userErrors: [] });
});

test('Errors of an index or a list have pointers to their places', async () => {
  const { caller } = await newMerchant(null);
  const rates = [
    { from: '2026-13', percent: 8 },
    { from: '2026-02', percent: 8 },
    { from: '2026-02', percent: 8 },
  ];
  const fuel = await caller.graphql<Record<string, object>>(FUEL, {
    input: { carrierCode: 'BRT', name: 'gasolio', rates },
  });
  expect(fuel.data.importFuelIndex).toMatchObject({
    carrierReference: null,
    userErrors: [
      { code: 'invalid_format', pointer: '/rates/0/from' },
      { code: 'duplicate', pointer: '/rates/2/from' },
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

test('A percentage of an index applies from a day or a month, and must state one of them', async () => {
  const { caller } = await newMerchant(null);
  const importOf = async (...rates: object[]) =>
    (await caller.graphql<Json>(FUEL, { input: { carrierCode: 'DHL', name: 'fuel', rates } })).data.importFuelIndex;
  await importOf({ from: '2026-11', percent: 8 }, { from: '2026-11-09', percent: 8.4 });
  expect(await importOf({ from: '2026-12', percent: 9 }, { from: '2026-11-01', percent: 7 })).toMatchObject({
    carrierReference: {
      content: [
        { from: '2026-11-01', percent: 7 },
        { from: '2026-11-09', percent: 8.4 },
        { from: '2026-12-01', percent: 9 },
      ],
    },
    userErrors: [],
  });
  expect(await importOf({ from: '2026-02-30', percent: 8 })).toMatchObject({
    userErrors: [{ code: 'invalid_format', pointer: '/rates/0/from' }],
  });
});

/** A tariff that names the list alone. */
const naming = (list: string) => ({
  ...referring,
  versions: referring.versions.map(({ fuel: _, ...version }) => ({
    ...version,
    surcharges: [
      { code: 'remote', description: 'Disagiata', when: { noneOf: [{ to: { lists: [list] } }] }, price: { fixed: 4 } },
    ],
  })),
});

test('Lists and indexes are paged by carrier, kind and name, and can be filtered', async () => {
  const { caller } = await newMerchant(null);
  for (const [carrier, name] of [
    ['GLS', 'ztl'],
    ['BRT', 'isole'],
    ['BRT', 'disagiate'],
  ] as const)
    await put(caller, carrier, name);
  const rates = [{ from: '2026-01', percent: 8 }];
  await caller.graphql(FUEL, { input: { carrierCode: 'BRT', name: 'fuel', rates } });
  const names = (all: readonly Reference[]) =>
    all.map(({ carrierCode, kind, name }) => `${carrierCode} ${kind} ${name}`);
  const whole = ['BRT index fuel', 'BRT list disagiate', 'BRT list isole', 'GLS list ztl'];
  expect(names(await listed(caller))).toEqual(whole);
  expect(names(await listed(caller, { kind: 'LIST' }))).toEqual(whole.slice(1));
  expect(names(await listed(caller, { carrier: 'GLS' }))).toEqual(['GLS list ztl']);
  const first = await pageOf(caller, { first: 3 });
  expect(first).toMatchObject({ totalCount: 4, pageInfo: { hasNextPage: true } });
  const rest = await pageOf(caller, { first: 3, after: first.pageInfo.endCursor });
  expect(names([...first.nodes, ...rest.nodes])).toEqual(whole);
  expect(await pageOf(caller, { carrier: 'BRT', kind: 'INDEX' })).toMatchObject({ totalCount: 1 });
});

test('A list is deleted once no tariff refers to it, and until then the error names the tariffs that do', async () => {
  const { caller } = await newMerchant(null);
  const connections = [await connectCarrier(caller, 'BRT', 'A'), await connectCarrier(caller, 'BRT', 'B')];
  const places = { postalCodes: ['98050', '90010'] };
  await put(caller, 'BRT', 'lontane', places);
  await put(caller, 'BRT', 'other');
  for (const carrierConnectionId of connections)
    await ask(caller, IMPORT, { input: { carrierConnectionId, tariff: naming('lontane') } });
  const [list] = await listed(caller, { carrier: 'BRT' });
  const id = list?.id ?? '';
  expect(await remove(caller, id)).toEqual({
    carrierReference: null,
    userErrors: [
      {
        code: 'carrier_reference_in_use',
        pointer: null,
        message: `Tariffs refer to the list "lontane" of BRT: "Listino" (connection ${connections[0]}), "Listino" (connection ${connections[1]}).`,
      },
    ],
  });
  for (const carrierConnectionId of connections)
    await ask(caller, IMPORT, { input: { carrierConnectionId, tariff: naming('other') } });
  const deleted = { carrierReference: { kind: 'list', name: 'lontane', content: places }, userErrors: [] };
  expect(await remove(caller, id)).toEqual(deleted);
  expect(await remove(caller, id)).toMatchObject({ userErrors: [{ code: 'node_not_found' }] });
  expect(await remove(caller, 'BRT')).toMatchObject({ userErrors: [{ code: 'invalid_id', pointer: '/id' }] });
});

test('A draft is quoted by the current lists, and a notice names a list of the draft once it is deleted', async () => {
  const { caller, ids, body } = await newMerchant(null);
  const [carrierConnectionId] = ids;
  const [connection] = await askNodes<{ carrierCode: string }>(
    caller,
    '{ carrierConnections { nodes { carrierCode } } }',
  );
  const { carrierCode = '' } = connection ?? {};
  await put(caller, carrierCode, 'lontane', { postalCodes: ['90139'] });
  await put(caller, carrierCode, 'other');
  const CREATE = `mutation ($input: CreateTariffDraftInput!) { createTariffDraft(input: $input) {
    tariffRevision { databaseId } userErrors { code pointer message } } }`;
  // It costs 4.00 more, except in the places of the list.
  const draft = await ask<Json>(caller, CREATE, { input: { carrierConnectionId, tariff: naming('lontane') } });
  const QUOTE = `query ($input: QuoteInput!) { quoteShipment(input: $input, draft: true) {
    ... on QuoteList { items { totalPrice carrierName } notices { code pointer message(language: EN) } } } }`;
  const quoted = () => ask<Json>(caller, QUOTE, { input: { shipment: { parcels: body() } } });
  expect(await quoted()).toMatchObject({ items: [{ totalPrice: '10.00' }], notices: [] });
  await put(caller, carrierCode, 'lontane', { postalCodes: ['98050'] });
  expect(await quoted()).toMatchObject({ items: [{ totalPrice: '14.00' }], notices: [] });
  const [list] = await listed(caller, { carrier: carrierCode });
  expect(await remove(caller, list?.id ?? '')).toMatchObject({ userErrors: [] });
  const [{ carrierName }] = (await quoted()).items;
  const message = `Tariff ${draft.databaseId} of connection ${carrierConnectionId} names the list "lontane", which ${carrierName} does not have: it counts as empty.`;
  expect(await quoted()).toMatchObject({
    items: [{ totalPrice: '14.00' }],
    notices: [{ code: 'unknown_list', pointer: '', message }],
  });
});

test('A tariff never refers to a list that is deleted, or changed to contradict it, during its import', async () => {
  const { caller } = await newMerchant(null);
  const carrierConnectionId = await connectCarrier(caller, 'BRT', 'A');
  const importing = async (tariff: object) =>
    (await caller.graphql<Json>(IMPORT, { input: { carrierConnectionId, tariff } })).data.importTariff.userErrors
      .length === 0;
  for (const i of times(12, n => n)) {
    const name = `list_${i}`;
    await put(caller, 'BRT', name);
    const id = (await listed(caller)).find(one => one.name === name)?.id ?? '';
    const [isImported, { userErrors }] = await Promise.all([importing(naming(name)), remove(caller, id)]);
    expect([isImported, userErrors.length === 0].filter(Boolean)).toHaveLength(1);
    await importing({
      ...naming(name),
      versions: naming(name).versions.map(version => ({ ...version, surcharges: [] })),
    });

    // A zone and a list may not claim the same place.
    const other = `${name}_b`;
    await put(caller, 'BRT', other);
    const [version] = referring.versions;
    const zones = [
      ...(version?.zones ?? []),
      { code: 'a', name: 'A', to: { lists: [other] }, bands: [{ upToKg: 10, price: 1 }] },
      { code: 'b', name: 'B', to: { postalCodes: ['23041'] }, bands: [{ upToKg: 10, price: 1 }] },
    ];
    const claiming = { ...referring, versions: [{ ...version, zones, surcharges: [], fuel: [] }] };
    const [isStored, replaced] = await Promise.all([
      importing(claiming),
      put(caller, 'BRT', other, { postalCodes: ['23041'] }),
    ]);
    expect([isStored, replaced.userErrors.length === 0].filter(Boolean)).toHaveLength(1);
    await importing({ ...claiming, versions: [{ ...version, surcharges: [], fuel: [] }] });
  }
});

test('Months that are imported at the same time are all kept', async () => {
  const { caller } = await newMerchant(null);
  const months = times(12, i => `2026-${String(i + 1).padStart(2, '0')}`);
  const importOf = (month: string) =>
    caller.graphql(FUEL, { input: { carrierCode: 'BRT', name: 'fuel', rates: [{ from: month, percent: 8 }] } });
  await Promise.all(months.map(importOf));
  const [index] = (await listed(caller)) as unknown as [{ content: { from: string }[] }];
  expect(index.content.map(({ from }) => from)).toEqual(months.map(month => `${month}-01`));
});

test('A carrier has at most 200 lists and indexes, which can still be replaced', async () => {
  const { caller } = await newMerchant(null);
  await withClient(client =>
    client.query(
      `insert into carrier_reference (company_id, carrier_code, kind, name, content)
        select $1, 'BRT', 'list', 'list_' || n, '{}' from generate_series(1, 200) n`,
      [caller.companyId],
    ),
  );
  expect(await put(caller, 'BRT', 'one_more')).toMatchObject({
    userErrors: [{ code: 'carrier_reference_limit_reached' }],
  });
  expect(await put(caller, 'BRT', 'list_7')).toMatchObject({ userErrors: [] });
  expect(await put(caller, 'GLS', 'one_more')).toMatchObject({ userErrors: [] });
});

test('A list that is deleted while it is read has no content, and the others have theirs', async () => {
  const { caller } = await newMerchant(null);
  for (const name of ['kept', 'deleted']) await put(caller, 'BRT', name);
  const { database } = world.app;
  const read = database.rows.bind(database);
  const reads = vi.spyOn(database, 'rows').mockImplementation(async (statement, ...values) => {
    if (statement.name === 'carrier-reference-content') {
      const gone = `delete from carrier_reference where company_id = $1 and name = 'deleted'`;
      await withClient(client => client.query(gone, [caller.companyId]));
    }
    return read(statement, ...values);
  });
  const { nodes } = await pageOf(caller, { kind: 'list' });
  reads.mockRestore();
  const content = { postalCodes: ['90139'] };
  expect(nodes).toMatchObject([
    { name: 'deleted', content: null },
    { name: 'kept', content },
  ]);
});
