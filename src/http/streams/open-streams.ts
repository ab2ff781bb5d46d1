import type { CompanySignals } from '../../platform/database/tenancy/company-signals.ts';
import { Fault } from '../../platform/fault.ts';
import type { HttpLimits } from '../../platform/limits/http-limits.ts';
import type { Metrics } from '../../platform/telemetry/metrics.ts';

export interface StreamLimits {
  /** Open streams of a process, and of those the ones of one key. */
  readonly maxStreams: number;
  readonly maxStreamsPerKey: number;
}

/** What a stream is told while it is open. */
export interface OpenStream {
  /** The process stops. */
  stop(): void;
  /** Its key may no longer work. */
  checkKey(): void;
}

/** The streams that are open in this process, within their limits. */
export class OpenStreams {
  readonly #limits: StreamLimits;
  readonly #byKey = new Map<string, Set<OpenStream>>();
  #count = 0;
  #isStopped = false;

  constructor(limits: StreamLimits, metrics: Metrics) {
    this.#limits = limits;
    metrics.gauge('shipping_streams_open', 'Open streams of subscriptions', () => this.#count);
  }

  /** @throws Fault `rate_limited`, or `unavailable` where the process has as many as it may */
  requireRoom(apiKeyId: string): void {
    const { maxStreams, maxStreamsPerKey } = this.#limits;
    const headers = { 'retry-after': '5' };
    if (this.#isStopped || this.#count >= maxStreams) {
      throw new Fault('unavailable', { detail: 'The service has no room for another stream. Try again.', headers });
    }
    if ((this.#byKey.get(apiKeyId)?.size ?? 0) < maxStreamsPerKey) return;
    throw new Fault('rate_limited', {
      detail: `The key has ${maxStreamsPerKey} open streams, which is the limit. Close one first.`,
      headers,
    });
  }

  /** Adds one that there is room for; the returned function takes it out. */
  add(apiKeyId: string, stream: OpenStream): () => void {
    const streams = this.#byKey.get(apiKeyId) ?? new Set();
    this.#byKey.set(apiKeyId, streams.add(stream));
    this.#count++;
    return () => {
      if (!streams.delete(stream)) return;
      this.#count--;
      if (streams.size === 0) this.#byKey.delete(apiKeyId);
    };
  }

  /** Has the streams of a key check it, or all of them theirs. */
  checkKey(apiKeyId?: string): void {
    const keys = apiKeyId === undefined ? [...this.#byKey.values()] : [this.#byKey.get(apiKeyId) ?? []];
    for (const streams of keys) for (const stream of [...streams]) stream.checkKey();
  }

  /** Ends all streams, and opens none from now on. */
  stop(): void {
    this.#isStopped = true;
    for (const streams of this.#byKey.values()) for (const stream of [...streams]) stream.stop();
  }
}

/** What the streams of a process have in common. */
export interface Streams {
  readonly open: OpenStreams;
  readonly signals: CompanySignals;
  readonly limits: HttpLimits;
  readonly metrics: Metrics;
}
