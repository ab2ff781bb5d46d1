import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { csvCell, csvLine } from '../../src/domain/common/csv.rules.ts';

const CELLS: [text: string, cell: string][] = [
  ['a;b', '"a;b"'],
  ['a,b', '"a,b"'],
  ['a "b"', '"a ""b"""'],
  ['a\n=1+1', '"a\n=1+1"'],
  ['=1+1', "'=1+1"],
  ['+39 02', "'+39 02"],
  ['@x', "'@x"],
  ['-x', "'-x"],
  [' =1+1', "' =1+1"],
  ['\n=1+1', `"'\n=1+1"`],
  ['\r\n =1+1', `"'\r\n =1+1"`],
  ['\tx', "'\tx"],
  ['\u0000=1', "'\u0000=1"],
  ['\u00a0=1', "'\u00a0=1"],
  ['\u200b\ufeff=1', "'\u200b\ufeff=1"],
  ['＝1+1', "'＝1+1"],
  ['＋1', "'＋1"],
  ['－1', "'－1"],
  ['＠x', "'＠x"],
  ['﹦1', "'﹦1"],
  ['-3,50', '-3,50'],
  ['- 3,50', `"'- 3,50"`],
  ['a=1', 'a=1'],
  ['/a/=1', '/a/=1'],
  ['', ''],
];
test.each(CELLS)('The text %j is written as the cell %j', (text, cell) => {
  expect(csvCell(text)).toBe(cell);
});

const texts = fc.array(fc.oneof(fc.string({ unit: 'binary' }), fc.stringMatching(/^[\s=+@;,"'x\u00a0＝-]*$/)), {
  minLength: 1,
});

test('Every text in a line has its own cell, and no cell begins as a formula', () => {
  fc.assert(
    fc.property(texts, cells => {
      const [read] = parse(csvLine([...cells, 'end']), { delimiter: ';' }) as string[][];
      const isNumber = (cell: string) => /^-?\d/.test(cell);
      for (const cell of read ?? []) if (!isNumber(cell)) expect(cell.normalize('NFKC').trim()).not.toMatch(/^[=+@-]/);
      expect(read?.map(cell => cell.replace(/^'/, ''))).toEqual([...cells, 'end'].map(cell => cell.replace(/^'/, '')));
    }),
  );
});
