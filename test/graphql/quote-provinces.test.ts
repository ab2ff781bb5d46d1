import { beforeAll, expect, test } from 'vitest';
import { importTariff } from '../rest/feed.ts';
import { currentTariff, type Fields, flat, type Merchant, merchantsOf, PARCEL, tariffWith } from '../rest/tariffs.ts';
import { ask, order, shipment, upsertOrders, upsertShipments } from '../support/platform-side.ts';
import { useSharedWorld } from '../support/world.ts';
import { imported, linesOf } from './invoice-calls.ts';
import { QUOTE_FIELDS, quoteGraph, type Result } from './quote-calls.ts';
import { simulate } from './simulation-calls.ts';

const world = useSharedWorld();
const newMerchant = merchantsOf(world);

/** `12071` lies in the provinces CN and SV, and no comune of it has this name. */
const SOMEWHERE = { postalCode: '12071', city: 'Altrove' };
const MESSAGE = 'Il CAP 12071 appartiene a più province (CN, SV) con condizioni diverse: indicare la provincia.';
const inLiguria = { to: { regions: ['Liguria'] } };
const sea = (fixed: number) => ({
  surcharges: [{ code: 'sea', description: 'Mare', when: inLiguria, price: { fixed } }],
});
const zone = (code: string, price: number, to: Fields) => ({ code, name: code, to, bands: [{ upToKg: 100, price }] });
/** Liguria has a zone of its own. */
const zoned = tariffWith({
  zones: [zone('italia', 10, { countries: ['IT'] }), zone('liguria', 20, { regions: ['Liguria'] })],
});
const SHIPPED = { shippedAt: '2026-10-15T09:00:00Z', weight: '4', volume: '8000' };
const OF_ORDER = { parcels: [PARCEL], recipient: { address: 'Via Roma 1', countryCode: 'IT', ...SOMEWHERE } };

/** Connections whose price does not depend on the province, and depends on it by a zone and by a surcharge. */
let shop: Merchant;
let [plain, byZone, bySurcharge] = [0, 0, 0];
let orderId = 0;

beforeAll(async () => {
  shop = await newMerchant(flat(7), zoned, flat(5, sea(1)));
  [plain = 0, byZone = 0, bySurcharge = 0] = shop.ids;
  const { results } = await upsertOrders(shop.caller, [order('P-1', { ...OF_ORDER, warehouseId: shop.warehouseId })]);
  orderId = results[0]?.databaseId as number;
});

const needed = (carrierConnectionId: number, rule: string) => ({
  carrierConnectionId,
  code: 'PROVINCE_NEEDED',
  message: MESSAGE,
  version: '2020',
  rule,
});

/** One quote and two connections that need the province. */
function expectQuoted(result: Result | null | undefined): void {
  expect(result?.items.map(({ carrierConnectionId }) => carrierConnectionId)).toEqual([plain]);
  expect(result?.excluded).toMatchObject([
    needed(byZone, '/versions/0/zones'),
    needed(bySurcharge, '/versions/0/surcharges/0'),
  ]);
}

test('A quote excludes the connections whose price depends on the province, and names the rule', async () => {
  expectQuoted(await quoteGraph(shop.caller, shop.body({ destination: SOMEWHERE })));
  expectQuoted(await quoteGraph(shop.caller, { orderId }));
});

test('A quote in a list excludes the connections whose price depends on the province too', async () => {
  const FIELDS = `quote { ${QUOTE_FIELDS} } errors { code }`;
  const input = shop.body({ destination: SOMEWHERE });
  const QUOTES = `query ($inputs: [QuoteInput!]!) { quoteShipments(inputs: $inputs) { ${FIELDS} } }`;
  const [manual] = await ask<{ quote: Result }[]>(shop.caller, QUOTES, { inputs: [input] });
  expectQuoted(manual?.quote);
  const ORDERS = `query ($ids: [ID!]!) { quoteOrders(ids: $ids) { ${FIELDS} } }`;
  const [ofOrder] = await ask<{ quote: Result }[]>(shop.caller, ORDERS, { ids: [orderId] });
  expectQuoted(ofOrder?.quote);
});

