import { expect, test } from 'vitest';
import { connectWith, currentTariff, type Fields, merchantsOf, PALERMO } from '../rest/tariffs.ts';
import { failureOf } from '../support/graphql-client.ts';
import { ask } from '../support/platform-side.ts';
import { useSharedWorld } from '../support/world.ts';

const world = useSharedWorld();
const newMerchant = merchantsOf(world);

/** 10.00 to 100 kg, and 8.00 for each EUR pallet up to two and 3.00 for each more; handling has a VAT of its own. */
const TARIFF = currentTariff({
  zones: [
    {
      code: 'italia',
      name: 'Italia',
      to: { countries: ['IT'] },
      bands: [{ upToKg: 100, price: 10 }],
      pallets: [
        {
          types: ['EUR'],
          prices: [
            { upTo: 1, price: 8 },
            { upTo: 2, price: 15 },
          ],
          each: 3,
        },
      ],
    },
  ],
  surcharges: [
    {
      code: 'handling',
      description: 'Gestione',
      price: { fixed: 1.5 },
      vat: { percent: 4, note: 'Aliquota ridotta' },
    },
    {
      code: 'volume',
      description: 'Sconto',
      when: { monthlyShipments: { from: 100 } },
      price: { percent: -10, of: ['base'] },
    },
  ],
  cod: [
    { code: 'cod_cash', description: 'Contanti', when: { codPayments: ['cash'] }, price: { fixed: 2 } },
    { code: 'cod_cheque', description: 'Assegno', when: { codPayments: ['bank_cheque'] }, price: { fixed: 3 } },
  ],
  afterShipment: [
    {
      code: 'giacenza',
      on: 'storage',
      description: 'Giacenza',
      vat: { percent: 4 },
      price: { fixed: 5, per: [{ measure: 'storageDays', every: 1, above: 3, price: 0.8 }] },
    },
    {
      code: 'riconsegna',
      on: 'redelivery',
      description: 'Riconsegna',
      price: { percent: 50, of: ['base'], minimum: 6 },
    },
    {
      code: 'rientro_pesante',
      on: 'return',
      description: 'Rientro',
      when: { chargeableKg: { over: 50 } },
      price: { fixed: 40 },
    },
    { code: 'rientro', on: 'return', description: 'Rientro', price: { percent: 70, of: ['base', 'surcharges'] } },
    {
      code: 'attesa',
      on: 'waiting',
      description: 'Sosta',
      price: { per: [{ measure: 'waitingMinutes', every: 15, above: 30, price: 7 }] },
    },
  ],
});

const CHARGES = 'kind code amount calculation(language: EN) vatRate rule';
const AFTER = `query ($input: QuoteInput!, $terms: QuoteTermsInput, $events: [ShipmentEventInput!]!) {
  quoteAfterShipment(input: $input, terms: $terms, events: $events) {
    items { carrierConnectionId charges { ${CHARGES} } totalPrice vatAmount totalPriceWithVat }
    excluded { carrierConnectionId code } notices { code } } }`;
const EXPLAINED = `... on QuoteList { items { totalPrice vatAmount vatBreakdown { rate taxable amount } explanation {
  lines { code amount calculation(language: EN) vatRate vatNote } pallets { types count price rule } } } }`;
const QUOTE = `query ($input: QuoteInput!, $terms: QuoteTermsInput) { quoteShipment(input: $input, terms: $terms) { ${EXPLAINED} } }`;
const QUOTES = `query ($inputs: [QuoteInput!]!, $terms: [QuoteTermsInput]) { quoteShipments(inputs: $inputs, terms: $terms) {
  index errors { pointer code } quote { ${EXPLAINED} } } }`;

// biome-ignore lint/suspicious/noExplicitAny: a response, of which tests look at single fields
type Json = any;

const DATE = { shipmentDate: '2026-06-15' };
const pallets = (quantity: number) => ({ weight: 9, length: 120, width: 80, height: 50, quantity });

