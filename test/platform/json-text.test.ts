import fc from 'fast-check';
import { expect, test } from 'vitest';
import { jsonText } from '../../src/http/json-text.ts';
import { Fault } from '../../src/platform/fault.ts';
import { Work } from '../../src/platform/limits/work.ts';

/** The work of a request that has done so much, and how often it rested. */
function workOf(units: number) {
  const rests: number[] = [];
  const pause = (go: () => void, since: number) => {
    rests.push(since);
    setImmediate(go);
  };
  const work = new Work({ units: 1e9, characters: 1e9 }, () => new Fault('request_too_expensive'), pause);
  work.spend(units);
  return { work, rests };
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

test('A long answer has the text that JSON.stringify gives it', async () => {
  await fc.assert(
    fc.asyncProperty(ANSWERS, async data => {
      expect(await jsonText({ data }, workOf(1_000_000).work)).toBe(JSON.stringify({ data }));
    }),
  );
});

test('Between two slices of a long answer others have the event loop; a short one is written at once', async () => {
  const data = Array.from({ length: 50_000 }, (_, id) => ({ id, text: 'Partita dalla filiale di smistamento' }));
  const { work, rests } = workOf(100_000);
  expect(await jsonText({ data }, work)).toBe(JSON.stringify({ data }));
  expect(rests.length).toBeGreaterThan(3);
  expect(rests[0]).toBe(100_000);
  expect(rests.slice(1).every(units => units === 0)).toBe(true);
  expect(jsonText({ data: [1] }, workOf(10).work)).toBe('{"data":[1]}');
});
