import type { IncomingMessage } from 'node:http';
import cors from '@koa/cors';
import Koa, { type Context, type Middleware, type Next } from 'koa';
import { asFault } from '../platform/problem.ts';
import { logFailure } from '../platform/telemetry/failure-log.ts';
import type { Log } from '../platform/telemetry/log.ts';
import type { Metrics } from '../platform/telemetry/metrics.ts';
import { remoteSpanOf, type Tracing, traced, unsentSpans } from '../platform/telemetry/tracing.ts';
import { isBodyUnasked } from './guards/body.ts';
import { type RequestState, requestIdOf } from './request-state.ts';
import { sendProblem } from './send-problem.ts';
import { answerUnchanged, compress } from './sent-texts.ts';
import { assertWellFormed } from './well-formed.ts';

interface ServerTools {
  readonly log: Log;
  readonly metrics: Metrics;
  readonly tracing: Tracing | undefined;
  readonly publicUrl: () => string;
  /** Shows its rates to a recognised key, whose request was rejected before the key was read. */
  readonly showRates: ((ctx: Context) => Promise<void>) | undefined;
}

/** A Koa application: every response has a request id, every failure is a problem, every request has a log line. */
export function createServer({ log, metrics, tracing, publicUrl, showRates }: ServerTools): Koa {
  const app = new Koa();
  // Outside of what logs, so that its lines have the trace.
  app.use(tracedRequests(tracing));
  const time = requestTimer(metrics);
  app.use(async (ctx, next) => {
    const startedAt = performance.now();
    const requestId = requestIdOf(ctx.get('x-request-id'));
    const state = ctx.state as RequestState;
    state.requestId = requestId;
    state.route = 'unmatched';
    ctx.set('x-request-id', requestId);
    try {
      assertWellFormed(ctx);
      await next();
    } catch (thrown) {
      const fault = asFault(thrown);
      state.fault = fault;
      // A fault that a disconnected caller would have received does not count as a failure of the service.
      if (fault.status >= 500 && !ctx.res.destroyed) logFailure(log, requestId, fault);
      if (hasUnreadBody(ctx.req)) ctx.set('connection', 'close');
      if (!ctx.res.hasHeader('ratelimit')) await showRates?.(ctx);
      if (state.sendFault) state.sendFault(ctx, fault);
      else sendProblem(ctx, fault, publicUrl());
    }
    // The caller may send its next request in the place of the body.
    if (isBodyUnasked(ctx.req)) ctx.set('connection', 'close');
    answerUnchanged(ctx);
    await compress(ctx);
    const durationMs = performance.now() - startedAt;
    time(ctx, durationMs / 1000);
    note(ctx, durationMs, log);
  });
  // Errors while a response is written, because the caller has disconnected, need no action.
  app.on('error', error => log.debug({ reason: error.message }, 'answer not delivered'));
  return app;
}

/** Bytes of a body that Node reads and drops, so that its connection can be reused. */
const MAX_DROPPED_BYTES = 64 * 1024;

/** Whether the rest of a rejected request is too long to be read. */
function hasUnreadBody({ complete, headers }: IncomingMessage): boolean {
  if (complete) return false;
  const length = headers['content-length'];
  return length === undefined ? headers['transfer-encoding'] !== undefined : Number(length) > MAX_DROPPED_BYTES;
}

/** In logs and metrics, the status of a request whose caller hung up before the response: nobody received any. */
const CALLER_GONE = 499;

function statusOf({ res, status }: Context): number {
  return res.destroyed && !res.writableFinished ? CALLER_GONE : status;
}

/** Records the duration of a request, in the series of its route, method and status, whose hash would be costly. */
function requestTimer({ requests }: Metrics): (ctx: Context, seconds: number) => void {
  const series = new Map<string, ReturnType<typeof requests.labels>>();
  return (ctx, seconds) => {
    const { state, method } = ctx;
    const status = statusOf(ctx);
    const { route } = state as RequestState;
    const key = `${route} ${method} ${status}`;
    const found = series.get(key) ?? requests.labels({ route, method, status: String(status) });
    series.set(key, found);
    found.observe(seconds);
  };
}

/** Routes that machines request every few seconds. Their log lines would hide the lines of callers. */
const ROUTES_OF_MACHINES: readonly string[] = ['/livez', '/readyz', '/metrics'];

function note(ctx: Context, durationMs: number, log: Log): void {
  const { requestId, route, context, operator } = ctx.state as RequestState;
  const { method } = ctx;
  const status = statusOf(ctx);
  log[ROUTES_OF_MACHINES.includes(route) || status === CALLER_GONE ? 'debug' : 'info'](
    {
      requestId,
      companyId: context?.principal.companyId,
      apiKeyId: context?.principal.apiKeyId,
      operator,
      method,
      route,
      status,
      durationMs: Math.round(durationMs * 100) / 100,
      // User errors have the status 200.
      ...(context?.userErrors?.length && { userErrors: context.userErrors }),
    },
    'request',
  );
}

/**
 * Each request as a span under the caller's own; its statements and carrier calls become child spans. Log lines have the
 * id of its trace, which is the caller's if tracing is off.
 */
function tracedRequests(tracing: Tracing | undefined): Middleware {
  return (ctx, next) => {
    const traceparent = ctx.get('traceparent');
    const caller = tracing === undefined ? remoteSpanOf(traceparent) : undefined;
    const source = tracing ?? (caller && unsentSpans(caller));
    // Most requests have no span, and pay nothing for it.
    if (source === undefined) return next();
    const options = { kind: 'server', attributes: { 'http.request.method': ctx.method }, traceparent } as const;
    return traced(source, ctx.method, options, async span => {
      await next();
      const { requestId, route, fault } = ctx.state as RequestState;
      const { status } = ctx;
      span?.rename(`${ctx.method} ${route}`);
      span?.add({ 'request.id': requestId, 'http.route': route, 'http.response.status_code': status });
      // The span fails for errors of the service only.
      if (status >= 500) span?.fail(fault?.code ?? String(status));
    });
  };
}

const REACHABLE = /^\/(api\/|graphql$|mcp$|openapi\.json$)/;

/** Whether pages of an origin may call the API: the service's own pages, and the allowed origins. */
export function mayCallFrom(origins: readonly string[], publicUrl: () => string): (origin: string) => boolean {
  return origin => origins.includes('*') || origins.includes(origin) || origin === new URL(publicUrl()).origin;
}

/**
 * Lets pages of other origins call the API. Keys are sent in headers and never by the browser itself, so an origin gets
 * nothing that its page does not know already.
 *
 * @param origins the allowed origins, or `*`
 */
export function crossOrigin(origins: readonly string[]) {
  const isOpen = origins.includes('*');
  const allow = cors({
    origin: isOpen ? '*' : ctx => origins.find(origin => origin === ctx.get('origin')) ?? '',
    allowMethods: 'GET, HEAD, POST, PATCH, DELETE',
    allowHeaders:
      'authorization, content-type, idempotency-key, if-none-match, last-event-id, mcp-protocol-version, x-api-key, x-request-id',
    exposeHeaders:
      'etag, idempotent-replayed, ratelimit, ratelimit-policy, retry-after, www-authenticate, x-request-id',
    maxAge: '7200',
    // An error is sent with the current headers of the context.
    keepHeadersOnError: false,
  });
  return (ctx: Context, next: Next): Promise<void> => (REACHABLE.test(ctx.path) ? allow(ctx, next) : next());
}
