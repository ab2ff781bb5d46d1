import type { IncomingMessage, ServerResponse } from 'node:http';
import type Router from '@koa/router';
import { secretsEqual } from '../../platform/secrets/secrets-equal.ts';
import type { Metrics } from '../../platform/telemetry/metrics.ts';
import { named } from '../rest/router.ts';

type Listener = (request: IncomingMessage, response: ServerResponse) => Promise<void>;

/** Serves Prometheus; if there is a token, only requests with it as `Authorization: Bearer`. */
export function metricsListener({ registry, text }: Metrics, token: string | undefined): Listener {
  return async ({ headers }, response) => {
    const [, given = ''] = /^Bearer +(\S+) *$/i.exec(headers.authorization ?? '') ?? [];
    if (token !== undefined && !secretsEqual(given, token)) {
      response.writeHead(401, { 'www-authenticate': 'Bearer' }).end();
      return;
    }
    const body = await text().catch(() => undefined);
    response.writeHead(body === undefined ? 500 : 200, { 'content-type': registry.contentType });
    response.end(body);
  };
}

/** Adds the metrics to the routes of the API, which callers reach, so a token is required. */
export function addMetrics(router: Router, metrics: Metrics, token: string): void {
  const listener = metricsListener(metrics, token);
  router.get('/metrics', named('/metrics'), async ctx => {
    ctx.respond = false;
    await listener(ctx.req, ctx.res);
  });
}
