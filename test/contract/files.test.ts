import { globSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { expect, test } from 'vitest';

const MAX_LINES = 350;
/** A test file states one behaviour, at more length than a module has it. */
const MAX_TEST_LINES = 500;

const root = new URL('../../', import.meta.url).pathname;
// Not what the benches install for their peers.
const files = globSync('{src,test}/**/*.ts', { cwd: root, exclude: ['**/node_modules'] });
const source = files.filter(file => file.startsWith('src/'));
const tests = files.filter(file => file.startsWith('test/'));
const read = (file: string) => readFileSync(join(root, file), 'utf8');

test('The scan finds the files of the project', () => {
  expect(source.length).toBeGreaterThan(200);
  expect(files).toContain('test/contract/files.test.ts');
});

test('No two files of the source have the same name', () => {
  const byName = Object.groupBy(source, file => basename(file));
  expect(Object.values(byName).filter(same => (same?.length ?? 0) > 1)).toEqual([]);
});

test.each([
  { what: 'the source', of: source, most: MAX_LINES },
  { what: 'the tests', of: tests, most: MAX_TEST_LINES },
])('No file of $what has more than $most lines', ({ of, most }) => {
  const lines = of.map(file => ({ file, lines: read(file).split('\n').length - 1 }));
  expect(lines.filter(each => each.lines > most)).toEqual([]);
});

test('Nothing refers to a document that is not in the project', () => {
  const outside = /\b(?:shared\/|decisions\.md|design\.md|issue \d+)/;
  expect(files.filter(file => file !== 'test/contract/files.test.ts' && outside.test(read(file)))).toEqual([]);
});
