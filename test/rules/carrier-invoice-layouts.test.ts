import { afterAll, describe, expect, test } from 'vitest';
import { mappingFor, readInvoice, readMapping } from '../../src/domain/spend/invoices/reading/invoice-table.service.ts';
import type { CompanyId } from '../../src/platform/database/tenancy/company-id.ts';
import { Fault } from '../../src/platform/fault.ts';
import { readTable } from '../../src/platform/tables/read-table.ts';
import { closeThreads } from '../../src/platform/threads/threads.ts';
import { type SheetCell, workbook } from '../support/workbook.ts';

/** Invoices in the layout of each carrier, with invented content. */

const owner = { companyId: 'a' as CompanyId };
afterAll(closeThreads);

async function linesOf(carrier: string, content: string | Uint8Array, more: object = {}) {
  const bytes = typeof content === 'string' ? Buffer.from(content) : content;
  const mapping = readMapping({ ...mappingFor(carrier, undefined), ...more });
  return readInvoice(owner, await readTable(owner, bytes), mapping);
}

/** The facts that a line has, and its charges by their kinds. */
async function shown(carrier: string, content: string | Uint8Array): Promise<object[]> {
  const { lines } = await linesOf(carrier, content);
  return lines.map(({ row: _, charges, ...facts }) => ({
    ...Object.fromEntries(Object.entries(facts).filter(([, value]) => value !== null)),
    charges: Object.fromEntries(charges.map(({ kinds, cents }) => [kinds.join(), cents])),
  }));
}

async function problemsOf(carrier: string, content: string | Uint8Array, more?: object): Promise<string[]> {
  try {
    await linesOf(carrier, content, more);
    return [];
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    return (error.options.issues ?? []).map(({ path, message }) => `${path.join(' ')}: ${message}`).toSorted();
  }
}

const BRT_HEADER = [
  'Numero spedizione',
  'Data spedizione',
  'Rif. mittente',
  'Peso reale',
  'Peso tassato',
  'Zona',
  'Nolo',
  'Supplemento carburante',
  'Diritti contrassegno',
  'Importo contrassegno',
  'Imponibile',
  'Aliquota IVA',
  'Valuta',
];
const BRT_ROWS: SheetCell[][] = [
  [
    '084007001',
    { xml: '<c s="4"><v>46329</v></c>' },
    'X-1',
    2.5,
    3.125,
    'NORD',
    1234.5,
    104.93,
    4.5,
    49.9,
    1343.93,
    { xml: '<c s="3"><v>0.22</v></c>' },
    'EUR',
  ],
];
const BRT_LINE = {
  trackingNumber: '084007001',
  date: '2026-11-03',
  reference: 'X-1',
  realGrams: 2500,
  chargeableGrams: 3125,
  zone: 'NORD',
  codCents: 4990,
  netCents: 134_393,
  vatPpm: 220_000,
  charges: { base: 123_450, fuel: 10_493, cod: 450 },
};

