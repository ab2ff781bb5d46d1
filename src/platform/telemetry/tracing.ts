import { AsyncLocalStorage } from 'node:async_hooks';

/** Names, ids, codes and numbers. What a request asked for, where it went and whom it is about are never among them. */
export type Attributes = Readonly<Record<string, string | number>>;

export interface SpanOptions {
  /** `server` answers a caller, `client` asks a server, `consumer` does a job. */
  readonly kind: 'server' | 'client' | 'consumer';
  readonly attributes: Attributes;
  /** The caller's own span, as W3C's `traceparent` has it; anything else is as if it were left out. */
  readonly traceparent?: string | undefined;
}

/** What spans begin at: another span, or the tracing itself for those that have none above them. */
export interface SpanSource {
  start(name: string, options: SpanOptions): Span;
}

/** Something that is being done, and how long it takes. */
export interface Span extends SpanSource {
  rename(name: string): void;
  add(attributes: Attributes): void;
  /** @param type what kind of failure: a class or a code, never a message, which may hold anything */
  fail(type: string): void;
  end(): void;
}

export interface Tracing extends SpanSource {
  /** Sends what it still has, for as long as that may take. */
  stop(): Promise<void>;
}

const active = new AsyncLocalStorage<Span>();

/** What is under way here; undefined outside of all spans, and without tracing. */
export function activeSpan(): Span | undefined {
  return active.getStore();
}

/** Begins something that outlasts what is under way here, and so is no part of it. */
export function untraced(begin: () => void): void {
  active.exit(begin);
}

/** Does something as a span that begins at `source`; without one it is merely done. */
export function traced<Result>(
  source: SpanSource | undefined,
  name: string,
  options: SpanOptions,
  work: (span: Span | undefined) => Promise<Result>,
): Promise<Result> {
  return source === undefined ? work(undefined) : within(source.start(name, options), work);
}

/** Does something once, as a span under each of several others. */
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
