import { createHash } from 'node:crypto';
import { request } from 'node:http';
import { describe, expect, test } from 'vitest';
import { DASHBOARD_PAGES } from '../support/dashboard-pages.ts';
import { basic, operators } from '../support/operators.ts';
import { useWorld } from '../support/world.ts';
import { inProcess } from './in-process.ts';
import { type Json, useProcesses } from './processes.ts';

const PASSWORD = 'password-of-the-operators';
const processes = useProcesses();
const world = useWorld({ OPS_USERS: operators({ anna: PASSWORD, ben: 'password-of-ben' }) });

interface Page {
  readonly status: number;
  readonly text: string;
  readonly headers: Headers;
}

async function get(url: string, headers: Record<string, string> = {}): Promise<Page> {
  const response = await fetch(url, { headers });
  return { status: response.status, text: await response.text(), headers: response.headers };
}

/** Addresses of Google's fonts, which the package asks for. */
function outsideFonts(code: string): readonly string[] {
  return code.match(/fonts\.(?:googleapis|gstatic)[\w./?=&:@;-]*/g) ?? [];
}

/** The addresses of other servers that a page loads. */
function outsideTargets(html: string, url: string): readonly string[] {
  const targets = [...html.matchAll(/<(?:link|script|img)\b[^>]*?\b(?:src|href)="([^"]*)"/g)].map(([, to = '']) => to);
  return targets.filter(to => new URL(to, url).origin !== new URL(url).origin && !to.startsWith('data:'));
}

/** The headers that keep a page, or what it loads, from others and from scripts that did not come with it. */
function expectGuarded(html: string, headers: Headers): void {
  expect(headers.get('x-content-type-options')).toBe('nosniff');
  expect(headers.get('referrer-policy')).toBe('no-referrer');
  const inline = [...html.matchAll(/<script(?![^>]* src=)[^>]*>(.*?)<\/script>/gs)].map(([, code = '']) => code);
  const hashes = inline.map(code => `'sha256-${createHash('sha256').update(code).digest('base64')}'`);
  const policy = headers.get('content-security-policy') ?? '';
  expect(policy).toMatch(/^default-src 'self'; .*frame-ancestors 'none'$/);
  expect(/script-src ([^;]*)/.exec(policy)?.[1]).toBe(["'self'", ...hashes].join(' '));
}

/** The protection of a dashboard: its operator gets in, and nobody else. */
async function expectDashboard(url: string, user: string, password: string): Promise<void> {
  const others = [
    {},
    basic(user, 'something-else'),
    basic('someone', password),
    { authorization: `Bearer ${password}` },
  ];
  for (const headers of others) {
    const { status, text, headers: answered } = await get(`${url}/queues`, headers);
    expect([status, text.includes('queues')]).toEqual([401, false]);
    expect(answered.get('www-authenticate')).toMatch(/^Basic /);
  }
  const { status, text, headers } = await get(`${url}/queues`, basic(user, password));
  expect([status, headers.get('content-type')]).toEqual([200, 'text/html']);
  expectGuarded(text, headers);
  for (const queue of ['webhooks.deliver', 'webhooks.dead', 'tracking.poll']) expect(text).toContain(queue);
  // All that the page loads comes from there too, and not without the password.
  const scripts = [...text.matchAll(/(?:src|href)="(\/[^"]+\.(?:js|css))"/g)].map(([, path = '']) => path);
  expect(scripts.length).toBeGreaterThan(2);
  const { origin } = new URL(url);
  const loaded = await Promise.all(scripts.map(async path => (await get(origin + path, basic(user, password))).text));
  for (const code of [text, ...loaded]) expect(outsideFonts(code)).toEqual([]);
  expect(outsideTargets(text, url)).toEqual([]);
  for (const path of scripts.slice(0, 3)) {
    const script = await get(origin + path, basic(user, password));
    expect(script.status).toBe(200);
    expectGuarded('', script.headers);
    expect((await get(origin + path)).status).toBe(401);
  }
}

