/**
 * How many cases a property tries, or how many items a batch of a test has. By default a third, or another part where
 * each case is costly, which finds the faults of a change; with `PROPERTY_RUNS=full` all of them, as
 * `npm run test:slow` does in files that import fast-check.
 */
export function runs(full: number, part = 3): number {
  return process.env.PROPERTY_RUNS === 'full' ? full : Math.ceil(full / part);
}
