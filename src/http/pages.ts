import type Router from '@koa/router';
import { Fault } from '../platform/fault.ts';
import { ownTurn } from '../platform/limits/turns.ts';
import { SERVICE_VERSION } from '../platform/service-version.ts';
import { addDocs } from './docs/routes.ts';
import { named } from './rest/router.ts';

/** Whether the service is ready, or the reason why not. */
export type Readiness = () => Promise<{ readonly ready: boolean; readonly reason?: string }>;

/** Routes without a key: probes. */
export function addProbes(router: Router, readiness: Readiness): void {
  router.get('/livez', named('/livez'), ctx => {
    ctx.body = { status: 'alive', version: SERVICE_VERSION };
  });
  router.get('/readyz', named('/readyz'), async ctx => {
    // Requests without a key are not counted.
    await ownTurn('probes');
    const { ready, reason } = await readiness();
    if (!ready) throw new Fault('unavailable', { detail: reason, headers: { 'retry-after': '2' } });
    ctx.body = { status: 'ready', version: SERVICE_VERSION };
  });
}

/** Routes without a key: the documentation with the contracts, and carriers' badges. */
export function addPages(router: Router, publicUrl: () => string, badge: (code: string) => string | undefined): void {
  addDocs(router, publicUrl);
  router.get('/logos/:code.svg', named('/logos/:code.svg'), ctx => {
    const svg = badge(ctx.params.code ?? '');
    if (svg === undefined) throw new Fault('route_not_found');
    ctx.set('cache-control', 'public, max-age=86400');
    ctx.type = 'image/svg+xml';
    ctx.body = svg;
  });
}
