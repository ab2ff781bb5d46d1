import { readFileSync } from 'node:fs';
import { createConfig, lintFromString } from '@redocly/openapi-core';
import { expect, test } from 'vitest';

test('Redocly’s recommended rules find nothing in the contract', async () => {
  const source = readFileSync(new URL('../../schema/openapi.json', import.meta.url), 'utf8');
  const config = await createConfig({ extends: ['recommended'] });
  const found = await lintFromString({ source, absoluteRef: '/openapi.json', config });
  expect(found.map(({ ruleId, location, message }) => `${ruleId} ${location[0]?.pointer}: ${message}`)).toEqual([]);
});
