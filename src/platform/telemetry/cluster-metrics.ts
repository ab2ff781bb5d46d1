import { AggregatorRegistry } from 'prom-client';
import { createMetrics, type Metrics } from './metrics.ts';

/**
 * The metrics of one of several processes. Their text has the metrics of all processes.
 *
 * @param number becomes the label `process` of each series. A replacement has the number of the process that it
 * replaces: to Prometheus, the process has restarted
 * @param scrape returns the text of all processes, from the process that started them
 */
export function metricsInCluster(number: string, scrape: () => Promise<string>): Metrics {
  let scraping: Promise<string> | undefined;
  const metrics = createMetrics(() => {
    scraping ??= scrape().finally(() => {
      scraping = undefined;
    });
    return scraping;
  });
  metrics.registry.setDefaultLabels({ process: number });
  AggregatorRegistry.setRegistries(metrics.registry);
  // Listens to the requests of `metricsOfCluster`.
  new AggregatorRegistry();
  return metrics;
}

/** In the process that started the others: returns a function that reads the metrics of all of them. */
export function metricsOfCluster(): () => Promise<string> {
  const registry = new AggregatorRegistry();
  return () => registry.clusterMetrics();
}
