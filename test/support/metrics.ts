import type { Metrics } from '../../src/platform/telemetry/metrics.ts';

/** The value that Prometheus would read of a series, by its name and labels; 0 if it is missing. */
export async function figure(metrics: Metrics, series: string): Promise<number> {
  const line = (await metrics.text()).split('\n').find(one => one.startsWith(`${series} `));
  return Number(line?.split(' ').at(-1) ?? 0);
}
