import type Router from '@koa/router';
import type { Context } from 'koa';
import { Fault } from '../platform/fault.ts';
import { ownTurn } from '../platform/limits/turns.ts';
import { SERVICE_VERSION } from '../platform/service-version.ts';
import { addDocs, type DocsSources, READERS, sendPage } from './docs/routes.ts';
import type { PageLanguage } from './ops/import-words.ts';
import { named } from './rest/router.ts';

/** Whether the service is ready, or the reason why not. */
type Readiness = () => Promise<{ readonly ready: boolean; readonly reason?: string }>;

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

/** The owner of the turns in which templates are read. */
const TEMPLATE_READERS = 'readers of templates';

interface PageSources extends DocsSources {
  /** The badge of a carrier as SVG. */
  readonly badge: (code: string) => string | undefined;
  /** A workbook to begin with, by its name. */
  readonly template: (name: string) => Promise<Uint8Array | undefined>;
}

/**
 * Routes without a key: the documentation with the contracts, the page that imports files, carriers' badges, and
 * workbooks to begin with.
 */
export function addPages(router: Router, { badge, template, ...sources }: PageSources): void {
  addDocs(router, sources);
  addImportPage(router);
  router.get('/templates/:name.xlsx', named('/templates/:name.xlsx'), async ctx => {
    await ownTurn(TEMPLATE_READERS);
    const { name = '' } = ctx.params;
    const workbook = await template(name);
    if (workbook === undefined) throw new Fault('route_not_found');
    ctx.set('cache-control', 'public, max-age=300');
    ctx.set('x-content-type-options', 'nosniff');
    ctx.attachment(`${name}.xlsx`);
    ctx.type = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';
    ctx.body = Buffer.from(workbook);
  });
  router.get('/logos/:code.svg', named('/logos/:code.svg'), ctx => {
    const svg = badge(ctx.params.code ?? '');
    if (svg === undefined) throw new Fault('route_not_found');
    ctx.set('cache-control', 'public, max-age=86400');
    ctx.type = 'image/svg+xml';
    ctx.body = svg;
  });
}

const PATH = '/ops/import';

/**
 * The page that imports files. It shows nothing of a company by itself, so it needs no login: the key that a person
 * types in opens the company.
 */
function addImportPage(router: Router): void {
  router.get(PATH, named(PATH), async ctx => {
    await ownTurn(READERS);
    // Loaded with the libraries of the documentation at the first request.
    const { importPage } = await import('./ops/import-page.ts');
    ctx.vary('accept-language');
    sendPage(ctx, importPage(languageOf(ctx)));
  });
}

/** The language of the address, or else the one that the browser asks for. */
function languageOf(ctx: Context): PageLanguage {
  const { lang } = ctx.query;
  if (lang === 'it' || lang === 'en') return lang;
  return ctx.acceptsLanguages('en', 'it') === 'it' ? 'it' : 'en';
}
