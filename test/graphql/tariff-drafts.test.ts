import { describe, expect, test } from 'vitest';
import { publishDueDrafts } from '../../src/domain/pricing/tariffs/revisions/drafts.service.ts';
import { importTariff } from '../rest/feed.ts';
import { flat, italianDay, type Merchant } from '../rest/tariffs.ts';
import { failureOf } from '../support/graphql-client.ts';
import { ask, askNodes } from '../support/platform-side.ts';
import type { Caller } from '../support/world.ts';
import { priced, priceOf, useTariffs } from './tariff-calls.ts';

const { newMerchant, withClient, world } = useTariffs();

interface Revision {
  readonly id: string;
  readonly databaseId: number;
  readonly number: number | null;
  readonly name: string;
  readonly state: string;
  readonly publishDate: string | null;
  readonly problem: string | null;
  readonly restoredNumber: number | null;
}

const FIELDS = 'id databaseId number name state publishDate problem restoredNumber';
const mutationOf = (name: string, input: string) =>
  `mutation ($input: ${input}!) { ${name}(input: $input) { tariffRevision { ${FIELDS} } userErrors { code pointer message } } }`;
const CREATE = mutationOf('createTariffDraft', 'CreateTariffDraftInput');
const PUBLISH = mutationOf('publishTariff', 'PublishTariffInput');
const DISCARD = mutationOf('discardTariffDraft', 'DiscardTariffDraftInput');
const ROLLBACK = mutationOf('rollbackTariff', 'RollbackTariffInput');

const draft = ({ caller, ids }: Merchant, tariff: object, name?: string) =>
  ask<Revision>(caller, CREATE, { input: { carrierConnectionId: ids[0], tariff, name } });
const publish = (caller: Caller, id: string, publishDate?: string) =>
  ask<Revision>(caller, PUBLISH, { input: { id, publishDate } });
const listOf = (caller: Caller, field: string, of: unknown) =>
  askNodes<Revision>(caller, `query ($of: ID!) { ${field}(carrierConnectionId: $of) { nodes { ${FIELDS} } } }`, { of });
const historyOf = ({ caller, ids }: Merchant) => listOf(caller, 'tariffRevisions', ids[0]);
const draftsOf = ({ caller, ids }: Merchant) => listOf(caller, 'tariffDrafts', ids[0]);
const failed = async (caller: Caller, query: string, input: object) =>
  failureOf(await caller.graphql(query, { input }));

/** Moves the day of a draft, as if that many days had gone by. */
const dayGone = (id: number, days = 1) =>
  withClient(client =>
    client.query('update carrier_tariff_revision set publish_on = publish_on - $2::integer where id = $1', [id, days]),
  );
const sweep = () => publishDueDrafts({ database: world.app.database, log: world.app.log });

