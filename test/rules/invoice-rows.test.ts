import fc from 'fast-check';
import { afterAll, expect, test } from 'vitest';
import { mappingFor, readInvoice } from '../../src/domain/spend/invoices/reading/invoice-table.service.ts';
import type { CompanyId } from '../../src/platform/database/tenancy/company-id.ts';
import { readTable } from '../../src/platform/tables/read-table.ts';
import { closeThreads } from '../../src/platform/threads/threads.ts';
import { upsPackage, upsRow } from '../support/carrier-files.ts';
import { workbook } from '../support/workbook.ts';

/** Each row of an invoice is part of a line, or left out with a reason. */

const owner = { companyId: 'a' as CompanyId };
afterAll(closeThreads);

const read = async (carrier: string, content: string | Uint8Array) =>
  readInvoice(owner, await readTable(owner, Buffer.from(content)), mappingFor(carrier, undefined));

test('The rows of an invoice with subtotals, a total, notes and repeated headers add up, and no amount is lost', async () => {
  const amount = fc.integer({ min: 1, max: 99_999 });
  const part = fc.array(amount, { minLength: 1, maxLength: 6 });
  const euros = (cents: number) => (cents / 100).toFixed(2);
  await fc.assert(
    fc.asyncProperty(fc.array(part, { minLength: 1, maxLength: 4 }), fc.boolean(), async (parts, hasLabel) => {
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
      expect(counts.read + counts.leftOut.reduce((count, one) => count + one.count, 0)).toBe(counts.total);
    }),
  );
});

test("UPS' file as a workbook, which leaves out empty cells, has a weekly charge without a number and ounces", async () => {
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
