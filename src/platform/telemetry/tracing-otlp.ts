import { type Context, ROOT_CONTEXT, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { defaultResource, detectResources, envDetector, resourceFromAttributes } from '@opentelemetry/resources';
import { BatchSpanProcessor, NodeTracerProvider, type SpanExporter } from '@opentelemetry/sdk-trace-node';
import { SERVICE_VERSION } from '../service-version.ts';
import type { Log } from './log.ts';
import { type Attributes, remoteSpanOf, type Span, type SpanOptions, type Tracing } from './tracing.ts';

const EXPORT_TIMEOUT_MS = 5_000;
/** Spans that the collector has not taken by then are lost: a process that stops has ten seconds for everything. */
const STOP_MS = 2_000;

const SERVICE = { 'service.name': 'shipping-integrations-api', 'service.version': SERVICE_VERSION };

const KINDS = { server: SpanKind.SERVER, client: SpanKind.CLIENT, consumer: SpanKind.CONSUMER } as const;

type Tracer = ReturnType<NodeTracerProvider['getTracer']>;

/**
 * Sends spans to a collector, in batches. Nothing is global, so that several apps can run in one process, and this
 * module with all of OpenTelemetry is loaded only if an endpoint is set. OpenTelemetry itself reads
 * `OTEL_EXPORTER_OTLP_HEADERS`, `OTEL_TRACES_SAMPLER`, `OTEL_SERVICE_NAME` and the like.
 */
export function startTracing(endpoint: string, log: Log): Tracing {
  const exporter = new OTLPTraceExporter({ url: `${endpoint}/v1/traces`, timeoutMillis: EXPORT_TIMEOUT_MS });
  const provider = new NodeTracerProvider({
    resource: defaultResource()
      .merge(resourceFromAttributes(SERVICE))
      .merge(detectResources({ detectors: [envDetector] })),
    spanProcessors: [new BatchSpanProcessor(noting(exporter, log))],
  });
  const tracer = provider.getTracer('shipping-integrations-api');
  return {
    start: (name, options) => new OtlpSpan(tracer, name, options, contextOf(options.traceparent)),
    async stop() {
      const overdue = Promise.withResolvers<void>();
      const timer = setTimeout(overdue.resolve, STOP_MS);
      await Promise.race([provider.shutdown().catch(() => undefined), overdue.promise]);
      clearTimeout(timer);
    },
  };
}

class OtlpSpan implements Span {
  readonly #tracer: Tracer;
  readonly #span: ReturnType<Tracer['startSpan']>;

  constructor(tracer: Tracer, name: string, { kind, attributes }: SpanOptions, parent: Context) {
    this.#tracer = tracer;
    this.#span = tracer.startSpan(name, { kind: KINDS[kind], attributes }, parent);
  }

  get traceId(): string {
    return this.#span.spanContext().traceId;
  }

  start(name: string, options: SpanOptions): Span {
    return new OtlpSpan(this.#tracer, name, options, trace.setSpan(ROOT_CONTEXT, this.#span));
  }

  rename(name: string): void {
    this.#span.updateName(name);
  }

  add(attributes: Attributes): void {
    this.#span.setAttributes(attributes);
  }

  fail(type: string): void {
    this.#span.setAttribute('error.type', type).setStatus({ code: SpanStatusCode.ERROR });
  }

  end(): void {
    this.#span.end();
  }
}

function contextOf(traceparent = ''): Context {
  const caller = remoteSpanOf(traceparent);
  if (caller === undefined) return ROOT_CONTEXT;
  const { traceId, spanId, isSampled } = caller;
  return trace.setSpanContext(ROOT_CONTEXT, { traceId, spanId, traceFlags: isSampled ? 1 : 0, isRemote: true });
}

/** Logs once when the collector fails, and once when it works again. */
function noting(exporter: SpanExporter, log: Log): SpanExporter {
  let isAway = false;
  return {
    export: (spans, done) =>
      exporter.export(spans, result => {
        const isLost = result.error !== undefined;
        if (isLost && !isAway) log.warn({ reason: result.error?.message }, 'traces are not taken by the collector');
        else if (!isLost && isAway) log.info('traces are taken by the collector again');
        isAway = isLost;
        done(result);
      }),
    shutdown: () => exporter.shutdown(),
    forceFlush: () => exporter.forceFlush?.() ?? Promise.resolve(),
  };
}
