import { deepEqual } from 'node:assert/strict';
import { type Figures, type LoadRequest, measure, median } from './load.ts';
import type { Running } from './processes.ts';

export interface Contender {
  readonly name: string;
  readonly server: Running;
  readonly requests: readonly LoadRequest[];
}

const WARM_UP_SECONDS = 3;

/** Measures contenders by turns and prints each beside the first, the peer. */
export async function compare(
  contenders: readonly Contender[],
  { seconds, rounds }: { seconds: number; rounds: number },
): Promise<void> {
  for (const { server, requests } of contenders)
    await measure(server.url, requests, Math.min(seconds, WARM_UP_SECONDS));
  const figures = contenders.map(() => [] as Figures[]);
  for (let round = 0; round < rounds; round++) {
    for (const [i, { server, requests }] of contenders.entries()) {
      figures[i]?.push(await measure(server.url, requests, seconds));
    }
  }
  report(
    contenders.map(({ name }) => name),
    figures,
  );
}

/** A peer is worth a comparison only while it answers the same. */
export async function assertSameAnswer(
  service: Running,
  peer: Running,
  { method, path, headers, body }: LoadRequest,
): Promise<void> {
  const [ours, theirs] = await Promise.all(
    [service, peer].map(async ({ url }) =>
      JSON.parse((await (await fetch(url + path, { method, headers, body })).text()).replaceAll(url, '')),
    ),
  );
  deepEqual(ours, theirs);
}

function report(names: readonly string[], figures: readonly (readonly Figures[])[]): void {
  const row = (cells: readonly string[]) =>
    process.stdout.write(`${cells.map((cell, i) => (i === 0 ? cell.padEnd(16) : cell.padStart(11))).join('')}\n`);
  process.stdout.write('\n');
  row(['server', 'req/s', 'p50 ms', 'p99 ms', `of the peer`]);
  for (const [i, name] of names.entries()) {
    const rounds = figures[i] ?? [];
    const middle = (of: (figure: Figures) => number) => median(rounds.map(of));
    // Round by round, since the machine's speed drifts.
    const ratio = median(rounds.map(({ rps }, round) => rps / (figures[0]?.[round]?.rps ?? Number.NaN)));
    row([
      name,
      middle(({ rps }) => rps).toFixed(0),
      middle(({ p50Ms }) => p50Ms).toFixed(1),
      middle(({ p99Ms }) => p99Ms).toFixed(1),
      ratio.toFixed(2),
    ]);
  }
}
