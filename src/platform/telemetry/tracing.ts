import { AsyncLocalStorage } from 'node:async_hooks';

/** Names, ids, codes and numbers, but never the content of a request, its address, or a person. */
export type Attributes = Readonly<Record<string, string | number>>;

export interface SpanOptions {
  /** `server` responds to a caller, `client` sends a request, `consumer` runs a job. */
  readonly kind: 'server' | 'client' | 'consumer';
  readonly attributes: Attributes;
  /** The caller's own span, as W3C's `traceparent`; an invalid value is ignored. */
  readonly traceparent?: string | undefined;
}

/** The parent of a span: another span, or the tracing itself. */
interface SpanSource {
  start(name: string, options: SpanOptions): Span;
}

/** An operation and its duration. */
export interface Span extends SpanSource {
  /** The trace that the span belongs to, as 32 hexadecimal digits. */
  readonly traceId: string;
  rename(name: string): void;
  add(attributes: Attributes): void;
  /** @param type a class or a code, never a message, which may hold anything */
  fail(type: string): void;
  end(): void;
}

export interface Tracing extends SpanSource {
  /** Sends the remaining spans, within the time limit. */
  stop(): Promise<void>;
}

/** A caller's own span. */
interface RemoteSpan {
  readonly traceId: string;
  readonly spanId: string;
  readonly isSampled: boolean;
}

const TRACEPARENT = /^(?!ff)[0-9a-f]{2}-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-([0-9a-f]{2})(?:-.*)?$/;

/** Reads W3C's `traceparent`; undefined if it is not valid. */
export function remoteSpanOf(traceparent: string): RemoteSpan | undefined {
  const [, traceId, spanId, flags] = TRACEPARENT.exec(traceparent) ?? [];
  if (traceId === undefined || spanId === undefined || flags === undefined) return undefined;
  return { traceId, spanId, isSampled: (Number.parseInt(flags, 16) & 1) === 1 };
}

/** Spans that are sent nowhere, for log lines with the trace of a caller while tracing is off. */
export function unsentSpans({ traceId }: RemoteSpan): Span {
  const span: Span = { traceId, start: () => span, rename: ignore, add: ignore, fail: ignore, end: ignore };
  return span;
}

function ignore(): void {}

const active = new AsyncLocalStorage<Span>();

/** The span in progress; undefined outside of all spans, and without tracing. */
export function activeSpan(): Span | undefined {
  return active.getStore();
}

/** Starts something that outlasts the current span, and therefore not as its child. */
export function untraced(begin: () => void): void {
  active.exit(begin);
}

/** Runs something as a child span of `source`; without a source it is merely run. */
export function traced<Result>(
  source: SpanSource | undefined,
  name: string,
  options: SpanOptions,
  work: (span: Span | undefined) => Promise<Result>,
): Promise<Result> {
  return source === undefined ? work(undefined) : within(source.start(name, options), work);
}

/** Runs something once, as a span under each of several parents. */
export function tracedUnder<Result>(
  sources: readonly SpanSource[],
  name: string,
  options: SpanOptions,
  work: () => Promise<Result>,
): Promise<Result> {
  return sources.reduce((inner, source) => () => traced(source, name, options, inner), work)();
}

async function within<Result>(span: Span, work: (span: Span) => Promise<Result>): Promise<Result> {
  try {
    return await active.run(span, work, span);
  } catch (error) {
    span.fail(error instanceof Error ? error.name : 'unknown');
    throw error;
  } finally {
    span.end();
  }
}
