import { describe, expect, test } from 'vitest';
import { importTariff } from '../rest/feed.ts';
import { type Fields, flat, type Merchant, tariffWith } from '../rest/tariffs.ts';
import { failureOf } from '../support/graphql-client.ts';
import { ask, askNodes, NOTHING, order, refusal, times, upsertOrders } from '../support/platform-side.ts';
import { priceOf, useTariffs } from './tariff-calls.ts';

const { newMerchant, world } = useTariffs();

const CHANGE = 'text part aspect versionDate zone upToKg line before after';
const DIFF = `from { number } to { number state }
  changes { totalCount nodes { ${CHANGE} } } samplePrices { date prices { shipment to before after } }`;

interface Diff {
  readonly from: { number: number | null } | null;
  readonly to: { number: number | null } | null;
  readonly changes: { totalCount: number; nodes: Fields[] };
  readonly samplePrices: {
    prices: { shipment: string; to: string; before: string | null; after: string | null }[];
  } | null;
}

const idsOf = async ({ caller, ids }: Merchant) =>
  (
    await askNodes<{ id: string }>(
      caller,
      'query ($of: ID!) { tariffRevisions(carrierConnectionId: $of) { nodes { id } } }',
      { of: ids[0] },
    )
  ).map(({ id }) => id);
const diffOf = ({ caller }: Merchant, variables: Fields) =>
  ask<Diff>(caller, `query ($from: ID, $to: ID!) { tariffDiff(from: $from, to: $to) { ${DIFF} } }`, variables);

const IMPORT = `mutation ($input: ImportTariffInput!) { importTariff(input: $input) {
  tariff { databaseId } tariffRevision { number name } tariffDiff { ${DIFF} } userErrors { code pointer message } } }`;
interface Imported {
  readonly tariff: object | null;
  readonly tariffRevision: { number: number; name: string } | null;
  readonly tariffDiff: Diff;
}
const imported = ({ caller, ids }: Merchant, tariff: object, fields: Fields = {}) =>
  ask<Imported>(caller, IMPORT, { input: { carrierConnectionId: ids[0], tariff, ...fields } });

