import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { flat, merchantsOf } from '../rest/tariffs.ts';
import { ask } from '../support/platform-side.ts';
import { useSharedWorld } from '../support/world.ts';

const world = useSharedWorld({ ROLE: 'api' });
const newMerchant = merchantsOf(world);

/** The surcharges that the guide shows. */
function surchargesOfGuide(): object[] {
  const guide = readFileSync(new URL('../../src/docs/tariffs.md', import.meta.url), 'utf8');
  const [, section = ''] = guide.split('\n## Customs\n');
  return JSON.parse(/```json\n([\s\S]*?)```/.exec(section)?.[1] ?? '');
}

const QUOTE = `query ($input: QuoteInput!, $terms: QuoteTermsInput) { quoteShipment(input: $input, terms: $terms) {
  ... on QuoteList { items { totalPrice explanation { lines { code amount calculation } } } } } }`;

interface Quoted {
  readonly items: readonly {
    readonly totalPrice: string;
    readonly explanation: { readonly lines: readonly { code: string; amount: string; calculation: string }[] };
  }[];
}

const LUGANO = { country: 'CH', postalCode: '6900', city: 'Lugano' };
const ZONES = [{ code: 'tutto', name: 'Tutto', to: { anywhere: true }, bands: [{ upToKg: 100, price: 30 }] }];

async function exporter() {
  const version = { ...flat(0).versions[0], weight: { per: 'shipment', roundUp: [{ toKg: 1 }] }, zones: ZONES };
  const tariff = { format: 2, name: 'Export', versions: [{ ...version, surcharges: surchargesOfGuide() }] };
  const { caller, body } = await newMerchant(tariff);
  return async (destination: object, terms: object) => {
    const [item] = (await ask<Quoted>(caller, QUOTE, { input: body({ destination }), terms })).items;
    return item?.explanation.lines.slice(1);
  };
}

test('goods that cross a customs border cost the clearance, a share of their value and of the duties advanced', async () => {
  const linesTo = await exporter();
  expect(await linesTo(LUGANO, { goodsValue: 900, dutiesAmount: 72.9 })).toEqual([
    { code: 'dogana', amount: '25.00', calculation: '25.00' },
    {
      code: 'valore',
      amount: '7.20',
      calculation: '900.00, above the last bracket: 0.8 % of 900.00, at least 6.00, at most 90.00',
    },
    { code: 'anticipo_dazi', amount: '15.00', calculation: '2.5 % of 72.90, at least 15.00' },
  ]);
  expect(await linesTo(LUGANO, {})).toMatchObject([{ code: 'dogana' }, { code: 'valore', amount: '4.50' }]);
  expect(await linesTo(LUGANO, { goodsValue: 50_000 })).toMatchObject([
    { code: 'dogana' },
    { code: 'valore', amount: '90.00' },
  ]);
});

test('Livigno and the Canary Islands are cleared, and other places of member states and Belfast are not', async () => {
  const linesTo = await exporter();
  const isCleared = async (country: string, postalCode: string, city: string) =>
    ((await linesTo({ country, postalCode, city }, { goodsValue: 900 })) ?? []).length > 0;
  expect(await isCleared('IT', '23041', 'Livigno')).toBe(true);
  expect(await isCleared('ES', '35001', 'Las Palmas')).toBe(true);
  expect(await isCleared('GB', 'EC1A 1BB', 'London')).toBe(true);
  expect(await isCleared('IT', '00184', 'Roma')).toBe(false);
  expect(await isCleared('ES', '28001', 'Madrid')).toBe(false);
  expect(await isCleared('GB', 'BT1 5GS', 'Belfast')).toBe(false);
});
