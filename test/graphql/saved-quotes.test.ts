import { describe, expect, test } from 'vitest';
import { importTariff } from '../rest/feed.ts';
import { flat, type Merchant, SICILY } from '../rest/tariffs.ts';
import { failureOf } from '../support/graphql-client.ts';
import { INSTANT } from '../support/instants.ts';
import {
  ask,
  askNodes,
  type Item,
  NOTHING,
  order,
  refusal,
  shipment,
  upsertOrders,
  upsertShipments,
} from '../support/platform-side.ts';
import { useTariffs } from './tariff-calls.ts';

const { newMerchant, withClient } = useTariffs();

interface SavedQuote {
  readonly id: string;
  readonly databaseId: number;
  readonly totalPrice: string;
  readonly request: object;
  readonly tariffRevision: { readonly number: number } | null;
}

const FIELDS = `id databaseId carrierConnectionId carrierCode zoneCode zoneName version request chargeableWeight basePrice fuelPrice
  surchargesPrice optionsPrice codPrice insurancePrice totalPrice vatRate vatAmount totalPriceWithVat vatBreakdown { rate taxable amount }
  lines { code component description amount calculation(language: EN) } tariffRevision { number state } createdAt`;
const SAVE = `mutation ($input: SaveQuoteInput!) { saveQuote(input: $input) { savedQuote { ${FIELDS} } userErrors { code pointer message } } }`;
const ONE = `query ($id: ID!) { savedQuote(id: $id) { ${FIELDS} } }`;
const LIST = '{ savedQuotes { nodes { databaseId } } }';

const save = ({ caller, ids, body }: Merchant, fields: object = {}, connection: unknown = ids[0]) =>
  ask<SavedQuote>(caller, SAVE, { input: { carrierConnectionId: connection, quote: { ...body(), ...fields } } });
const failed = async ({ caller }: Merchant, query: string, variables: object) =>
  failureOf(await caller.graphql(query, variables as Record<string, unknown>));

