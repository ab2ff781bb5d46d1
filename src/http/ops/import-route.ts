import type Router from '@koa/router';
import { ownTurn } from '../../platform/limits/turns.ts';
import { POLICY } from '../docs/routes.ts';
import { named } from '../rest/router.ts';

const PATH = '/ops/import';

/**
 * The page that imports files. It shows nothing of a company by itself, so it needs no login: the key that a person
 * types in opens the company.
 */
export function addImportPage(router: Router): void {
  router.get(PATH, named(PATH), async ctx => {
    await ownTurn('readers of pages');
    // Loaded with the libraries of the documentation at the first request.
    const { importPage } = await import('./import-page.ts');
    ctx.set('content-security-policy', POLICY);
    ctx.set('referrer-policy', 'no-referrer');
    ctx.set('cache-control', 'public, max-age=300');
    ctx.set('x-content-type-options', 'nosniff');
    ctx.type = 'text/html';
    ctx.body = importPage();
  });
}
