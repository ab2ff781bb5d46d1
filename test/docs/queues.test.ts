import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { ALL_QUEUES } from '../../src/migrate.ts';

test('The guide for operators describes every queue, and names no other', () => {
  const guide = readFileSync(new URL('../../src/docs/running.md', import.meta.url), 'utf8');
  const [, table = ''] = guide.split('| Queue | What is in it |\n');
  const [rows = ''] = table.split('\n\n');
  const named = rows
    .split('\n')
    .slice(1)
    .flatMap(row => Array.from((row.split('|')[1] ?? '').matchAll(/`([^`]+)`/g), ([, queue]) => queue));
  expect(named.toSorted()).toEqual(ALL_QUEUES.map(({ queue }) => queue).toSorted());
});
