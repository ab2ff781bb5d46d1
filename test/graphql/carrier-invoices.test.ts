import { expect, test } from 'vitest';
import { PLANTS } from '../support/invoice-maker.ts';
import { ask, NOTHING, refusal } from '../support/platform-side.ts';
import { workbook } from '../support/workbook.ts';
import { CLAIMS_CSV, imported, invoiceOf, linesOf, useInvoices } from './invoice-calls.ts';

const { company, shipped } = useInvoices();
const cents = (amount: string | null) => Math.round(Number(amount) * 100);

test('A correct invoice has no findings', async () => {
  const { caller, connectionId, made } = await shipped(150);
  const { csv, rows } = invoiceOf(made, 0);
  const invoice = await imported(caller, { carrierConnectionId: connectionId, number: '1', date: '2026-11-30', csv });
  const lines = await linesOf(caller, invoice.id);
  expect(lines.filter(({ state }) => state !== 'agrees').slice(0, 5)).toEqual([]);
  expect(lines).toHaveLength(rows);
});

test('A workbook with a letterhead has the same lines as its CSV', async () => {
  const { caller, connectionId, made } = await shipped(30);
  const { csv } = invoiceOf(made, 0);
  const [header = [], ...others] = csv
    .trimEnd()
    .split(/\r?\n/)
    .map(line => line.split(';'));
  const rows = others.map(cells =>
    cells.map(cell => (/^-?\d+,\d+$/.test(cell) ? Number(cell.replace(',', '.')) : cell)),
  );
  const base64 = Buffer.from(workbook({ Righe: [['Fattura'], header, ...rows] })).toString('base64');
  const head = { carrierConnectionId: connectionId, date: '2026-11-30' };
  const ofText = await imported(caller, { ...head, number: '1', csv });
  const ofFile = await imported(caller, { ...head, number: '1', replace: true, file: { base64 } });
  expect(ofFile).toEqual(ofText);
});

test('Every planted mistake is found with its code and its amount, and nothing else', async () => {
  const { caller, connectionId, made } = await shipped(450);
  const { csv, planted } = invoiceOf(made, 3);
  const invoice = await imported(caller, { carrierConnectionId: connectionId, number: '1', date: '2026-11-30', csv });
  const lines = await linesOf(caller, invoice.id);
  const wrong: object[] = [];
  const found = new Set<string>();
  for (const { row, findings, billed, due } of lines) {
    const plant = planted.get(row);
    const codes = findings.nodes.map(({ code }) => code);
    const over = findings.nodes.reduce((sum, one) => sum + (one.code === 'vat' ? 0 : cents(one.amount)), 0);
    const isRight = plant
      ? codes.join() === plant.code && over === (plant.over ?? 0) && cents(billed) - cents(due) === over
      : codes.length === 0;
    if (!isRight) wrong.push({ row, plant, billed, due, findings: findings.nodes });
    else if (plant) found.add(plant.code);
  }
  expect(wrong.slice(0, 5)).toEqual([]);
  expect([...found].sort()).toEqual(Object.keys(PLANTS).sort());
});

test('The claims of an invoice are a CSV file for the carrier, which no other company sees', async () => {
  const { caller, connectionId } = await company();
  const csv = 'tracking_number;base\nN1;5,00\nN2;5,00\n';
  const { id } = await imported(caller, { carrierConnectionId: connectionId, number: '1', date: '2026-11-30', csv });
  const part = await ask<{ csv: string; endCursor: string | null }>(caller, CLAIMS_CSV, { id, after: null });
  const [header = '', ...lines] = part.csv.trimEnd().split('\r\n');
  expect(header).toMatch(/^fattura;data_fattura;riga;numero;/);
  expect(lines.map(line => line.split(';')[3])).toEqual(['N1', 'N2']);
  expect(part.endCursor).toBeNull();
  const { caller: other } = await company();
  expect(await refusal(other, CLAIMS_CSV, { id })).toBe(NOTHING);
});
