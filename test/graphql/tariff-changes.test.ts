import type pg from 'pg';
import { describe, expect, test, vi } from 'vitest';
import { importTariff } from '../rest/feed.ts';
import { connectWith, flat, type Merchant, tariffWith } from '../rest/tariffs.ts';
import { ask, askNodes } from '../support/platform-side.ts';
import { restClient } from '../support/rest-client.ts';
import { cutListeners, useSecondProcess } from '../support/second-process.ts';
import type { Caller } from '../support/world.ts';
import { priced, priceOf, surcharge, useTariffs } from './tariff-calls.ts';

const { newMerchant, world, withClient } = useTariffs();

describe('After concurrent imports', () => {
  test('one whole tariff remains', async () => {
    const shop = await newMerchant(null);
    const [carrierConnectionId = 0] = shop.ids;
    const zonesOf = (price: number) => {
      const bands = Array.from({ length: 200 }, (_, i) => ({ upToKg: i + 1, price }));
      return ['IT', 'FR', 'DE', 'ES'].map(code => ({ code, name: code, to: { countries: [code] }, bands }));
    };
    const wide = (price: number) => tariffWith({ zones: zonesOf(price), surcharges: [surcharge(price)] });
    for (let round = 0; round < 5; round++) {
      const ids = await Promise.all(
        [1, 2, 3].map(price => importTariff(shop.caller, carrierConnectionId, wide(price))),
      );
      expect(new Set(ids).size).toBe(1);
      const [{ document } = { document: flat(0) }] = await askNodes<{ document: ReturnType<typeof wide> }>(
        shop.caller,
        '{ tariffs(first: 1) { nodes { document } } }',
      );
      const zones = document.versions.flatMap(version => version.zones as ReturnType<typeof zonesOf>);
      expect(zones.map(({ bands }) => bands.length)).toEqual([200, 200, 200, 200]);
      const prices = new Set(zones.flatMap(({ bands }) => bands.map(({ price }) => price)));
      expect(prices.size).toBe(1);
      const [price = 0] = prices;
      await priced(shop, 2 * price);
    }
  });
});

describe('On every process', () => {
  const second = useSecondProcess(world);

  const elsewhere = ({ apiKey }: Caller) => restClient(second.url, { 'x-api-key': apiKey });
  /** Until both processes listen, so that the next test cuts off both. */
  async function listeningAgain(client: pg.Client): Promise<void> {
    const listening = `select 1 from pg_stat_activity where datname = current_database() and query ilike 'listen %'`;
    const count = async () => (await client.query(listening)).rows.length;
    await vi.waitFor(async () => expect(await count()).toBeGreaterThanOrEqual(2), 5000);
  }
  /** The responses of both processes: a price, or the code of the warning. */
  const seen = async (shop: Merchant) => {
    const answers = await Promise.all([shop.quote(), elsewhere(shop.caller)('POST', '/shipments/quote', shop.body())]);
    return answers.map(({ status, body }) => (Array.isArray(body) ? body[0].totalPrice : (body.code ?? status)));
  };
  /** When the last requests that did not yet get `expected` were sent, in milliseconds from `since`. */
  async function staleUntilMs(shop: Merchant, expected: unknown, since: number): Promise<number> {
    let staleUntil = 0;
    for (let sent = 0; sent < 3000; sent = performance.now() - since) {
      if ((await seen(shop)).every(one => one === expected)) return staleUntil;
      staleUntil = sent;
    }
    return Number.POSITIVE_INFINITY;
  }

  const setActive = (caller: Caller, id: number, isActive: boolean) =>
    ask(
      caller,
      `mutation ($id: ID!, $isActive: Boolean!) {
        updateCarrierConnection(input: { id: $id, isActive: $isActive }) { carrierConnection { databaseId } userErrors { code pointer message } }
      }`,
      { id, isActive },
    );
  const CHANGES: [what: string, change: (shop: Merchant, client: pg.Client) => Promise<unknown>, expected: unknown][] =
    [
      ['an import', shop => importTariff(shop.caller, shop.ids[0] as number, flat(2)), 2],
      [
        'a connection that is shut',
        ({ caller, ids }) => setActive(caller, ids[0] as number, false),
        'NO_CARRIERS_CONNECTED',
      ],
      [
        'a tariff that is deleted',
        ({ ids }, client) => client.query('delete from tariff where carrier_connection_id = $1', [ids[0]]),
        'NO_TARIFF_IN_FORCE',
      ],
    ];

  test.each(CHANGES)('%s is seen within one second', async (_what, change, expected) => {
    const shop = await newMerchant(flat(1));
    await withClient(async client => {
      expect(await seen(shop)).toEqual([1, 1]);
      await change(shop, client);
      const since = performance.now();
      expect(await staleUntilMs(shop, expected, since)).toBeLessThan(1000);
    });
  });

  test('a connection that is activated again is seen within one second', async () => {
    const shop = await newMerchant();
    const id = await connectWith(shop.caller, flat(6), 'BRT', false);
    expect(await seen(shop)).toEqual(Array(2).fill('NO_CARRIERS_CONNECTED'));
    await setActive(shop.caller, id, true);
    expect(await staleUntilMs(shop, 6, performance.now())).toBeLessThan(1000);
  });

  test.each(CHANGES)(
    '%s is seen within one second even if notifications are interrupted',
    async (_what, change, expected) => {
      const shop = await newMerchant(flat(1));
      await withClient(async client => {
        expect(await cutListeners(client)).toBeGreaterThanOrEqual(2);
        // Known to both before anyone listens again.
        expect(await seen(shop)).toEqual([1, 1]);
        await change(shop, client);
        expect(await staleUntilMs(shop, expected, performance.now())).toBeLessThan(1000);
        await listeningAgain(client);
      });
    },
  );

  test('an imported tariff is used at once by the process that imported it, with or without notifications', async () => {
    const shop = await newMerchant(flat(1));
    const quoted: number[] = [];
    await withClient(async client => {
      await cutListeners(client);
      for (let price = 2; price <= 9; price++) {
        await priceOf(shop);
        await importTariff(shop.caller, shop.ids[0] as number, flat(price));
        quoted.push(await priceOf(shop));
      }
      await listeningAgain(client);
    });
    expect(quoted).toEqual([2, 3, 4, 5, 6, 7, 8, 9]);
  });

  test('a change without a notification is seen within one second', async () => {
    const shop = await newMerchant(flat(1));
    await withClient(async client => {
      expect(await seen(shop)).toEqual([1, 1]);
      await client.query('update carrier_connection set is_active = false where id = $1', [shop.ids[0]]);
      expect(await staleUntilMs(shop, 'NO_CARRIERS_CONNECTED', performance.now())).toBeLessThan(1000);
    });
  });

  test('a change of another company has no effect', async () => {
    const shop = await newMerchant(flat(1));
    const strangers = await newMerchant(flat(2));
    expect(await seen(shop)).toEqual([1, 1]);
    await importTariff(strangers.caller, strangers.ids[0] as number, flat(3));
    expect(await staleUntilMs(strangers, 3, performance.now())).toBeLessThan(1000);
    expect(await seen(shop)).toEqual([1, 1]);
  });
});
