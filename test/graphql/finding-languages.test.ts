import { expect, test } from 'vitest';
import { currentTariff } from '../rest/tariffs.ts';
import { INVOICED_TARIFF } from '../support/invoiced-tariff.ts';
import { ask, feedEvents, feedShipments, type Item } from '../support/platform-side.ts';
import { CLAIMS_CSV, imported, linesOf, useInvoices } from './invoice-calls.ts';

/** The texts of findings: Italian for the carrier, and English on request. */

const { world, company } = useInvoices();

const [VERSION] = INVOICED_TARIFF.versions;
const TARIFF = {
  ...INVOICED_TARIFF,
  versions: [
    {
      ...VERSION,
      insurance: [],
      cod: [
        { code: 'contanti', description: 'Contanti', when: { codPayments: ['cash'] }, price: { fixed: 8 } },
        { code: 'altro', description: 'Altro', price: { fixed: 4 } },
      ],
      account: {
        fees: [
          { code: 'canone', description: 'Canone', per: 'month', price: 25 },
          { code: 'ritiro', description: 'Ritiro', per: 'pickup', price: 3.5 },
        ],
      },
    },
  ],
};

/** A tariff by terms that shipments lack, without an account and without prices after the shipment. */
const BY_TERMS = currentTariff({
  zones: [
    {
      code: 'italia',
      name: 'Italia',
      to: { countries: ['IT'] },
      bands: [{ upToKg: 50, price: 10 }],
      pallets: [{ types: ['EUR'], prices: [{ upTo: 1, price: 55 }], each: 40 }],
    },
  ],
  surcharges: [
    {
      code: 'volume',
      description: 'Volume',
      price: { brackets: { by: 'monthlyShipments', prices: [{ upTo: 500, fixed: 3 }, { fixed: 0 }] } },
    },
    { code: 'privato', description: 'Privato', when: { recipientType: 'private' }, price: { fixed: 2.5 } },
    { code: 'merce', description: 'Merce', price: { percent: 1, of: ['goodsValue'] } },
    { code: 'dazi', description: 'Dazi', price: { percent: 2, of: ['dutiesAmount'] } },
  ],
});

const row = (amounts: Readonly<Record<string, string>>, fields: Item = {}): Item => ({
  charges: Object.entries(amounts).map(([kind, amount]) => ({ kinds: [kind], amount })),
  ...fields,
});
const fee = (amount: string, fields: Item = {}, lines: readonly string[] = []): Item => ({
  trackingNumber: null,
  charges: [{ kinds: ['account'], amount, lines }],
  ...fields,
});

/** 4 kg to Milan: 6.13 of base price, 2.9 % of it, and 15.9 % of both. */
const DUE = { base: '6.13', surcharges: '0.18', fuel: '1.00' };
const TO_10_KG = { base: '7.86', surcharges: '0.23', fuel: '1.29' };
const ISLANDS = { base: '7.31', surcharges: '1.61', fuel: '1.42' };
const WEIGHT = {
  it: 'il maggiore tra reale 4 kg e volumetrico 1.2 kg, della spedizione, arrotondato per eccesso a 0.5 kg: 4 kg, fino a 5 kg: 6.13',
  en: 'the greater of real 4 kg and volumetric 1.2 kg, of the shipment, rounded up to 0.5 kg: 4 kg, up to 5 kg: 6.13',
};
const PAYMENT = {
  it: 'non verificato: non è noto come è stato pagato il contrassegno',
  en: 'not checked: how the cash was paid is not known',
};

/** A row, of a shipment of its own unless it has a number, and its finding: the code, and both texts. */
type Case = readonly [row: Item, code: string, it: string, en: string];

