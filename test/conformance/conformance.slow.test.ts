import { readFileSync } from 'node:fs';
import { beforeAll, describe, expect, test } from 'vitest';
import { useSharedWorld } from '../support/world.ts';
import { CHAPTERS } from './chapters.ts';
import { PAGE } from './page.ts';
import { outcomeOf, trialOf } from './run.ts';
import type { Trial } from './statement.ts';

const world = useSharedWorld({ ROLE: 'all' });
let trial: Trial;

beforeAll(async () => {
  const [{ apiKey }, other] = [await world.company(), await world.company()];
  trial = await trialOf(world.app.url, apiKey, other.apiKey);
});

for (const { title, statements } of CHAPTERS) {
  describe(title, () => {
    test.each(statements.map(statement => ({ ...statement, statement })))('$id $promise', async ({ statement }) => {
      expect(await outcomeOf(statement, trial)).toEqual({});
    });
  });
}

test('The guide lists each statement once, and all of them hold', () => {
  const rows = readFileSync(PAGE, 'utf8').match(/^\| [A-Z]\d+ \|.*$/gm) ?? [];
  const promised = CHAPTERS.flatMap(chapter => chapter.statements);
  expect(rows).toEqual(promised.map(({ id, promise, source }) => `| ${id} | ${promise} | ${source} | holds |`));
});
