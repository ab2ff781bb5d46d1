import { Counter, collectDefaultMetrics, Gauge, Histogram, type Metric, Registry } from 'prom-client';
import { ALL_RATE_CLASSES } from '../limits/rates.ts';
import { SERVICE_VERSION } from '../service-version.ts';
import { StatementDurations } from './statement-durations.ts';

export type Metrics = ReturnType<typeof createMetrics>;

/** A value and its labels. No label may have an unlimited number of values. */
interface Sample {
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

/** Outcomes of requests with an `Idempotency-Key`. */
const IDEMPOTENT_OUTCOMES = ['executed', 'failed', 'replayed', 'reused', 'in_progress', 'lost'] as const;

/** The limits that a GraphQL document may exceed. */
const GRAPHQL_LIMITS = ['depth', 'cost', 'time'] as const;

/** Reasons for which the service closed a connection. */
const CLOSED_FOR = ['limit', 'key_limit', 'unread', 'unreadable'] as const;

const STREAMS_ENDED_FOR = ['reader', 'complete', 'stopping', 'unread', 'key', 'error'] as const;
export type StreamEnd = (typeof STREAMS_ENDED_FOR)[number];

/** Reasons for which the payload of a webhook differs from the selection of its endpoint. */
const SELECTIONS_FAILED_FOR = ['invalid', 'too_long', 'unreadable'] as const;
export type SelectionFailure = (typeof SELECTIONS_FAILED_FOR)[number];

const NOTICED = [
  ...(['endpoint_failing', 'endpoint_disabled', 'endpoint_recovered'] as const),
  ...(['credentials_refused', 'credentials_accepted', 'key_expiring', 'tariff_ending'] as const),
] as const;
export type Noticed = (typeof NOTICED)[number];

/** Series of a carrier's unknown codes. */
const MAX_UNKNOWN_CODES = 50;

/** Hits and misses of a cache. */
interface CacheCounts {
  readonly hits: number;
  readonly misses: number;
}

/**
 * The metrics of the process for Prometheus, in their own registry so that several apps can run in one process.
 *
 * @param read returns the text for Prometheus, if it is not of this process alone
 */
export function createMetrics(read?: () => Promise<string>) {
  const registry = new Registry();
  const registers = [registry];
  collectDefaultMetrics({ register: registry });
  // Gauges whose names end in `_total` like counters, which Prometheus' own checks report. The gauges by type, without
  // `_total`, are kept.
  for (const what of ['handles', 'requests', 'resources']) registry.removeSingleMetric(`nodejs_active_${what}_total`);
  new Gauge({
    name: 'shipping_build_info',
    help: 'The version of the service as a label; the value is always 1',
    labelNames: ['version'],
    registers,
  }).set({ version: SERVICE_VERSION }, 1);
  const statements = new StatementDurations();
  registry.registerMetric(statements as unknown as Metric);
  const caches = new Map<string, CacheCounts>();
  new Counter({
    name: 'shipping_cache_reads_total',
    help: 'Requests to a cache, by whether the value was there',
    labelNames: ['cache', 'result'],
    registers,
    // Caches count by themselves and are read when scraped, because labels cost more than a cache hit saves.
    collect() {
      this.reset();
      for (const [cache, { hits, misses }] of caches) {
        this.inc({ cache, result: 'hit' }, hits);
        this.inc({ cache, result: 'miss' }, misses);
      }
    },
  });
  /** One series for each value, present from the start: a rate would miss an event that begins its series. */
  const countEach = <Value extends string>(name: string, help: string, label: string, values: readonly Value[]) => {
    const counter = new Counter({ name, help, labelNames: [label], registers });
    for (const value of values) counter.inc({ [label]: value }, 0);
    return (value: Value) => counter.inc({ [label]: value });
  };
  const unknownCodes = new Counter({
    name: 'shipping_carrier_codes_unknown_total',
    help: "Events of live connections with a code that the carrier's table has no row for",
    labelNames: ['carrier', 'code'],
    registers,
  });
  const codesOf = new Map<string, Set<string>>();
  return {
    registry,
    text: read ?? (() => registry.metrics()),
    requests: new Histogram({
      name: 'shipping_http_request_duration_seconds',
      help: 'Duration of requests by route, method and status',
      labelNames: ['route', 'method', 'status'],
      buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10],
      registers,
    }),
    rateLimited: countEach(
      'shipping_rate_limited_total',
      'Requests rejected because their key had used up its limit, by rate class',
      'rate_class',
      ALL_RATE_CLASSES,
    ),
    idempotent: countEach(
      'shipping_idempotent_requests_total',
      'Requests with an Idempotency-Key by outcome: executed, failed and to be sent again, replayed, or rejected',
      'outcome',
      IDEMPOTENT_OUTCOMES,
    ),
    connectionClosed: countEach(
      'shipping_http_connections_closed_total',
      'Connections closed by the service: too many at all, of a key, a response nobody reads, a request that cannot be read or is late',
      'reason',
      CLOSED_FOR,
    ),
    graphqlRejected: countEach(
      'shipping_graphql_rejected_total',
      'GraphQL operations rejected or given up, by the limit they exceed',
      'limit',
      GRAPHQL_LIMITS,
    ),
    streamEvents: new Counter({
      name: 'shipping_stream_events_total',
      help: 'Events of subscriptions that were sent',
      registers,
    }),
    streamEnded: countEach(
      'shipping_streams_ended_total',
      'Streams that ended: their reader left, there was no more to send, the service stopped, nobody read them, their key no longer works, or an error',
      'reason',
      STREAMS_ENDED_FOR,
    ),
    statements,
    keyLookups: new Counter({
      name: 'shipping_api_key_lookups_total',
      help: 'Keys looked up in the database because the cache had none',
      registers,
    }),
    tariffCompilations: new Counter({
      name: 'shipping_tariff_compilations_total',
      help: 'Tariffs read and compiled because memory had none of their revision',
      registers,
    }),
    webhookAttempts: new Histogram({
      name: 'shipping_webhook_attempt_duration_seconds',
      help: 'Attempts to deliver a webhook by outcome',
      labelNames: ['outcome'],
      buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 15],
      registers,
    }),
    selectionFailed: countEach(
      'shipping_webhook_selection_failures_total',
      'Payloads of webhooks that are not what their endpoint selects: the selection is no longer valid, its data is too long, or a field could not be read',
      'reason',
      SELECTIONS_FAILED_FOR,
    ),
    noticed: countEach(
      'shipping_notices_total',
      'Notices by kind, whether or not an endpoint receives them',
      'kind',
      NOTICED,
    ),
    removedRows: new Counter({
      name: 'shipping_retention_removed_rows_total',
      help: 'Rows that were past their time and were deleted or anonymized, by table',
      labelNames: ['table'],
      registers,
    }),
    carrierRequests: new Histogram({
      name: 'shipping_carrier_request_duration_seconds',
      help: "Requests to carriers' interfaces by purpose and result: a status, or why there is none",
      labelNames: ['carrier', 'purpose', 'outcome'],
      buckets: [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 8],
      registers,
    }),
    carrierCallsDropped: new Counter({
      name: 'shipping_carrier_calls_not_recorded_total',
      help: 'Calls to carriers that were made and not recorded, since the database could not be written',
      registers,
    }),
    /** Codes beyond the first of a carrier are counted together, since companies can send any. */
    carrierCodeUnknown(carrier: string, code: string) {
      const codes = codesOf.get(carrier) ?? new Set();
      codesOf.set(carrier, codes);
      if (codes.size < MAX_UNKNOWN_CODES) codes.add(code);
      unknownCodes.inc({ carrier, code: codes.has(code) ? code : '(other)' });
    },
    watchCache: (name: string, counts: CacheCounts) => void caches.set(name, counts),
    /** Reads values when scraped, from the database and so equal for every process. A series that is not returned is removed. */
    gauges: (name: string, help: string, labelNames: string[], read: () => Promise<readonly Sample[]>) =>
      new Gauge({
        name,
        help,
        labelNames,
        registers,
        async collect() {
          const samples = await read();
          this.reset();
          // A reset of a gauge without labels would set it to 0.
          if (labelNames.length === 0) this.remove();
          for (const { labels, value } of samples) this.set(labels, value);
        },
      }),
    /** Reads a value when scraped. */
    gauge: (name: string, help: string, value: () => number) =>
      new Gauge({
        name,
        help,
        registers,
        collect() {
          this.set(value());
        },
      }),
  };
}
