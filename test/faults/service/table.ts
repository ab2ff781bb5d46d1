import { styleText } from 'node:util';
import Table from 'cli-table3';
import type { Row } from './watch.ts';

const HEAD = [
  ...['fault', 'kills', 'records', 'requests', '503', 'cut off', 'recovered', 'lost', 'twice', '500'],
  ...['no webhook', 'memory', 'connections', ''],
];

/** A scenario that was not carried out, with the reason. */
export interface Skipped {
  readonly name: string;
  readonly reason: string;
}

/** A run of its own, which prints its own table. */
export interface Other {
  readonly name: string;
  readonly isWhole: boolean;
}

export const isWhole = (row: Row) => row.failures.length === 0;

export function lineOf(row: Row): string {
  const recovered = row.recoverySeconds.toFixed(1);
  return `${verdict(isWhole(row))}  ${row.name}: ${row.requests} requests, recovered after ${recovered} s`;
}

export function tableOf(rows: readonly Row[], skipped: readonly Skipped[], others: readonly Other[]): string {
  const table = new Table({ head: HEAD, style: { head: [], border: [] } });
  for (const row of rows) {
    table.push([
      ...[row.name, row.kills, row.records, row.requests, row.unavailable, row.disconnected],
      `${row.recoverySeconds.toFixed(1)} s`,
      ...[row.lost, row.twice, row.errors, row.missing, `${row.megabytes.toFixed(0)} MB`, row.connections],
      verdict(isWhole(row)),
    ]);
  }
  const rest = HEAD.length - 2;
  for (const { name, reason } of skipped) {
    table.push([name, { content: `not possible here: ${reason}`, colSpan: rest }, styleText('yellow', 'skip')]);
  }
  for (const { name, isWhole: ok } of others) {
    table.push([name, { content: 'see its own table above', colSpan: rest }, verdict(ok)]);
  }
  return table.toString();
}

function verdict(ok: boolean): string {
  return ok ? styleText('green', 'pass') : styleText('red', 'FAIL');
}
