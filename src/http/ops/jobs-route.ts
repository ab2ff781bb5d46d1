import type Router from '@koa/router';
import type { JobDashboard } from '../../platform/jobs/job-dashboard.ts';
import type { Operators } from '../../platform/secrets/operators.ts';
import { named } from '../rest/router.ts';
import { forOperators } from './for-operators.ts';

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
