import { describe, expect, test } from 'vitest';
import { itemsOf } from '../rest/quote-items.ts';
import { cents, connectWith, currentTariff, type Fields, flat } from '../rest/tariffs.ts';
import { ask } from '../support/platform-side.ts';
import { useTariffs } from './tariff-calls.ts';

const { newMerchant } = useTariffs();

/** 10.00 for Italy, with other fields in its one version. */
const tariff = (version: Fields) =>
  currentTariff({
    zones: [{ code: 'italia', name: 'Italia', to: { countries: ['IT'] }, bands: [{ upToKg: 100, price: 10 }] }],
    ...version,
  });
const line = (code: string, price: Fields, vat?: Fields) => ({ code, description: code, price, ...(vat && { vat }) });
const EXEMPT = { percent: 0, note: 'Esente art. 10 DPR 633/72' };
/** 1 % of the value insured, exempt from VAT. */
const EXEMPT_INSURANCE = { insurance: [line('polizza', { percent: 1, of: ['insuredValue'] }, EXEMPT)] };

interface Share {
  readonly rate: string;
  readonly taxable: string;
  readonly amount: string;
}
interface Item {
  readonly totalPrice: string;
  readonly vatRate: string;
  readonly vatAmount: string;
  readonly totalPriceWithVat: string;
  readonly vatBreakdown: readonly Share[] | null;
}

const VAT = 'totalPrice vatRate vatAmount totalPriceWithVat vatBreakdown { rate taxable amount }';
const QUOTE = `query ($input: QuoteInput!) { quoteShipment(input: $input) { ... on QuoteList { items { ${VAT} } } } }`;
const SAVE = `mutation ($input: SaveQuoteInput!) { saveQuote(input: $input) { savedQuote { databaseId ${VAT} } userErrors { code } } }`;
const SAVED = `query ($id: ID!) { savedQuote(id: $id) { databaseId ${VAT} } }`;

interface VatCase {
  readonly what: string;
  readonly version?: Fields;
  readonly fields?: Fields;
  readonly is: readonly [totalPrice: string, vatAmount: string, ...vatBreakdown: Share[]];
}

const share = (rate: string, taxable: string, amount: string): Share => ({ rate, taxable, amount });
const sum = (amounts: readonly string[]) => amounts.reduce((all, amount) => all + cents(amount), 0);

function expectToAddUp({ totalPrice, vatAmount, totalPriceWithVat, vatBreakdown }: Item): void {
  const shares = vatBreakdown ?? [];
  expect(sum(shares.map(({ taxable }) => taxable))).toBe(cents(totalPrice));
  expect(sum(shares.map(({ amount }) => amount))).toBe(cents(vatAmount));
  expect(cents(totalPrice) + cents(vatAmount)).toBe(cents(totalPriceWithVat));
}

