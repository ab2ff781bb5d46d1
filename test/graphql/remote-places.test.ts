import { expect, test } from 'vitest';
import { connectWith, flat } from '../rest/tariffs.ts';
import { ask, createWarehouse } from '../support/platform-side.ts';
import { useSharedWorld } from '../support/world.ts';

const world = useSharedWorld();

const REPLACE = `mutation ($input: ReplacePlaceListInput!) { replacePlaceList(input: $input) {
  carrierReference { name } userErrors { code pointer message } } }`;
const QUOTE = `query ($input: QuoteInput!) { quoteShipment(input: $input) { ... on QuoteList {
  items { totalPrice explanation { zone { code ruleKind place } lines { code } } } } } }`;

interface Quoted {
  readonly items: readonly {
    readonly totalPrice: string;
    readonly explanation: {
      readonly zone: { readonly code: string; readonly ruleKind: string; readonly place: string };
      readonly lines: readonly { readonly code: string }[];
    };
  }[];
}

test('Remote places abroad are lists of towns and ranges of postal codes by country', async () => {
  const caller = await world.company();
  const warehouseId = await createWarehouse(caller);
  const places = {
    postalCodes: ['GB AB31-AB38', 'GB KA27*', 'IE F26-F28', 'CA X0A-X9Z', 'NL 1790 AA-1797 ZZ'],
    towns: ['CH Samnaun', 'FR Chamonix-Mont-Blanc'],
  };
  await ask(caller, REPLACE, { input: { carrierCode: 'DHL', name: 'remote', places } });
  const zone = (code: string, to: object, price: number) => ({
    code,
    name: code,
    to,
    bands: [{ upToKg: 30, price }],
  });
  const version = {
    ...flat(0).versions[0],
    weight: { per: 'shipment', roundUp: [{ toKg: 1 }] },
    zones: [
      zone('world', { anywhere: true }, 30),
      zone('uk', { countries: ['GB'] }, 20),
      zone('london', { postalCodes: ['GB E1-E20', 'GB EC1A-EC4Y'] }, 15),
    ],
    surcharges: [
      { code: 'remote', description: 'Località remota', when: { to: { lists: ['remote'] } }, price: { fixed: 22 } },
    ],
  };
  await connectWith(caller, { format: 2, name: 'Export', versions: [version] }, 'DHL');
  const quoted = async (country: string, postalCode: string, city: string) => {
    const parcels = [{ weight: 2, length: 20, width: 20, height: 20 }];
    const input = { warehouseId, destination: { country, postalCode, city }, parcels };
    const { items } = await ask<Quoted>(caller, QUOTE, { input });
    return [items[0]?.explanation.zone.code, items[0]?.totalPrice];
  };
  const found = [
    await quoted('GB', 'AB33 8AA', 'Alford'),
    await quoted('GB', 'AB3 1AA', 'Aberdeen'),
    await quoted('GB', 'KA27 8AA', 'Brodick'),
    await quoted('GB', 'KA2 7XX', 'Kilmarnock'),
    await quoted('GB', 'E14 5AB', 'London'),
    await quoted('GB', 'E2 8AA', 'London'),
    await quoted('GB', 'EC2A 4NE', 'London'),
    await quoted('IE', 'F28 XY00', 'Belmullet'),
    await quoted('IE', 'F29 XY00', 'Nowhere'),
    await quoted('CA', 'X1A 2B3', 'Yellowknife'),
    await quoted('NL', '1791 AB', 'Den Burg'),
    await quoted('CH', '7562', 'samnaun'),
    await quoted('FR', '74400', 'CHAMONIX MONT BLANC'),
    await quoted('FR', '75001', 'Paris'),
  ];
  expect(found).toEqual([
    ['uk', '42.00'],
    ['uk', '20.00'],
    ['uk', '42.00'],
    ['uk', '20.00'],
    ['london', '15.00'],
    ['london', '15.00'],
    ['london', '15.00'],
    ['world', '52.00'],
    ['world', '30.00'],
    ['world', '52.00'],
    ['world', '52.00'],
    ['world', '52.00'],
    ['world', '52.00'],
    ['world', '30.00'],
  ]);
});

test('An explanation names the town that determined a zone', async () => {
  const caller = await world.company();
  const warehouseId = await createWarehouse(caller);
  const zones = [
    { code: 'valle', name: 'Valle', to: { towns: ['CH Samnaun'] }, bands: [{ upToKg: 30, price: 40 }] },
    { code: 'altrove', name: 'Altrove', to: { anywhere: true }, bands: [{ upToKg: 30, price: 30 }] },
  ];
  await connectWith(caller, flat(0, { zones }), 'DHL');
  const parcels = [{ weight: 2, length: 20, width: 20, height: 20 }];
  const input = { warehouseId, destination: { country: 'CH', postalCode: '7562', city: 'Samnaun' }, parcels };
  const { items } = await ask<Quoted>(caller, QUOTE, { input });
  expect(items[0]?.explanation.zone).toMatchObject({ code: 'valle', ruleKind: 'town', place: 'CH Samnaun' });
});
