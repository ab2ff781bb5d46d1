import type { Middleware } from 'koa';
import { remoteSpanOf, type Tracing, traced, unsentSpans } from '../platform/telemetry/tracing.ts';
import type { RequestState } from './request-state.ts';

/**
 * Each request as a span under the caller's own; its statements and carrier calls become child spans. Log lines have the
 * id of its trace, which is the caller's if tracing is off.
 */
export function tracedRequests(tracing: Tracing | undefined): Middleware {
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
