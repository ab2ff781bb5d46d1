import { setImmediate } from 'node:timers/promises';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { jsonText } from '../../src/http/json-text.ts';
import { Fault } from '../../src/platform/fault.ts';
import { Work } from '../../src/platform/limits/work.ts';

/** The work of a request that has done so much. */
function workOf(units: number): Work {
  const work = new Work('a company', { units: 1e9, characters: 1e9 }, () => new Fault('request_too_expensive'));
  work.spend(units);
  return work;
}

const ANSWERS = fc.letrec(tie => ({
  value: fc.oneof(
    { maxDepth: 4 },
    fc.jsonValue(),
    fc.constantFrom(undefined, new Date(0), Number.NaN),
    fc.array(tie('value')),
    fc.dictionary(fc.string(), tie('value')),
  ),
})).value;

test('A long response has the text that JSON.stringify gives it', async () => {
  await fc.assert(
    fc.asyncProperty(ANSWERS, async data => {
      expect(await jsonText({ data }, workOf(1_000_000))).toBe(JSON.stringify({ data }));
    }),
  );
});

test('Between two slices of a long response other work has the event loop, and a short one is written at once', async () => {
  const data = Array.from({ length: 50_000 }, (_, id) => ({ id, text: 'Partita dalla filiale di smistamento' }));
  let turns = 0;
  let isWritten = false;
  const writing = Promise.resolve(jsonText({ data }, workOf(100_000))).finally(() => {
    isWritten = true;
  });
  for (; !isWritten; turns++) await setImmediate();
  expect(await writing).toBe(JSON.stringify({ data }));
  expect(turns).toBeGreaterThan(3);
  expect(jsonText({ data: [1] }, workOf(10))).toBe('{"data":[1]}');
});
