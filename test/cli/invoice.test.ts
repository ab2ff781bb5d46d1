import { readFile } from 'node:fs/promises';
import { beforeAll, expect, test } from 'vitest';
import { feedShipments } from '../support/platform-side.ts';
import { inProcess } from './in-process.ts';
import { answerOf, type Json } from './processes.ts';
import { ITALY, useTariffCommands } from './tariff-files.ts';

const given = useTariffCommands();
const { connection, fileOf } = given;
const invoice = (...args: string[]) => inProcess(['--json', 'invoice', ...args], given.settings);
const ofCompany = () => ['--company', given.caller.companyId];

const HEADER = 'LDV;Data spedizione;Peso;Località;Nolo';
const MAPPING = {
  name: 'Mia',
  columns: { trackingNumber: 'ldv', date: 'DATA SPEDIZIONE', chargeableKg: 'Peso', zone: 'Località' },
  charges: [{ column: 'Nolo', kinds: ['base'] }],
  zones: { nazionale: 'italia' },
  skip: [{ column: 'LDV', values: ['totale'] }],
};

let ids: string[];
let mapping: string;
beforeAll(async () => {
  const id = await connection(ITALY);
  ids = ['--connection', `${id}`];
  mapping = await fileOf('mapping.json', JSON.stringify(MAPPING));
  const shipped = { warehouseId: given.warehouseId, weight: '4', volume: '1000', shippedAt: '2026-11-03T09:00:00Z' };
  await feedShipments(given.caller, id, { trackingNumber: 'G1', ...shipped }, { trackingNumber: 'G2', ...shipped });
});

const importing = async (csv: string | Uint8Array, number: string, ...args: string[]) =>
  invoice(
    'import',
    await fileOf('invoice.csv', csv),
    ...ofCompany(),
    ...ids,
    '--number',
    number,
    '--date',
    '2026-11-30',
    ...args,
  );

const findingsOf = ({ carrierInvoice: { totals } }: Json) =>
  totals.reduce((sum: number, { count }: Json) => sum + count, 0);

const bytesOf = (text: string) => Buffer.from(text.replaceAll('\n', '\r\n'), 'latin1');

test('An invoice that Excel saved on an Italian Windows is read by a mapping of the company, and its claims are written', async () => {
  const csv = `${HEADER}\nG1;03/11/26;4,0;Nazionale;5,00\nG2;03/11/26;12,0;Nazionale;8,00\n=1+1;;;;1.234,50\nTotale;;;;1.247,50\n`;
  const imported = answerOf(await importing(bytesOf(csv), 'A/1', '--mapping-file', mapping));
  const { carrierInvoice } = imported;
  expect(carrierInvoice).toMatchObject({ number: 'A/1', mapping: 'Mia', lineCount: 3, checkedCount: 3 });
  expect(carrierInvoice).toMatchObject({
    billed: '1247.50',
    overbilled: '1237.50',
    underbilled: '0.00',
    notChecked: '0.00',
  });
  expect(findingsOf(imported)).toBe(2);
  const id = String(carrierInvoice.databaseId);
  expect(answerOf(await invoice('show', id, ...ofCompany()))).toMatchObject({
    totals: [
      { code: 'UNKNOWN_SHIPMENT', count: 1, amount: '1234.50' },
      { code: 'WEIGHT_BAND', count: 1, amount: '3.00' },
    ],
    lineTotals: [
      { state: 'AGREES', count: 1 },
      { state: 'DIFFERS', count: 1 },
      { state: 'UNKNOWN', count: 1 },
    ],
  });
  const bands = answerOf(await invoice('findings', id, ...ofCompany(), '--codes', 'weight_band'));
  expect(bands).toMatchObject([{ code: 'WEIGHT_BAND', billed: '8.00', due: '5.00', line: { number: 'G2' } }]);
  const out = await fileOf('claims.csv', '');
  await invoice('claims', id, ...ofCompany(), '--out', out);
  const [header, ...claims] = (await readFile(out, 'utf8')).trimEnd().split('\r\n');
  expect(header).toBe(
    'fattura;data_fattura;riga;numero;spedizione;data_spedizione;codice;motivo;addebitato;dovuto;differenza;regola;calcolo;accreditato',
  );
  expect(claims).toHaveLength(2);
  expect(claims[0]).toContain(
    'A/1;2026-11-30;3;G2;G2;2026-11-03;WEIGHT_BAND;Scaglione di peso errato;8,00;5,00;3,00;/versions/0/zones/0/bands/0;',
  );
  // A spreadsheet would calculate it.
  expect(claims[1]).toContain(";'=1+1;;;UNKNOWN_SHIPMENT;");
});

