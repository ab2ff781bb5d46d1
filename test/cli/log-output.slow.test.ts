import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import packageJson from '../../package.json' with { type: 'json' };
import { type Env, type Program, useProcesses } from './processes.ts';

const processes = useProcesses();
const TOKEN = 'scrape-token-of-sixteen';

async function inProduction(env: Env = {}): Promise<Env> {
  const SECRETS_KEY = randomBytes(32).toString('base64');
  const DATABASE_URL = await processes.database('migrated');
  return { NODE_ENV: 'production', DATABASE_URL, SECRETS_KEY, METRICS_TOKEN: TOKEN, ...env };
}

async function linesUntilStopped(program: Program): Promise<Record<string, unknown>[]> {
  program.kill('SIGTERM');
  const { code, stdout, stderr } = await program.ended();
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  return stdout
    .trim()
    .split('\n')
    .map(line => JSON.parse(line));
}

/** The requests of probes, Prometheus and one caller. */
async function askAll(url: string): Promise<void> {
  for (const path of ['/livez', '/readyz', '/openapi.json']) expect((await fetch(url + path)).status).toBe(200);
  const scrape = await fetch(`${url}/metrics`, { headers: { authorization: `Bearer ${TOKEN}` } });
  expect(scrape.status).toBe(200);
}

test('In production every line of standard output is JSON, from the links of the start to the end of the stop', async () => {
  const { program, url } = await processes.service(await inProduction());
  await askAll(url);
  const lines = await linesUntilStopped(program);
  const links = { docs: `${url}/docs`, graphql: `${url}/graphql`, contract: `${url}/openapi.json` };
  expect(lines).toEqual([
    expect.objectContaining({ level: 'warn', msg: expect.stringMatching(/^PUBLIC_URL is not set: .+ Set it to /) }),
    expect.objectContaining({ level: 'info', msg: 'ready', version: packageJson.version, role: 'all', url, ...links }),
    // Neither probes nor scrapes.
    expect.objectContaining({ level: 'info', msg: 'request', route: '/openapi.json' }),
    expect.objectContaining({ level: 'info', msg: 'stopping', signal: 'SIGTERM' }),
    expect.objectContaining({ level: 'info', msg: 'stopped' }),
  ]);
});

test('With PUBLIC_URL the service warns of nothing, and at debug it logs probes and scrapes too', async () => {
  const env = await inProduction({ PUBLIC_URL: 'https://api.example.com', LOG_LEVEL: 'debug' });
  const { program, url } = await processes.service(env);
  await askAll(url);
  const lines = await linesUntilStopped(program);
  expect(lines.filter(({ level }) => level === 'warn')).toEqual([]);
  const requests = lines.filter(({ msg }) => msg === 'request');
  expect(requests.map(({ level, route }) => `${level} ${route}`)).toEqual([
    'debug /livez',
    'debug /readyz',
    'info /openapi.json',
    'debug /metrics',
  ]);
});

test('A terminal shows the start page and readable lines', async () => {
  const env = {
    DATABASE_URL: await processes.database('migrated'),
    DATA_DIR: await processes.dataDir(),
    TERM: 'xterm',
  };
  const program = processes.startBy('script', start => ['-qefc', `exec ${start.join(' ')}`, '/dev/null'], env);
  await program.said(/^API key: sk_test_\w+\r$/m);
  // biome-ignore lint/suspicious/noControlCharactersInRegex: colors are control characters
  await program.said(/^\[\d\d:\d\d:\d\d\.\d{3}\] \u001b\[32mINFO\u001b\[39m: .*ready/m);
  program.write('\u0003'); // Ctrl-C
  expect(await program.ended()).toMatchObject({ code: 0, signal: null });
  expect(program.stdout).toMatch(/stopping.*SIGINT.*\r\n.*stopped.*\r\n$/);
  expect(program.stdout).not.toContain('{"level"');
});
