import { describe, expect, test } from 'vitest';
import { importTariff } from '../rest/feed.ts';
import { flat } from '../rest/tariffs.ts';
import { failureOf } from '../support/graphql-client.ts';
import { INSTANT } from '../support/instants.ts';
import { ask, askNodes, NOTHING, refusal } from '../support/platform-side.ts';
import type { Caller } from '../support/world.ts';
import { useTariffs } from './tariff-calls.ts';

const { newMerchant, world } = useTariffs();

interface Revision {
  readonly id: string;
  readonly databaseId: number;
  readonly number: number | null;
  readonly name: string;
  readonly state: string;
  readonly author: string;
  readonly publishedAt: string | null;
}

const FIELDS = 'id databaseId number name state author apiKeyId apiKeyLabel restoredNumber createdAt publishedAt';
const historyOf = (caller: Caller, carrierConnectionId: unknown) =>
  askNodes<Revision>(caller, `query ($of: ID!) { tariffRevisions(carrierConnectionId: $of) { nodes { ${FIELDS} } } }`, {
    of: carrierConnectionId,
  });
const documentOf = async (caller: Caller, id: string) =>
  (await ask<{ document: object }>(caller, 'query ($id: ID!) { tariffRevision(id: $id) { document } }', { id }))
    .document;

describe('An import', () => {
  test('is kept as a revision with its number, its name, its importer and its time', async () => {
    const { caller, ids } = await newMerchant(flat(1));
    await importTariff(caller, ids[0] as number, { ...flat(2), name: 'Listino nuovo' });
    const history = await historyOf(caller, ids[0]);
    expect(history).toEqual([
      {
        id: expect.any(String),
        databaseId: expect.any(Number),
        number: 2,
        name: 'Listino nuovo',
        state: 'in_force',
        author: 'api_key',
        apiKeyId: caller.apiKeyId,
        apiKeyLabel: 'Test',
        restoredNumber: null,
        createdAt: expect.stringMatching(INSTANT),
        publishedAt: expect.stringMatching(INSTANT),
      },
      expect.objectContaining({ number: 1, name: flat(1).name, state: 'replaced' }),
    ]);
    const [tariff] = await askNodes<{ revision: Revision; revisions: object }>(
      caller,
      `{ tariffs(first: 1) { nodes { revision { ${FIELDS} } revisions(first: 1) { totalCount nodes { ${FIELDS} } } } } }`,
    );
    expect(tariff).toEqual({ revision: history[0], revisions: { totalCount: 2, nodes: [history[0]] } });
  });

  test('is kept as it is exported', async () => {
    const { caller, ids } = await newMerchant(flat(1));
    const [{ document } = { document: {} }] = await askNodes<{ document: object }>(
      caller,
      '{ tariffs(first: 1) { nodes { document } } }',
    );
    const [revision] = await historyOf(caller, ids[0]);
    const kept = await documentOf(caller, revision?.id ?? '');
    // Exported again after it was imported from the export.
    await importTariff(caller, ids[0] as number, kept);
    expect(await askNodes(caller, '{ tariffs(first: 1) { nodes { document } } }')).toEqual([{ document }]);
  });

  test('that is rejected leaves no revision', async () => {
    const { caller, ids } = await newMerchant(flat(1));
    const answer = await caller.graphql(
      'mutation ($input: ImportTariffInput!) { importTariff(input: $input) { userErrors { code pointer message } } }',
      { input: { carrierConnectionId: ids[0], tariff: {} } },
    );
    expect(failureOf(answer)?.code).toBe('validation_failed');
    expect((await historyOf(caller, ids[0])).map(({ number }) => number)).toEqual([1]);
  });

  test('at the same time as others has a separate number, without a gap', async () => {
    const { caller, ids } = await newMerchant(null);
    await Promise.all([1, 2, 3, 4, 5, 6].map(price => importTariff(caller, ids[0] as number, flat(price))));
    const history = await historyOf(caller, ids[0]);
    expect(history.map(({ number }) => number)).toEqual([6, 5, 4, 3, 2, 1]);
    expect(history.map(({ state }) => state)).toEqual(['in_force', ...Array(5).fill('replaced')]);
  });
});

describe('The revisions of tariffs', () => {
  test('of another company do not exist', async () => {
    const own = await newMerchant(flat(1));
    const strangers = await newMerchant(flat(2));
    const [theirs] = await historyOf(strangers.caller, strangers.ids[0]);
    const one = 'query ($id: ID!) { tariffRevision(id: $id) { name } }';
    expect(await refusal(own.caller, one, { id: theirs?.id })).toBe(NOTHING);
    expect(await refusal(own.caller, one, { id: theirs?.databaseId })).toBe(NOTHING);
    const list = 'query ($id: ID!) { tariffRevisions(carrierConnectionId: $id) { nodes { name } } }';
    expect(await refusal(own.caller, list, { id: strangers.ids[0] })).toBe(NOTHING);
  });

  test('require carriers:manage', async () => {
    const { caller, ids } = await newMerchant(flat(1));
    const reader = await world.key(caller.companyId, ['carriers:read', 'shipments:quote']);
    const answer = await reader.graphql(
      'query ($id: ID!) { tariffRevisions(carrierConnectionId: $id) { nodes { name } } }',
      {
        id: ids[0],
      },
    );
    expect(failureOf(answer)).toMatchObject({ code: 'insufficient_scope', requiredScope: 'carriers:manage' });
  });
});
