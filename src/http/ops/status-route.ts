import type Router from '@koa/router';
import { isPassword } from '../../platform/secrets/basic-password.ts';
import { addAssets, POLICY } from '../docs/routes.ts';
import { named } from '../rest/router.ts';
import type { OpsSection } from './status-page.ts';

const PATH = '/ops';

export interface StatusPage {
  /** Undefined if the database does not respond. */
  readonly sections: () => Promise<readonly OpsSection[] | undefined>;
  readonly user: string;
  readonly password: string;
  /** Whether the process serves the documentation, and the assets of its pages. */
  readonly hasDocs: boolean;
}

/** The page for operators, behind the password of the job dashboard. */
export function addStatusPage(router: Router, { sections, user, password, hasDocs }: StatusPage): void {
  if (!hasDocs) addAssets(router);
  router.get(PATH, named(PATH), async ctx => {
    if (!isPassword(ctx.get('authorization'), user, password)) {
      ctx.status = 401;
      ctx.set('www-authenticate', 'Basic realm="Operations", charset="UTF-8"');
      return;
    }
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
