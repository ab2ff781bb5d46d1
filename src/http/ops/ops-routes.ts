import type { IncomingMessage, ServerResponse } from 'node:http';
import type Router from '@koa/router';
import type { Middleware } from 'koa';
import type { JobDashboard } from '../../platform/jobs/job-dashboard.ts';
import { OPERATOR_CHALLENGE, type Operators, operatorOf } from '../../platform/secrets/operators.ts';
import { secretsEqual } from '../../platform/secrets/secrets-equal.ts';
import type { Metrics } from '../../platform/telemetry/metrics.ts';
import { addAssets, POLICY } from '../docs/routes.ts';
import type { RequestState } from '../request-state.ts';
import { named } from '../rest/router.ts';
import type { OpsSection } from './status-page.ts';

// The routes of operators: the status page, the dashboard of jobs, and the metrics.

/** Lets only operators in, and notes the operator for the log. */
function forOperators(operators: Operators): Middleware {
  return (ctx, next) => {
    const operator = operatorOf(ctx.get('authorization'), operators);
    if (operator === undefined) {
      ctx.status = 401;
      ctx.set('www-authenticate', OPERATOR_CHALLENGE);
      return;
    }
    (ctx.state as RequestState).operator = operator;
    return next();
  };
}

const PATH = '/ops';

interface StatusPage {
  /** Undefined if the database does not respond. */
  readonly sections: () => Promise<readonly OpsSection[] | undefined>;
  readonly operators: Operators;
  /** Whether the process serves the documentation, and the assets of its pages. */
  readonly hasDocs: boolean;
}

/** The page for operators. */
export function addStatusPage(router: Router, { sections, operators, hasDocs }: StatusPage): void {
  if (!hasDocs) addAssets(router);
  router.get(PATH, named(PATH), forOperators(operators), async ctx => {
    // Loaded with the libraries of the documentation at the first request.
    const { statusPage } = await import('./status-page.ts');
    ctx.set('content-security-policy', POLICY);
    ctx.set('referrer-policy', 'no-referrer');
    ctx.set('cache-control', 'no-store');
    ctx.set('x-content-type-options', 'nosniff');
    ctx.type = 'text/html';
    ctx.body = statusPage(await sections(), hasDocs);
  });
}

export const DASHBOARD_PATH = '/ops/jobs';

/** pg-boss' dashboard among the routes of the service, for operators. */
export function addJobDashboard(router: Router, dashboard: JobDashboard, operators: Operators): void {
  // The second path serves the data of the first.
  const paths = [DASHBOARD_PATH, `${DASHBOARD_PATH}.data`, `${DASHBOARD_PATH}/*rest`];
  router.register(
    paths,
    ['GET'],
    [
      named(DASHBOARD_PATH),
      forOperators(operators),
      async ctx => {
        ctx.respond = false;
        try {
          await dashboard.answer(ctx.req, ctx.res);
        } catch (error) {
          ctx.respond = !ctx.res.headersSent;
          throw error;
        }
      },
    ],
  );
}

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