describe('The VAT of a quote', () => {
  test.each<VatCase>([
    { what: 'of one rate is that rate on the total', is: ['10.00', '2.20', share('22', '10.00', '2.20')] },
    {
      what: 'leaves an exempt line out',
      version: EXEMPT_INSURANCE,
      fields: { insuranceAmount: 1000 },
      is: ['20.00', '2.20', share('22', '10.00', '2.20'), share('0', '10.00', '0.00')],
    },
    {
      what: 'adds up the lines of one rate before it is rounded',
      version: {
        surcharges: [
          line('libri', { fixed: 0.11 }, { percent: 4 }),
          line('giornali', { fixed: 0.11 }, { percent: 4 }),
          line('plain', { fixed: 0.02 }),
        ],
      },
      // 22 % of 10.02 is 2.2044; 4 % of 0.22 is 0.0088, while each 0.11 alone would come to 0.00.
      is: ['10.24', '2.21', share('22', '10.02', '2.20'), share('4', '0.22', '0.01')],
    },
    {
      what: 'is negative for a discount with a rate of its own',
      version: { surcharges: [line('sconto', { percent: -12.5, of: ['base'] }, { percent: 10 })] },
      // 10 % of -1.25 is -0.125, which is rounded like 0.125.
      is: ['8.75', '2.07', share('22', '10.00', '2.20'), share('10', '-1.25', '-0.13')],
    },
    {
      what: 'is 0 where discounts exceed the price and are cut',
      version: { surcharges: [line('sconto', { fixed: -30 })] },
      is: ['0.00', '0.00', share('22', '0.00', '0.00')],
    },
    {
      what: 'has one share where lines state the rate of the destination',
      version: { surcharges: [line('uguale', { fixed: 1 }, { percent: 22, note: 'Aliquota ordinaria' })] },
      is: ['11.00', '2.42', share('22', '11.00', '2.42')],
    },
    {
      what: 'is of the lines alone where the destination has none',
      version: { surcharges: [line('bolli', { fixed: 1 }, { percent: 22 })] },
      fields: { destination: { postalCode: '23041', city: 'Livigno', province: 'SO' } },
      is: ['11.00', '0.22', share('0', '10.00', '0.00'), share('22', '1.00', '0.22')],
    },
  ])('$what', async ({ version = {}, fields = {}, is: [totalPrice, vatAmount, ...vatBreakdown] }) => {
    const shop = await newMerchant(tariff(version));
    const { items } = await ask<{ items: [Item] }>(shop.caller, QUOTE, { input: shop.body(fields) });
    expect(items).toMatchObject([{ totalPrice, vatAmount, vatBreakdown, vatRate: vatBreakdown[0]?.rate }]);
    expectToAddUp(items[0]);
    const [rest] = itemsOf(await shop.quote(fields));
    expect(rest).toMatchObject({
      totalPrice: Number(totalPrice),
      vatRate: Number(vatBreakdown[0]?.rate),
      vatAmount: Number(vatAmount),
      totalPriceWithVat: Number(items[0].totalPriceWithVat),
    });
    expect(rest).not.toHaveProperty('vatBreakdown');
  });
});

describe('The VAT of a saved quote', () => {
  const insured = { insuranceAmount: '1000' };

  test('is shown by rate as it was quoted', async () => {
    const shop = await newMerchant(tariff(EXEMPT_INSURANCE));
    const input = { carrierConnectionId: shop.ids[0], quote: shop.body(insured) };
    const kept = await ask<Item & { databaseId: number }>(shop.caller, SAVE, { input });
    expect(kept.vatBreakdown).toEqual([share('22', '10.00', '2.20'), share('0', '10.00', '0.00')]);
    expect(await ask(shop.caller, SAVED, { id: kept.databaseId })).toEqual(kept);
  });
});

test('The VAT of charges after the shipment is shown by rate', async () => {
  const afterShipment = [
    { ...line('giacenza', { fixed: 12.2 }, { percent: 4 }), on: 'storage' },
    { ...line('rientro', { fixed: 8.05 }), on: 'return' },
    { ...line('sosta', { fixed: 1.05 }), on: 'waiting' },
  ];
  const shop = await newMerchant(tariff({ afterShipment }));
  await connectWith(shop.caller, flat(5));
  const { items } = await ask<{ items: [Item, Item] }>(
    shop.caller,
    `query ($input: QuoteInput!, $events: [ShipmentEventInput!]!) { quoteAfterShipment(input: $input, events: $events) {
      items { totalPrice vatAmount totalPriceWithVat vatBreakdown { rate taxable amount } } } }`,
    { input: shop.body(), events: [{ kind: 'STORAGE' }, { kind: 'RETURN' }, { kind: 'WAITING' }] },
  );
  // 4 % of 12.20 is 0.488; 22 % of 9.10 is 2.002.
  expect(items[0].vatBreakdown).toEqual([share('4', '12.20', '0.49'), share('22', '9.10', '2.00')]);
  expect(items[1].vatBreakdown).toEqual([]);
  for (const item of items) expectToAddUp(item);
});
