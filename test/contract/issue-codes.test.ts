import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ISSUE_CODES } from '../../src/platform/issue-codes.ts';

const SRC = new URL('../../src/', import.meta.url).pathname;
const TEXTS = readdirSync(SRC, { recursive: true, encoding: 'utf8' })
  .filter(file => file.endsWith('.ts') && !file.endsWith('/issue-codes.ts'))
  .map(file => readFileSync(join(SRC, file), 'utf8'));

test.each(Object.keys(ISSUE_CODES))('The issue code %s is used in the source', code => {
  expect(TEXTS.some(text => text.includes(`'${code}'`))).toBe(true);
});
