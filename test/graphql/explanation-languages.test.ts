import { expect, test } from 'vitest';
import { currentTariff, type Fields, merchantsOf } from '../rest/tariffs.ts';
import { ask } from '../support/platform-side.ts';
import { useSharedWorld } from '../support/world.ts';

/** Texts that explain a price: Italian, or in the language that is asked for. */

const world = useSharedWorld();
const newMerchant = merchantsOf(world);

const band = (upToKg: number, price: number) => ({ upToKg, price });
const TARIFF = currentTariff({
  weight: { per: 'shipment', volumetric: [{ kgPerM3: 250 }], roundUp: [{ toKg: 0.5 }] },
  limits: { longestSideCm: 200 },
  zones: [
    { code: 'vicino', name: 'Vicino', to: { sameProvince: true }, bands: [band(10, 5)] },
    {
      code: 'italia',
      name: 'Italia',
      to: { countries: ['IT'] },
      bands: [band(10, 8)],
      beyond: [{ everyKg: 10, price: 2, upToKg: 100 }],
    },
  ],
  surcharges: [
    { code: 'colli', description: 'Colli', price: { perParcel: 0.5, afterParcels: 1 } },
    {
      code: 'passi',
      description: 'Passi',
      price: { per: [{ measure: 'chargeableKg', every: 5, above: 5, price: 0.3 }] },
    },
    {
      code: 'scaglioni',
      description: 'Scaglioni',
      price: { brackets: { by: 'parcels', prices: [{ upTo: 3, fixed: 1 }, { fixed: 2 }] } },
    },
  ],
  fuel: [
    { code: 'fuel', description: 'Carburante', price: { of: ['base'], rates: [{ from: '2026-01-01', percent: 7.5 }] } },
  ],
  options: [{ code: 'piano', description: 'Al piano', price: { fixed: 3, perKg: 0.1, minimum: 4 } }],
  insurance: [
    { code: 'assicurazione', description: 'Assicurazione', price: { percent: 1, of: ['insuredValue'], above: 100 } },
  ],
  afterShipment: [
    {
      code: 'giacenza',
      on: 'storage',
      description: 'Giacenza',
      price: { per: [{ measure: 'storageDays', every: 1, above: 3, price: 0.8 }] },
    },
  ],
});

const EXPLAINED = `query ($input: QuoteInput!) { quoteShipment(input: $input) { ... on QuoteList { items { explanation {
  weight inEnglish: weight(language: EN) zone { place inEnglish: place(language: EN) }
  lines { code calculation inEnglish: calculation(language: EN) } } } notices { message inEnglish: message(language: EN) } }
  ... on QuoteWarning { message inEnglish: message(language: EN)
    details { message inItalian: message(language: IT) inEnglish: message(language: EN) } } } }`;

const MILANO = { country: 'IT', postalCode: '20121', city: 'Milano', province: 'MI' };
const two = [{ weight: 8, length: 40, width: 30, height: 30, quantity: 2 }];

async function shop() {
  const { caller, body, ids } = await newMerchant(TARIFF);
  const explained = async (fields: Fields) =>
    ask<Record<string, never> & { items: { explanation: Fields }[]; notices: Fields[]; details: Fields[] }>(
      caller,
      EXPLAINED,
      { input: body({ parcels: two, ...fields }) },
    );
  return { caller, body, ids, explained };
}

