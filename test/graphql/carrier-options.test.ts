import { beforeAll, expect, test } from 'vitest';
import { connectWith, flat, italianDay, type Merchant, merchantsOf } from '../rest/tariffs.ts';
import { useSharedWorld } from '../support/world.ts';

/** `options` of a carrier connection: how one who asks for quotes finds the codes that there are. */

const world = useSharedWorld();
const newMerchant = merchantsOf(world);

const DOCUMENT =
  '{ carrierConnections { nodes { options { code description pricing(language: EN) calculated isConditional } } } }';

const OPTIONS = [
  { code: 'saturday', description: 'Sabato', price: { fixed: 6.5 } },
  { code: 'floor', description: 'Al piano', price: { perParcel: 2, perKg: 0.105, minimum: 3, maximum: 40 } },
  { code: 'share', description: 'Percentuale', price: { percent: 10, of: ['base', 'options'] } },
  { code: 'greater', description: 'Il maggiore', price: { greaterOf: [{ fixed: 1 }, { perKg: 1 }] } },
  { code: 'gift', description: 'Confezione', when: { chargeableKg: { from: 50 } }, price: { fixed: 0 } },
];

interface Connections {
  readonly carrierConnections: { readonly nodes: readonly { readonly options: readonly object[] }[] };
}

let shop: Merchant;
beforeAll(async () => {
  shop = await newMerchant(flat(5, { options: OPTIONS.filter(({ code }) => code !== 'share') }), flat(5), null);
});

async function optionsOf({ caller }: Merchant) {
  const { data, errors } = await caller.graphql<Connections>(DOCUMENT);
  expect(errors).toBeUndefined();
  return data?.carrierConnections.nodes.map(({ options }) => options);
}

test('The options of a connection come from its tariff, by code, with their price in words', async () => {
  const [first, second, third] = (await optionsOf(shop)) ?? [];
  expect(first).toEqual([
    option('floor', 'Al piano', '0.105 a kg + 2.00 a parcel, at least 3.00, at most 40.00', true),
    { ...option('gift', 'Confezione', '0.00', false), isConditional: true },
    option('greater', 'Il maggiore', 'the greater of 1.00 a shipment and 1 a kg', true),
    option('saturday', 'Sabato', '6.50 a shipment', false),
  ]);
  expect([second, third]).toEqual([[], []]);
});

function option(code: string, description: string, pricing: string, calculated: boolean) {
  return { code, description, pricing, calculated, isConditional: false };
}

test('A percentage names the lines that it applies to', async () => {
  const percent = { code: 'share', description: 'Percentuale', price: { percent: 10, of: ['base', 'surcharges'] } };
  const toll = { code: 'toll', description: 'Pedaggio', price: { fixed: 1 } };
  const own = await newMerchant(flat(5, { surcharges: [toll], options: [percent] }));
  expect(await optionsOf(own)).toEqual([[option('share', 'Percentuale', '10 % of base + toll', true)]]);
});

test('Each code can be quoted, except for options that are offered only for some shipments', async () => {
  const codes = ['floor', 'greater', 'saturday'];
  const { body } = await shop.quote({ options: codes });
  expect(body[0].carrierOptionsDetail.map(({ code }: { code: string }) => code)).toEqual(codes);
});

test('A new tariff is used at once, and one that begins tomorrow is not', async () => {
  const own = await newMerchant(flat(5, { options: OPTIONS.slice(0, 1) }));
  expect((await optionsOf(own))?.flat()).toHaveLength(1);
  const id = await connectWith(own.caller, flat(5, { options: OPTIONS.slice(0, 2), validFrom: italianDay(1) }));
  expect(await optionsOf(own)).toMatchObject([[{ code: 'saturday' }], []]);
  expect(id).toBeGreaterThan(0);
});

test('An inactive connection has no options, and a key without the scope for quotes cannot read them', async () => {
  const own = await newMerchant(flat(5, { options: OPTIONS.slice(0, 1) }));
  await connectWith(own.caller, flat(5, { options: OPTIONS.slice(0, 1) }), 'GLS', false);
  expect((await optionsOf(own))?.map(options => options.length)).toEqual([1, 0]);
  const weak = await world.key(own.caller.companyId, ['carriers:read']);
  const { errors } = await weak.graphql<Connections>(DOCUMENT);
  expect(errors?.[0]?.extensions).toMatchObject({ code: 'insufficient_scope', requiredScope: 'shipments:quote' });
});
