import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { webhooks } from '../../src/domain/exchange/webhooks/webhooks.feature.ts';
import { polling } from '../../src/domain/shipping/polling/polling.feature.ts';
import { FEATURES } from '../../src/features.ts';
import { schema } from '../../src/graphql/schema.ts';
import { offeredTools, TOOLS } from '../../src/http/mcp/tools.ts';
import { RETENTION_RULES } from '../../src/migrate.ts';
import { expectNothingElseLost } from './lost-parts.ts';

const root = new URL('../../', import.meta.url).pathname;

// `features.slow.test.ts` leaves out the others too.
test('Without saved quotes the graph and the tools lack what they bring, and nothing else', () =>
  expectNothingElseLost('savedQuotes'));

test('With all features the tools match the table, word by word', () => {
  expect(offeredTools(schema)).toEqual(TOOLS);
});

test('Manifests name every entity, job and announcement, and the list names every manifest', () => {
  const files = readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' });
  const imported = (file: string) =>
    [...readFileSync(join(root, 'src', file), 'utf8').matchAll(/(?:from|import\() ?'([^']+)'/g)].map(([, name = '']) =>
      join(file, '..', name),
    );
  const manifests = files.filter(file => file.endsWith('.feature.ts')).toSorted();
  expect(
    imported('features.ts')
      .filter(file => file.endsWith('.feature.ts'))
      .toSorted(),
  ).toEqual(manifests);
  const named = new Set(manifests.flatMap(imported));
  const registered = files.filter(file => /\.(entity|jobs|announcements)\.ts$/.test(file));
  expect(registered.length).toBeGreaterThan(30);
  expect(registered.filter(file => !named.has(file))).toEqual([]);
});

test('Polling acts on a status before webhooks do, and expired rows leave fast-growing tables first', () => {
  expect(FEATURES.indexOf(polling)).toBeLessThan(FEATURES.indexOf(webhooks));
  expect(RETENTION_RULES.map(({ table }) => table).slice(0, 3)).toEqual([
    'idempotent_request',
    'webhook_attempt',
    'webhook_event',
  ]);
});
