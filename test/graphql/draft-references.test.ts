import { expect, test, vi } from 'vitest';
import { publishDueDrafts } from '../../src/domain/pricing/tariffs/revisions/drafts.service.ts';
import { italianDay } from '../rest/tariffs.ts';
import { ask, askNodes, connectCarrier } from '../support/platform-side.ts';
import { PATIENTLY } from '../support/time.ts';
import type { Caller } from '../support/world.ts';
import { useTariffs } from './tariff-calls.ts';

const { world, withClient } = useTariffs();

const CREATE = `mutation ($input: CreateTariffDraftInput!) { createTariffDraft(input: $input) {
  tariffRevision { id databaseId } userErrors { code pointer message } } }`;
const PUBLISH = `mutation ($input: PublishTariffInput!) { publishTariff(input: $input) {
  tariffRevision { id } userErrors { code pointer message } } }`;
const DISCARD = `mutation ($input: DiscardTariffDraftInput!) { discardTariffDraft(input: $input) {
  tariffRevision { id } userErrors { code pointer message } } }`;
const PLACES = `mutation ($input: ReplacePlaceListInput!) { replacePlaceList(input: $input) {
  carrierReference { id } userErrors { code pointer message } } }`;
const FUEL = `mutation ($input: ImportFuelIndexInput!) { importFuelIndex(input: $input) {
  carrierReference { id } userErrors { code pointer message } } }`;
const DELETE = `mutation ($input: DeleteCarrierReferenceInput!) { deleteCarrierReference(input: $input) {
  carrierReference { name } userErrors { code pointer message } } }`;
const SIMULATE = `mutation ($input: SimulateTariffsInput!) { simulateTariffs(input: $input) {
  simulation { id } userErrors { code pointer message } } }`;

type Payload = Record<string, { readonly userErrors: readonly object[] }>;

/** The errors of a mutation, which are none if it succeeds. */
async function errorsOf(caller: Caller, mutation: string, input: object): Promise<readonly object[]> {
  const { data } = await caller.graphql<Payload>(mutation, { input });
  return Object.values(data).flatMap(({ userErrors }) => userErrors);
}

const VERSION = {
  label: '2026',
  validFrom: '2026-01-01',
  weight: { per: 'shipment', roundUp: [{ toKg: 1 }] },
  zones: [{ code: 'italia', name: 'Italia', to: { countries: ['IT'] }, bands: [{ upToKg: 1000, price: 10 }] }],
};

/** A company with a connection of BRT, which has the list `lontane` and the index `gasolio`. */
async function company() {
  const caller = await world.company();
  const connection = await connectCarrier(caller, 'BRT', 'Conto');
  const put = { carrierCode: 'BRT', name: 'lontane', places: { postalCodes: ['90139'] } };
  const list = await ask<{ id: string }>(caller, PLACES, { input: put });
  const rates = [{ from: '2026-01', percent: 8 }];
  const index = await ask<{ id: string }>(caller, FUEL, { input: { carrierCode: 'BRT', name: 'gasolio', rates } });
  const draft = (version: object) =>
    ask<{ id: string; databaseId: number }>(caller, CREATE, {
      input: {
        carrierConnectionId: connection,
        tariff: { format: 2, name: 'Listino', versions: [{ ...VERSION, ...version }] },
      },
    });
  return { caller, connection, list, index, draft };
}

const when = { to: { lists: ['lontane'] } };
const NAMING_LIST = {
  surcharges: [{ code: 'remote', description: 'Disagiata', when, price: { fixed: 4 } }],
};
const NAMING_INDEX = { fuel: [{ code: 'fuel', description: 'Carburante', price: { index: 'gasolio', of: ['base'] } }] };

test('A list or an index is not deleted while a scheduled draft refers to it, and the error names the day', async () => {
  const { caller, connection, list, index, draft } = await company();
  const day = italianDay(3);
  for (const [version, kind, name, { id }] of [
    [NAMING_LIST, 'list', 'lontane', list],
    [NAMING_INDEX, 'index', 'gasolio', index],
  ] as const) {
    const scheduled = await draft(version);
    await ask(caller, PUBLISH, { input: { id: scheduled.id, publishDate: day } });
    const message = `Tariffs refer to the ${kind} "${name}" of BRT: "Listino" (connection ${connection}, scheduled for ${day}).`;
    expect(await errorsOf(caller, DELETE, { id })).toEqual([
      { code: 'carrier_reference_in_use', pointer: null, message },
    ]);
    await ask(caller, DISCARD, { input: { id: scheduled.id } });
    expect(await errorsOf(caller, DELETE, { id })).toEqual([]);
  }
});

