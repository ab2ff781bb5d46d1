import type { Middleware } from 'koa';
import { asFault } from '../platform/problem.ts';
import { type Tracing, traced } from '../platform/telemetry/tracing.ts';
import type { RequestState } from './request-state.ts';

/** Each request as a span under the caller's own; its statements and carrier calls become child spans. */
export function tracedRequests(tracing: Tracing): Middleware {
  return async (ctx, next) => {
    const state = ctx.state as RequestState;
    const attributes = { 'http.request.method': ctx.method, 'request.id': state.requestId };
    const options = { kind: 'server', attributes, traceparent: ctx.get('traceparent') } as const;
    // Passed around the span: outer middleware answers it, and the span fails only for errors of the service.
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
