import { describe, expect, test } from 'vitest';
import { importTariff } from '../rest/feed.ts';
import { flat } from '../rest/tariffs.ts';
import { restClient } from '../support/rest-client.ts';
import { useSecondProcess } from '../support/second-process.ts';
import type { Caller } from '../support/world.ts';
import { surcharge, useTariffs } from './tariff-calls.ts';

const { newMerchant, world } = useTariffs();

describe('While imports alternate between two tariffs', () => {
  const second = useSecondProcess(world);

  const elsewhere = ({ apiKey }: Caller) => restClient(second.url, { 'x-api-key': apiKey });

  test('no process mixes the two in a quote', async () => {
    const version = (price: number) => flat(price, { surcharges: [surcharge(price)] });
    const shop = await newMerchant(version(1), version(1));
    const [a = 0, b = 0] = shop.ids;
    const counts = new Map<number, number>();
    let flipping = true;
    const ask = async (rest: Caller['rest']) => {
      while (flipping) {
        const { status, body } = await rest('POST', '/shipments/quote', shop.body());
        expect([status, body.length]).toEqual([200, 2]);
        for (const { basePrice, surchargesPrice, totalPrice } of body) {
          expect([2, 4]).toContain(totalPrice);
          expect(surchargesPrice).toBe(basePrice);
          counts.set(totalPrice, (counts.get(totalPrice) ?? 0) + 1);
        }
      }
    };
    const asking = [shop.caller.rest, elsewhere(shop.caller), shop.caller.rest, elsewhere(shop.caller)].map(ask);
    const flips = async () => {
      for (let i = 0; i < 30; i++) {
        const next = version(i % 2 === 0 ? 2 : 1);
        await Promise.all([importTariff(shop.caller, a, next), importTariff(shop.caller, b, next)]);
      }
    };
    const stop = () => {
      flipping = false;
    };
    await Promise.all([...asking, flips().finally(stop)]).finally(stop);
    expect(counts.get(2)).toBeGreaterThan(0);
    expect(counts.get(4)).toBeGreaterThan(0);
  });
});
