import { describe, expect, test } from 'vitest';
import { quote } from '../rest/tariffs.ts';
import { ask } from '../support/platform-side.ts';
import { useSharedWorld } from '../support/world.ts';
import { BY_HAND, CLAUSES, DHL_LIKE, documentOf, importPriceList, inputOf, PRICE_LISTS } from './price-list-calls.ts';
import { EXPRESS, type Listed } from './price-list-shipments.ts';

const world = useSharedWorld();

const QUOTED = `query ($input: QuoteInput!, $terms: QuoteTermsInput) { quoteShipment(input: $input, terms: $terms) {
  ... on QuoteList { items { totalPrice } } ... on QuoteWarning { code } } }`;

describe.each(PRICE_LISTS)('The price list $what', list => {
  test('has the prices that the guide calculates by hand', async () => {
    const caller = await world.company();
    const imported = await importPriceList(caller, list);
    const found: Record<string, string> = {};
    for (const [no, shipment] of Object.entries(list.shipments)) {
      const input = inputOf(imported, shipment);
      const { terms = null } = shipment;
      type Quoted = { readonly items?: readonly { readonly totalPrice: string }[]; readonly code?: string };
      const { items = [], code = '' } = await ask<Quoted>(caller, QUOTED, { input, terms });
      found[no] = items[0]?.totalPrice ?? code;
      if (terms !== null) continue;
      const { body } = await quote(caller, input);
      expect(body.code ?? body[0].totalPrice.toFixed(2), no).toBe(found[no]);
    }
    const wanted = [...BY_HAND].filter(([no]) => no in list.shipments);
    expect(wanted.length).toBeGreaterThanOrEqual(12);
    expect(found).toEqual(Object.fromEntries(wanted));
  });
});

test('An explanation states the costs of a remote town, the value of the goods and advanced duties', async () => {
  const caller = await world.company();
  const { D14 } = EXPRESS as { readonly D14: Listed };
  const imported = await importPriceList(caller, DHL_LIKE);
  const { items } = await ask<{ items: { explanation: { lines: object[] } }[] }>(
    caller,
    `query ($input: QuoteInput!, $terms: QuoteTermsInput) { quoteShipment(input: $input, terms: $terms) {
      ... on QuoteList { items { explanation { lines { code amount calculation(language: EN) } } } } } }`,
    { input: inputOf(imported, D14), terms: D14.terms },
  );
  expect(items[0]?.explanation.lines.slice(1)).toEqual([
    { code: 'remote', amount: '24.00', calculation: 'the greater of 24.00 and 0.48 × 6 kg' },
    { code: 'demand', amount: '1.20', calculation: '0.2 × 6 kg' },
    { code: 'customs_value', amount: '20.00', calculation: '0.8 % of 2500.00, at least 6.00' },
    { code: 'duties_advance', amount: '15.00', calculation: '2 % of 202.50, at least 15.00' },
    {
      code: 'fuel_air',
      amount: '24.70',
      calculation: '26.5 % of 93.20 (base + remote + demand), the rate from 2026-11-23',
    },
  ]);
});

test('Each clause of the guide is in the example, at the path that the guide names, with a sum by hand', () => {
  const missing = CLAUSES.filter(({ file, path, sums }) => {
    const keys = path.split('/').slice(1);
    const at = keys.reduce<unknown>(
      (part, key) => (part as Record<string, unknown> | undefined)?.[key],
      documentOf(file),
    );
    return at === undefined || !sums.split(/, | to /).every(no => BY_HAND.has(no));
  });
  expect(CLAUSES.length).toBeGreaterThanOrEqual(22);
  expect(missing).toEqual([]);
});