const CASES: readonly Case[] = [
  [
    row(TO_10_KG, { chargeableWeight: '8' }),
    'weight_band',
    `peso addebitato 8 kg; dovuto: ${WEIGHT.it}`,
    `8 kg were charged; due: ${WEIGHT.en}`,
  ],
  [
    row(TO_10_KG),
    'weight_band',
    `addebitato il prezzo fino a 10 kg; dovuto: ${WEIGHT.it}`,
    `the price up to 10 kg was charged; due: ${WEIGHT.en}`,
  ],
  [
    row(ISLANDS),
    'zone',
    'addebitato il prezzo di Sicilia e Sardegna, 7.31; dovuto: Italia (IT), fino a 5 kg: 6.13',
    'the price of Sicilia e Sardegna, 7.31, was charged; due: Italia (IT), up to 5 kg: 6.13',
  ],
  [
    row({ base: '6.50', surcharges: '0.19', fuel: '1.06' }),
    'base_price',
    'addebitato 6.50; dovuto: base fino a 5 kg: 6.13',
    '6.50 was charged; due: base up to 5 kg: 6.13',
  ],
  [row({ ...DUE, base: '6.14' }), 'rounding', 'base fino a 5 kg: 6.13', 'base up to 5 kg: 6.13'],
  [
    row({ ...DUE, surcharges: '4.68', fuel: '1.72' }),
    'surcharge_not_due',
    'remote (Disagiata), 4.50 a spedizione: la sua condizione non è soddisfatta',
    'remote (Disagiata), 4.50 a shipment: its condition does not hold',
  ],
  [
    row({ ...DUE, options: '9.99' }),
    'option',
    'appointment (Appuntamento), 3.50 a spedizione: non richiesto',
    'appointment (Appuntamento), 3.50 a shipment: was not ordered',
  ],
  [
    row({ ...DUE, fuel: '0.78' }),
    'fuel_month',
    'addebitato 12.4 %, aliquota dal 2026-10-01; dovuto: 15.9 % di 6.31 (base + istat), aliquota dal 2026-11-01',
    '12.4 % was charged, the percentage from 2026-10-01; due: 15.9 % of 6.31 (base + istat), the rate from 2026-11-01',
  ],
  [
    row({ ...DUE, fuel: '3.00' }, { fuelPercent: '20' }),
    'fuel',
    'addebitato 3.00 (20 %); dovuto: fuel 15.9 % di 6.31 (base + istat), aliquota dal 2026-11-01',
    '3.00 was charged at 20 %; due: fuel 15.9 % of 6.31 (base + istat), the rate from 2026-11-01',
  ],
  [row({ ...DUE, cod: '5.00' }), 'cod_fee', 'addebitato 5.00; dovuto: 0.00', '5.00 was charged; due: 0.00'],
  [row({ ...DUE, cod: '8.00' }, { codAmount: '100' }), 'not_checked', PAYMENT.it, PAYMENT.en],
  [
    row({ ...DUE, cod: '9.50' }, { codAmount: '100' }),
    'cod_fee',
    `addebitato 9.50; dovuto: al massimo 8.00 (${PAYMENT.it})`,
    `9.50 was charged; due: at most 8.00 (${PAYMENT.en})`,
  ],
  [
    row({ ...DUE, cod: '3.00' }, { codAmount: '100' }),
    'cod_fee',
    `addebitato 3.00; dovuto: almeno 4.00 (${PAYMENT.it})`,
    `3.00 was charged; due: at least 4.00 (${PAYMENT.en})`,
  ],
  [row({ ...DUE, insurance: '2.00' }), 'insurance', 'il listino non prevede insurance', 'the tariff has no insurance'],
  [row(DUE, { netAmount: '8.31' }), 'total', 'gli importi addebitati ammontano a 7.31', 'the charges come to 7.31'],
  [row(DUE, { vatAmount: '1.00' }), 'vat', 'dovuto: 22 % di 7.31', 'due: 22 % of 7.31'],
  [
    row(DUE, { trackingNumber: 'NOBODY' }),
    'unknown_shipment',
    'nessuna spedizione affidata al corriere ha questo numero',
    'no shipment of the connection has the number',
  ],
  [
    row({ base: '6.13' }, { trackingNumber: 'S0' }),
    'duplicate',
    'base: già fatturato per questa spedizione',
    'base of this shipment was billed before',
  ],
  [
    row({ base: '1.73' }, { trackingNumber: 'S1', isCorrection: true, chargeableWeight: '8' }),
    'correction',
    'base: rettifica di 1.73 per 8 kg; ancora dovuto 0.00',
    'base: a correction of 1.73 by 8 kg; 0.00 was still due',
  ],
  [
    row({ storage: '6.00' }, { trackingNumber: 'SEEN' }),
    'storage',
    'dal tracking non risulta una giacenza',
    'the tracking shows no storage',
  ],
  [
    row({ return: '6.13' }, { trackingNumber: 'SEEN' }),
    'return',
    'dal tracking non risulta un reso',
    'the tracking shows no return',
  ],
  [
    row({ storage: '11.10' }, { trackingNumber: 'HELD', storageDays: 5 }),
    'storage_days',
    'addebitati 5 giorni; dovuto: 3 giorni, giacenza 6.00 + 1.70 × 1 per ogni 1 giorno o frazione oltre 2 giorni su 3 giorni',
    '5 days were charged; due: 3 days, giacenza 6.00 + 1.70 × 1 for each 1 day begun above 2 days of 3 days',
  ],
  [
    row({ storage: '6.00' }),
    'not_checked',
    'giacenza: né la fattura né il tracking indicano i giorni',
    'storage: neither the invoice nor the tracking states the days',
  ],
  [
    row({ storage: '9.00' }, { storageDays: 1 }),
    'storage',
    'dovuto: 1 giorno, giacenza 6.00 + 1.70 × 0 per ogni 1 giorno o frazione oltre 2 giorni su 1 giorno',
    'due: 1 day, giacenza 6.00 + 1.70 × 0 for each 1 day begun above 2 days of 1 day',
  ],
  [
    row({ waiting: '6.00' }),
    'not_checked',
    'sosta: la fattura non indica i minuti',
    'waiting: the invoice does not state the minutes',
  ],
  [row({ redelivery: '7.50' }), 'after_shipment', 'dovuto: riconsegna 5.10', 'due: riconsegna 5.10'],
  [
    fee('28.00', {}, ['canone']),
    'account_fee',
    'addebitato 28.00; dovuto: canone 25.00',
    '28.00 was charged; due: canone 25.00',
  ],
  [
    fee('25.00', {}, ['canone']),
    'duplicate',
    'canone: già fatturato per 2026-11',
    'canone of 2026-11 was billed before',
  ],
  [
    fee('1.00'),
    'not_checked',
    'non verificato: non è noto di quale voce si tratta: canone, ritiro',
    'not checked: which fee of the account it is is not known: canone, ritiro',
  ],
  [
    fee('7.00', {}, ['ritiro']),
    'not_checked',
    'non verificato: non è noto il numero di ritiri',
    'not checked: the number of pickups is not known',
  ],
];

