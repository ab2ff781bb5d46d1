import autocannon from 'autocannon';

export interface LoadRequest {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly headers: Record<string, string>;
  readonly body?: string;
}

export interface Figures {
  /** Requests answered a second. */
  readonly rps: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
}

const CONNECTIONS = 16;

/** Sends the requests round and round over 16 connections; every answer must be a 200. */
export async function measure(url: string, requests: readonly LoadRequest[], seconds: number): Promise<Figures> {
  const result = await autocannon({
    url,
    connections: CONNECTIONS,
    duration: seconds,
    requests: requests.map(request => ({ ...request })),
  });
  if (result.non2xx > 0 || result.errors > 0) {
    throw new Error(`${url}: ${result.non2xx} answers were no success, ${result.errors} failed`);
  }
  return { rps: result.requests.total / result.duration, p50Ms: result.latency.p50, p99Ms: result.latency.p99 };
}

export function median(numbers: readonly number[]): number {
  const sorted = numbers.toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}
