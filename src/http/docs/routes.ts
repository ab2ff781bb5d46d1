import type Router from '@koa/router';
import type { Context } from 'koa';
import { FAULTS, Fault, type FaultCode } from '../../platform/fault.ts';
import { named } from '../rest/router.ts';
import { asset, assetPath, isAsset } from './assets.ts';
import { htmlPage, type Page } from './docs-page.ts';
import { GUIDES, problemBody } from './guides.ts';

/** Pages load what this service has and nothing else, and no script stands in them. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  ...['base-uri', 'form-action', 'frame-ancestors'].map(name => `${name} 'none'`),
].join('; ');

const REFERENCE: Page = {
  title: 'Reference',
  path: '/docs',
  body: `<form class="key"><label for="key">Your API key, to try calls here</label>
<input id="key" type="password" autocomplete="off" spellcheck="false" placeholder="sk_live_…">
<output id="key-outcome" for="key">Kept until you close this tab.</output></form>
<main id="reference"><noscript><p>The reference needs JavaScript; <a href="/openapi.json">the contract</a> does not.</p></noscript></main>`,
  styles: [assetPath('swagger-ui.css'), assetPath('style.css')],
  scripts: [assetPath('swagger-ui-bundle.js'), assetPath('reference.js')],
};

/** The documentation at `/docs`: the reference, guides beside it, and what they load. It needs no key. */
export function addDocs(router: Router, publicUrl: () => string): void {
  router.get('/docs', named('/docs'), ctx => sendPage(ctx, REFERENCE));
  for (const { name, title, body } of GUIDES) {
    const path = `/docs/${name}`;
    router.get(path, named(path), ctx => sendPage(ctx, { title, path, body: body(publicUrl()), styles: STYLES }));
  }
  router.get('/docs/assets/:version/:name', named('/docs/assets/:version/:name'), async ctx => {
    const { name = '' } = ctx.params;
    if (!isAsset(name)) throw new Fault('route_not_found');
    const { type, bytes, gzipped } = await asset(name);
    const isGzip = ctx.acceptsEncodings('gzip', 'identity') === 'gzip';
    ctx.set('cache-control', 'public, max-age=31536000, immutable');
    ctx.set('x-content-type-options', 'nosniff');
    ctx.vary('accept-encoding');
    if (isGzip) ctx.set('content-encoding', 'gzip');
    ctx.type = type;
    ctx.body = isGzip ? gzipped : bytes;
  });
}

/** The page behind a problem's `type`: what it means and what to do. */
export function sendProblemPage(ctx: Context, code: FaultCode): void {
  sendPage(ctx, { title: FAULTS[code].title, path: ctx.path, body: problemBody(code), styles: STYLES });
}

const STYLES = [assetPath('style.css')];

function sendPage(ctx: Context, page: Page): void {
  ctx.set('content-security-policy', POLICY);
  ctx.set('x-content-type-options', 'nosniff');
  ctx.set('referrer-policy', 'no-referrer');
  ctx.set('cache-control', 'public, max-age=300');
  ctx.type = 'text/html';
  ctx.body = htmlPage(page);
}
