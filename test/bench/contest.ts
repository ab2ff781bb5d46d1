import { deepEqual } from 'node:assert/strict';
import { type Figures, type LoadRequest, measure, median, warmUp } from './load.ts';
import type { Running } from './processes.ts';
import type { Cpu, Results } from './results.ts';
import { type RowId, rowOf } from './rows.ts';

export interface Contender {
  readonly name: string;
  readonly server: Running;
  /** Round and round, or made one after the other. */
  readonly requests: readonly LoadRequest[] | (() => LoadRequest);
  /** The rows of the results that it is measured for, and the name of the contender that each holds it against. */
  readonly against?: Partial<Readonly<Record<RowId, string>>>;
}

export interface Contest {
  /** How long each is measured in each round. */
  readonly seconds: number;
  readonly rounds: number;
  readonly results: Results;
  readonly connections?: number;
  /** The counted items of one request, such as the events of a batch; 1 if left out. */
  readonly itemsEach?: number;
  /** CPU time that PostgreSQL has used so far, where all contenders use the same one. */
  readonly postgresCpuMs?: () => Promise<number>;
}

export interface RoundFigures extends Figures {
  /** CPU time of a request in microseconds: of the server's process, and of PostgreSQL where it is known. */
  readonly cpu: Cpu;
}

/**
 * Items, and requests at least, that a contender gets before it is measured, however long they take: after some seconds
 * a slow contender would be colder than a fast one.
 */
const WARM_UP_ITEMS = 2_000;
const WARM_UP_REQUESTS = 40;

/** Measures contenders by turns, prints each beside the first, and records the rows that they are measured for. */
export async function compare(contenders: readonly Contender[], contest: Contest): Promise<RoundFigures[][]> {
  const { seconds, rounds, connections, itemsEach = 1 } = contest;
  const calls = Math.max(WARM_UP_REQUESTS, Math.ceil(WARM_UP_ITEMS / itemsEach));
  for (const { server, requests } of contenders) await warmUp(server.url, requests, calls, connections);
  const figures = contenders.map(() => [] as RoundFigures[]);
  for (let round = 0; round < rounds; round++) {
    for (const [i, { server, requests }] of contenders.entries()) {
      const items = async (): Promise<Figures> => {
        const { rps, answered, ...times } = await measure(server.url, requests, seconds, connections);
        return { ...times, rps: rps * itemsEach, answered: answered * itemsEach };
      };
      figures[i]?.push(await withCpu(server, contest.postgresCpuMs, items));
    }
  }
  report(contenders, figures);
  recordRows(contenders, figures, contest.results);
  return figures;
}

/** The cost of a measurement for a server and for PostgreSQL, for each request. */
export async function withCpu(
  server: Running,
  postgresCpuMs: (() => Promise<number>) | undefined,
  work: () => Promise<Figures>,
): Promise<RoundFigures> {
  const look = async () => [await server.cpuMs(), (await postgresCpuMs?.()) ?? 0] as const;
  const before = await look();
  const measured = await work();
  const after = await look();
  const each = (i: 0 | 1) => ((after[i] - before[i]) * 1000) / measured.answered;
  return { ...measured, cpu: { server: each(0), ...(postgresCpuMs && { postgres: each(1) }) } };
}

/** The median of each part. */
export function medianCpu(rounds: readonly RoundFigures[]): Cpu {
  const postgres = rounds.flatMap(({ cpu }) => cpu.postgres ?? []);
  return {
    server: median(rounds.map(({ cpu }) => cpu.server)),
    ...(postgres.length > 0 && { postgres: median(postgres) }),
  };
}

function recordRows(
  contenders: readonly Contender[],
  figures: readonly (readonly RoundFigures[])[],
  results: Results,
): void {
  for (const [i, { against = {} }] of contenders.entries()) {
    for (const [id, name] of Object.entries(against) as [RowId, string][]) {
      const ours = figures[i] ?? [];
      const theirs = figures[contenders.findIndex(contender => contender.name === name)];
      if (theirs === undefined) throw new Error(`There is no contender ${name}`);
      const of = rowOf(id).measure === 'p99' ? ({ p99Ms }: Figures) => p99Ms : ({ rps }: Figures) => rps;
      // Round by round, since the machine's speed drifts.
      const ratios = ours.map((figure, round) => of(figure) / of(theirs[round] ?? figure));
      const both = [ours, theirs].map(rounds => median(rounds.map(of)));
      const unit = rowOf(id).measure === 'p99' ? 'ms' : '/s';
      results.record(id, ratios, {
        cpu: { ours: medianCpu(ours), peer: medianCpu(theirs) },
        note: both.map(figure => `${figure.toFixed(unit === 'ms' ? 1 : 0)} ${unit}`).join(' : '),
      });
    }
  }
}

/**
 * A peer is worth a comparison only while it answers the same.
 *
 * @param same of an answer, what both are to agree on; all of it where it is left out
 */
export async function assertSameAnswer(
  [service, ask]: readonly [Running, LoadRequest],
  [peer, askPeer]: readonly [Running, LoadRequest],
  same: { readonly ours?: (answer: never) => unknown; readonly theirs?: (answer: never) => unknown } = {},
): Promise<void> {
  const answerOf = async ({ url }: Running, { method, path, headers, body }: LoadRequest) => {
    const text = await (await fetch(url + path, { method, headers, body })).text();
    return JSON.parse(text.replaceAll(url, '')) as never;
  };
  const [ours, theirs] = [await answerOf(service, ask), await answerOf(peer, askPeer)];
  deepEqual(same.theirs?.(theirs) ?? theirs, same.ours?.(ours) ?? ours);
}

function report(contenders: readonly Contender[], figures: readonly (readonly RoundFigures[])[]): void {
  const width = Math.max(...contenders.map(({ name }) => name.length), 16) + 2;
  const line = (cells: readonly string[]) =>
    process.stdout.write(`${cells.map((cell, i) => (i === 0 ? cell.padEnd(width) : cell.padStart(11))).join('')}\n`);
  process.stdout.write('\n');
  line(['server', 'a second', 'p50 ms', 'p99 ms', 'CPU µs each', 'from–to', 'PostgreSQL', 'of the 1st']);
  for (const [i, { name }] of contenders.entries()) {
    const rounds = figures[i] ?? [];
    const middle = (of: (figure: RoundFigures) => number) => median(rounds.map(of));
    const cpus = rounds.map(({ cpu }) => cpu.server);
    const { server, postgres } = medianCpu(rounds);
    // Round by round, since the machine's speed drifts.
    const ratio = median(rounds.map(({ rps }, round) => rps / (figures[0]?.[round]?.rps ?? Number.NaN)));
    line([
      name,
      middle(({ rps }) => rps).toFixed(0),
      middle(({ p50Ms }) => p50Ms).toFixed(1),
      middle(({ p99Ms }) => p99Ms).toFixed(1),
      server.toFixed(0),
      `${Math.min(...cpus).toFixed(0)}–${Math.max(...cpus).toFixed(0)}`,
      postgres?.toFixed(0) ?? '',
      ratio.toFixed(2),
    ]);
  }
}

/** A line of a table: the subject, the requirement, and the values of each round. */
export function row(what: string, asked: string, measured: string, rounds = ''): void {
  process.stdout.write(`${what.padEnd(58)}${asked.padStart(13)}${measured.padStart(14)}   ${rounds}\n`);
}

/** The line for a value of several rounds: their median. */
export function rate(what: string, asked: string, rounds: readonly number[], digits = 0): void {
  const texts = rounds.map(number => number.toFixed(digits));
  row(what, asked, median(rounds).toFixed(digits), texts.join(' '));
}