describe('The command `dashboard`', () => {
  test('shows the queues to callers with the password that it made, until it is stopped', async () => {
    const DATABASE_URL = world.databaseUrl;
    const program = processes.startCli(['--json', 'dashboard', '--port', '0', '--user', 'anna'], { DATABASE_URL });
    const [line = ''] = await program.said(/^\{.*\}$/m);
    const { url, user, password }: Json = JSON.parse(line);
    expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
    expect(password.length).toBeGreaterThanOrEqual(20);
    await expectDashboard(url, user, password);
    const headers = { ...basic(user, password), origin: url };
    expect((await fetch(`${url}/queues/create`, { method: 'POST', headers, body: 'name=a' })).status).toBe(403);
    program.kill('SIGTERM');
    expect(await program.ended()).toMatchObject({ code: 0, stderr: '' });
    await expect(fetch(url)).rejects.toThrow();
  });
});

test('`operator create` makes a user whom the service accepts, and stores no password', async () => {
  const { stdout } = await inProcess(['operator', 'create', 'carla', '--json'], {});
  const { name, password, entry }: Json = JSON.parse(stdout);
  expect([name, password.length, entry]).toEqual(['carla', 27, operators({ carla: password })]);
  const text = (await inProcess(['operator', 'create', 'carla'], {})).stdout;
  expect(text).toMatch(/^Password of carla, which is shown only now: \S{27}\nAdd to OPS_USERS: carla:[0-9a-f]{64}\n$/);
  expect(await inProcess(['operator', 'create', 'carla:x'], {})).toMatchObject({ code: 2 });
});

describe('The service, with OPS_USERS,', () => {
  const url = () => `${world.app.url}/ops/jobs`;

  test('has the same dashboard at /ops/jobs', async () => {
    await expectDashboard(url(), 'anna', PASSWORD);
    expect((await get(url(), basic('anna', PASSWORD))).status).toBe(200);
  });

  test.each(DASHBOARD_PAGES)(
    'has a page at /ops/jobs%s that names no other server, and whose policy allows none',
    async path => {
      const { status, text, headers } = await get(url() + path, basic('anna', PASSWORD));
      expect(status).toBe(200);
      expectGuarded(text, headers);
      expect(outsideFonts(text)).toEqual([]);
      expect(outsideTargets(text, url())).toEqual([]);
    },
  );

  test('lets nobody change anything there', async () => {
    const form = { 'content-type': 'application/x-www-form-urlencoded', origin: world.app.url };
    const headers = { ...basic('anna', PASSWORD), ...form };
    const body = 'name=a.b&policy=standard';
    expect((await fetch(`${url()}/queues/create`, { method: 'POST', headers, body })).status).toBe(405);
    const { text } = await get(`${url()}/queues/create`, basic('anna', PASSWORD));
    expect(text).toContain('read-only');
  });

  test('returns 400 for an invalid Host', async () => {
    const { promise, resolve, reject } = Promise.withResolvers<number | undefined>();
    const headers = { ...basic('anna', PASSWORD), host: 'no host' };
    request(url(), { headers }, response => resolve(response.resume().statusCode))
      .on('error', reject)
      .end();
    expect(await promise).toBe(400);
  });

  test('lets each user in by their own password alone', async () => {
    expect((await get(url(), basic('ben', 'password-of-ben'))).status).toBe(200);
    for (const [user, password] of [
      ['ben', PASSWORD],
      ['anna', 'password-of-ben'],
      ['', ''],
      ['ops', ''],
    ] as const)
      expect((await get(url(), basic(user, password))).status).toBe(401);
  });

  test.each(['/ops/', '/ops/jobsx', '/ops/other'])('has nothing at %s', async path => {
    expect((await get(world.app.url + path, basic('anna', PASSWORD))).status).toBe(404);
  });
});
