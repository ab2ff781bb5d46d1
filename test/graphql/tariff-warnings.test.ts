import { expect, test } from 'vitest';
import { currentTariff, type Fields, merchantsOf } from '../rest/tariffs.ts';
import { ask } from '../support/platform-side.ts';
import { useSharedWorld } from '../support/world.ts';

/** Places of a tariff that are accepted, and that its author should look at. */

const world = useSharedWorld();
const newMerchant = merchantsOf(world);

const zone = (to: Fields) => ({ code: 'isole', name: 'Isole', to, bands: [{ upToKg: 100, price: 10 }] });

const IMPORT = `mutation ($input: ImportTariffInput!) { importTariff(input: $input) { tariffDiff {
  warnings { code pointer message inEnglish: message(language: EN) } } userErrors { code pointer message } } }`;

test('An import, and its dry run, warn of hamlets, divided provinces and one-digit prefixes', async () => {
  const { caller, ids } = await newMerchant(null);
  const warningsOf = async (to: Fields, dryRun: boolean) => {
    const input = { carrierConnectionId: ids[0], tariff: currentTariff({ zones: [zone(to)] }), dryRun };
    const { data } = await caller.graphql<{ importTariff: { tariffDiff: { warnings: Fields[] } } }>(IMPORT, { input });
    return data.importTariff.tariffDiff.warnings;
  };
  const to = { municipalities: ['Lipari (ME 98055)'], provinces: ['CI'], postalCodes: ['7*'] };
  const expected = [
    { code: 'short_beginning', pointer: '/versions/0/zones/0/to/postalCodes/0' },
    { code: 'divided_province', pointer: '/versions/0/zones/0/to/provinces/0' },
    {
      code: 'hamlets',
      pointer: '/versions/0/zones/0/to/municipalities/0',
      message: expect.stringMatching(/^Lipari \(ME 98055\) non comprende .*Canneto, Stromboli/),
      inEnglish: expect.stringMatching(/^Lipari \(ME 98055\) does not hold .*Canneto, Stromboli/),
    },
  ];
  expect(await warningsOf(to, true)).toMatchObject(expected);
  expect(await warningsOf(to, false)).toMatchObject(expected);
  const sound = {
    municipalities: ['Lipari', 'Canneto', 'Stromboli', 'Vulcano', 'Panarea', 'Filicudi', 'Alicudi'],
    provinces: ['CI', 'SU', 'CA', 'VS'],
    postalCodes: ['07*'],
  };
  expect(await warningsOf(sound, false)).toEqual([]);
});

test('A rule for the current province of a CAP prices an address with its former province', async () => {
  const { caller, body } = await newMerchant(currentTariff({ zones: [zone({ provinces: ['MB'] })] }));
  const destination = { country: 'IT', postalCode: '20900', city: 'Monza', province: 'MI' };
  const query =
    'query ($input: QuoteInput!) { quoteShipment(input: $input) { ... on QuoteList { items { basePrice } } } }';
  expect(await ask(caller, query, { input: body({ destination }) })).toEqual({ items: [{ basePrice: '10.00' }] });
});

test('A rule for Cagliari prices an address in Sud Sardegna, which was separated from it', async () => {
  const { caller, body } = await newMerchant(currentTariff({ zones: [zone({ provinces: ['CA'] })] }));
  const destination = { country: 'IT', postalCode: '09013', city: 'Carbonia', province: 'SU' };
  const query =
    'query ($input: QuoteInput!) { quoteShipment(input: $input) { ... on QuoteList { items { basePrice } } } }';
  expect(await ask(caller, query, { input: body({ destination }) })).toEqual({ items: [{ basePrice: '10.00' }] });
});