describe('The diff of two revisions', () => {
  test('has each change with zone, band, price and text, and the prices of sample parcels', async () => {
    const shop = await newMerchant(flat(4));
    await importTariff(shop.caller, shop.ids[0] as number, flat(5));
    const [second, first] = await idsOf(shop);
    const diff = await diffOf(shop, { from: first, to: second });
    expect(diff).toMatchObject({
      from: { number: 1 },
      to: { number: 2, state: 'in_force' },
      changes: {
        totalCount: 1,
        nodes: [{ part: 'zone', aspect: 'price', zone: 'italia', upToKg: '100000', before: 4, after: 5, line: null }],
      },
    });
    expect(diff.changes.nodes[0]?.text).toMatch(/price: 4\.00 → 5\.00 \(\+25 %\)$/);
    const palermo = diff.samplePrices?.prices.find(({ to }) => to.includes('Palermo'));
    expect(palermo).toMatchObject({ before: '4.00', after: '5.00' });
    const back = await diffOf(shop, { from: second, to: first });
    expect(back.changes.nodes).toMatchObject([{ before: 5, after: 4 }]);
    // With the one in force, where the other is not named.
    expect((await diffOf(shop, { to: first })).changes).toEqual(back.changes);
    expect((await diffOf(shop, { to: second })).changes).toEqual({ totalCount: 0, nodes: [] });
  });

  test('prices the newest orders as their quotes would: with cash on delivery, insurance and the default parcel', async () => {
    const by = (codFee: number) =>
      flat(4, {
        cod: [{ code: 'cod', description: 'C', price: { fixed: codFee } }],
        insurance: [{ code: 'insurance', description: 'I', price: { percent: 1, of: ['insuredValue'] } }],
      });
    const shop = await newMerchant(by(2));
    const { caller, warehouseId } = shop;
    const box = { weight: 2, length: 40, width: 30, height: 20 };
    await ask(
      caller,
      'mutation ($parcel: DefaultParcelInput!) { setDefaultParcel(input: { parcel: $parcel }) { defaultParcel { weight } userErrors { code pointer } } }',
      { parcel: box },
    );
    await upsertOrders(caller, [order('COD', { warehouseId, parcels: [], codAmount: 50, insuranceAmount: 300 })]);
    const { tariffDiff } = await imported(shop, by(3), { dryRun: true });
    const ofOrders = tariffDiff.samplePrices?.prices.filter(({ shipment }) => shipment.startsWith('order'));
    expect(ofOrders).toEqual([expect.objectContaining({ shipment: 'order COD', before: '9.00', after: '10.00' })]);
  });

  test('is read page by page, and filtered by parts of the tariff, aspects and zone', async () => {
    const zones = (price: number) =>
      times(5, i => ({
        code: `z${i}`,
        name: `Zona ${i}`,
        to: { postalCodes: [`2012${i}`] },
        bands: [{ upToKg: 10, price: price + i }],
      }));
    const options = (price: number) => [{ code: 'piano', description: 'Al piano', price: { fixed: price } }];
    const shop = await newMerchant(tariffWith({ zones: zones(1), options: options(2) }));
    await importTariff(shop.caller, shop.ids[0] as number, tariffWith({ zones: zones(2), options: options(3) }));
    const [second, first] = await idsOf(shop);
    const changes = async (args: string) => {
      const query = `query ($from: ID!, $to: ID!) { tariffDiff(from: $from, to: $to) { changes(${args}) {
        totalCount pageInfo { endCursor hasNextPage } nodes { zone line } } } }`;
      const { changes: page } = await ask<{
        changes: { totalCount: number; pageInfo: { endCursor: string; hasNextPage: boolean }; nodes: Fields[] };
      }>(shop.caller, query, { from: first, to: second });
      return page;
    };
    const all = await changes('first: 100');
    expect(all.nodes.map(({ zone, line }) => zone ?? line)).toEqual(['z0', 'z1', 'z2', 'z3', 'z4', 'piano']);
    const parts: Fields[] = [];
    for (let after = ''; ; ) {
      const part = await changes(`first: 2${after}`);
      parts.push(...part.nodes);
      if (!part.pageInfo.hasNextPage) break;
      after = `, after: "${part.pageInfo.endCursor}"`;
    }
    expect(parts).toEqual(all.nodes);
    expect((await changes('parts: [OPTION]')).nodes).toEqual([{ zone: null, line: 'piano' }]);
    expect(await changes('parts: [ZONE], zone: "z3"')).toMatchObject({ totalCount: 1, nodes: [{ zone: 'z3' }] });
    expect((await changes('aspects: [PLACES]')).nodes).toEqual([]);
  });

  test('with another company’s revision is null, as for one that never existed', async () => {
    const [own, theirs] = [await newMerchant(flat(1)), await newMerchant(flat(2))];
    const [[mine], [foreign]] = [await idsOf(own), await idsOf(theirs)];
    for (const variables of [{ to: foreign }, { from: foreign, to: mine }]) {
      const query = 'query ($from: ID, $to: ID!) { tariffDiff(from: $from, to: $to) { changes { totalCount } } }';
      expect(await refusal(own.caller, query, variables)).toBe(NOTHING);
    }
  });
});

describe('importTariff', () => {
  test('returns its changes, and names the revision', async () => {
    const shop = await newMerchant(flat(4));
    const { tariff, tariffRevision, tariffDiff } = await imported(shop, flat(5), { name: 'Aumento' });
    expect([tariff, tariffRevision]).toEqual([{ databaseId: expect.any(Number) }, { number: 2, name: 'Aumento' }]);
    expect(tariffDiff).toMatchObject({ from: { number: 1 }, to: { number: 2 }, changes: { totalCount: 1 } });
  });

  test('with the first tariff of a connection replaces nothing', async () => {
    const shop = await newMerchant(null);
    expect((await imported(shop, flat(5))).tariffDiff).toEqual({
      from: null,
      to: { number: 1, state: 'in_force' },
      changes: { totalCount: 0, nodes: [] },
      samplePrices: null,
    });
  });

  test('with dryRun returns the changes that it would make, and makes none', async () => {
    const shop = await newMerchant(flat(4));
    const { tariff, tariffRevision, tariffDiff } = await imported(shop, flat(5), { dryRun: true });
    expect([tariff, tariffRevision]).toEqual([null, null]);
    expect(tariffDiff).toMatchObject({ from: { number: 1 }, to: null, changes: { nodes: [{ before: 4, after: 5 }] } });
    expect(await idsOf(shop)).toHaveLength(1);
    expect(await priceOf(shop)).toBe(4);
    const { caller, ids } = shop;
    const wrong = await caller.graphql(IMPORT, { input: { carrierConnectionId: ids[0], tariff: {}, dryRun: true } });
    expect(failureOf(wrong)?.code).toBe('validation_failed');
  });

  test('requires carriers:manage, even with dryRun', async () => {
    const shop = await newMerchant(flat(4));
    const reader = await world.key(shop.caller.companyId, ['carriers:read', 'shipments:quote']);
    const input = { carrierConnectionId: shop.ids[0], tariff: flat(5), dryRun: true };
    expect(failureOf(await reader.graphql(IMPORT, { input }))?.code).toBe('insufficient_scope');
  });
});
