import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readTariff } from '../../src/domain/pricing/tariffs/check/tariff.check.rules.ts';
import type { Tariff } from '../../src/domain/pricing/tariffs/format/tariff.format.rules.ts';
import { readRange } from '../../src/domain/pricing/tariffs/workbook/range-text.rules.ts';
import { tariffOfWorkbook } from '../../src/domain/pricing/tariffs/workbook/read-workbook.rules.ts';
import { workbookSheets } from '../../src/domain/pricing/tariffs/workbook/write-workbook.rules.ts';
import type { Cell, Table } from '../../src/platform/tables/sent-table.ts';
import type { WrittenSheet } from '../../src/platform/tables/write-workbook.ts';
import { runs } from '../support/property-runs.ts';
import { Dice } from './dice.ts';
import { randomTariff } from './random-tariffs.ts';

/** A workbook as it is read once it was written. */
function asTable(sheets: readonly WrittenSheet[]): Table {
  const cellOf = (cell: WrittenSheet['rows'][number][number]): Cell =>
    typeof cell === 'object' ? cell.day : (cell ?? '');
  return {
    format: 'workbook',
    hiddenSheets: [],
    isWindows1252: false,
    sheets: sheets.map(({ name, columns, rows }) => ({
      name,
      rows: () => [
        { row: 1, cells: columns.map(({ header }) => header) },
        ...rows.map((cells, i) => ({ row: i + 2, cells: cells.map(cellOf) })),
      ],
    })),
  };
}

const through = (tariff: Tariff) => readTariff(tariffOfWorkbook(asTable(workbookSheets(tariff, []))).tariff);

test('A tariff that goes through a workbook stays the same, whatever it contains', () => {
  fc.assert(
    fc.property(fc.noShrink(fc.integer()), number => {
      const tariff = readTariff(randomTariff(new Dice(number)));
      // As it is stored: JSON has no -0.
      expect(through(tariff)).toEqual(JSON.parse(JSON.stringify(tariff)));
    }),
    { numRuns: runs(300, 10), seed: 7 },
  );
});

test('A list longer than a cell continues in the next row', () => {
  const [version] = readTariff(randomTariff(new Dice(1))).versions;
  const postalCodes = Array.from({ length: 20_000 }, (_, i) => `DE ${10_000 + i}`);
  const zones = version?.zones.map((zone, i) => (i === 0 ? { ...zone, to: { ...zone.to, postalCodes } } : zone));
  const sheets = workbookSheets(
    { format: 2, currency: 'EUR', name: 'x', versions: [{ ...version, zones }] } as Tariff,
    [],
  );
  const cells = sheets.flatMap(({ rows }) => rows.flat());
  expect(cells.every(cell => typeof cell !== 'string' || cell.length <= 32_767)).toBe(true);
  const read = tariffOfWorkbook(asTable(sheets)).tariff as Tariff;
  expect(read.versions[0]?.zones[0]?.to.postalCodes).toEqual(postalCodes);
});

test.each([
  ['> 30', { over: 30 }],
  ['>= 10 <= 50', { from: 10, upTo: 50 }],
  ['≥10, <12,5', { from: 10, below: 12.5 }],
  ['30', undefined],
  ['> 30 > 40', undefined],
  ['> 1.000,5', { over: 1000.5 }],
  ['> 1.000', { wrong: 'ambiguous', readings: ['1000', '1.000'] }],
  ['> 30e', undefined],
  ['', undefined],
])('The range %j is read as %j', (text, range) => {
  expect(readRange(text)).toEqual(range);
});
