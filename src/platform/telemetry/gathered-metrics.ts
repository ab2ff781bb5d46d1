import { AggregatorRegistry, type MetricObjectWithValues, type MetricValue, type Registry } from 'prom-client';

export type ProcessMetrics = readonly MetricObjectWithValues<MetricValue<string>>[];

/** Adds up the metrics of several processes. The `aggregator` of each metric says how its values are combined. */
export class GatheredMetrics<Process> {
  readonly #latest = new Map<Process, ProcessMetrics>();
  /** The counts of processes that have ended. To Prometheus, a counter that falls has restarted at 0. */
  #ended: ProcessMetrics = [];

  update(process: Process, values: ProcessMetrics): void {
    this.#latest.set(process, values.map(asOfOne));
  }

  /** Keeps the last counts of a process that has ended, and forgets its gauges. */
  end(process: Process): void {
    const latest = this.#latest.get(process) ?? [];
    this.#latest.delete(process);
    // Combined metrics include their values.
    this.#ended = together([this.#ended, latest.filter(countsUp)]).getMetricsAsArray() as unknown as ProcessMetrics;
  }

  text(): Promise<string> {
    return together([...this.#latest.values(), this.#ended]).metrics();
  }
}

/** The type of a metric: prom-client declares an enum, but the value is a string. */
const COUNTING: readonly unknown[] = ['counter', 'histogram'];

function countsUp({ type }: ProcessMetrics[number]): boolean {
  return COUNTING.includes(type);
}

/** Corrects the aggregators of prom-client's own metrics for one service in several processes. */
function asOfOne(metric: ProcessMetrics[number]): ProcessMetrics[number] {
  // An average would hide the one process whose event loop is blocked.
  const isAverageLag = metric.name.startsWith('nodejs_eventloop_lag_') && metric.aggregator === 'average';
  if (isAverageLag) return { ...metric, aggregator: 'max' };
  // The start time would be left out; the service has run since its first process started.
  return metric.name === 'process_start_time_seconds' ? { ...metric, aggregator: 'min' } : metric;
}

function together(all: readonly ProcessMetrics[]): Registry {
  return AggregatorRegistry.aggregate(all as ProcessMetrics[]);
}
