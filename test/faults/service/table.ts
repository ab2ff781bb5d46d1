import { styleText } from 'node:util';
import Table from 'cli-table3';
import type { Row } from './watch.ts';

const HEAD = [
  ...['fault', 'kills', 'records', 'requests', '503', 'cut off', 'recovered', 'lost', 'twice', '500'],
  ...['no webhook', 'memory', 'connections', ''],
];
const VERDICTS = {
  pass: styleText('green', 'pass'),
  fail: styleText('red', 'FAIL'),
  skip: styleText('yellow', 'skip'),
};

/**
 * A row without values: a scenario that this machine does not allow, one that was aborted, or a run with a table of its
 * own.
 */
interface Remark {
  readonly name: string;
  readonly text: string;
  readonly verdict: keyof typeof VERDICTS;
}

const print = (text: string) => process.stdout.write(`${text}\n`);

/** The outcome of each fault: printed at once, and as a table at the end. */
export class FaultTable {
  readonly #rows = new Map<string, Row>();
  readonly #remarks: Remark[] = [];

  get kills(): number {
    return this.#sum('kills');
  }

  get records(): number {
    return this.#sum('records');
  }

  get isWhole(): boolean {
    const remarks = this.#remarks.every(({ verdict }) => verdict !== 'fail');
    return remarks && [...this.#rows.values()].every(({ failures }) => failures.length === 0);
  }

  /** A fault that is repeated has one line, of its sums and its worst figures. */
  add(row: Row): void {
    const before = this.#rows.get(row.name);
    this.#rows.set(row.name, before ? combined(before, row) : row);
    const figures = `${row.records} records, ${row.requests} requests, recovered after ${row.recoverySeconds.toFixed(1)} s`;
    print(`${VERDICTS[row.failures.length > 0 ? 'fail' : 'pass']}  ${row.name}: ${figures}`);
    for (const failure of row.failures) print(`      ${failure}`);
  }

  remark(remark: Remark): void {
    this.#remarks.push(remark);
    print(`${VERDICTS[remark.verdict]}  ${remark.name}: ${remark.text}`);
  }

  print(): void {
    const table = new Table({ head: HEAD, style: { head: [], border: [] } });
    for (const row of this.#rows.values()) {
      table.push([
        ...[row.name, row.kills, row.records, row.requests, row.unavailable, row.disconnected],
        `${row.recoverySeconds.toFixed(1)} s`,
        ...[row.lost, row.twice, row.errors, row.missing, `${row.megabytes.toFixed(0)} MB`, row.connections],
        VERDICTS[row.failures.length > 0 ? 'fail' : 'pass'],
      ]);
    }
    for (const { name, text, verdict } of this.#remarks) {
      table.push([name, { content: text, colSpan: HEAD.length - 2 }, VERDICTS[verdict]]);
    }
    print(`\n${table.toString()}\n`);
    print(`${this.records} records acknowledged, ${this.kills} processes killed.`);
    const skipped = this.#remarks.filter(({ verdict }) => verdict === 'skip').length;
    if (!this.isWhole) print('Not everything held: see the lines marked FAIL.');
    else print(`Nothing was lost${skipped > 0 ? `; faults that could not be tried here: ${skipped}` : ''}.`);
  }

  #sum(column: 'kills' | 'records'): number {
    return [...this.#rows.values()].reduce((sum, row) => sum + row[column], 0);
  }
}

function combined(a: Row, b: Row): Row {
  return {
    name: a.name,
    kills: a.kills + b.kills,
    records: a.records + b.records,
    requests: a.requests + b.requests,
    unavailable: a.unavailable + b.unavailable,
    disconnected: a.disconnected + b.disconnected,
    recoverySeconds: Math.max(a.recoverySeconds, b.recoverySeconds),
    lost: Math.max(a.lost, b.lost),
    twice: Math.max(a.twice, b.twice),
    errors: a.errors + b.errors,
    missing: Math.max(a.missing, b.missing),
    megabytes: Math.max(a.megabytes, b.megabytes),
    connections: Math.max(a.connections, b.connections),
    failures: [...a.failures, ...b.failures],
  };
}