test('A price is explained in Italian by default, and in English on request', async () => {
  const { explained } = await shop();
  const { items } = await explained({ insuranceAmount: 300, options: ['piano'], shipmentDate: '2026-11-23' });
  expect(items[0]?.explanation).toEqual({
    weight:
      'il maggiore tra reale 16 kg e volumetrico 18 kg, della spedizione, arrotondato per eccesso a 0.5 kg: 18 kg',
    inEnglish: 'the greater of real 16 kg and volumetric 18 kg, of the shipment, rounded up to 0.5 kg: 18 kg',
    zone: { place: 'IT', inEnglish: 'IT' },
    lines: [
      {
        code: 'base',
        calculation: 'fino a 10 kg: 8.00, e 1 × 2.00 per ogni 10 kg o frazione oltre la fascia',
        inEnglish: 'up to 10 kg: 8.00, and 1 × 2.00 for each 10 kg begun beyond',
      },
      { code: 'colli', calculation: '0.50 × 1 collo', inEnglish: '0.50 × 1 parcel' },
      {
        code: 'passi',
        calculation: '0.30 × 3 per ogni 5 kg o frazione oltre 5 kg su 18 kg',
        inEnglish: '0.30 × 3 for each 5 kg begun above 5 kg of 18 kg',
      },
      {
        code: 'scaglioni',
        calculation: '2 colli, fino a 3 colli: 1.00',
        inEnglish: '2 parcels, up to 3 parcels: 1.00',
      },
      {
        code: 'fuel',
        calculation: '7.5 % di 10.00 (base), aliquota dal 2026-01-01',
        inEnglish: '7.5 % of 10.00 (base), the rate from 2026-01-01',
      },
      {
        code: 'piano',
        calculation: '3.00 + 0.1 × 18 kg, minimo 4.00',
        inEnglish: '3.00 + 0.1 × 18 kg, at least 4.00',
      },
      {
        code: 'assicurazione',
        calculation: '1 % di 200.00 (300.00 meno 100.00)',
        inEnglish: '1 % of 200.00 (300.00 less 100.00)',
      },
    ],
  });
});

test('A rule without a place, and a notice, have words in both languages', async () => {
  const { ids, explained } = await shop();
  const parcels = [{ weight: 1, length: 10, width: 10, height: 10, quantity: 1 }];
  const fields = { destination: MILANO, parcels, carrierConnectionIds: [ids[0], 999_999] };
  const { items, notices } = await explained(fields);
  expect(items[0]?.explanation).toMatchObject({ zone: { place: 'stessa provincia', inEnglish: 'same province' } });
  expect(notices).toEqual([
    {
      message: "999999 non è una connessione attiva dell'azienda.",
      inEnglish: '999999 is not an active carrier connection of the company.',
    },
  ]);
});

test('An exclusion and a warning are Italian sentences by default, English ones on request, and Italian in REST', async () => {
  const { caller, body, explained } = await shop();
  const long = [{ weight: 8, length: 250, width: 30, height: 30, quantity: 1 }];
  const warning = await explained({ parcels: long });
  const message = 'Il lato più lungo è 250 cm: il massimo è 200 cm.';
  expect(warning).toEqual({
    message: 'Le dimensioni superano i limiti di tutti i corrieri considerati.',
    inEnglish: 'The dimensions are above the limits of all carriers considered.',
    details: [{ message, inItalian: message, inEnglish: 'The longest side is 250 cm: the most is 200 cm.' }],
  });
  const { body: answer } = await caller.rest('POST', '/shipments/quote', body({ parcels: long }));
  expect(answer).toMatchObject({ message: (warning as Fields).message, details: [{ message }] });
});

test('Options, charges after the shipment and saved quotes are explained in both languages', async () => {
  const { caller, body, ids } = await shop();
  const options = '{ carrierConnections { nodes { options { pricing inEnglish: pricing(language: EN) } } } }';
  expect(await ask(caller, options)).toEqual({
    nodes: [
      {
        options: [
          {
            pricing: '3.00 a spedizione + 0.1 al kg, minimo 4.00',
            inEnglish: '3.00 a shipment + 0.1 a kg, at least 4.00',
          },
        ],
      },
    ],
  });
  const charged = `query ($input: QuoteInput!) { quoteAfterShipment(input: $input, events: [{ kind: STORAGE, storageDays: 5 }]) {
    items { charges { calculation inEnglish: calculation(language: EN) } } } }`;
  expect(await ask(caller, charged, { input: body({ parcels: two }) })).toEqual({
    items: [
      {
        charges: [
          {
            calculation: '0.80 × 2 per ogni 1 giorno o frazione oltre 3 giorni su 5 giorni',
            inEnglish: '0.80 × 2 for each 1 day begun above 3 days of 5 days',
          },
        ],
      },
    ],
  });
  const save = `mutation ($input: SaveQuoteInput!) { saveQuote(input: $input) { savedQuote { lines { code calculation
    inEnglish: calculation(language: EN) } } userErrors { message } } }`;
  const input = {
    carrierConnectionId: ids[0],
    quote: body({ destination: MILANO, parcels: [{ ...two[0], quantity: 1 }] }),
  };
  expect(await ask(caller, save, { input })).toMatchObject({
    lines: [{ code: 'base', calculation: 'fino a 10 kg: 5.00', inEnglish: 'up to 10 kg: 5.00' }, {}, {}, {}, {}],
  });
});
