import fc from 'fast-check';
import { expect, test } from 'vitest';
import { columnsOf } from '../../src/cli/import-columns.ts';
import { tableRows } from '../../src/cli/import-rows.ts';
import { importRows } from '../../src/domain/common/tables/import-rows.service.ts';
import type { ImportedRow } from '../../src/domain/common/tables/row-problem.rules.ts';
import { mapOrders } from '../../src/domain/shipping/orders/import/order-table.service.ts';
import { trackingEventInput } from '../../src/domain/shipping/tracking/events.input.ts';
import { shipmentInput } from '../../src/domain/shipping/tracking/shipments.input.ts';
import type { CompanyId } from '../../src/platform/database/tenancy/company-id.ts';
import { readTable } from '../../src/platform/tables/read-table.ts';
import type { Table } from '../../src/platform/tables/sent-table.ts';

/** Files with planted faults: each row is counted once, as what it is, and is sent once if it is good. */

const KINDS = ['record', 'item', 'short', 'long', 'cancelled', 'total', 'header', 'damaged', 'blank'] as const;
type Kind = (typeof KINDS)[number];

interface FileKind {
  readonly name: string;
  readonly header: readonly string[];
  /** A good row, whose last cell is free text. */
  readonly cells: (number: string, note: string) => readonly string[];
  readonly rows: (table: Table) => Iterable<ImportedRow>;
  /** The kinds of rows that the file can have. */
  readonly kinds: readonly Kind[];
  readonly numberOf: (value: never) => string;
  /** The header's place of the number. */
  readonly at: number;
}

const named = (schema: typeof shipmentInput | typeof trackingEventInput) => (table: Table) =>
  tableRows('file', table, { columns: columnsOf(schema), locale: undefined }).rows();
const others = KINDS.filter(kind => kind !== 'item' && kind !== 'cancelled');
const trackingNumber = ({ trackingNumber: number }: { readonly trackingNumber: string }) => number;

const FILES: readonly FileKind[] = [
  {
    name: 'orders',
    header: ['Numero ordine', 'Destinatario', 'Indirizzo', 'CAP', 'Città', 'Stato', 'Note'],
    cells: (number, note) => [number, 'Anna Rossi', 'Via Roma 1', '10121', 'Torino', '', note],
    rows: table => mapOrders({ table }).orders(),
    kinds: KINDS,
    numberOf: ({ orderNumber }: { readonly orderNumber: string }) => orderNumber,
    at: 0,
  },
  {
    name: 'shipments',
    header: ['carrierCompanyId', 'trackingNumber', 'weight', 'reference', 'metadata.note'],
    cells: (number, note) => ['1', number, '2,5', 'R', note],
    rows: named(shipmentInput),
    kinds: others,
    numberOf: trackingNumber,
    at: 1,
  },
  {
    name: 'events',
    header: ['trackingNumber', 'occurredAt', 'statusCode', 'location', 'description'],
    cells: (number, note) => [number, '21/11/2026 09:30', 'in_transit', 'Torino', note],
    rows: named(trackingEventInput),
    kinds: others,
    numberOf: trackingNumber,
    at: 0,
  },
];

function cellsOf({ header, cells: good, at }: FileKind, kind: Kind, number: string, note: string): readonly string[] {
  const cells = good(number, note);
  if (kind === 'header') return header;
  if (kind === 'short') return cells.slice(0, -2);
  if (kind === 'long') return [...cells, '5'];
  if (kind === 'damaged') return cells.with(at, '8,40001E+11');
  if (kind === 'cancelled') return cells.with(5, 'Annullato');
  if (kind === 'total') return cells.map((_, i) => (i === 0 ? 'Totale' : ''));
  return kind === 'blank' ? cells.map(() => '') : cells;
}

const note = fc.constantFrom('', 'Schermo 24"', '"Offerta', 'a "b" c', '""', "citofono d'angolo");

test.each(FILES)('No row of a file of $name is lost or doubled, whatever is wrong with others', async file => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.tuple(fc.constantFrom(...file.kinds), note), { minLength: 1, maxLength: 30 }),
      fc.constantFrom('\n', '\r\n'),
      async (rows, end) => {
        let number = 0;
        const numbered = rows.map(([kind, text]) => {
          // An item belongs to the row above, so that a fault of one is a fault of both.
          if (kind !== 'item' || number === 0) number++;
          return { kind, number: `G-${number}`, line: cellsOf(file, kind, `G-${number}`, text).join('\t') };
        });
        const text = [file.header.join('\t'), ...numbered.map(({ line }) => line)].join(end);
        const table = await readTable({ companyId: 'a' as CompanyId }, Buffer.from(text));
        const sent: string[] = [];
        const { rows: counts } = await importRows({
          rows: () => file.rows(table),
          batchSize: 7,
          acceptGoodRows: true,
          check: () => Promise.resolve([]),
          send: values => {
            sent.push(...values.map(value => file.numberOf(value as never)));
            return Promise.resolve({ created: 0, updated: 0, unchanged: 0, rejected: 0, results: [] });
          },
          onProblem: () => undefined,
        });
        const count = (...of: Kind[]) => rows.filter(([kind]) => of.includes(kind)).length;
        expect(counts.read + counts.leftOut + counts.wrong).toBe(counts.total);
        expect(counts.total).toBe(rows.length - count('blank'));
        expect(counts.leftOut).toBeGreaterThanOrEqual(count('total', 'header', 'cancelled'));
        expect(counts.wrong).toBeGreaterThanOrEqual(count('short', 'long', 'damaged'));
        expect(new Set(sent).size).toBe(sent.length);
        // A record whose rows are all good stands in the file as a whole, and is sent.
        const faulty = new Set(
          numbered.filter(({ kind }) => kind !== 'record' && kind !== 'item').map(row => row.number),
        );
        const good = numbered.filter(row => !faulty.has(row.number) && row.kind !== 'blank').map(row => row.number);
        expect(sent).toEqual(expect.arrayContaining([...new Set(good)]));
      },
    ),
  );
});
