import { setTimeout } from 'node:timers/promises';
import autocannon from 'autocannon';
import { Client, Pool } from 'undici';
import { pseudoRandom } from './pseudo-random.ts';

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
  /** Requests answered in all. */
  readonly answered: number;
}

const CONNECTIONS = 16;

/**
 * Sends the requests round and round over so many connections, each in an order of its own: connections that ask in the
 * same order gather at the slowest company, whose fair share then slows all of them. Or those that a function makes, one
 * after the other. Every answer must be a 200.
 */
export async function measure(
  url: string,
  requests: readonly LoadRequest[] | (() => LoadRequest),
  seconds: number,
  connections = CONNECTIONS,
): Promise<Figures> {
  return load(url, requests, { connections, duration: seconds });
}

/** Sends so many requests, however long they take: a slow server is as warm as a fast one afterwards. */
export async function warmUp(
  url: string,
  requests: readonly LoadRequest[] | (() => LoadRequest),
  calls: number,
  connections = CONNECTIONS,
): Promise<void> {
  await load(url, requests, { connections, amount: calls });
}

async function load(
  url: string,
  requests: readonly LoadRequest[] | (() => LoadRequest),
  how:
    | { readonly connections: number; readonly duration: number }
    | { readonly connections: number; readonly amount: number },
): Promise<Figures> {
  const orders = typeof requests === 'function' ? undefined : ordersOf(requests);
  const result = await autocannon({
    url,
    ...how,
    // On a machine that does much else many connections wait for long, which is a figure and no failure.
    timeout: 60,
    setupClient: client => {
      const next = orders?.() ?? (requests as () => LoadRequest);
      // Each is made when it is sent: made beforehand, the bodies of hundreds of connections would take seconds of the
      // time.
      client.setRequests([{ setupRequest: defaults => ({ ...defaults, ...copyOf(next()) }) }]);
    },
  });
  if (result.non2xx > 0 || result.errors > 0) {
    throw new Error(
      `${url}: ${result.non2xx} answers were no success, ${result.errors} failed: ${JSON.stringify(result.statusCodeStats)}`,
    );
  }
  // No time at all would be the best of times.
  if (result.requests.total === 0) throw new Error(`${url}: nothing was answered within ${result.duration} s`);
  const { p50, p99 } = result.latency;
  return { rps: result.requests.total / result.duration, p50Ms: p50, p99Ms: p99, answered: result.requests.total };
}

/** autocannon writes the length of the body into the headers. */
function copyOf(request: LoadRequest): LoadRequest {
  return { ...request, headers: { ...request.headers } };
}

/** For one connection after the other, what gives the requests in an order of its own. */
function ordersOf(requests: readonly LoadRequest[]): () => () => LoadRequest {
  // A step that has no divisor in common with the number of requests comes to each of them.
  const steps = requests.map((_, i) => i + 1).filter(step => gcd(step, requests.length) === 1);
  let begun = 0;
  return () => {
    const step = steps[begun++ % steps.length] ?? 1;
    let at = 0;
    return () => {
      const request = requests[at] as LoadRequest;
      at = (at + step) % requests.length;
      return request;
    };
  };
}

/**
 * Sends so many requests a second, whether those before were answered or not, at moments as random as callers': the
 * response time counts from the moment at which a request was due, so that a slow answer does not hide those behind it.
 */
export async function paced(
  url: string,
  requests: readonly LoadRequest[],
  seconds: number,
  { perSecond, connections }: { perSecond: number; connections: number },
): Promise<Figures> {
  const pool = new Pool(url, { connections, pipelining: 1 });
  const random = pseudoRandom(1);
  const took: number[] = [];
  const under: Promise<void>[] = [];
  const send = async (request: LoadRequest, dueAt: number) => {
    const { statusCode, body } = await pool.request(request as LoadRequest);
    await body.dump();
    if (statusCode !== 200) throw new Error(`${url}: an answer was ${statusCode}`);
    took.push(performance.now() - dueAt);
  };
  try {
    const startedAt = performance.now();
    let dueAt = startedAt;
    for (let i = 0; dueAt < startedAt + seconds * 1000; i++) {
      const waitMs = dueAt - performance.now();
      if (waitMs > 0) await setTimeout(waitMs);
      under.push(send(requests[i % requests.length] as LoadRequest, dueAt));
      dueAt += (-Math.log(1 - random()) * 1000) / perSecond;
    }
    await Promise.all(under);
    const rps = (took.length / (performance.now() - startedAt)) * 1000;
    return { rps, p50Ms: percentile(took, 0.5), p99Ms: percentile(took, 0.99), answered: took.length };
  } finally {
    await pool.close();
  }
}

/** Sends the requests one after the other over one connection; the milliseconds that each took. */
export async function oneByOne(url: string, requests: readonly LoadRequest[], seconds: number): Promise<number[]> {
  const client = new Client(url, { pipelining: 1 });
  const took: number[] = [];
  try {
    const endsAt = performance.now() + seconds * 1000;
    for (let i = 0; performance.now() < endsAt; i++) {
      const startedAt = performance.now();
      const { statusCode, body } = await client.request(requests[i % requests.length] as LoadRequest);
      await body.arrayBuffer();
      took.push(performance.now() - startedAt);
      if (statusCode !== 200) throw new Error(`${url}: an answer was ${statusCode}`);
    }
  } finally {
    await client.close();
  }
  return took;
}

/** Sends all requests at once, each over a connection of its own: the answers, and the milliseconds until the last. */
export async function allAtOnce(
  url: string,
  requests: readonly LoadRequest[],
): Promise<{ ms: number; answers: string[] }> {
  const pool = new Pool(url, { connections: requests.length, pipelining: 1 });
  try {
    const startedAt = performance.now();
    const answers = await Promise.all(
      requests.map(async request => (await pool.request(request as LoadRequest)).body.text()),
    );
    return { ms: performance.now() - startedAt, answers };
  } finally {
    await pool.close();
  }
}

function gcd(a: number, b: number): number {
  return b === 0 ? a : gcd(b, a % b);
}

export function median(numbers: readonly number[]): number {
  const sorted = numbers.toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}

/** The value below which that share of the numbers lies. */
export function percentile(numbers: readonly number[], share: number): number {
  const sorted = numbers.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}
