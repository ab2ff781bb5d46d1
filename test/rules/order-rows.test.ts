import fc from 'fast-check';
import { expect, test } from 'vitest';
import { mapOrders } from '../../src/domain/orders/import/order-table.service.ts';
import type { CompanyId } from '../../src/platform/database/tenancy/company-id.ts';
import { readTable } from '../../src/platform/tables/read-table.ts';

/** Files of orders with planted faults: each row is counted once, as what it is. */

const HEADER = ['Numero ordine', 'Destinatario', 'Indirizzo', 'CAP', 'Città', 'Stato', 'Note'];
type Kind = 'order' | 'item' | 'short' | 'long' | 'cancelled' | 'total' | 'blank';

function cellsOf(kind: Kind, number: string, note: string): string[] {
  const cells = [number, 'Anna Rossi', 'Via Roma 1', '10121', 'Torino', '', note];
  if (kind === 'short') return cells.slice(0, 5);
  if (kind === 'long') return [...cells, '5'];
  if (kind === 'cancelled') return cells.with(5, 'Annullato');
  if (kind === 'total') return ['Totale', '', '', '', '', '', ''];
  return kind === 'blank' ? cells.map(() => '') : cells;
}

const kind = fc.constantFrom<Kind>('order', 'item', 'short', 'long', 'cancelled', 'total', 'blank');
const note = fc.constantFrom('', 'Schermo 24"', '"Offerta', 'a "b" c', '""', "citofono d'angolo");

test('No row of a file is lost or doubled, whatever is wrong with others', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.tuple(kind, note), { minLength: 1, maxLength: 30 }),
      fc.constantFrom('\n', '\r\n'),
      async (rows, end) => {
        let number = 0;
        const lines = rows.map(([kind, note]) => {
          if (kind !== 'item' || number === 0) number++;
          return cellsOf(kind, `G-${number}`, note).join('\t');
        });
        const text = [HEADER.join('\t'), ...lines].join(end);
        const table = await readTable({ companyId: 'a' as CompanyId }, Buffer.from(text));
        const records = [...mapOrders({ table }).orders()];
        const count = (of: readonly Kind[]) => rows.filter(([kind]) => of.includes(kind)).length;
        const taken = records.reduce((sum, { rows = 1 }) => sum + rows, 0);
        expect(taken).toBe(rows.length - count(['blank']));
        expect(new Set(records.map(({ row }) => row)).size).toBe(records.length);
        const leftOut = records.filter(record => record.leftOut !== undefined);
        expect(leftOut.length).toBeGreaterThanOrEqual(count(['total', 'cancelled']));
        expect(records.flatMap(({ issues }) => issues).length).toBeGreaterThanOrEqual(count(['short', 'long']));
      },
    ),
  );
});
