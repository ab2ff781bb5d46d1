import type { CompanySignals } from '../../platform/database/tenancy/company-signals.ts';
import { Fault } from '../../platform/fault.ts';
import type { HttpLimits } from '../../platform/limits/http-limits.ts';
import type { Metrics } from '../../platform/telemetry/metrics.ts';

interface StreamLimits {
  /** Open streams of a process, in all and by key. */
  readonly maxStreams: number;
  readonly maxStreamsPerKey: number;
}

/** The events of the process for an open stream. */
export interface OpenStream {
  stop(): void;
  /** Its key may no longer be valid. */
  checkKey(): void;
}

/** The open streams of this process, within their limits. */
export class OpenStreams {
  readonly #limits: StreamLimits;
  readonly #byKey = new Map<string, Set<OpenStream>>();
  #count = 0;
  #isStopped = false;

  constructor(limits: StreamLimits, metrics: Metrics) {
    this.#limits = limits;
    metrics.gauge('shipping_streams_open', 'Open streams of subscriptions', () => this.#count);
  }

  /** @throws Fault `rate_limited`, or `unavailable` if the process has reached its limit */
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

  /** Adds a stream for which there is room; the returned function removes it. */
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

  /** Makes the streams of a key check it; without a key, all streams check theirs. */
  checkKey(apiKeyId?: string): void {
    const keys = apiKeyId === undefined ? [...this.#byKey.values()] : [this.#byKey.get(apiKeyId) ?? []];
    for (const streams of keys) for (const stream of [...streams]) stream.checkKey();
  }

  /** Ends all streams, and rejects new ones. */
  stop(): void {
    this.#isStopped = true;
    for (const streams of this.#byKey.values()) for (const stream of [...streams]) stream.stop();
  }
}

/** The things that the streams of a process share. */
export interface Streams {
  readonly open: OpenStreams;
  readonly signals: CompanySignals;
  readonly limits: HttpLimits;
  readonly metrics: Metrics;
}