describe('A saved quote', () => {
  test('keeps the request, the price with its lines, and the tariff', async () => {
    const shop = await newMerchant(SICILY);
    const asked = { codAmount: '150', shipmentDate: '2026-11-23' };
    const kept = await save(shop, asked);
    const answer = await shop.caller.graphql<{ quoteShipment: { items: [Record<string, unknown>] } }>(
      `query ($input: QuoteInput!) { quoteShipment(input: $input) { ... on QuoteList { items {
        carrierConnectionId carrierCode chargeableWeight basePrice fuelPrice surchargesPrice optionsPrice codPrice
        insurancePrice totalPrice vatRate vatAmount totalPriceWithVat vatBreakdown { rate taxable amount } tariffRevision { number state }
        explanation { version zone { code name } lines { code component description amount calculation(language: EN) } } } } } }`,
      { input: { ...shop.body(), ...asked } },
    );
    const [{ explanation, ...price }] = answer.data.quoteShipment.items as [Record<string, object>];
    const { zone, ...others } = explanation as { zone: { code: string; name: string } };
    expect(kept).toEqual({
      ...price,
      ...others,
      zoneCode: zone.code,
      zoneName: zone.name,
      id: expect.any(String),
      databaseId: expect.any(Number),
      request: { quote: expect.objectContaining({ codAmount: '150', warehouseId: shop.warehouseId }) },
      createdAt: expect.stringMatching(INSTANT),
    });
    expect(kept.tariffRevision).toMatchObject({ number: 1 });
    expect(await ask(shop.caller, ONE, { id: kept.id })).toEqual(kept);
  });

  test('keeps the destination of the shipment, but neither the name nor the street', async () => {
    const shop = await newMerchant(SICILY);
    const { destination } = shop.body() as { destination: object };
    const person = { companyName: 'Xaver Unterberger', address: 'Geheimgasse 7' };
    const { id, request } = await save(shop, { destination: { ...destination, ...person } });
    expect(request).toMatchObject({ quote: { destination } });
    const stored = await withClient(client =>
      client.query('select q::text as row from saved_quote q where company_id = $1', [shop.caller.companyId]),
    );
    expect(stored.rows.map(({ row }) => row).join()).not.toMatch(/Unterberger|Geheimgasse/);
    expect(JSON.stringify(await ask(shop.caller, ONE, { id }))).not.toMatch(/Unterberger|Geheimgasse/);
  });

  test('stays the same when the tariff changes', async () => {
    const shop = await newMerchant(flat(1));
    const first = await save(shop);
    await importTariff(shop.caller, shop.ids[0] as number, flat(2));
    const second = await save(shop);
    expect([first.totalPrice, second.totalPrice]).toEqual(['1.00', '2.00']);
    expect(second.tariffRevision).toMatchObject({ number: 2, state: 'in_force' });
    expect(await ask(shop.caller, ONE, { id: first.databaseId })).toEqual({
      ...first,
      tariffRevision: { number: 1, state: 'replaced' },
    });
    expect((await askNodes<SavedQuote>(shop.caller, LIST)).map(one => one.databaseId)).toEqual([
      second.databaseId,
      first.databaseId,
    ]);
    const pages = async (args: string) =>
      (await askNodes<SavedQuote>(shop.caller, LIST.replace('savedQuotes', `savedQuotes(${args})`))).map(
        one => one.databaseId,
      );
    expect([await pages('first: 1'), await pages('last: 1')]).toEqual([[second.databaseId], [first.databaseId]]);
  });

  test('for an order keeps the fields of the order', async () => {
    const shop = await newMerchant(flat(1));
    const parcels = [{ weight: '2', length: '10', width: '10', height: '10' }];
    const { results } = await upsertOrders(shop.caller, [order('o-1', { warehouseId: shop.warehouseId, parcels })]);
    const input = { carrierConnectionId: shop.ids[0], quote: { orderId: results[0]?.databaseId } };
    expect(await ask(shop.caller, SAVE, { input })).toMatchObject({ chargeableWeight: '2', totalPrice: '1.00' });
  });

  test('is not created if the connection is inactive or does not quote the shipment', async () => {
    const shop = await newMerchant(SICILY);
    const quote = { ...shop.body(), destination: { country: 'IT', postalCode: '20121', city: 'Milano' } };
    expect(await failed(shop, SAVE, { input: { carrierConnectionId: shop.ids[0], quote } })).toMatchObject({
      code: 'validation_failed',
      errors: [{ code: 'quote_not_applicable', pointer: '/carrierConnectionId' }],
    });
    expect(await failed(shop, SAVE, { input: { carrierConnectionId: 2_000_000_000, quote } })).toMatchObject({
      code: 'carrier_connection_not_found',
    });
    const wrong = { ...shop.body(), parcels: [{ weight: -1, length: 1, width: 1, height: 1 }] };
    expect(await failed(shop, SAVE, { input: { carrierConnectionId: shop.ids[0], quote: wrong } })).toMatchObject({
      errors: [{ code: 'out_of_range', pointer: '/quote/shipment/parcels/parcels/0/weight' }],
    });
    expect(await askNodes(shop.caller, LIST)).toEqual([]);
  });

  test('of another company does not exist', async () => {
    const [own, theirs] = [await newMerchant(flat(1)), await newMerchant(flat(2))];
    const kept = await save(theirs);
    for (const id of [kept.id, kept.databaseId]) {
      expect(await refusal(own.caller, ONE, { id })).toBe(NOTHING);
    }
    const { results } = await upsertShipments(own.caller, [
      shipment(own.ids[0] as number, 'n', { quoteId: kept.databaseId }),
    ]);
    expect(results).toMatchObject([
      { outcome: 'rejected', code: 'saved_quote_not_found', pointer: '/shipments/0/quoteId' },
    ]);
    expect(await askNodes(own.caller, LIST)).toEqual([]);
  });
});

