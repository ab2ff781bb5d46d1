import type { Middleware } from 'koa';
import { asFault } from '../platform/problem.ts';
import { type Tracing, traced } from '../platform/telemetry/tracing.ts';
import type { RequestState } from './request-state.ts';

/** Each request as a span under the caller's own; what it asks of database and carriers comes under it. */
export function tracedRequests(tracing: Tracing): Middleware {
  return async (ctx, next) => {
    const state = ctx.state as RequestState;
    const attributes = { 'http.request.method': ctx.method, 'request.id': state.requestId };
    const options = { kind: 'server', attributes, traceparent: ctx.get('traceparent') } as const;
    // Handed round the span: it becomes an answer further out, and is a failure of the span only where it is ours.
    const thrown = await traced(tracing, ctx.method, options, async span => {
      const error = await next().catch((error: unknown) => asFault(error));
      const status = error ? error.status : ctx.status;
      span?.rename(`${ctx.method} ${state.route}`);
      span?.add({ 'http.route': state.route, 'http.response.status_code': status });
      if (status >= 500) span?.fail(error ? error.code : String(status));
      return error;
    });
    if (thrown) throw thrown;
  };
}
