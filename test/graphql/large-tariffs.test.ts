import { describe, expect, test } from 'vitest';
import { importTariff } from '../rest/feed.ts';
import { type Fields, tariffWith } from '../rest/tariffs.ts';
import { refusal } from '../support/platform-side.ts';
import { IMPORT, priced, useTariffs } from './tariff-calls.ts';

// Tariffs that a thread checks, compiles and compares.

const { newMerchant } = useTariffs();

const PLACES = 5_000;
const caps = (last: string) => [...Array.from({ length: PLACES }, (_, i) => `FR ${10_000 + i}`), last];
const large = (price: number, last = '90139'): Fields =>
  tariffWith({
    zones: [{ code: 'z', name: 'Zona', to: { postalCodes: caps(last) }, bands: [{ upToKg: 1000, price }] }],
  });
const IMPORTED = `mutation ($input: ImportTariffInput!) { importTariff(input: $input) {
  tariff { databaseId } tariffDiff { changes(first: 5) { nodes { path before after } } } userErrors { code pointer message } } }`;

describe('A tariff of thousands of places', () => {
  test('is imported, priced and compared like a small one', async () => {
    const shop = await newMerchant(null);
    const [carrierConnectionId = 0] = shop.ids;
    await importTariff(shop.caller, carrierConnectionId, large(7));
    await priced(shop, 7);
    const { data } = await shop.caller.graphql<{ importTariff: { tariffDiff: { changes: { nodes: object[] } } } }>(
      IMPORTED,
      { input: { carrierConnectionId, tariff: large(8, '90138-90139') } },
    );
    expect(data.importTariff.tariffDiff.changes.nodes).toEqual([
      { path: expect.stringContaining('to/postalCodes'), before: ['90139'], after: ['90138-90139'] },
      { path: expect.stringContaining('/price'), before: 7, after: 8 },
    ]);
    await priced(shop, 8);
  });

  test('is rejected with a pointer to the error', async () => {
    const shop = await newMerchant(null);
    const [carrierConnectionId = 0] = shop.ids;
    const wrong = { input: { carrierConnectionId, tariff: large(7, 'XX 1') } };
    expect(await refusal(shop.caller, IMPORT, wrong)).toBe(
      `validation_failed: /tariff/versions/0/zones/0/to/postalCodes/${PLACES} unknown_country`,
    );
  });
});