const CASES_BY_TERMS: readonly Case[] = [
  [
    row({ surcharges: '1.00' }),
    'not_checked',
    "non verificato: non è noto il numero di spedizioni del mese; non è noto quali colli sono bancali; non è noto se il destinatario è un'azienda; non è noto il valore della merce; non sono noti i dazi anticipati",
    'not checked: the number of shipments of the month is not known; which of the parcels are pallets is not known; whether the recipient is a business is not known; what the goods are worth is not known; the duties that were advanced are not known',
  ],
  [
    row({ storage: '6.00' }),
    'not_checked',
    'il listino non prevede prezzi dopo la spedizione',
    'the tariff has no prices after the shipment',
  ],
  [
    fee('25.00'),
    'not_checked',
    'non verificato: il listino non prevede canoni, ritiri o minimi',
    'not checked: the tariff has no fees of the account',
  ],
];

/** An invoice with the rows of some cases, and its findings by line. */
async function invoiced(tariff: object, cases: readonly Case[]) {
  const { caller, connectionId, warehouseId } = await company(tariff);
  const rows = cases.map(([fields], i) => ({ trackingNumber: `S${i}`, ...fields }));
  const shipped = { warehouseId, weight: '4', volume: '4000', shippedAt: '2026-11-03T09:00:00Z' };
  const numbers = ['HELD', 'SEEN', ...cases.map((_, i) => `S${i}`)];
  await feedShipments(caller, connectionId, ...numbers.map(trackingNumber => ({ trackingNumber, ...shipped })));
  const event = (trackingNumber: string, statusCode: string, day: string) => ({
    carrierConnectionId: connectionId,
    trackingNumber,
    statusCode,
    occurredAt: `2026-11-${day}T11:00:00+01:00`,
  });
  await feedEvents(
    caller,
    event('HELD', 'held', '06'),
    event('HELD', 'out_for_delivery', '08'),
    event('SEEN', 'delivered', '06'),
  );
  const invoice = { carrierConnectionId: connectionId, number: '1', date: '2026-11-30', rows };
  const { id, databaseId } = await imported(caller, invoice);
  const texts = async () =>
    (await linesOf(caller, id)).map(({ findings: { nodes } }) =>
      nodes.flatMap(({ code, inItalian, explanation }) => [code, inItalian, explanation]),
    );
  const claims = async () => (await ask<{ csv: string }>(caller, CLAIMS_CSV, { id })).csv;
  return { caller, databaseId, texts, claims };
}

test('Every finding is explained in Italian by default, and in English on request', async () => {
  for (const [tariff, cases] of [
    [TARIFF, CASES],
    [BY_TERMS, CASES_BY_TERMS],
  ] as const) {
    const { texts } = await invoiced(tariff, cases);
    expect(await texts()).toEqual(cases.map(([, ...finding]) => finding));
  }
});

test('Claims are in Italian, and claims that version 1.0 found keep their English text', async () => {
  const { caller, databaseId, texts, claims } = await invoiced(TARIFF, CASES.slice(2, 3));
  const [[, , it, en]] = CASES.slice(2, 3) as [Case];
  expect(await claims()).toContain(`;"${it}";`);
  const ids = [caller.companyId, databaseId];
  await world.pool.query(
    'update carrier_invoice_finding set explanation_it = null where company_id = $1 and invoice_id = $2',
    ids,
  );
  expect(await texts()).toEqual([['zone', en, en]]);
  expect(await claims()).toContain(`;"${en}";`);
});
