import { beforeEach, describe, expect, test } from 'vitest';
import { inProcess } from '../cli/in-process.ts';
import { flat, type Merchant, merchantsOf } from '../rest/tariffs.ts';
import { ask, order, upsertOrders } from '../support/platform-side.ts';
import { SECRETS_KEY, useSharedWorld } from '../support/world.ts';

/** The parcel of a company that quotes take where sides or a volume are missing. */

const world = useSharedWorld();
const newMerchant = merchantsOf(world);

const BOX = { length: 40, width: 30, height: 20 };
const SET =
  'mutation Set($parcel: DefaultParcelInput) { setDefaultParcel(input: { parcel: $parcel }) { defaultParcel { weight length width height } userErrors { code pointer } } }';

let shop: Merchant;
beforeEach(async () => {
  const byVolume = { weight: { volumetric: [{ kgPerM3: 300 }], per: 'shipment', roundUp: [{ toKg: 0.1 }] } };
  shop = await newMerchant(flat(5, byVolume));
});

const set = (parcel: object | null) => ask<object | null>(shop.caller, SET, { parcel });

/** Status, and the price or the pointer of the missing field. */
async function quoted(fields: object): Promise<unknown> {
  const { status, body } = await shop.quote({ parcels: undefined, ...fields });
  return status === 200 ? body : body.errors;
}

const ofOrder = (orderId: number) => quoted({ warehouseId: undefined, destination: undefined, orderId });

describe('A quote by weight alone', () => {
  test('needs a volume without a default parcel, and uses the sides of the default parcel otherwise', async () => {
    expect(await quoted({ totalWeight: 2 })).toEqual([
      { pointer: '/totalVolume', code: 'required', message: expect.stringContaining('no default parcel') },
    ]);
    expect(await set(BOX)).toEqual({ weight: null, length: '40', width: '30', height: '20' });
    for (const parcelNumber of [1, 3]) {
      const shares =
        parcelNumber === 1
          ? [{ weight: 10, quantity: 1 }]
          : [
              { weight: 3.334, quantity: 1 },
              { weight: 3.333, quantity: 2 },
            ];
      expect(await quoted({ totalWeight: 10, parcelNumber })).toEqual(
        (await shop.quote({ parcels: shares.map(share => ({ ...share, ...BOX })) })).body,
      );
    }
    await set({ length: 80, width: 60, height: 40 });
    expect(await quoted({ totalWeight: 2 })).toMatchObject([{ volumetricWeight: 57.6 }]);
    await set({ length: 1000, width: 1000, height: 1000 });
    expect(await quoted({ totalWeight: 2, parcelNumber: 2 })).toEqual([
      { pointer: '/totalVolume', code: 'out_of_range', message: expect.stringContaining('1000000000 cm³ together') },
    ]);
    await set(null);
    expect(await quoted({ totalWeight: 2 })).toMatchObject([{ pointer: '/totalVolume' }]);
  });
});

describe('An order', () => {
  let count = 0;
  const sent = async (parcels: object[]) => {
    const fields = { warehouseId: shop.warehouseId, parcels };
    const { results } = await upsertOrders(shop.caller, [order(`D-${++count}`, fields)]);
    return Number(results[0]?.databaseId);
  };

  test('whose parcels have only a weight is quoted with the default parcel, and its other parcels as they are', async () => {
    const bare = await sent([{ weight: 2 }, { weight: 1, length: 10, width: 10, height: 10 }]);
    const half = await sent([{ weight: 2, length: 10 }]);
    expect(await ofOrder(bare)).toMatchObject([{ pointer: '/orderId', code: 'order_not_quotable' }]);
    await set(BOX);
    const whole = await sent([
      { weight: 2, ...BOX },
      { weight: 1, length: 10, width: 10, height: 10 },
    ]);
    expect(await ofOrder(bare)).toEqual(await ofOrder(whole));
    expect(await ofOrder(half)).toMatchObject([
      { code: 'order_not_quotable', message: expect.stringContaining('width') },
    ]);
  });

  test('without parcels is quoted as one default parcel if that has a weight', async () => {
    const none = await sent([]);
    await set(BOX);
    expect(await ofOrder(none)).toMatchObject([
      { code: 'order_not_quotable', message: expect.stringContaining('no default parcel with a weight') },
    ]);
    await set({ ...BOX, weight: 1.5 });
    expect(await ofOrder(none)).toEqual(await ofOrder(await sent([{ weight: 1.5, ...BOX }])));
  });
});

test('The default parcel is set and shown on the command line, and shown by GraphQL', async () => {
  const { caller } = shop;
  const settings = { DATABASE_URL: world.databaseUrl, SECRETS_KEY };
  const command = (name: string, ...options: string[]) =>
    inProcess(['--json', 'company', name, '--company', caller.companyId, ...options], settings);
  const stated = { weight: '1.5', length: '40', width: '30', height: '20' };
  const sides = ['--length', '40', '--width', '30', '--height'];
  expect(JSON.parse((await command('set-default-parcel', ...sides, '20', '--weight', '1.5')).stdout)).toEqual(stated);
  expect(await ask(caller, '{ defaultParcel { weight length width height } }')).toEqual(stated);
  const flat = await command('set-default-parcel', ...sides, '0');
  expect([flat.code, flat.stderr]).toEqual([2, expect.stringContaining('--height must be')]);
  expect((await command('set-default-parcel', '--weight', '2')).code).toBe(2);
  expect(JSON.parse((await command('default-parcel')).stdout)).toEqual(stated);
  expect(JSON.parse((await command('remove-default-parcel')).stdout)).toEqual({ defaultParcel: null });
  expect((await command('default-parcel')).stderr).toBe('There is none.\n');
  expect(await ask(caller, '{ defaultParcel { weight } }')).toBeNull();
});