test('A list is not replaced by one that contradicts a scheduled draft', async () => {
  const { caller, connection, draft } = await company();
  const zones = [
    { code: 'a', name: 'A', to: { lists: ['lontane'] }, bands: [{ upToKg: 10, price: 1 }] },
    { code: 'b', name: 'B', to: { postalCodes: ['23041'] }, bands: [{ upToKg: 10, price: 1 }] },
  ];
  const { id } = await draft({ zones });
  await ask(caller, PUBLISH, { input: { id, publishDate: italianDay(3) } });
  const put = { carrierCode: 'BRT', name: 'lontane', places: { postalCodes: ['23041'] } };
  expect(await errorsOf(caller, PLACES, put)).toMatchObject([
    {
      code: 'conflict',
      pointer: '/places',
      message: expect.stringContaining(
        `contradicts the draft of connection ${connection} that is scheduled for ${italianDay(3)}: versions/0/zones`,
      ),
    },
  ]);
  await ask(caller, DISCARD, { input: { id } });
  expect(await errorsOf(caller, PLACES, put)).toEqual([]);
});

test.each([
  ['at once', undefined],
  ['on a day to come', italianDay(3)],
])('The error for a draft that no longer fits, published %s, points at its id', async (_when, publishDate) => {
  const { caller, list, draft } = await company();
  const { id } = await draft(NAMING_LIST);
  await ask(caller, DELETE, { input: { id: list.id } });
  const at = 'versions/0/surcharges/0/when/to/lists/0';
  const message = `The field id names a tariff that no longer fits: ${at} names the list "lontane", which the carrier does not have: there are none.`;
  expect(await errorsOf(caller, PUBLISH, { id, publishDate })).toEqual([
    { code: 'unknown_list', pointer: '/id', message },
  ]);
});

test('A draft whose list or index was deleted is not simulated, and the error names the list or index', async () => {
  const { caller, list, index, draft } = await company();
  for (const [version, kind, name, { id }] of [
    [NAMING_LIST, 'list', 'lontane', list],
    [NAMING_INDEX, 'index', 'gasolio', index],
  ] as const) {
    const { databaseId } = await draft(version);
    await ask(caller, DELETE, { input: { id } });
    const tariffs = [{ tariff: { tariffRevisionId: databaseId } }];
    const input = { period: { from: '2026-01-01', to: '2026-01-31' }, tariffs };
    const message = `The field tariffs[0].tariff.tariffRevisionId names a tariff with the ${kind} "${name}", which BRT does not have.`;
    expect(await errorsOf(caller, SIMULATE, input)).toEqual([
      { code: `unknown_${kind}`, pointer: '/tariffs/0/tariff/tariffRevisionId', message },
    ]);
  }
});

test('A draft that is discarded while its publication begins is not logged as an error', async () => {
  const { caller, connection, draft } = await company();
  const { id, databaseId } = await draft({});
  await ask(caller, PUBLISH, { input: { id, publishDate: italianDay(1) } });
  const logged: unknown[] = [];
  const log = { ...world.app.log, info: () => undefined, error: (...line: unknown[]) => logged.push(line) };
  await withClient(async client => {
    const today = 'update carrier_tariff_revision set publish_on = publish_on - 1 where id = $1';
    await client.query(today, [databaseId]);
    await client.query('begin');
    await client.query('delete from carrier_tariff_revision where id = $1', [databaseId]);
    const published = publishDueDrafts({ database: world.app.database, log: log as unknown as typeof world.app.log });
    const waiting = 'select from pg_stat_activity where (select pg_backend_pid()) = any (pg_blocking_pids(pid))';
    await vi.waitFor(async () => expect((await client.query(waiting)).rowCount).toBe(1), PATIENTLY);
    await client.query('commit');
    await published;
  });
  expect(logged).toEqual([]);
  const drafts = `query ($of: ID!) { tariffDrafts(carrierConnectionId: $of) { nodes { id } } }`;
  expect(await askNodes(caller, drafts, { of: connection })).toEqual([]);
});
