import { describe, expect, test } from 'vitest';
import { ask, type Item, RECIPIENT, shipment, upsertShipments } from '../support/platform-side.ts';
import { useSharedWorld } from '../support/world.ts';
import { imported as importedInvoice, linesOf } from './invoice-calls.ts';
import { BRT_LIKE, BY_HAND, importPriceList, inputOf, PRICE_LISTS } from './price-list-calls.ts';
import type { Numbered } from './price-list-shipments.ts';
import { csvOf, rowsOf, simulate } from './simulation-calls.ts';

/** Simulations and checks of invoices have the sums that the guide works out by hand, shipment by shipment. */

const world = useSharedWorld();

const SAVE = `mutation ($input: SaveQuoteInput!) { saveQuote(input: $input) {
  savedQuote { databaseId } userErrors { code pointer message } } }`;
const SIMULATE = `mutation ($input: SimulateTariffsInput!) { simulateTariffs(input: $input) { simulation {
  tariffs { shipments total totalWithAccount account { charges { code amount } bonus { code amount } } } }
  userErrors { code pointer message } } }`;
const KINDS = ['base', 'surcharges', 'fuel', 'options', 'cod', 'insurance'];
/** Goods that need a customs declaration, and whose value or duties only the terms of an invoice state. */
const UNKNOWN = new Set(['D9', 'D10', 'D13']);
const CODE = /^[A-Z_]+$/;

/** Shipments that the price list carries, each booked by a quote that was kept. */
async function shipped(list: (typeof PRICE_LISTS)[number]) {
  const caller = await world.company();
  const imported = await importPriceList(caller, list);
  const carried = Object.entries(list.shipments).filter(([no]) => !CODE.test(BY_HAND.get(no) ?? ''));
  const sent: Item[] = [];
  for (const [no, one] of carried) {
    const input = { carrierConnectionId: imported.id, quote: inputOf(imported, one), terms: one.terms ?? null };
    const { databaseId: quoteId } = await ask<{ databaseId: number }>(caller, SAVE, { input });
    const [countryCode, postalCode, city, province = null] = one.to;
    const recipient = { ...RECIPIENT, countryCode, postalCode, city, province };
    sent.push(shipment(imported.id, no, { quoteId, recipient, shippedAt: `${one.on}T09:00:00Z` }));
  }
  expect(await upsertShipments(caller, sent)).toMatchObject({ created: sent.length });
  return { caller, id: imported.id, numbers: carried.map(([no]) => no) };
}

const billed = (numbers: readonly string[], shipments: Numbered, more = 0): Item[] =>
  numbers.map(no => ({
    trackingNumber: no,
    date: shipments[no]?.on,
    charges: [{ kinds: KINDS, amount: (Number(BY_HAND.get(no)) + more).toFixed(2) }],
  }));

describe.each(PRICE_LISTS)('The price list $what', list => {
  test('has the costs in a simulation that the guide calculates by hand', async () => {
    const { caller, id, numbers } = await shipped(list);
    const period = { from: '2026-01-01', to: '2026-12-31' };
    const simulation = await simulate(caller, { period, tariffs: [{ tariff: { carrierConnectionId: id } }] });
    const prices = rowsOf(await csvOf(caller, simulation)).map(row => [
      row.tracking_number,
      row.cheapest_price?.replace(',', '.'),
    ]);
    expect(Object.fromEntries(prices)).toEqual(Object.fromEntries(numbers.map(no => [no, BY_HAND.get(no)])));
  });

  test('matches an invoice with the sums of the guide, and an invoice with 1.00 more on each line differs by that', async () => {
    const { caller, id, numbers } = await shipped(list);
    const checked = async (more: number, terms?: Item) => {
      const rows = billed(numbers, list.shipments, more);
      const input = { carrierConnectionId: id, number: '1', date: '2026-12-31', rows, terms, replace: true };
      const lines = await linesOf(caller, (await importedInvoice(caller, input)).id);
      return lines.map(({ number, findings: { nodes } }) => [number, nodes.map(one => Number(one.amount))]);
    };
    const wanted = (...amounts: number[]) => numbers.map(no => [no, UNKNOWN.has(no) ? [0] : amounts]);
    expect(await checked(0)).toEqual(wanted());
    expect(await checked(1)).toEqual(wanted(1));
    const known = { goodsValue: '0', dutiesAmount: '0' };
    expect(await checked(0, known)).toEqual(numbers.map(no => [no, []]));
    expect(await checked(1, known)).toEqual(numbers.map(no => [no, [1]]));
  });
});

test('Account fees and the bonus of the guide are in simulations, and the fees in checks of invoices', async () => {
  const { caller, id, numbers } = await shipped(BRT_LIKE);
  const { tariffs } = await ask<{ tariffs: readonly Item[] }>(caller, SIMULATE, {
    input: { period: { from: '2026-06-01', to: '2026-06-30' }, tariffs: [{ tariff: { carrierConnectionId: id } }] },
  });
  const [canone, ritiro, minimo, premio] = ['A1', 'A2', 'A3', 'A4'].map(no => BY_HAND.get(no));
  expect(tariffs).toMatchObject([
    {
      shipments: 5,
      total: '85.42',
      totalWithAccount: '137.80',
      account: {
        charges: [
          { code: 'canone', amount: canone },
          { code: 'ritiro', amount: ritiro },
          { code: 'minimo_mese', amount: minimo },
        ],
        bonus: { code: 'premio', amount: premio },
      },
    },
  ]);
  const fees = (more: number) =>
    [
      ['canone', canone, {}],
      ['ritiro', ritiro, { pickups: 1 }],
      ['minimo_mese', minimo, {}],
    ].map(([code, amount, fields]) => ({
      ...(fields as Item),
      charges: [{ kinds: ['account'], lines: [code], amount: (Number(amount) + more).toFixed(2) }],
    }));
  const ofJune = billed(
    numbers.filter(no => BRT_LIKE.shipments[no]?.on === '2026-06-15'),
    BRT_LIKE.shipments,
  );
  const checked = async (rows: readonly Item[]) => {
    const input = { carrierConnectionId: id, number: '6', date: '2026-06-30', rows, replace: true };
    const lines = await linesOf(caller, (await importedInvoice(caller, input)).id);
    return lines.map(({ state, findings }) => [state, ...findings.nodes.map(one => `${one.code} ${one.amount}`)]);
  };
  expect(await checked([...fees(0), ...ofJune])).toEqual(Array(8).fill(['agrees']));
  expect((await checked([...fees(3), ...ofJune])).slice(0, 3)).toEqual(Array(3).fill(['differs', 'account_fee 3.00']));
});
