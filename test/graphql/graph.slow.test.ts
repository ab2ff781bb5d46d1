import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { describe, expect, test } from 'vitest';
import { times, unseen } from '../support/platform-side.ts';
import { useGraph } from './graph-calls.ts';

const given = useGraph();
const { post } = given;

describe('The cache of documents', () => {
  setFlagsFromString('--expose_gc');
  const collectGarbage = runInNewContext('gc') as () => void;

  function heapMb(): number {
    collectGarbage();
    return process.memoryUsage().heapUsed / 1e6;
  }

  /** Sends documents that nobody sent before. */
  async function send(count: number, selection: string): Promise<void> {
    for (let i = 0; i < count; i += 10) {
      await Promise.all(times(10, () => post(given.caller, { query: unseen(`{ apiKey { ${selection} } }`) })));
    }
  }

  test('is bounded in the number of documents', async () => {
    const selection = times(30, i => `a${i}: ok`).join(' ');
    const before = heapMb();
    await send(1200, selection);
    const full = heapMb();
    await send(1200, selection);
    // Twice as many would take twice as much, were they all kept.
    expect(heapMb() - full).toBeLessThan((full - before) / 2);
  }, 60_000);

  test('is bounded in size', async () => {
    const before = heapMb();
    await send(600, times(500, i => `a${i}: ok`).join(' '));
    expect(heapMb() - before).toBeLessThan(100);
  }, 60_000);
});