describe('A draft', () => {
  test('is kept without a number, and quotes do not use it', async () => {
    const shop = await newMerchant(flat(1));
    const kept = await draft(shop, flat(2), 'Da gennaio');
    expect(kept).toMatchObject({ number: null, name: 'Da gennaio', state: 'draft', publishDate: null });
    expect(await draftsOf(shop)).toEqual([kept]);
    expect((await historyOf(shop)).map(({ number }) => number)).toEqual([1]);
    expect(await priceOf(shop)).toBe(1);
  });

  test('that is published is the next revision, keeps its id, and is used in quotes at once', async () => {
    const shop = await newMerchant(flat(1));
    const kept = await draft(shop, flat(2));
    await importTariff(shop.caller, shop.ids[0] as number, flat(3));
    expect(await publish(shop.caller, kept.id)).toEqual({ ...kept, number: 3, state: 'in_force' });
    expect(await priceOf(shop)).toBe(2);
    expect(await draftsOf(shop)).toEqual([]);
    expect((await historyOf(shop)).map(({ id, number }) => [id, number])[0]).toEqual([kept.id, 3]);
  });

  test('that is discarded no longer exists, and leaves no gap in the numbers', async () => {
    const shop = await newMerchant(flat(1));
    const { caller } = shop;
    const kept = await draft(shop, flat(2));
    expect(await ask(caller, DISCARD, { input: { id: kept.id } })).toEqual(kept);
    expect(await draftsOf(shop)).toEqual([]);
    for (const query of [PUBLISH, DISCARD]) {
      expect(await failed(caller, query, { id: kept.id })).toMatchObject({ code: 'tariff_revision_not_found' });
    }
    await importTariff(caller, shop.ids[0] as number, flat(3));
    expect((await historyOf(shop)).map(({ number }) => number)).toEqual([2, 1]);
  });

  test('is checked like an import', async () => {
    const shop = await newMerchant(flat(1));
    const { caller, ids } = shop;
    expect(
      await failed(caller, CREATE, { carrierConnectionId: ids[0], tariff: { format: 2, name: 'x', versions: [] } }),
    ).toMatchObject({
      code: 'validation_failed',
      errors: [{ pointer: '/tariff/versions' }],
    });
    expect(await draftsOf(shop)).toEqual([]);
  });

  test('is rejected beyond twenty for a connection', async () => {
    const shop = await newMerchant(null);
    for (let i = 0; i < 20; i++) await draft(shop, flat(i + 1));
    const { caller, ids } = shop;
    expect(await failed(caller, CREATE, { carrierConnectionId: ids[0], tariff: flat(21) })).toMatchObject({
      errors: [{ code: 'too_many', pointer: '/carrierConnectionId' }],
    });
    expect(await draftsOf(shop)).toHaveLength(20);
  });

  test('that was published, or a revision, can be neither published nor discarded', async () => {
    const shop = await newMerchant(flat(1));
    const [{ id } = { id: '' }] = await historyOf(shop);
    for (const query of [PUBLISH, DISCARD]) {
      expect(await failed(shop.caller, query, { id })).toMatchObject({
        errors: [{ code: 'not_allowed', pointer: '/id' }],
      });
    }
    expect(await priceOf(shop)).toBe(1);
  });

  test('of another company does not exist', async () => {
    const [own, theirs] = [await newMerchant(flat(1)), await newMerchant(flat(2))];
    const kept = await draft(theirs, flat(3));
    for (const query of [PUBLISH, DISCARD, ROLLBACK]) {
      expect(await failed(own.caller, query, { id: kept.id })).toMatchObject({ code: 'tariff_revision_not_found' });
    }
    expect(await draftsOf(theirs)).toEqual([kept]);
  });
});

