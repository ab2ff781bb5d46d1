import { deepEqual } from 'node:assert/strict';
import { type Figures, type LoadRequest, measure, median } from './load.ts';
import type { Running } from './processes.ts';

export interface Contender {
  readonly name: string;
  readonly server: Running;
  readonly requests: readonly LoadRequest[];
  /** What is asked of it, of the peer. */
  readonly asked?: string;
}

interface RoundFigures extends Figures {
  /** CPU time of the server's process for a request, in microseconds. */
  readonly cpuUs: number;
}

const WARM_UP_SECONDS = 3;

/** Measures contenders by turns and prints each beside the first, the peer. */
export async function compare(
  contenders: readonly Contender[],
  { seconds, rounds }: { seconds: number; rounds: number },
): Promise<void> {
  for (const { server, requests } of contenders)
    await measure(server.url, requests, Math.min(seconds, WARM_UP_SECONDS));
  const figures = contenders.map(() => [] as RoundFigures[]);
  for (let round = 0; round < rounds; round++) {
    for (const [i, { server, requests }] of contenders.entries()) {
      const before = await server.cpuMs();
      const measured = await measure(server.url, requests, seconds);
      const cpuUs = (((await server.cpuMs()) - before) * 1000) / (measured.rps * seconds);
      figures[i]?.push({ ...measured, cpuUs });
    }
  }
  report(contenders, figures);
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

function report(contenders: readonly Contender[], figures: readonly (readonly RoundFigures[])[]): void {
  const line = (cells: readonly string[]) =>
    process.stdout.write(`${cells.map((cell, i) => (i === 0 ? cell.padEnd(16) : cell.padStart(11))).join('')}\n`);
  process.stdout.write('\n');
  const isAsked = contenders.some(({ asked }) => asked);
  line(['server', 'req/s', 'p50 ms', 'p99 ms', 'CPU µs/req', 'from–to', ' of the peer', ...(isAsked ? ['asked'] : [])]);
  for (const [i, { name, asked }] of contenders.entries()) {
    const rounds = figures[i] ?? [];
    const middle = (of: (figure: RoundFigures) => number) => median(rounds.map(of));
    // Round by round, since the machine's speed drifts.
    const ratio = median(rounds.map(({ rps }, round) => rps / (figures[0]?.[round]?.rps ?? Number.NaN)));
    line([
      name,
      middle(({ rps }) => rps).toFixed(0),
      middle(({ p50Ms }) => p50Ms).toFixed(1),
      middle(({ p99Ms }) => p99Ms).toFixed(1),
      middle(({ cpuUs }) => cpuUs).toFixed(0),
      `${Math.min(...rounds.map(({ cpuUs }) => cpuUs)).toFixed(0)}–${Math.max(...rounds.map(({ cpuUs }) => cpuUs)).toFixed(0)}`,
      ratio.toFixed(2),
      ...(asked ? [asked] : []),
    ]);
  }
}

/** A line of a table: what was measured, what is asked of it, and the figures of each round. */
export function row(what: string, asked: string, measured: string, rounds = ''): void {
  process.stdout.write(`${what.padEnd(58)}${asked.padStart(13)}${measured.padStart(14)}   ${rounds}\n`);
}

/** The same for a figure of several rounds: their median. */
export function rate(what: string, asked: string, rounds: readonly number[], digits = 0): void {
  const texts = rounds.map(number => number.toFixed(digits));
  row(what, asked, median(rounds).toFixed(digits), texts.join(' '));
}
