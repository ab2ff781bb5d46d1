import type Router from '@koa/router';
import type { Operators } from '../../platform/secrets/operators.ts';
import { addAssets, POLICY } from '../docs/routes.ts';
import { named } from '../rest/router.ts';
import { forOperators } from './for-operators.ts';
import type { OpsSection } from './status-page.ts';

const PATH = '/ops';

export interface StatusPage {
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
