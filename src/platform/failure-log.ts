import type { Fault } from './fault.ts';
import type { Log } from './log.ts';
import { reasonOf } from './problem.ts';

/** How often at most a line says that requests cannot be answered for the time being. */
const EVERY_MS = 10_000;

/** Failures since the last line, by what their callers were told. */
type Counts = Map<string, number>;

const countsOf = new WeakMap<Log, Counts>();

/**
 * Logs that a request failed through no fault of its caller. While the database is away every request fails alike: of
 * `unavailable` the first with a detail is logged, and then every ten seconds how many more there were.
 */
export function logFailure(log: Log, requestId: string, fault: Fault): void {
  const counts = countsOf.get(log) ?? new Map();
  countsOf.set(log, counts);
  const { code, message: detail } = fault;
  const count = counts.get(detail);
  if (code === 'unavailable' && count !== undefined) {
    counts.set(detail, count + 1);
    return;
  }
  log.error({ requestId, code, ...reasonOf(fault) }, 'request failed');
  if (code === 'unavailable') countFor(log, counts, detail);
}

function countFor(log: Log, counts: Counts, detail: string): void {
  counts.set(detail, 0);
  setTimeout(() => {
    const count = counts.get(detail) ?? 0;
    counts.delete(detail);
    if (count === 0) return;
    log.error({ code: 'unavailable', detail, count, withinMs: EVERY_MS }, 'more requests failed');
    countFor(log, counts, detail);
  }, EVERY_MS).unref();
}