test('Charges after the shipment follow from the quote, each with its calculation and VAT', async () => {
  const { caller, body } = await newMerchant(TARIFF);
  const after = (events: Fields[], fields: Fields = {}) =>
    ask<Json>(caller, AFTER, { input: body({ ...DATE, ...fields }), events });
  const events = [
    { kind: 'STORAGE', storageDays: 12 },
    { kind: 'RETURN' },
    { kind: 'REDELIVERY' },
    { kind: 'ADDRESS_CHANGE' },
  ];
  const { items } = await after(events);
  expect(items).toMatchObject([
    {
      charges: [
        {
          kind: 'storage',
          code: 'giacenza',
          amount: '12.20',
          vatRate: '4',
          rule: '/versions/0/afterShipment/0',
          calculation: '5.00 + 0.80 × 9 for each 1 day begun above 3 days of 12 days',
        },
        { kind: 'return', code: 'rientro', amount: '8.05', vatRate: '22', rule: '/versions/0/afterShipment/3' },
        { kind: 'redelivery', code: 'riconsegna', amount: '6.00' },
      ],
      // 12.20 at 4 % is 0.488; 14.05 at 22 % is 3.091.
      totalPrice: '26.25',
      vatAmount: '3.58',
      totalPriceWithVat: '29.83',
    },
  ]);
  const amounts = async (event: Fields, fields: Fields = {}) =>
    (await after([event], fields)).items[0].charges.map(({ code, amount }: Json) => `${code} ${amount}`);
  expect(await amounts({ kind: 'STORAGE', storageDays: 3 })).toEqual(['giacenza 5.00']);
  expect(await amounts({ kind: 'WAITING', waitingMinutes: 46 })).toEqual(['attesa 14.00']);
  expect(await amounts({ kind: 'RETURN' }, { parcels: [{ ...pallets(1), weight: 60 }] })).toEqual([
    'rientro_pesante 40.00',
  ]);
  expect(await amounts({ kind: 'ADDRESS_CHANGE' })).toEqual([]);
});

test('The condition of a charge after the shipment can depend on days and minutes', async () => {
  const [version] = TARIFF.versions;
  const afterShipment = [
    {
      code: 'giacenza_lunga',
      on: 'storage',
      description: 'Giacenza lunga',
      price: { fixed: 30 },
      when: { storageDays: { over: 10 } },
    },
    {
      code: 'giacenza',
      on: 'storage',
      description: 'Giacenza',
      price: { fixed: 5 },
      when: { noneOf: [{ storageDays: { upTo: 3 } }] },
    },
    {
      code: 'attesa',
      on: 'waiting',
      description: 'Sosta',
      price: { fixed: 7 },
      when: { waitingMinutes: { from: 30 } },
    },
  ];
  const { caller, body } = await newMerchant({ ...TARIFF, versions: [{ ...version, afterShipment }] });
  const charged = async (event: Fields) => {
    const { items } = await ask<Json>(caller, AFTER, { input: body(DATE), events: [event] });
    return items[0].charges.map(({ code }: Json) => code);
  };
  expect(await charged({ kind: 'STORAGE', storageDays: 11 })).toEqual(['giacenza_lunga']);
  expect(await charged({ kind: 'STORAGE', storageDays: 10 })).toEqual(['giacenza']);
  expect(await charged({ kind: 'STORAGE', storageDays: 3 })).toEqual([]);
  expect(await charged({ kind: 'WAITING', waitingMinutes: 30 })).toEqual(['attesa']);
  expect(await charged({ kind: 'WAITING', waitingMinutes: 29 })).toEqual([]);
});

test('A connection that does not carry the shipment has no charges, and gives the reason', async () => {
  const { caller, body } = await newMerchant(TARIFF);
  const bare = await connectWith(caller, null);
  const heavy = { parcels: [{ ...pallets(1), weight: 101 }] };
  const events = [{ kind: 'STORAGE' }];
  const { items, excluded } = await ask<Json>(caller, AFTER, { input: body({ ...DATE, ...heavy }), events });
  expect(items).toEqual([]);
  expect(excluded.map(({ code }: Json) => code)).toEqual(['WEIGHT_OUT_OF_RANGE', 'NO_TARIFF_IN_FORCE']);
  expect(excluded[1].carrierConnectionId).toBe(bare);
  const unknown = { input: body({ carrierConnectionIds: [2_000_000] }), events };
  expect(await ask<Json>(caller, AFTER, unknown)).toMatchObject({
    notices: [{ code: 'carrier_connection_not_found' }],
  });
});