describe('A scheduled draft', () => {
  test('is used in quotes once its day has come, and not before', async () => {
    const shop = await newMerchant(flat(1));
    const { id, databaseId } = await draft(shop, flat(2));
    const scheduled = await publish(shop.caller, id, italianDay(3));
    expect(scheduled).toMatchObject({ state: 'scheduled', publishDate: italianDay(3), number: null });
    await sweep();
    expect(await priceOf(shop)).toBe(1);
    await dayGone(databaseId, 2);
    await sweep();
    expect(await priceOf(shop)).toBe(1);
    await dayGone(databaseId);
    // In several processes at once, and again.
    await Promise.all([sweep(), sweep(), sweep()]);
    await sweep();
    await priced(shop, 2);
    expect(await historyOf(shop)).toMatchObject([
      { id, number: 2, state: 'in_force', publishDate: null },
      { number: 1, state: 'replaced' },
    ]);
  });

  test('is in the audit trail with the key that scheduled or discarded it, and its import names the key that scheduled it', async () => {
    const shop = await newMerchant(flat(1));
    const { caller, ids } = shop;
    const [kept, dropped] = [await draft(shop, flat(2), 'Da domani'), await draft(shop, flat(3), 'Mai')];
    for (const { id } of [kept, dropped]) await publish(caller, id, italianDay(1));
    await ask(caller, DISCARD, { input: { id: dropped.id } });
    await dayGone(kept.databaseId);
    await sweep();
    const entries = await askNodes(
      caller,
      '{ auditLog(first: 4) { nodes { action actor { kind apiKeyId } subject { type key } detail } } }',
    );
    const subject = { type: 'CarrierConnection', key: String(ids[0]) };
    const key = { kind: 'key', apiKeyId: caller.apiKeyId };
    const [of, ofDropped] = [
      { name: 'Da domani', revisionId: kept.databaseId, publishOn: italianDay(1) },
      { name: 'Mai', revisionId: dropped.databaseId, publishOn: italianDay(1) },
    ];
    const scheduledBy = { kind: 'key', apiKeyId: caller.apiKeyId, label: expect.any(String) };
    const imported = { ...of, name: flat(2).name, publishOn: italianDay(0), scheduledBy };
    expect(entries).toEqual([
      { action: 'tariff_imported', actor: { kind: 'service', apiKeyId: null }, subject, detail: imported },
      { action: 'tariff_draft_discarded', actor: key, subject, detail: ofDropped },
      { action: 'tariff_scheduled', actor: key, subject, detail: ofDropped },
      { action: 'tariff_scheduled', actor: key, subject, detail: of },
    ]);
  });

  test('is published even if the service was stopped on its day', async () => {
    const shop = await newMerchant(flat(1));
    const { id, databaseId } = await draft(shop, flat(2));
    await publish(shop.caller, id, italianDay(1));
    await dayGone(databaseId, 40);
    await sweep();
    await priced(shop, 2);
  });

  test('can be rescheduled, published at once, or discarded', async () => {
    const shop = await newMerchant(flat(1));
    const [later, now, never] = [await draft(shop, flat(2)), await draft(shop, flat(3)), await draft(shop, flat(4))];
    for (const { id } of [later, now, never]) await publish(shop.caller, id, italianDay(1));
    await publish(shop.caller, later.id, italianDay(5));
    expect(await publish(shop.caller, now.id)).toMatchObject({ state: 'in_force', number: 2 });
    await ask(shop.caller, DISCARD, { input: { id: never.id } });
    for (const { databaseId } of [later, now, never]) await dayGone(databaseId);
    await sweep();
    expect(await priceOf(shop)).toBe(3);
    expect(await draftsOf(shop)).toMatchObject([{ id: later.id, publishDate: italianDay(4) }]);
  });

  test('for today is published at once, and a past day is rejected', async () => {
    const shop = await newMerchant(flat(1));
    const { id } = await draft(shop, flat(2));
    expect(await failed(shop.caller, PUBLISH, { id, publishDate: italianDay(-1) })).toMatchObject({
      errors: [{ code: 'out_of_range', pointer: '/publishDate' }],
    });
    expect(await failed(shop.caller, PUBLISH, { id, publishDate: '2027-02-30' })).toMatchObject({
      errors: [{ code: 'invalid_date_time', pointer: '/publishDate' }],
    });
    expect(await publish(shop.caller, id, italianDay())).toMatchObject({ state: 'in_force' });
  });

  test('shows why it was not published, and does not stop the others', async () => {
    const shop = await newMerchant(flat(1));
    const other = await newMerchant(flat(1));
    const [broken, sound] = [await draft(shop, flat(2)), await draft(other, flat(5))];
    for (const [{ caller }, { id }] of [[shop, broken] as const, [other, sound] as const]) {
      await publish(caller, id, italianDay(1));
    }
    // A draft that a later version of the service would no longer accept.
    await withClient(client =>
      client.query(
        `update carrier_tariff_revision set document = jsonb_set(document, '{currency}', '"USD"') where id = $1`,
        [broken.databaseId],
      ),
    );
    for (const { databaseId } of [broken, sound]) await dayGone(databaseId);
    await sweep();
    await priced(other, 5);
    expect(await priceOf(shop)).toBe(1);
    const [kept] = await draftsOf(shop);
    expect(kept).toMatchObject({ state: 'failed', problem: expect.stringContaining('currency') });
    expect(kept?.problem).not.toContain('undefined');
  });
});

describe('A rollback', () => {
  test('publishes an old tariff as a new revision, which names the old one', async () => {
    const shop = await newMerchant(flat(1));
    await importTariff(shop.caller, shop.ids[0] as number, { ...flat(2), name: 'Errato' });
    const [, first] = await historyOf(shop);
    const back = await ask<Revision>(shop.caller, ROLLBACK, { input: { id: first?.id } });
    expect(back).toMatchObject({ number: 3, state: 'in_force', restoredNumber: 1, name: flat(1).name });
    expect(await priceOf(shop)).toBe(1);
    expect((await historyOf(shop)).map(({ number, state }) => [number, state])).toEqual([
      [3, 'in_force'],
      [2, 'replaced'],
      [1, 'replaced'],
    ]);
  });

  test('to a draft is rejected', async () => {
    const shop = await newMerchant(flat(1));
    const { id } = await draft(shop, flat(2));
    expect(await failed(shop.caller, ROLLBACK, { id })).toMatchObject({
      errors: [{ code: 'not_allowed', pointer: '/id' }],
    });
  });
});
