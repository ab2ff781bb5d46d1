import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { GUIDE_GROUPS } from '../../src/http/docs/navigation.ts';
import { ROOT } from './guide-blocks.ts';

const read = (path: string) => readFileSync(join(ROOT, path), 'utf8');
/** The pages that callers and data senders read first. */
const FIRST = GUIDE_GROUPS.slice(0, 2).flatMap(({ guides }) => guides);

test.each(FIRST)('The guide %s shows an example before its second section', name => {
  const [, first = '', second = ''] = read(`src/docs/${name}.md`).split(/^(?=## )/m);
  const [introduction = ''] = read(`src/docs/${name}.md`).split(/^## /m);
  expect(second).not.toBe('');
  expect(introduction + first).toMatch(/^```(?:sh|graphql|http)$/m);
});

test('"Respond, then work" is the first section on webhooks, and their verifiers are tabs', () => {
  const guide = read('src/docs/webhooks.md');
  expect(/^## (.*)$/m.exec(guide)?.[1]).toBe('Respond, then work');
  const [, tabs = ''] = /<!-- tabs -->([\s\S]*?)<!-- \/tabs -->/.exec(guide) ?? [];
  expect([...tabs.matchAll(/^### (.*)$/gm)].map(([, title]) => title)).toEqual(['Node', 'Python', 'PHP', 'Java', 'C#']);
});

test('The configurations of generators name every scalar of the schema', () => {
  const scalars = [...read('schema/schema.graphql').matchAll(/^scalar (\w+)/gm)].map(([, name]) => name);
  const listed = [...read('src/docs/clients.md').matchAll(/scalars: \{([^}]*)\}/g)].map(([, block = '']) =>
    [...block.matchAll(/(\w+): /g)].map(([, name]) => name),
  );
  expect(scalars.length).toBeGreaterThan(5);
  expect(listed).toEqual([scalars, scalars]);
});