test('Claims that no credit answers are written, for invoices that are old enough', async () => {
  const dated = ['--mapping-file', mapping, '--date', '2026-09-01'];
  await importing(`${HEADER}\nZ1;;;;12,00\nZ2;;;;7,00\n`, 'E/1', ...dated);
  await importing(`${HEADER}\nZ1;;;;-2,00\nZ2;;;;-7,00\n`, 'E/2', ...dated);
  const open = async (...args: string[]) => answerOf(await invoice('open-claims', ...ofCompany(), ...ids, ...args));
  const claim = { code: 'UNKNOWN_SHIPMENT', amount: '12.00', credited: '2.00' };
  expect(await open()).toMatchObject([{ ...claim, line: { number: 'Z1', invoice: { number: 'E/1' } } }]);
  expect(await open('--days', '3650')).toEqual([]);
  const { stdout } = await inProcess(['--csv', 'invoice', 'open-claims', ...ofCompany(), ...ids], given.settings);
  expect(stdout).toMatch(/^code;amount;.*\r\nUNKNOWN_SHIPMENT;12\.00;.*\r\n$/);
});

test('Terms that hold for all shipments are options, without which a fee that depends on them is not checked', async () => {
  const when = { codPayments: ['cash'] };
  const cod = [
    { code: 'cash', description: 'Contanti', when, price: { fixed: 8 } },
    { code: 'other', description: 'Altro', price: { fixed: 4 } },
  ];
  const [version] = ITALY.versions;
  const weight = { per: 'shipment', roundUp: [{ toKg: 1 }] };
  const id = await connection({ ...ITALY, format: 2, versions: [{ ...version, weight, cod }] });
  const shipped = { warehouseId: given.warehouseId, weight: '4', volume: '1000', shippedAt: '2026-11-03T09:00:00Z' };
  await feedShipments(given.caller, id, { trackingNumber: 'T1', ...shipped });
  const csv = await fileOf('terms.csv', 'tracking_number;base;cod;cod_amount\nT1;5,00;8,00;400,00\n');
  const imported = async (...args: string[]) => {
    const name = [
      '--connection',
      `${id}`,
      '--number',
      'T/1',
      '--date',
      '2026-11-30',
      '--mapping',
      'PLAIN',
      '--replace',
    ];
    const answer = answerOf(await invoice('import', csv, ...ofCompany(), ...name, ...args));
    return { ...answer.carrierInvoice, findings: findingsOf(answer) };
  };
  expect(await imported()).toMatchObject({ findings: 1, overbilled: '0.00', notChecked: '8.00' });
  expect(await imported('--cod-payment', 'card')).toMatchObject({
    findings: 1,
    overbilled: '4.00',
    notChecked: '0.00',
  });
  const all = ['--cod-payment', 'cash', '--monthly-shipments', '800', '--pallets', '0'];
  expect(await imported(...all)).toMatchObject({ findings: 0, notChecked: '0.00' });
  const wrong = await importing('tracking_number;base\nT1;5,00\n', 'T/2', '--cod-payment', 'barter');
  expect(wrong.code).toBe(2);
  expect(wrong.stderr).toMatch(/--cod-payment .*must be one of BANK_CHEQUE/);
});

