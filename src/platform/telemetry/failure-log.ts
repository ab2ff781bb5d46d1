import type { Fault } from '../fault.ts';
import { reasonOf } from '../problem.ts';
import type { Log } from './log.ts';

/** The shortest time between two log lines of a repeated failure. */
const EVERY_MS = 10_000;

/** Failures since the last line, by kind. */
type Counts = Map<string, number>;

const countsOf = new WeakMap<Log, Counts>();

/** A failure that is likely to repeat, as all failures do while the database is down. */
interface Failure {
  readonly level: 'warn' | 'error';
  readonly message: string;
  /** The fields of the first line; later failures are only counted. */
  readonly fields: object;
  /** The fields of later lines, which also tell the failure from others with the same message. */
  readonly kind?: Readonly<Record<string, string>>;
}

/** Logs the first failure of a kind, and then every ten seconds how many more there were, until there are none. */
export function logRepeated(log: Log, failure: Failure): void {
  const { level, message, fields, kind } = failure;
  const counts: Counts = countsOf.get(log) ?? new Map();
  countsOf.set(log, counts);
  const key = JSON.stringify([message, kind]);
  const count = counts.get(key);
  if (count !== undefined) {
    counts.set(key, count + 1);
    return;
  }
  log[level](fields, message);
  countOn(log, counts, key, failure);
}

function countOn(log: Log, counts: Counts, key: string, failure: Failure): void {
  counts.set(key, 0);
  setTimeout(() => {
    const count = counts.get(key);
    counts.delete(key);
    if (!count) return;
    log[failure.level]({ ...failure.kind, count, withinMs: EVERY_MS }, failure.message);
    countOn(log, counts, key, failure);
  }, EVERY_MS).unref();
}

/** Logs a failed request that its caller did not cause. */
export function logFailure(log: Log, requestId: string, fault: Fault): void {
  const { code, message: detail } = fault;
  const fields = { requestId, code, ...reasonOf(fault) };
  if (code === 'unavailable') {
    logRepeated(log, { level: 'error', message: 'request failed', fields, kind: { code, detail } });
  } else {
    log.error(fields, 'request failed');
  }
}
