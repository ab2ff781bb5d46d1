import { readFileSync } from 'node:fs';
import { buildSchema, parse, validate } from 'graphql';
import { expect, onTestFinished, test, vi } from 'vitest';
import { useSharedWorld } from '../support/world.ts';
import { ROOT } from './guide-blocks.ts';

/** The page that imports files. `npm run check:pages` uses it in Chromium. */

const world = useSharedWorld();
const SCHEMA = buildSchema(readFileSync(`${ROOT}/schema/schema.graphql`, 'utf8'));

async function page(): Promise<{ readonly response: Response; readonly html: string }> {
  const response = await fetch(`${world.app.url}/ops/import`);
  return { response, html: await response.text() };
}

/** The text of a module of the page, as a browser loads it. */
async function scriptOf(name: string): Promise<string> {
  const { html } = await page();
  const [, folder = ''] = /src="(\/docs\/assets\/[^/]+)\/import\.js"/.exec(html) ?? [];
  const response = await fetch(`${world.app.url}${folder}/${name}`);
  expect(response.status).toBe(200);
  return response.text();
}

test('needs no login, shows nothing of a company, and loads from this service alone', async () => {
  const { response, html } = await page();
  expect([response.status, response.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
  const policy = response.headers.get('content-security-policy') ?? '';
  expect(policy).toMatch(/^default-src 'none'; script-src 'self'; style-src 'self'/);
  expect(policy).not.toMatch(/unsafe|https?:|\*/);
  expect(html).not.toMatch(/<script(?![^>]* src="\/)|<style|\sstyle=|\son\w+="|undefined|\[object|NaN/);
});

test('offers a template of each example, and of orders', async () => {
  const { html } = await page();
  const links = [...html.matchAll(/href="(\/templates\/[^"]+)"/g)].map(([, link = '']) => link);
  expect(links.toSorted()).toEqual(
    ['brt-like', 'dhl-like', 'gls-like', 'orders', 'pallet-network'].map(name => `/templates/${name}.xlsx`),
  );
  for (const link of links) {
    const { status, headers } = await fetch(world.app.url + link);
    expect([status, headers.get('content-disposition')]).toEqual([200, expect.stringMatching(/^attachment; /)]);
  }
});

/** The module of the page that sends requests, with a key that is given instead of typed. */
async function questions(apiKey: string) {
  const script = await scriptOf('import-graph.js');
  const module = script.replace(/^import .*$/m, `const apiKey = () => ${JSON.stringify(apiKey)};`);
  return (await import(`data:text/javascript,${encodeURIComponent(module)}`)) as {
    readonly DOCUMENTS: Readonly<Record<string, string>>;
    readonly ask: (name: string, variables: object) => Promise<unknown>;
  };
}

test('says so if the invoice is gone whose claims are asked for', async () => {
  const { apiKey } = await world.company();
  const { ask } = await questions(apiKey);
  const { fetch: send } = globalThis;
  vi.stubGlobal('fetch', (path: string, init: RequestInit) => send(world.app.url + path, init));
  onTestFinished(() => {
    vi.unstubAllGlobals();
  });
  for (const name of ['invoice', 'claims']) await expect(ask(name, { id: '1' })).rejects.toThrow('no longer exists');
});

test('asks only what the schema has', async () => {
  const { DOCUMENTS } = await questions('');
  const wrong = Object.entries(DOCUMENTS).flatMap(([name, text]) =>
    validate(SCHEMA, parse(text)).map(({ message }) => `${name}: ${message}`),
  );
  expect(wrong).toEqual([]);
  expect(Object.keys(DOCUMENTS).length).toBeGreaterThan(10);
});

test('loads every module that it imports', async () => {
  const known = new Set<string>();
  const follow = async (name: string): Promise<void> => {
    if (known.has(name)) return;
    known.add(name);
    const script = await scriptOf(name);
    for (const [, next = ''] of script.matchAll(/from '\.\/([\w-]+\.js)'/g)) await follow(next);
  };
  await follow('import.js');
  expect([...known]).toContain('api-key.js');
});