test('A quote can be saved on the connections that have it, and the others report that they need the province', async () => {
  const SAVE = `mutation ($input: SaveQuoteInput!) { saveQuote(input: $input) {
    savedQuote { totalPrice } userErrors { code pointer message } } }`;
  const save = (carrierConnectionId: number) => ({
    input: { carrierConnectionId, quote: shop.body({ destination: SOMEWHERE }) },
  });
  expect(await ask(shop.caller, SAVE, save(plain))).toMatchObject({ totalPrice: '7.00' });
  const { data } = await shop.caller.graphql(SAVE, save(byZone));
  expect(data?.saveQuote).toMatchObject({
    savedQuote: null,
    userErrors: [
      {
        code: 'quote_not_applicable',
        pointer: '/carrierConnectionId',
        message: expect.stringMatching(
          /does not quote this shipment \(PROVINCE_NEEDED\); `quoteShipment` gives the reason\.$/,
        ),
      },
    ],
  });
});

test('Charges after the shipment need the province only if they depend on it', async () => {
  const afterShipment = [
    { code: 'rientro', on: 'return', description: 'Rientro', price: { percent: 50, of: ['base'] } },
  ];
  const second = (zones: Fields[], fields: Fields) =>
    currentTariff({
      label: '2020',
      validFrom: '2020-01-01',
      zones,
      afterShipment,
      ...fields,
    });
  const italy = zone('italia', 10, { countries: ['IT'] });
  const { caller, ids, body } = await newMerchant(
    second([italy], sea(1)),
    second([italy, zone('liguria', 20, { regions: ['Liguria'] })], {}),
  );
  const AFTER = `query ($input: QuoteInput!, $events: [ShipmentEventInput!]!) { quoteAfterShipment(input: $input, events: $events) {
    items { carrierConnectionId totalPrice } excluded { carrierConnectionId code message version rule } } }`;
  const variables = { input: body({ destination: SOMEWHERE }), events: [{ kind: 'RETURN' }] };
  expect(await ask(caller, AFTER, variables)).toEqual({
    items: [{ carrierConnectionId: ids[0], totalPrice: '5.00' }],
    excluded: [needed(ids[1] as number, '/versions/0/afterShipment/0')],
  });
});

test('A simulation counts the shipments whose price depends on the province', async () => {
  const { caller, ids, warehouseId } = await newMerchant(flat(7), zoned);
  const recipient = OF_ORDER.recipient;
  await upsertShipments(
    caller,
    ids.map(id => shipment(id, `SIM-${id}`, { ...SHIPPED, warehouseId, recipient })),
  );
  const { asShipped } = await simulate(caller, { period: { from: '2026-10-01', to: '2026-10-31' } });
  expect(asShipped).toMatchObject({
    shipments: 1,
    total: '7.00',
    notPriced: [{ reason: 'PROVINCE_NEEDED', shipments: 1, examples: [`SIM-${ids[1]}`] }],
  });
});

test('A preview of a tariff has no price for an order that needs the province', async () => {
  const { caller, ids, warehouseId } = await newMerchant(flat(7));
  await upsertOrders(caller, [order('PREVIEW', { ...OF_ORDER, warehouseId })]);
  const PREVIEW = `mutation ($input: ImportTariffInput!) { importTariff(input: $input) {
    tariffDiff { samplePrices { prices { shipment before after } } } userErrors { code pointer message } } }`;
  const input = { carrierConnectionId: ids[0], tariff: zoned, dryRun: true };
  const diff = await ask<{ samplePrices: { prices: object[] } }>(caller, PREVIEW, { input });
  expect(diff.samplePrices.prices).toContainEqual({ shipment: 'order PREVIEW', before: '7.00', after: null });
});

test('An invoice is checked if the price does not depend on the province, and otherwise reports that it is needed', async () => {
  const { caller, ids, warehouseId } = await newMerchant(flat(7));
  const [connectionId = 0] = ids;
  await upsertShipments(caller, [
    shipment(connectionId, 'BILLED', { ...SHIPPED, warehouseId, recipient: OF_ORDER.recipient }),
  ]);
  const rows = [{ trackingNumber: 'BILLED', charges: [{ kinds: ['BASE'], amount: '7.00' }] }];
  const check = async (number: string) => {
    const { id } = await imported(caller, { carrierConnectionId: connectionId, number, date: '2026-10-31', rows });
    const [line] = await linesOf(caller, id);
    return [line?.state, line?.reason];
  };
  expect(await check('1')).toEqual(['agrees', null]);
  await importTariff(caller, connectionId, zoned);
  expect(await check('2')).toEqual(['not_priced', MESSAGE]);
});

test('A known province makes every connection available', async () => {
  const result = await quoteGraph(shop.caller, shop.body({ destination: { ...SOMEWHERE, province: 'SV' } }));
  expect(result.items.map(({ carrierConnectionId }) => carrierConnectionId)).toEqual([bySurcharge, plain, byZone]);
  expect(result.excluded).toEqual([]);
});
