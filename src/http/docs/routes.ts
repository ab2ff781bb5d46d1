import type Router from '@koa/router';
import type { Context } from 'koa';
import { Fault } from '../../platform/fault.ts';
import { ownTurn } from '../../platform/limits/turns.ts';
import { named } from '../rest/router.ts';
import { isFaultCode } from '../send-problem.ts';
import { CONTRACTS, MOVED } from './navigation.ts';
import type { Site } from './site.ts';

/** Whose turns of the event loop pages take. */
const READERS = 'readers of pages';

const NO_FRAMES = ['base-uri', 'form-action', 'frame-ancestors', 'object-src'].map(name => `${name} 'none'`);

/** Pages load what this service has and nothing else, and neither script nor style stands in them. */
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

/** So does GraphiQL, whose editor has fonts in its style sheet, and works in workers. */
const GRAPHIQL_POLICY = `${REFERENCE_POLICY}; font-src 'self' data:; worker-src 'self'`;

/**
 * The documentation: guides and reference at `/docs`, what they load, GraphiQL, and the contracts. It needs no key.
 *
 * @param publicUrl at which callers reach the service; known once it listens
 */
export function addDocs(router: Router, publicUrl: () => string): void {
  // Loaded with its libraries when somebody reads it first: the start does not wait for it.
  let site: Promise<Site> | undefined;
  const opened = () => {
    site ??= load(publicUrl);
    return site;
  };
  // Who asks without a key is not counted: one page is sent in each turn of the event loop, however many are asked for.
  const get = (path: string, answer: (ctx: Context, documentation: Site) => Promise<void> | void) => {
    router.get(path, named(path), async ctx => {
      const documentation = await opened();
      // After that: else all that waited for it would be answered in one turn.
      await ownTurn(READERS);
      await answer(ctx, documentation);
    });
  };
  /** The same for what is no page. */
  const inTurn = (_ctx: Context, next: () => Promise<unknown>) => ownTurn(READERS).then(next);

  router.get('/', named('/'), inTurn, ctx => ctx.redirect('/docs'));
  get('/docs', (ctx, documentation) => sendPage(ctx, documentation.home()));
  get('/docs/reference', (ctx, documentation) => sendPage(ctx, documentation.reference(), REFERENCE_POLICY));
  // For a browser; what else is asked there is a document, which graphql-route.ts answers.
  get('/graphql', (ctx, documentation) => {
    ctx.vary('accept');
    sendPage(ctx, documentation.graphiQL(), GRAPHIQL_POLICY);
  });
  get('/docs/search.json', async (ctx, documentation) => {
    send(ctx, 'application/json', await documentation.searchIndex());
  });
  get('/docs/:page', (ctx, documentation) => {
    const { page = '' } = ctx.params;
    const moved = Object.hasOwn(MOVED, page) ? MOVED[page] : undefined;
    if (moved !== undefined) {
      ctx.status = 301;
      return ctx.redirect(`/docs/${moved}`);
    }
    if (page.endsWith('.md')) {
      const text = documentation.guideMarkdown(page.slice(0, -'.md'.length));
      return text === undefined ? sendNotFound(ctx, documentation) : send(ctx, 'text/markdown', text);
    }
    const html = documentation.guide(page);
    return html === undefined ? sendNotFound(ctx, documentation) : sendPage(ctx, html);
  });
  addAssets(router);
  get('/docs/*path', sendNotFound);
  router.get('/favicon.ico', named('/favicon.ico'), inTurn, ctx => sendAsset(ctx, 'icon.svg', 86_400));
  get('/llms.txt', (ctx, documentation) => send(ctx, 'text/plain', documentation.llms()));
  get('/llms-full.txt', (ctx, documentation) => send(ctx, 'text/plain', documentation.llmsFull()));
  get('/openapi.json', (ctx, documentation) => send(ctx, 'application/json', documentation.openapi()));
  for (const [path, { type }] of Object.entries(CONTRACTS)) {
    get(path, (ctx, documentation) => send(ctx, type, documentation.contract(path as keyof typeof CONTRACTS)));
  }
  // What a problem's `type` leads to.
  get('/problems/:code', (ctx, documentation) => {
    const { code = '' } = ctx.params;
    return isFaultCode(code) ? sendPage(ctx, documentation.problem(code)) : sendNotFound(ctx, documentation);
  });
}

/** Its largest libraries apart, each in a turn of the event loop: together they would block it for 70 ms. */
async function load(publicUrl: () => string): Promise<Site> {
  await import('./code-blocks.ts');
  await ownTurn(READERS);
  await import('./render-markdown.ts');
  await ownTurn(READERS);
  const { Site: Documentation } = await import('./site.ts');
  return new Documentation(publicUrl());
}

/** What pages load. */
export function addAssets(router: Router): void {
  const path = '/docs/assets/:version/:name';
  router.get(path, named(path), ctx => sendAsset(ctx, ctx.params.name ?? '', YEAR));
}

function sendPage(ctx: Context, html: string, policy = POLICY): void {
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

/** For a browser as a page of the documentation; for others the problem that every unknown path returns. */
function sendNotFound(ctx: Context, site: Site): void {
  if (ctx.accepts('json', 'html') !== 'html') throw new Fault('route_not_found');
  ctx.status = 404;
  sendPage(ctx, site.notFound());
}

/** Of an asset whose address changes with its content. */
const YEAR = 31_536_000;

async function sendAsset(ctx: Context, name: string, maxAge: number): Promise<void> {
  const found = await (await import('./assets.ts')).asset(name);
  if (!found) throw new Fault('route_not_found');
  const encoding = ctx.acceptsEncodings('br', 'gzip', 'identity');
  ctx.set('etag', found.etag);
  ctx.set('cache-control', `public, max-age=${maxAge}${maxAge === YEAR ? ', immutable' : ''}`);
  ctx.set('x-content-type-options', 'nosniff');
  ctx.vary('accept-encoding');
  ctx.type = found.type;
  if (encoding === 'br' || encoding === 'gzip') ctx.set('content-encoding', encoding);
  ctx.body = found[encoding === 'br' || encoding === 'gzip' ? encoding : 'identity'];
  if (ctx.fresh) ctx.status = 304;
}
