import { globSync, readFileSync } from 'node:fs';
import { createServer as createHttpServer } from 'node:http';
import { basename } from 'node:path';
import Router from '@koa/router';
import { describe, expect, test } from 'vitest';
import packageJson from '../../package.json' with { type: 'json' };
import { GUIDE_GROUPS } from '../../src/http/docs/navigation.ts';
import { addDocs } from '../../src/http/docs/routes.ts';
import { addressOf, drain, listen } from '../../src/http/listener.ts';
import { createServer } from '../../src/http/server.ts';
import { FAULTS } from '../../src/platform/fault.ts';
import { useWorld } from '../support/world.ts';
import { ROOT } from './guide-blocks.ts';

const PUBLIC_URL = 'https://shipping.example.com';

const world = useWorld({ ROLE: 'api', PUBLIC_URL });

const NAMES = [...GUIDE_GROUPS.flatMap(({ guides, more }) => [...guides, ...more]), 'changelog'];
const GUIDES = NAMES.map(name => `/docs/${name}`);
const PROBLEMS = Object.keys(FAULTS).map(code => `/problems/${code}`);
const PAGES = ['/docs', '/docs/reference', ...GUIDES, ...PROBLEMS];
const TEXTS = ['/llms.txt', '/llms-full.txt', '/openapi.json', '/schema.graphql', '/tariff.schema.json'];
const HTML = { accept: 'text/html' };

async function get(path: string, headers: Record<string, string> = {}) {
  const response = await fetch(world.app.url + path, { headers, redirect: 'manual' });
  return { status: response.status, headers: response.headers, text: await response.text() };
}

const linksIn = (html: string) => [...html.matchAll(/\s(?:href|src)="([^"]+)"/g)].map(([, link = '']) => link);
const idsIn = (html: string) => [...html.matchAll(/\sid="([^"]+)"/g)].map(([, id = '']) => id);

test('Every guide stands in the navigation once', () => {
  const files = globSync('src/docs/*.md', { cwd: ROOT }).map(file => basename(file, '.md'));
  expect(GUIDE_GROUPS.flatMap(({ guides, more }) => [...guides, ...more]).toSorted()).toEqual(files.toSorted());
});

