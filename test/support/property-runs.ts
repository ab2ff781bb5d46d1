/**
 * How many cases a property tries. By default a third, which finds the faults of a change; with `PROPERTY_RUNS=full`
 * all of them, as `npm run test:all` does.
 */
export function runs(full: number): number {
  return process.env.PROPERTY_RUNS === 'full' ? full : Math.ceil(full / 3);
}
