import type Router from '@koa/router';
import type { Context } from 'koa';
import { Fault } from '../../platform/fault.ts';
import { ownTurn } from '../../platform/limits/turns.ts';
import { named } from '../rest/router.ts';
import { isFaultCode } from '../send-problem.ts';
import type { ShownQuote } from './home-page.ts';
import { CONTRACTS } from './navigation.ts';
import type { Site } from './site.ts';

/** The owner of the turns that pages take. */
export const READERS = 'readers of pages';

/** Addresses that readers type, and their pages. */
const SHORT = {
  '/docs/': '/docs',
  '/reference': '/docs/reference',
  '/problems': '/docs/errors#codes',
  '/problems/': '/docs/errors#codes',
};

const NO_FRAMES = ['base-uri', 'form-action', 'frame-ancestors', 'object-src'].map(name => `${name} 'none'`);

/** Pages load only from this service, without inline scripts and styles. */
export const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  ...NO_FRAMES,
].join('; ');

/** Scalar puts its style sheet and computed styles into the page itself. */
const REFERENCE_POLICY = POLICY.replace("style-src 'self'", "style-src 'self' 'unsafe-inline'");

/** GraphiQL needs that too; its editor has fonts in its style sheet, and uses workers. */
const GRAPHIQL_POLICY = `${REFERENCE_POLICY}; font-src 'self' data:; worker-src 'self'`;

export interface DocsSources {
  /** The address of the service, known once it listens. */
  readonly publicUrl: () => string;
  /** A quote of the demo company; the home page has a recorded one if it is undefined. */
  readonly liveQuote?: (() => Promise<readonly ShownQuote[] | undefined>) | undefined;
}

/** The documentation: guides and reference at `/docs`, their assets, GraphiQL, and the contracts. It needs no key. */
export function addDocs(router: Router, { publicUrl, liveQuote }: DocsSources): void {
  // Loaded with its libraries at the first request, so that it does not delay the start.
  let site: Promise<Site> | undefined;
  const opened = () => {
    site ??= load(publicUrl).catch(error => {
      // The next request tries again: a process that has no file descriptor free will have some later.
      site = undefined;
      throw error;
    });
    return site;
  };
  // Requests without a key are not counted, so one page is sent in each turn of the event loop.
  const get = (path: string, answer: (ctx: Context, documentation: Site) => Promise<void> | void) => {
    router.get(path, named(path), async ctx => {
      const documentation = await opened();
      // Once more after loading, because all waiting requests would otherwise be answered in one turn.
      await ownTurn(READERS);
      await answer(ctx, documentation);
    });
  };
  /** Waits for a turn, for other responses than pages. */
  const waitForTurn = (_ctx: Context, next: () => Promise<unknown>) => ownTurn(READERS).then(next);

  router.get('/', named('/'), waitForTurn, ctx => ctx.redirect('/docs'));
  get('/docs', async (ctx, documentation) => sendPage(ctx, documentation.home(await liveQuote?.())));
  get('/docs/reference', (ctx, documentation) => sendPage(ctx, documentation.reference(), REFERENCE_POLICY));
  // For a browser; any other request there is a document, which graphql-route.ts handles.
  get('/graphql', (ctx, documentation) => {
    ctx.vary('accept');
    sendPage(ctx, documentation.graphiQL(), GRAPHIQL_POLICY);
  });
  get('/docs/search.json', async (ctx, documentation) => {
    send(ctx, 'application/json', await documentation.searchIndex());
  });
  get('/docs/:page', (ctx, documentation) => {
    const { page = '' } = ctx.params;
    if (page.endsWith('.md')) {
      const text = documentation.guideMarkdown(page.slice(0, -'.md'.length));
      return text === undefined ? sendNotFound(ctx, documentation) : send(ctx, 'text/markdown', text);
    }
    const html = documentation.guide(page);
    return html === undefined ? sendNotFound(ctx, documentation) : sendPage(ctx, html);
  });
  addAssets(router);
  get('/docs/*path', (ctx, documentation) => {
    if (!ctx.path.endsWith('/')) return sendNotFound(ctx, documentation);
    ctx.status = 301;
    ctx.redirect(ctx.path.slice(0, -1));
  });
  for (const [path, page] of Object.entries(SHORT)) {
    router.get(path, named(path), waitForTurn, ctx => {
      ctx.status = 301;
      ctx.redirect(page);
    });
  }
  router.get('/favicon.ico', named('/favicon.ico'), waitForTurn, ctx =>
    sendAsset(ctx, 'icon.svg', 'public, max-age=86400'),
  );
  get('/llms.txt', (ctx, documentation) => send(ctx, 'text/plain', documentation.llms()));
  get('/llms-full.txt', (ctx, documentation) => send(ctx, 'text/plain', documentation.llmsFull()));
  get('/openapi.json', (ctx, documentation) => send(ctx, 'application/json', documentation.openapi()));
  for (const [path, { type }] of Object.entries(CONTRACTS)) {
    get(path, (ctx, documentation) => send(ctx, type, documentation.contract(path as keyof typeof CONTRACTS)));
  }
  // The page of a problem's `type`.
  get('/problems/:code', (ctx, documentation) => {
    const { code = '' } = ctx.params;
    return isFaultCode(code) ? sendPage(ctx, documentation.problem(code)) : sendNotFound(ctx, documentation);
  });
}