test('More than 20 events, and invalid events, are rejected', async () => {
  const { caller, body } = await newMerchant(TARIFF);
  const codesOf = async (events: Fields[]) =>
    failureOf(await caller.graphql<object>(AFTER, { input: body(DATE), events }))?.errors?.map(({ code }) => code);
  expect(await codesOf(Array.from({ length: 21 }, () => ({ kind: 'STORAGE' })))).toEqual(['too_many']);
  expect(await codesOf([{ kind: 'STORAGE', storageDays: -1 }])).toEqual(['out_of_range']);
});

test('A quote has the VAT of each line and of each rate, and the pallets priced by number', async () => {
  const { caller, body } = await newMerchant(TARIFF);
  const input = body({ ...DATE, parcels: [pallets(3), { weight: 2, length: 10, width: 10, height: 10, quantity: 1 }] });
  const terms = { pallets: [{ parcel: 0, type: 'EUR' }] };
  const { items } = await ask<Json>(caller, QUOTE, { input, terms });
  const note = 'Aliquota ridotta';
  expect(items[0]).toMatchObject({
    totalPrice: '29.50',
    vatAmount: '6.22',
    vatBreakdown: [
      { rate: '22', taxable: '28.00', amount: '6.16' },
      { rate: '4', taxable: '1.50', amount: '0.06' },
    ],
    explanation: {
      lines: [
        {
          code: 'base',
          amount: '28.00',
          vatRate: '22',
          vatNote: null,
          calculation: '3 pallets EUR: 15.00 for 2, and 1 × 3.00 + up to 100 kg: 10.00',
        },
        { code: 'handling', amount: '1.50', vatRate: '4', vatNote: note },
      ],
      pallets: [{ types: ['EUR'], count: 3, price: '18.00', rule: '/versions/0/zones/0/pallets/0' }],
    },
  });
  const two = { input: body({ ...DATE, parcels: [pallets(2)] }), terms };
  expect((await ask<Json>(caller, QUOTE, two)).items[0].explanation.lines[0].calculation).toBe(
    '2 pallets EUR, up to 2: 15.00',
  );
});

test('Each of several shipments has its own terms, as if it were quoted alone', async () => {
  const { caller, body } = await newMerchant(TARIFF);
  const inputs = [
    body({ ...DATE, codAmount: 50 }),
    body({ ...DATE, codAmount: 50 }),
    body({ ...DATE, parcels: [pallets(2)] }),
    body({ ...DATE, destination: PALERMO }),
  ];
  const terms = [
    { codPayment: 'BANK_CHEQUE', monthlyShipments: 500 },
    null,
    { pallets: [{ parcel: 0, type: 'EUR', isStackable: true }] },
  ];
  const outcomes = await ask<Json>(caller, QUOTES, { inputs, terms });
  expect(outcomes.map(({ quote }: Json) => quote.items[0].totalPrice)).toEqual(['13.50', '13.50', '16.50', '11.50']);
  for (const [i, input] of inputs.entries()) {
    expect(await ask(caller, QUOTE, { input, terms: terms[i] })).toEqual(outcomes[i].quote);
  }
  const wrong = [{ monthlyShipments: -1 }, { pallets: [{ parcel: 7, type: 'EUR' }] }];
  expect(await ask<Json>(caller, QUOTES, { inputs: inputs.slice(0, 3), terms: wrong })).toMatchObject([
    { quote: null, errors: [{ pointer: '/terms/0/monthlyShipments' }] },
    { quote: null, errors: [{ pointer: '/terms/1/pallets/0/parcel' }] },
    { quote: {}, errors: [] },
  ]);
  const tooMany = await caller.graphql<object>(QUOTES, { inputs: inputs.slice(0, 1), terms: [null, null] });
  expect(failureOf(tooMany)?.errors).toMatchObject([{ pointer: '/terms', code: 'too_many' }]);
});
