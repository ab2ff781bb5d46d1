import { AggregatorRegistry, type MetricObjectWithValues, type MetricValue, type Registry } from 'prom-client';

/** The metrics of one process at one time. */
export type Figures = readonly MetricObjectWithValues<MetricValue<string>>[];

/** Metrics of several processes as if they were one's. Each metric says in its `aggregator` what their values make together. */
export class GatheredMetrics<Process> {
  readonly #latest = new Map<Process, Figures>();
  /** What processes counted that have ended. Prometheus takes a counter that falls for one that began anew at 0. */
  #ended: Figures = [];

  /** Takes the metrics that a process has now. */
  update(process: Process, figures: Figures): void {
    this.#latest.set(process, figures.map(asOfOne));
  }

  /** Keeps what a process counted until it was last asked, and forgets the rest. */
  end(process: Process): void {
    const latest = this.#latest.get(process) ?? [];
    this.#latest.delete(process);
    // Metrics that were put together have their values with them.
    this.#ended = together([this.#ended, latest.filter(countsUp)]).getMetricsAsArray() as unknown as Figures;
  }

  /** As Prometheus reads them. */
  text(): Promise<string> {
    return together([...this.#latest.values(), this.#ended]).metrics();
  }
}

/** What prom-client calls a type is an enum in its declarations, and a word in fact. */
const COUNTING: readonly unknown[] = ['counter', 'histogram'];

function countsUp({ type }: Figures[number]): boolean {
  return COUNTING.includes(type);
}

/** Where prom-client's own metrics say otherwise than one service would. */
function asOfOne(metric: Figures[number]): Figures[number] {
  // An average of delays would hide the one process whose event loop is blocked.
  const isAverageLag = metric.name.startsWith('nodejs_eventloop_lag_') && metric.aggregator === 'average';
  if (isAverageLag) return { ...metric, aggregator: 'max' };
  // It would be left out; the service has run since its first process started.
  return metric.name === 'process_start_time_seconds' ? { ...metric, aggregator: 'min' } : metric;
}

function together(all: readonly Figures[]): Registry {
  return AggregatorRegistry.aggregate(all as Figures[]);
}