/** Loads its largest libraries in separate turns of the event loop: together they would block it for 70 ms. */
async function load(publicUrl: () => string): Promise<Site> {
  await import('./code-blocks.ts');
  await ownTurn(READERS);
  await import('./render-markdown.ts');
  await ownTurn(READERS);
  const { Site: Documentation } = await import('./site.ts');
  return new Documentation(publicUrl());
}

export function addAssets(router: Router): void {
  const path = '/docs/assets/:version/:name';
  router.get(path, named(path), ctx => sendAsset(ctx, ctx.params.name ?? ''));
}

/** Sends a page that is the same for all readers. */
export function sendPage(ctx: Context, html: string, policy = POLICY): void {
  ctx.set('content-security-policy', policy);
  ctx.set('referrer-policy', 'no-referrer');
  send(ctx, 'text/html', html);
}

function send(ctx: Context, type: string, text: string): void {
  ctx.set('cache-control', 'public, max-age=300');
  ctx.set('x-content-type-options', 'nosniff');
  ctx.type = type;
  ctx.body = text;
}

/** A page of the documentation for a browser; otherwise the problem of every unknown path. */
function sendNotFound(ctx: Context, site: Site): void {
  if (ctx.accepts('json', 'html') !== 'html') throw new Fault('route_not_found');
  ctx.status = 404;
  sendPage(ctx, site.notFound());
}

/** For an asset whose address changes with its content. */
const FOR_A_YEAR = 'public, max-age=31536000, immutable';
/** For an asset of another version, whose page asks this one during an upgrade: its address has other content there. */
const CHECKED = 'public, no-cache';

async function sendAsset(ctx: Context, name: string, caching?: string): Promise<void> {
  const { asset, assetPath } = await import('./assets.ts');
  const found = await asset(name);
  if (!found) throw new Fault('route_not_found');
  const encoding = ctx.acceptsEncodings('br', 'gzip', 'identity');
  ctx.set('etag', found.etag);
  ctx.set('cache-control', caching ?? (ctx.path === assetPath(name) ? FOR_A_YEAR : CHECKED));
  ctx.set('x-content-type-options', 'nosniff');
  ctx.vary('accept-encoding');
  ctx.type = found.type;
  if (encoding === 'br' || encoding === 'gzip') ctx.set('content-encoding', encoding);
  ctx.body = found[encoding === 'br' || encoding === 'gzip' ? encoding : 'identity'];
  if (ctx.fresh) ctx.status = 304;
}