describe('The layout of', () => {
  test('BRT is read: semicolons, decimal commas, thousands and a total at the end', async () => {
    const csv = [
      BRT_HEADER.join(';'),
      '084007001;03/11/2026;X-1;2,500;3,125;NORD;1.234,50;104,93;4,50;49,90;1.343,93;22,00;EUR',
      'TOTALE FATTURA;;;;;;1.234,50;104,93;4,50;;1.343,93;;',
    ].join('\r\n');
    // With other weights beside it, 3,125 would be read by them.
    expect(await problemsOf('BRT', csv)).toEqual([
      '2 D: must be unambiguous: it can be 2500 or 2.500. State `decimals` in the mapping, or the locale, and is "2,500"',
      '2 E: must be unambiguous: it can be 3125 or 3.125. State `decimals` in the mapping, or the locale, and is "3,125"',
    ]);
    expect(await shown('BRT', csv.replace('2,500', '2,5'))).toEqual([BRT_LINE]);
  });

  test('a workbook of BRT is read: a letterhead, and real dates and percentages', async () => {
    const letterhead = [['Fattura 2026/4711'], ['Rossi Srl'], []];
    const file = workbook({ Riepilogo: [['Totale', 1343.93]], Dettaglio: [...letterhead, BRT_HEADER, ...BRT_ROWS] });
    expect(await shown('BRT', file)).toEqual([BRT_LINE]);
  });

  test('GLS is read: fuel, supplements and storage in columns', async () => {
    const csv = [
      'Nr. spedizione;Data;Bda;Peso reale;Peso volume;Peso tassabile;Zona;Nolo;Altre spese;Adeguamento carburante;Diritto contrassegno;Contrassegno;Apertura giacenza;Totale;% IVA',
      'MI123456789;04/11/26;X-2;4,2;6,0;6,0;ITALIA;7,30;1,20;0,62;4,50;89,90;3,00;16,62;22',
    ].join('\n');
    expect(await shown('GLS', csv)).toEqual([
      {
        trackingNumber: 'MI123456789',
        date: '2026-11-04',
        reference: 'X-2',
        realGrams: 4200,
        volumetricGrams: 6000,
        chargeableGrams: 6000,
        zone: 'ITALIA',
        codCents: 8990,
        netCents: 1662,
        vatPpm: 220_000,
        charges: { base: 730, surcharges: 120, fuel: 62, cod: 450, storage: 300 },
      },
    ]);
  });

  test('DHL is read: English, decimal points, a line for the invoice itself and many columns', async () => {
    const csv = [
      'Line Type,Billing Source,Invoice Number,Shipment Number,Shipment Date,Shipment Reference 1,Product Name,Weight (kg),Weight Flag,Currency,Total amount (excl. VAT),Total Tax,Weight Charge,Fuel Surcharge,Total Extra Charges,Shipment Insurance',
      'I,,MXP0001,,20261130,,,,,EUR,61.20,13.46,,,,',
      'S,,MXP0001,1234567890,20261105,X-3,EXPRESS WORLDWIDE,2.5,B,EUR,61.20,13.46,45.00,11.70,2.50,2.00',
    ].join('\n');
    expect(await shown('DHL', csv)).toEqual([
      {
        trackingNumber: '1234567890',
        date: '2026-11-05',
        reference: 'X-3',
        service: 'EXPRESS WORLDWIDE',
        chargeableGrams: 2500,
        netCents: 6120,
        vatCents: 1346,
        charges: { base: 4500, fuel: 1170, surcharges: 250, insurance: 200 },
      },
    ]);
  });

  test('UPS is read: a row for each charge of a shipment', async () => {
    const csv = [
      'Invoice Number,Transaction Date,Tracking Number,Shipment Reference Number 1,Entered Weight,Billed Weight,Zone,Charge Description Code,Charge Description,Net Amount,Invoice Currency Code',
      '000012345,2026-11-06,1Z999AA10123456784,X-4,3.5,4,703,FRT,WW Standard,21.30,EUR',
      '000012345,2026-11-06,1Z999AA10123456784,X-4,3.5,4,703,FSC,Fuel Surcharge,3.94,EUR',
      '000012345,2026-11-06,1Z999AA10123456784,X-4,3.5,4,703,RES,Residential,2.95,EUR',
    ].join('\n');
    expect(await shown('UPS', csv)).toEqual([
      {
        trackingNumber: '1Z999AA10123456784',
        date: '2026-11-06',
        reference: 'X-4',
        realGrams: 3500,
        chargeableGrams: 4000,
        zone: '703',
        charges: { base: 2130, fuel: 394, surcharges: 295 },
      },
    ]);
  });

  test('Poste is read: units in the names of columns', async () => {
    const csv = [
      'Lettera di vettura;Data accettazione;Id cliente;Peso reale (kg);Peso tassato (kg);Area;Tariffa;Supplementi;Adeguamento carburante;Servizio contrassegno;Importo contrassegno;Totale netto;Aliquota IVA',
      'ZA123456789IT;07/11/2026;X-5;1,1;2;IT1;5,20;0,50;0,31;3,00;30,00;9,01;22',
    ].join('\n');
    expect(await shown('POSTE', csv)).toEqual([
      {
        trackingNumber: 'ZA123456789IT',
        date: '2026-11-07',
        reference: 'X-5',
        realGrams: 1100,
        chargeableGrams: 2000,
        zone: 'IT1',
        codCents: 3000,
        netCents: 901,
        vatPpm: 220_000,
        charges: { base: 520, surcharges: 50, fuel: 31, cod: 300 },
      },
    ]);
  });
});

describe('An invoice is rejected', () => {
  const HEADER = 'tracking_number;base;fuel;Divisa';
  const cases: { name: string; csv: string; more?: object; says: string[] }[] = [
    {
      name: 'in another currency, though no mapping names the column',
      csv: `${HEADER}\nA;5,10;0,50;CHF`,
      says: ['2 D: must be EUR: amounts in other currencies cannot be checked, and is "CHF"'],
    },
    {
      name: 'with amounts in another currency',
      csv: 'tracking_number;base\nA;$ 5.10',
      says: ['2 B: must be in EUR, and is "$ 5.10"'],
    },
    {
      name: 'with an amount of three decimals',
      csv: 'tracking_number;base;fuel\nA;6,105;0,50',
      says: [
        '2 B: must have at most 2 decimals. State `rounding` in the mapping to have it rounded half up, and is "6,105"',
      ],
    },
    {
      name: 'with an amount that can be read in two ways',
      csv: 'tracking_number;base;fuel\nA;1.234;0',
      says: [
        '2 B: must be unambiguous: it can be 1234 or 1.234. State `decimals` in the mapping, or the locale, and is "1.234"',
      ],
    },
  ];
  test.each(cases)('$name', async ({ csv, more, says }) => {
    expect(await problemsOf('PLAIN', csv, more)).toEqual(says);
  });

  test('with the sheet, row, column and value of a workbook', async () => {
    const file = workbook({
      Righe: [
        ['tracking_number', 'base'],
        ['A', 'cinque'],
      ],
    });
    expect(await problemsOf('PLAIN', file)).toEqual(['Righe 2 B: must be a number, and is "cinque"']);
  });

  test('unless its total shows that 1.234 is a thousand, or its mapping rounds', async () => {
    const csv =
      'tracking_number;date;base;cod;fuel;surcharges;net;vat_percent\nTN;03/11/2026;1.234;0;0,61;0;1.234,61;22';
    const [line] = (await linesOf('PLAIN', csv)).lines;
    expect([line?.charges[0]?.cents, line?.netCents]).toEqual([123_400, 123_461]);
    const rounded = await linesOf('PLAIN', 'tracking_number;base;fuel\nA;6,105;0,50', { rounding: 'half_up' });
    expect(rounded.lines[0]?.charges.map(({ cents }) => cents)).toEqual([611, 50]);
  });
});
