/**
 * How many cases a property tries, or how many items a batch of a test has. By default a third, or another part where
 * each case is costly, which finds the faults of a change; with `PROPERTY_RUNS=full` all of them, as
 * `npm run test:slow` does in files that import this one.
 */
export function runs(full: number, part = 3): number {
  return isFull() ? full : Math.ceil(full / part);
}

/** So many rows of a table whose rows state one promise, from its first to its last; all of them where `runs` is full. */
export function few<Row>(table: readonly Row[], count: number): readonly Row[] {
  if (isFull() || table.length <= count) return table;
  const step = (table.length - 1) / Math.max(count - 1, 1);
  return Array.from({ length: count }, (_, i) => table[Math.round(i * step)] as Row);
}

const isFull = () => process.env.PROPERTY_RUNS === 'full';
