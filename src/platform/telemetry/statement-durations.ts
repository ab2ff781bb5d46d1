const NAME = 'shipping_database_statement_duration_seconds';
/** Upper bounds in milliseconds. */
const BOUNDS_MS = [1, 2.5, 5, 10, 25, 100, 500, 2_500];

interface Durations {
  /** Counts by bucket: durations up to the bound at the same index, and above the bound before it. */
  readonly counts: number[];
  count: number;
  sumMs: number;
}

/**
 * The durations of statements, by name, as a histogram. One of prom-client would hash the labels at every observation,
 * which takes longer than all else done for a statement here; this class makes labels when scraped.
 */
export class StatementDurations {
  readonly name = NAME;
  readonly #byStatement = new Map<string, Durations>();

  observe(statement: string, startedAtMs: number): void {
    const ms = performance.now() - startedAtMs;
    let durations = this.#byStatement.get(statement);
    if (durations === undefined) {
      durations = { counts: BOUNDS_MS.map(() => 0), count: 0, sumMs: 0 };
      this.#byStatement.set(statement, durations);
    }
    durations.count++;
    durations.sumMs += ms;
    const place = BOUNDS_MS.findIndex(bound => ms <= bound);
    if (place >= 0) durations.counts[place] = (durations.counts[place] ?? 0) + 1;
  }

  /** Implements the interface of prom-client's registry. */
  async get() {
    const values = Array.from(this.#byStatement, ([statement, durations]) => seriesOf(statement, durations)).flat();
    const help = 'Duration of statements and transactions of PostgreSQL by name';
    return { name: NAME, help, type: 'histogram', aggregator: 'sum', values };
  }
}

function seriesOf(statement: string, { counts, count, sumMs }: Durations) {
  let upTo = 0;
  const buckets = BOUNDS_MS.map((bound, place) => {
    upTo += counts[place] ?? 0;
    return { metricName: `${NAME}_bucket`, labels: { le: bound / 1000, statement }, value: upTo };
  });
  return [
    ...buckets,
    { metricName: `${NAME}_bucket`, labels: { le: '+Inf', statement }, value: count },
    { metricName: `${NAME}_sum`, labels: { statement }, value: sumMs / 1000 },
    { metricName: `${NAME}_count`, labels: { statement }, value: count },
  ];
}