describe('The documentation needs no key, and loads nothing from other servers:', () => {
  test.each(PAGES)('%s', async path => {
    const { status, headers, text } = await get(path, HTML);
    expect([status, headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
    const policy = headers.get('content-security-policy') ?? '';
    expect(policy).toMatch(/^default-src 'none'; script-src 'self'; style-src 'self'/);
    // Scalar writes its style sheet into its page.
    expect(policy.replace(path === '/docs/reference' ? " 'unsafe-inline'" : '', '')).not.toMatch(/unsafe|https?:|\*/);
    expect(headers.get('cache-control')).toMatch(/^public, max-age=\d+$/);
    expect(headers.get('etag')).toMatch(/^W\/"/);
    // Nothing that the policy would stop, nothing from elsewhere, and nothing that was to be filled in.
    expect(text).not.toMatch(
      /<script(?![^>]* src="\/)|<style|\sstyle=|\son\w+="|<link[^>]+href="(?!\/)|<img[^>]+src="(?!\/)/,
    );
    expect(text.replaceAll(/<pre[\s\S]*?<\/pre>/g, '')).not.toMatch(/undefined|\[object|NaN|<!--/);
  });

  test.each(TEXTS)('%s', async path => {
    const { status, headers } = await get(path);
    expect([status, headers.get('x-content-type-options')]).toEqual([200, 'nosniff']);
  });
});

test.each(['/docs', '/docs/reference', '/docs/install', '/problems/not_found'])(
  'The footer of %s names the version',
  async path => {
    const { text } = await get(path, HTML);
    expect(text).toContain(`<footer class="version">Version ${packageJson.version}</footer>`);
  },
);

test.each([
  ['/docs/', '/docs'],
  ['/docs/quotes/', '/docs/quotes'],
  ['/reference', '/docs/reference'],
  ['/problems', '/docs/errors#codes'],
  ['/problems/', '/docs/errors#codes'],
])('The address %s leads to %s', async (path, target) => {
  const { status, headers } = await get(path, HTML);
  expect([status, headers.get('location')]).toEqual([301, target]);
});

test('Each cell of a table has the heading of its column, which small screens show beside it', async () => {
  const { text } = await get('/docs/errors', HTML);
  const [row = ''] = /<tr>\s*<td[^>]*>[\s\S]*?<\/tr>/.exec(text.slice(text.indexOf('id="codes"'))) ?? [];
  const labels = [...row.matchAll(/<td data-label="([^"]+)">/g)].map(([, label]) => label);
  const heads = [...text.slice(text.indexOf('id="codes"')).matchAll(/<th>([^<]+)<\/th>/g)].map(([, head]) => head);
  expect(labels).toEqual(heads.slice(0, labels.length));
  expect(labels.length).toBeGreaterThan(2);
});

test('Every link leads to a page, and to a heading if it names one', async () => {
  const read = new Map<string, Promise<{ status: number; text: string }>>();
  const page = (path: string) => {
    const reading = read.get(path) ?? get(path, HTML);
    read.set(path, reading);
    return reading;
  };
  const broken = new Set<string>();
  let anchors = 0;
  for (const from of PAGES) {
    for (const link of new Set(linksIn((await page(from)).text))) {
      if (/^https?:/.test(link)) continue;
      const [path = '', anchor] = link.split('#');
      const { status, text } = await page(path || from);
      if (status !== 200) broken.add(`${from}: ${link} is ${status}`);
      // Scalar makes the anchors of the reference from the operations of the contract.
      if (anchor === undefined || path === '/docs/reference') continue;
      anchors += 1;
      if (!idsIn(text).includes(decodeURIComponent(anchor))) broken.add(`${from}: ${link} has no heading`);
    }
  }
  expect([...broken]).toEqual([]);
  expect(anchors).toBeGreaterThan(200);
});

test('Every link in a description of the OpenAPI document leads to a guide, and to a heading if it names one', async () => {
  const { text } = await get('/openapi.json');
  const descriptions: string[] = [];
  JSON.parse(text, (key, value) => {
    if (key === 'description' && typeof value === 'string') descriptions.push(value);
    return value;
  });
  const links = new Set(
    descriptions.flatMap(one => [...one.matchAll(/\]\(([^)\s]+)\)/g)].map(([, link = '']) => link)),
  );
  expect(links.size).toBeGreaterThan(10);
  const broken: string[] = [];
  for (const link of links) {
    const [path = '', anchor] = link.split('#');
    const page = GUIDES.includes(path) ? await get(path, HTML) : undefined;
    if (page?.status !== 200) broken.push(`${link} leads to no guide`);
    else if (anchor !== undefined && !idsIn(page.text).includes(anchor)) broken.push(`${link} has no heading`);
  }
  expect(broken).toEqual([]);
});

test('The navigation of the reference lists every operation and event of the contract', async () => {
  const { text } = await get('/docs/reference', HTML);
  const shown = [...text.matchAll(/href="\/docs\/reference#tag\/[\w-]+\/(?:webhook\/)?([\w.]+)"/g)].map(
    ([, name]) => name,
  );
  const openapi = JSON.parse((await get('/openapi.json')).text);
  const operations = Object.values<Record<string, { operationId: string }>>(openapi.paths).flatMap(path =>
    Object.values(path).map(({ operationId }) => operationId),
  );
  expect(shown.toSorted()).toEqual([...operations, ...Object.keys(openapi.webhooks)].toSorted());
});

test('Commands, examples and the contract have the address at which callers reach the service', async () => {
  for (const path of ['/docs/getting-started', '/docs/getting-started.md', '/docs/webhooks', '/llms-full.txt']) {
    const { text } = await get(path);
    expect(text).toContain(PUBLIC_URL);
    expect(text).not.toContain('http://localhost:3000');
  }
  expect(JSON.parse((await get('/openapi.json')).text).servers).toMatchObject([{ url: PUBLIC_URL }]);
  expect((await get('/problems/rate_limited')).text).toContain(`${PUBLIC_URL}/problems/rate_limited`);
});

test('The root leads to the documentation', async () => {
  for (const accept of ['text/html', '*/*']) {
    const { status, headers } = await get('/', { accept });
    expect([status, headers.get('location')]).toEqual([302, '/docs']);
  }
});

test('A guide is available as Markdown too, whose links lead to Markdown', async () => {
  for (const name of NAMES) {
    const { status, headers, text } = await get(`/docs/${name}.md`);
    expect([status, headers.get('content-type')]).toEqual([200, 'text/markdown; charset=utf-8']);
    expect(text).toMatch(/^# /);
    for (const [, link = ''] of text.matchAll(/\]\((\/[^)#\s]+)/g))
      expect([link, (await get(link)).status]).toEqual([link, 200]);
    expect(text).not.toMatch(/\]\((?!https?:|[/#])/);
  }
});

test('The file llms.txt lists every guide with its subject', async () => {
  const { text } = await get('/llms.txt');
  for (const name of NAMES) expect(text).toContain(`${PUBLIC_URL}/docs/${name}.md): `);
  expect(text.match(/^- .*\): \S.{10,}$/gm)?.length).toBe(NAMES.length + 4);
});

test('Code is highlighted and can be copied, and samples in several languages are tabs', async () => {
  const { text } = await get('/docs/webhooks');
  expect(text).toContain('<span class="hljs-attr">&quot;secretLast4&quot;</span>');
  expect(text.match(/class="copy"/g)?.length).toBe(text.match(/<pre /g)?.length);
  const [tabs = ''] = /<div class="tabs">[\s\S]*?<\/section><\/div>/.exec(text) ?? [];
  expect([...tabs.matchAll(/<section class="tab">\s*<h3 id="([^"]+)"/g)].map(([, id]) => id)).toEqual([
    'node',
    'python',
    'php',
    'java',
    'c',
  ]);
  expect(text).toContain('<span data-api-key="$API_KEY">$API_KEY</span>');
});

test('The search finds sections, operations and problems, and its addresses exist', async () => {
  const { default: MiniSearch } = await import('minisearch');
  const { headers, text } = await get('/docs/search.json');
  expect(headers.get('etag')).toMatch(/^W\/"/);
  const index = MiniSearch.loadJSON(text, { fields: ['title', 'page', 'text'] });
  const found = (query: string) => index.search(query, { combineWith: 'AND' }).map(({ id }) => id);
  for (const [words, page] of [
    ['pagination', '/docs/graphql'],
    ['pages', '/docs/graphql'],
    ['refund', '/docs/invoices'],
    ['rimborso', '/docs/invoices'],
    ['credit claim', '/docs/invoices'],
    ['throttling', '/docs/limits'],
    ['rate limit', '/docs/limits'],
    ['retries', '/docs/webhooks'],
    ['verify signature', '/docs/webhooks'],
    ['COD', '/docs/quotes'],
    ['contrassegno', '/docs/quotes'],
  ] as const) {
    expect([words, found(words).some(id => id.startsWith(page))]).toEqual([words, true]);
  }
  expect(found('rotate secret')).toContain('/docs/webhook-endpoints#rotate-the-secret');
  expect(found('quoteShipment')).toContain('/docs/reference#tag/quotes/quoteShipment');
  expect(found('warehouse_in_use')).toContain('/problems/warehouse_in_use');
});

test('Assets of pages may be cached permanently, and are compressed for clients that accept it', async () => {
  const pages = await Promise.all(['/docs', '/docs/reference'].map(path => get(path)));
  const assets = new Set(
    pages.flatMap(({ text }) => [...text.matchAll(/"(\/docs\/assets\/[^"]+)"/g)]).map(([, path]) => path),
  );
  expect(assets.size).toBe(8);
  const [folder] = /^.*\//.exec([...assets][0] ?? '') ?? [];
  for (const path of [...assets, `${folder}minisearch.js`]) {
    const plain = await get(path ?? '', { 'accept-encoding': 'identity' });
    for (const encoding of ['gzip', 'br']) {
      const small = await get(path ?? '', { 'accept-encoding': encoding });
      expect(small.text === plain.text).toBe(true);
      expect([small.headers.get('content-encoding'), plain.headers.get('content-encoding')]).toEqual([encoding, null]);
      expect(small.headers.get('vary')).toMatch(/accept-encoding/i);
    }
    expect(plain.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
    const again = await get(path ?? '', {
      'if-none-match': plain.headers.get('etag') ?? '',
      'cache-control': 'max-age=0',
    });
    expect([again.status, again.text]).toEqual([304, '']);
  }
});

test('The documentation is available once it can be loaded, even if it could not be loaded before', async () => {
  const { log, metrics } = world.app;
  const isBroken = [true];
  const router = new Router();
  const publicUrl = () => {
    if (isBroken.pop()) throw new Error('too many open files');
    return PUBLIC_URL;
  };
  addDocs(router, { publicUrl });
  const app = createServer({ log, metrics, tracing: undefined, publicUrl: () => PUBLIC_URL, showRates: undefined }).use(
    router.routes(),
  );
  const server = createHttpServer(app.callback());
  await listen(server, 0, '127.0.0.1');
  const statusOf = async () => (await fetch(`${addressOf(server, '127.0.0.1')}/docs/quotes`)).status;
  expect([await statusOf(), await statusOf()]).toEqual([500, 200]);
  await drain(server);
});

test('An asset under the address of another version of the service is not cached there', async () => {
  const { status, headers } = await get('/docs/assets/another/docs.js');
  expect([status, headers.get('cache-control')]).toEqual([200, 'public, no-cache']);
});

test('The assets of the pages load nothing from other servers', () => {
  for (const file of globSync('src/http/docs/assets/*.{css,js}', { cwd: ROOT })) {
    expect(readFileSync(`${ROOT}${file}`, 'utf8')).not.toMatch(/https?:|@import|url\(/);
  }
});

test.each(['/docs/nothing', '/docs/a/b', '/docs/nothing.md', '/problems/nothing'])(
  'The unknown address %s returns a page for browsers that says so, and a problem for other clients',
  async path => {
    const page = await get(path, HTML);
    expect([page.status, page.headers.get('content-type')]).toEqual([404, 'text/html; charset=utf-8']);
    expect(page.text).toContain('<h1>Page not found</h1>');
    const problem = await get(path);
    expect([problem.status, JSON.parse(problem.text).code]).toEqual([404, 'route_not_found']);
  },
);

test.each(['/docs/assets/x/package.json', '/docs/assets/x/..%2fsite.ts', '/docs/assets/x/__proto__'])(
  'The address %s does not exist',
  async path => {
    const { status, text } = await get(path, HTML);
    expect([status, JSON.parse(text).code]).toEqual([404, 'route_not_found']);
  },
);

test('Every code is listed among the errors, with its status and a link to its page', async () => {
  const { text } = await get('/docs/errors');
  for (const [code, { status }] of Object.entries(FAULTS)) {
    expect(text).toMatch(
      new RegExp(
        `<td[^>]*>(?:<code>)?${status}(?:</code>)?</td>\\s*<td[^>]*><code>${code}</code></td>|<code>${code}</code></td>\\s*<td[^>]*>(?:<code>)?${status}`,
      ),
    );
  }
});