test('An invoice number is accepted once a year, and replaces the invoice only on request', async () => {
  const csv = `${HEADER}\nG1;03/11/2026;4;;5.00\n`;
  const first = answerOf(await importing(csv, 'B/1', '--mapping-file', mapping));
  const again = await importing(csv, 'B/1', '--mapping-file', mapping);
  expect(again.code).not.toBe(0);
  expect(again.stderr).toContain('B/1');
  const replaced = answerOf(
    await importing(
      `${HEADER}\nG1;03/11/2026;4;;5.00\nG2;03/11/2026;4;;5.00\n`,
      'B/1',
      '--mapping-file',
      mapping,
      '--replace',
    ),
  );
  const { databaseId } = first.carrierInvoice;
  expect(replaced.carrierInvoice).toMatchObject({ databaseId, lineCount: 2 });
  const deleted = answerOf(await invoice('delete', `${databaseId}`, ...ofCompany(), '--yes'));
  expect(deleted).toMatchObject({ databaseId });
  expect((await invoice('show', `${databaseId}`, ...ofCompany())).stderr).toContain('no carrier invoice');
});

test('Errors of a file are named by row and column, and nothing is imported', async () => {
  const wrong = await importing(
    `${HEADER}\nG1;31/02/2026;4;;5,00\nG2;03/11/2026;4;;cinque\n`,
    'C/1',
    '--mapping-file',
    mapping,
  );
  expect(wrong.code).not.toBe(0);
  expect(wrong.stderr).toContain('row 2, column B');
  expect(wrong.stderr).toContain('row 3, column E');
  expect(wrong.stderr).toMatch(/^rows: .*total 2.*wrong 2/m);
  const lacking = await importing('a;b\n1;2\n', 'C/1');
  expect(lacking.stderr).toContain('must have a column that finds shipments');
  const bad = await fileOf('bad.json', JSON.stringify({ ...MAPPING, columns: { date: 'x' }, more: 1 }));
  const refused = await importing(`${HEADER}\n`, 'C/1', '--mapping-file', bad);
  expect(refused.stderr).toMatch(/bad\.json:\d+:\d+ \/columns must have one of trackingNumber/);
  const listed = answerOf(await invoice('list', ...ofCompany()));
  expect(listed.map(({ number }: { number: string }) => number)).not.toContain('C/1');
});

test('A file can be read without an import, and a check can be repeated once shipments are known', async () => {
  const csv = `${HEADER}\nG9;03/11/2026;4;;5,00\n`;
  expect(answerOf(await importing(csv, 'D/1', '--mapping-file', mapping, '--dry-run'))).toMatchObject({
    lineCount: 1,
    carrierInvoice: null,
  });
  const imported = answerOf(await importing(csv, 'D/1', '--mapping-file', mapping));
  expect(imported.carrierInvoice).toMatchObject({ overbilled: '5.00' });
  const shipped = { warehouseId: given.warehouseId, weight: '4', volume: '1000', shippedAt: '2026-11-03T09:00:00Z' };
  await feedShipments(given.caller, Number(ids[1]), { trackingNumber: 'G9', ...shipped });
  const checked = answerOf(await invoice('check', `${imported.carrierInvoice.databaseId}`, ...ofCompany()));
  expect(checked).toMatchObject({ overbilled: '0.00', totals: [] });
});

test('Each row of a file is read or left out with its reason, and the best-fitting mapping is used', async () => {
  const rows = [
    'tracking_number;base;fuel;net',
    'G1;5,00;0,00;5,00',
    'G2;5,00;0,00;5,00',
    ';10,00;0,00;10,00',
    'Note;;;',
  ];
  const leftOut = [{ reason: 'its amounts are sums of other rows', count: 1, row: 4 }];
  const counts = { mapping: { name: 'PLAIN' }, rows: { total: 4, read: 3, leftOut }, lineCount: 3, billed: '10.00' };
  const csv = rows.join('\n');
  expect(answerOf(await importing(csv, 'R/1', '--dry-run'))).toMatchObject(counts);
  expect(answerOf(await importing(csv, 'R/1'))).toMatchObject(counts);
});
