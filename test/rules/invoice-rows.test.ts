import fc from 'fast-check';
import { afterAll, expect, test } from 'vitest';
import type { RowCounts } from '../../src/domain/spend/invoices/reading/invoice-reader.rules.ts';
import { mappingFor, readInvoice } from '../../src/domain/spend/invoices/reading/invoice-table.service.ts';
import type { CompanyId } from '../../src/platform/database/tenancy/company-id.ts';
import { Fault } from '../../src/platform/fault.ts';
import { readTable } from '../../src/platform/tables/read-table.ts';
import { closeThreads } from '../../src/platform/threads/threads.ts';
import { upsPackage, upsRow } from '../support/carrier-files.ts';
import { workbook } from '../support/workbook.ts';

/** Each row of an invoice is part of a line, or left out with a reason. */

const owner = { companyId: 'a' as CompanyId };
afterAll(closeThreads);

const read = async (carrier: string, content: string | Uint8Array) =>
  readInvoice(owner, await readTable(owner, Buffer.from(content)), mappingFor(carrier, undefined));

async function rejectedRows(carrier: string, content: string): Promise<RowCounts> {
  const fault = await read(carrier, content).catch((thrown: unknown) => thrown);
  if (!(fault instanceof Fault)) throw new Error('the file was not rejected');
  return fault.options.results?.rows as RowCounts;
}

test('The rows of an invoice with subtotals, a total, notes and repeated headers add up, and no amount is lost', async () => {
  const amount = fc.integer({ min: 1, max: 99_999 });
  const part = fc.array(amount, { minLength: 1, maxLength: 6 });
  // Amounts and numbers that cannot be read, and rows of another length.
  const faults = fc.array(fc.constantFrom('TN,x,1,00', 'TN,x,x', '8.4E+11,,', 'TN,1.00'), {
    minLength: 1,
    maxLength: 5,
  });
  const euros = (cents: number) => (cents / 100).toFixed(2);
  await fc.assert(
    fc.asyncProperty(
      fc.array(part, { minLength: 1, maxLength: 4 }),
      fc.boolean(),
      faults,
      async (parts, hasLabel, wrong) => {
        const head = 'tracking_number,base,net';
        const totalOf = (cents: number, label: string) => `${hasLabel ? label : ''},${euros(cents)},${euros(cents)}`;
        const sum = (cents: readonly number[]) => cents.reduce((all, one) => all + one, 0);
        let number = 0;
        const rows = parts.flatMap(cents => [
          ...cents.map(one => `TN${++number},${euros(one)},${euros(one)}`),
          totalOf(sum(cents), 'Subtotale'),
          head,
          ',,0.00',
        ]);
        const all = parts.flat();
        const { lines, rows: counts } = await read('PLAIN', [head, ...rows, totalOf(sum(all), 'Totale')].join('\n'));
        expect(lines.map(({ netCents }) => netCents)).toEqual(all);
        expect(counts).toMatchObject({ total: rows.length + 1, read: all.length });
        const leftOut = counts.leftOut.reduce((count, one) => count + one.count, 0);
        expect({ ...counts, leftOut }).toEqual({ total: all.length + leftOut, read: all.length, leftOut, wrong: 0 });
        const planted = [head, ...wrong, ...rows, totalOf(sum(all), 'Totale')].join('\n');
        const total = counts.total + wrong.length;
        const moved = counts.leftOut.map(one => ({ ...one, row: one.row + wrong.length }));
        const rejected = { ...counts, total, leftOut: moved, wrong: wrong.length };
        expect(await rejectedRows('PLAIN', planted)).toEqual(rejected);
      },
    ),
  );
});

test('UPS’ file as a workbook, which leaves out empty cells, is read with a weekly charge without a number and with ounces', async () => {
  const one = { lead: '1Z00000000000000A1', tracking: '1Z00000000000000A1', kg: '16', unit: 'O' };
  const rows = [
    ...upsPackage(one, { base: '6.10', fuel: '0.61', vat: '1.48' }),
    upsRow({ category: 'MIS', detail: 'SVCH', class: 'MSC', text: 'Diritto settimanale', net: '12.00' }),
  ];
  const cells = rows.map(row => row.replace(/,+$/, '').split(','));
  const { lines, rows: counts } = await read('UPS', workbook({ Foglio1: cells }));
  expect(lines).toMatchObject([
    {
      trackingNumber: '1Z00000000000000A1',
      chargeableGrams: 454,
      vatCents: 148,
      charges: [{ cents: 61 }, { cents: 610 }],
    },
    { trackingNumber: null, charges: [{ kinds: ['account'], cents: 1200 }] },
  ]);
  expect(counts).toMatchObject({ total: 6, read: 4, leftOut: [{ count: 2, row: 1 }] });
});