describe('A shipment', () => {
  const QUOTE_OF = 'query ($n: String!) { trackingByNumber(trackingNumber: $n) { quote { databaseId totalPrice } } }';

  test('shows the quote that it was booked with, until that field is cleared', async () => {
    const shop = await newMerchant(flat(1));
    const { databaseId } = await save(shop);
    const record = (fields: Item) => upsertShipments(shop.caller, [shipment(shop.ids[0] as number, 'n', fields)]);
    const booked = () => ask(shop.caller, QUOTE_OF, { n: 'n' });
    expect(await record({ quoteId: databaseId })).toMatchObject({ created: 1 });
    expect(await booked()).toEqual({ quote: { databaseId, totalPrice: '1.00' } });
    expect(await record({})).toMatchObject({ unchanged: 1 });
    expect(await booked()).toMatchObject({ quote: { databaseId } });
    expect(await record({ quoteId: null })).toMatchObject({ updated: 1 });
    expect(await booked()).toEqual({ quote: null });
  });

  test('without a quote is recorded without reading quotes', async () => {
    const shop = await newMerchant(flat(1));
    await withClient(async client => {
      await client.query('alter table saved_quote rename to out_of_sight');
      try {
        expect(await upsertShipments(shop.caller, [shipment(shop.ids[0] as number, 'n')])).toMatchObject({
          created: 1,
        });
      } finally {
        await client.query('alter table out_of_sight rename to saved_quote');
      }
    });
  });
});

describe('A trial quote', () => {
  const TRY = `query ($input: QuoteInput!, $draft: Boolean, $revisions: [ID!]) {
    quoteShipment(input: $input, draft: $draft, revisions: $revisions) {
      ... on QuoteList { items { carrierConnectionId totalPrice tariffRevision { databaseId state } } } } }`;
  const DRAFT =
    'mutation ($input: CreateTariffDraftInput!) { createTariffDraft(input: $input) { tariffRevision { id databaseId } userErrors { code pointer message } } }';
  const prices = async (shop: Merchant, variables: object) => {
    const { data, errors } = await shop.caller.graphql<{
      quoteShipment: {
        items: { carrierConnectionId: number; totalPrice: string; tariffRevision: { state: string } }[];
      };
    }>(TRY, { input: shop.body(), ...variables });
    expect(errors).toBeUndefined();
    return data.quoteShipment.items
      .toSorted((a, b) => a.carrierConnectionId - b.carrierConnectionId)
      .map(one => [one.totalPrice, one.tariffRevision.state]);
  };

  test('uses the newest draft of each connection, or the named revisions, or else the tariff in force', async () => {
    const shop = await newMerchant(flat(1), flat(10));
    const draft = (tariff: object) =>
      ask<{ id: string }>(shop.caller, DRAFT, { input: { carrierConnectionId: shop.ids[0], tariff } });
    const older = await draft(flat(2));
    await draft(flat(3));
    const inForce = ['10.00', 'in_force'];
    expect(await prices(shop, { draft: true })).toEqual([['3.00', 'draft'], inForce]);
    expect(await prices(shop, { revisions: [older.id] })).toEqual([['2.00', 'draft'], inForce]);
    expect(await prices(shop, { draft: true, revisions: [older.id] })).toEqual([['2.00', 'draft'], inForce]);
    expect(await prices(shop, {})).toEqual([['1.00', 'in_force'], inForce]);
    await importTariff(shop.caller, shop.ids[0] as number, flat(4));
    const [first] = await askNodes<{ id: string }>(
      shop.caller,
      'query ($of: ID!) { tariffRevisions(carrierConnectionId: $of, first: 1, after: "aWQ6Mg") { nodes { id } } }',
      { of: shop.ids[0] },
    );
    expect(await prices(shop, { revisions: [first?.id] })).toEqual([['1.00', 'replaced'], inForce]);
  });

  test('for a connection without a tariff uses its draft', async () => {
    const shop = await newMerchant(null);
    await ask(shop.caller, DRAFT, { input: { carrierConnectionId: shop.ids[0], tariff: flat(7) } });
    expect(await prices(shop, { draft: true })).toEqual([['7.00', 'draft']]);
  });

  test('with another company’s draft is rejected', async () => {
    const [own, theirs] = [await newMerchant(flat(1)), await newMerchant(flat(2))];
    const { id } = await ask<{ id: string }>(theirs.caller, DRAFT, {
      input: { carrierConnectionId: theirs.ids[0], tariff: flat(3) },
    });
    const refused = failureOf(await own.caller.graphql(TRY, { input: own.body(), revisions: [id] }));
    expect(refused?.code).toBe('tariff_revision_not_found');
  });
});
