import { rm } from 'node:fs/promises';
import { demoFolder, startDemo } from '../support/demo-process.ts';
import type { BenchOptions } from './bench-options.ts';

/** How long `npm start` takes until it prints what to try: in an empty folder, and on the data of that start. */
export async function run({ rounds, results }: BenchOptions): Promise<void> {
  const first: number[] = [];
  const later: number[] = [];
  for (let round = 0; round < rounds; round++) {
    const folder = await demoFolder();
    try {
      first.push(await secondsToStart(folder));
      later.push(await secondsToStart(folder));
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  }
  results.record('start-first', first);
  results.record('start-later', later);
}

async function secondsToStart(folder: string): Promise<number> {
  const startedAt = performance.now();
  const demo = await startDemo(folder);
  const seconds = (performance.now() - startedAt) / 1000;
  await demo.stop();
  return seconds;
}
