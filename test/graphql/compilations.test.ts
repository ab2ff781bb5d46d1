import { expect, test } from 'vitest';
import { connectWith, flat, merchantsOf, quote } from '../rest/tariffs.ts';
import { useWorld } from '../support/world.ts';

const world = useWorld({ ROLE: 'api' });
const newMerchant = merchantsOf(world);

test('A quote for some connections compiles only their tariffs', async () => {
  const shop = await newMerchant(flat(1), flat(2), flat(3));
  const compilations = async () => (await world.app.metrics.tariffCompilations.get()).values[0]?.value ?? 0;
  const before = await compilations();
  const [, second = 0] = shop.ids;
  expect((await quote(shop.caller, shop.body({ carrierCompanyIds: [second] }))).body).toMatchObject([
    { totalPrice: 2 },
  ]);
  expect((await compilations()) - before).toBe(1);
  expect((await shop.quote()).body).toHaveLength(3);
  expect((await compilations()) - before).toBe(3);
  const id = await connectWith(shop.caller, flat(4));
  expect((await shop.quote()).body).toHaveLength(4);
  expect((await compilations()) - before).toBe(4);
  expect((await shop.quote({ carrierCompanyIds: [id] })).body).toMatchObject([{ carrierCompanyId: id }]);
  expect((await compilations()) - before).toBe(4);
});
