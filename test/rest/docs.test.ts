import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { buildSchema, parse, validate } from 'graphql';
import { describe, expect, test } from 'vitest';
import { makeSecret, signature, signingKey } from '../../src/domain/webhooks/secrets/secret.rules.ts';
import { FAULTS } from '../../src/platform/fault.ts';
import { outcomeOf } from '../../src/sandbox/scenarios.ts';
import { freePort } from '../support/ports.ts';
import { useWorld } from '../support/world.ts';

const world = useWorld();

const GUIDES = ['getting-started', 'webhooks', 'errors', 'limits', 'sandbox', 'typescript'].map(
  name => `/docs/${name}`,
);
const PROBLEMS = Object.keys(FAULTS).map(code => `/problems/${code}`);

async function get(path: string, headers: Record<string, string> = {}) {
  const response = await fetch(world.app.url + path, { headers });
  return { status: response.status, headers: response.headers, text: await response.text() };
}

test('the GraphQL documents in the guides are valid', async () => {
  const schema = buildSchema(await readFile(new URL('../../schema/schema.graphql', import.meta.url), 'utf8'));
  const shown = (await Promise.all(GUIDES.map(async path => (await get(path)).text))).join('\n');
  const bodies = shown.replaceAll('&quot;', '"').match(/(?<=-d ')\{"query":.*\}(?=')/g) ?? [];
  expect(bodies.length).toBeGreaterThan(2);
  const problems = bodies.flatMap(body =>
    validate(schema, parse(JSON.parse(body).query)).map(({ message }) => message),
  );
  expect(problems).toEqual([]);
});

