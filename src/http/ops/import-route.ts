import type Router from '@koa/router';
import type { Context } from 'koa';
import { ownTurn } from '../../platform/limits/turns.ts';
import { POLICY } from '../docs/routes.ts';
import { named } from '../rest/router.ts';
import type { PageLanguage } from './import-words.ts';

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
    ctx.vary('accept-language');
    ctx.type = 'text/html';
    ctx.body = importPage(languageOf(ctx));
  });
}

/** The language of the address, or else the one that the browser asks for. */
function languageOf(ctx: Context): PageLanguage {
  const { lang } = ctx.query;
  if (lang === 'it' || lang === 'en') return lang;
  return ctx.acceptsLanguages('en', 'it') === 'it' ? 'it' : 'en';
}