describe('the documentation needs no key:', () => {
  test.each(['/docs', ...GUIDES, ...PROBLEMS])('%s', async path => {
    const { status, headers, text } = await get(path);
    expect([status, headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
    expect(headers.get('content-security-policy')).toMatch(/^default-src 'none'; script-src 'self'; style-src 'self';/);
    expect(headers.get('content-security-policy')).not.toMatch(/unsafe|https?:|\*/);
    expect(headers.get('cache-control')).toMatch(/^public, max-age=\d+$/);
    // Nothing that the policy would stop, nothing from elsewhere, and nothing that was to be filled in.
    expect(text).not.toMatch(/<script(?![^>]* src="\/)|<style|\sstyle=|\son\w+=|<link[^>]+href="(?!\/|data:,")/);
    expect(text).not.toMatch(/\{\{|undefined|\[object/);
  });

  test('no link leads nowhere', async () => {
    const pages = await Promise.all(['/docs', ...GUIDES].map(path => get(path)));
    const links = pages.flatMap(({ text }) => [...text.matchAll(/(?:href|src)="(\/[^"#]*)/g)].map(([, link]) => link));
    for (const link of new Set(links)) {
      const { status } = await get(link ?? '', { accept: 'text/html' });
      expect([link, status]).toEqual([link, 200]);
    }
  });

  test('links into the reference name operations that are there', async () => {
    const openapi = JSON.parse((await get('/openapi.json')).text);
    const known = Object.values<Record<string, { tags: string[]; operationId: string }>>(openapi.paths).flatMap(path =>
      Object.values(path).map(({ tags, operationId }) => `${tags[0]}/${operationId}`),
    );
    const pages = await Promise.all(GUIDES.map(path => get(path)));
    const named = pages.flatMap(({ text }) => [...text.matchAll(/"\/docs#\/([^"]+)"/g)].map(([, name]) => name));
    expect(named.length).toBeGreaterThan(0);
    expect(named.filter(name => !known.includes(name ?? ''))).toEqual([]);
  });

  test('what pages load may be kept for good, and comes compressed to who takes it', async () => {
    const { text } = await get('/docs');
    const assets = [...text.matchAll(/"(\/docs\/assets\/[^"]+)"/g)].map(([, path]) => path ?? '');
    expect(assets.length).toBe(4);
    for (const path of assets) {
      const small = await get(path, { 'accept-encoding': 'gzip' });
      const plain = await get(path, { 'accept-encoding': 'identity' });
      expect(small.text).toBe(plain.text);
      expect([small.headers.get('content-encoding'), plain.headers.get('content-encoding')]).toEqual(['gzip', null]);
      expect(small.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
      expect(small.headers.get('vary')).toMatch(/accept-encoding/i);
    }
  });

  test.each(['/docs/nothing', '/docs/assets/x/package.json', '/docs/assets/x/..%2fguides.ts', '/problems/nothing'])(
    '%s is not there',
    async path => {
      const { status, text } = await get(path);
      expect([status, JSON.parse(text).code]).toEqual([404, 'route_not_found']);
    },
  );

  test('every rejection stands among the errors, with its status', async () => {
    const { text } = await get('/docs/errors');
    for (const [code, { status }] of Object.entries(FAULTS)) {
      expect(text).toContain(`<code>${code}</code></a></td><td>${status}</td>`);
    }
  });

  test('the sandbox page lists every ending that does something', async () => {
    const { text } = await get('/docs/sandbox');
    const [, listed = ''] = /<table id="addresses">([\s\S]*?)<\/table>/.exec(text) ?? [];
    const endings = [...listed.matchAll(/<td><code>(\d\d)<\/code><\/td>/g)].map(([, ending]) => ending);
    const all = Array.from({ length: 100 }, (_, i) => String(i).padStart(2, '0'));
    expect(endings).toEqual(all.filter(ending => outcomeOf(`201${ending}`) !== 'valid'));
  });
});

describe('the code that verifies a webhook', () => {
  const secret = makeSecret();
  const other = makeSecret();
  const body = JSON.stringify({ id: 'e', type: 'tracking.delivered', data: { city: 'Forlì', note: 'a.b\n"c"' } });
  const id = '0198f0c2-0000-7000-8000-000000000001';
  const headers = (secrets: readonly string[], ageSeconds = 0, signed = body) => {
    const timestamp = Math.floor(Date.now() / 1000) - ageSeconds;
    return {
      'webhook-id': id,
      'webhook-timestamp': String(timestamp),
      'webhook-signature': signature(secrets.map(signingKey), id, timestamp, signed),
    };
  };
  const good = headers([secret]);
  const renamed = { ...good, 'webhook-signature': good['webhook-signature'].replace('v1', 'v2') };
  const cut = { ...good, 'webhook-signature': good['webhook-signature'].slice(0, -4) };
  const { 'webhook-signature': _, ...unsigned } = good;

  const CASES: readonly { name: string; given: Record<string, string>; body?: string; isOurs: boolean }[] = [
    { name: 'as it was signed', given: good, isOurs: true },
    { name: 'with the signature of an old secret before it', given: headers([other, secret]), isOurs: true },
    { name: 'and after it', given: headers([secret, other]), isOurs: true },
    { name: 'four minutes old', given: headers([secret], 240), isOurs: true },
    { name: 'six minutes old', given: headers([secret], 360), isOurs: false },
    { name: 'six minutes ahead', given: headers([secret], -360), isOurs: false },
    { name: 'signed with another secret', given: headers([other]), isOurs: false },
    { name: 'with a changed body', given: good, body: body.replace('Forlì', 'Roma'), isOurs: false },
    { name: 'with another id', given: { ...good, 'webhook-id': 'x' }, isOurs: false },
    { name: 'of another version', given: renamed, isOurs: false },
    { name: 'with a signature cut short', given: cut, isOurs: false },
    { name: 'with an empty signature', given: { ...good, 'webhook-signature': 'v1,' }, isOurs: false },
    { name: 'without a signature', given: unsigned, isOurs: false },
    { name: 'without a timestamp that is one', given: { ...good, 'webhook-timestamp': 'NaN' }, isOurs: false },
    { name: 'without any header', given: {}, isOurs: false },
  ];
  const expected = CASES.map(({ name, isOurs }) => [name, isOurs]);
  const file = (name: string) => new URL(`../../src/http/docs/verify/${name}`, import.meta.url);

  test.each(['verify.mjs', 'receiver.mjs', 'verify.py', 'verify.php', 'WebhookVerifier.java', 'WebhookVerifier.cs'])(
    '%s stands in the guide',
    async name => {
      const { text } = await get('/docs/webhooks');
      const shown = text
        .replaceAll('&lt;', '<')
        .replaceAll('&gt;', '>')
        .replaceAll('&quot;', '"')
        .replaceAll('&amp;', '&');
      expect(shown).toContain((await readFile(file(name), 'utf8')).trim());
    },
  );

  test('tells in Node what is ours', async () => {
    const { verifiedEvent } = await import(file('verify.mjs').href);
    const told = CASES.map(({ name, given, body: changed = body }) => {
      try {
        expect(verifiedEvent(secret, given, Buffer.from(changed))).toEqual(JSON.parse(body));
        return [name, true];
      } catch (error) {
        expect((error as Error).message).toMatch(/^(timestamp|signature) /);
        return [name, false];
      }
    });
    expect(told).toEqual(expected);
  });

  test('is received in Node, and what is not ours is rejected', async () => {
    const port = String(await freePort());
    const env = { PATH: process.env.PATH, SECRET: secret, PORT: port };
    const receiver = spawn(process.execPath, [fileURLToPath(file('receiver.mjs'))], { env });
    try {
      const [started] = await once(receiver.stdout, 'data');
      const url = `http://127.0.0.1:${port}/`;
      expect(String(started)).toBe(`receiving at ${url}\n`);
      const statuses = CASES.map(async ({ given, body: changed = body }) => {
        return (await fetch(url, { method: 'POST', headers: given, body: changed })).status;
      });
      expect(await Promise.all(statuses)).toEqual(CASES.map(({ isOurs }) => (isOurs ? 204 : 400)));
    } finally {
      receiver.kill();
    }
  });

  test('tells in Python what is ours', async ({ skip }) => {
    const driver = `
import json, sys
sys.path.insert(0, sys.argv[1])
sys.dont_write_bytecode = True
from verify import verified_event
for given, body in json.loads(sys.argv[3]):
    try:
        verified_event(sys.argv[2], given, body.encode())
        print('true')
    except ValueError:
        print('false')
`;
    const cases = JSON.stringify(CASES.map(({ given, body: changed = body }) => [given, changed]));
    const run = promisify(execFile)('python3', ['-c', driver, fileURLToPath(file('.')), secret, cases]);
    const { stdout } = await run.catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') skip('there is no python3');
      throw error;
    });
    const told = stdout.trim().split('\n');
    expect(told.map((isOurs, i) => [CASES[i]?.name, isOurs === 'true'])).toEqual(expected);
  });
});
