import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readConfig } from '../../src/config.ts';
import { StartupError } from '../../src/platform/startup-error.ts';
import { SECRETS, SETTINGS } from '../../src/service-settings.ts';
import { ABOUT } from '../../src/setting-kinds.ts';

const root = new URL('../../', import.meta.url).pathname;
const read = (file: string) => readFileSync(join(root, file), 'utf8');
const names = Object.keys(SETTINGS.shape);

test('Each setting says what it is for, what it allows and which processes use it', () => {
  expect(names.length).toBeGreaterThan(30);
  for (const [name, schema] of Object.entries(SETTINGS.shape)) {
    const { purpose, allowed, usedBy = [] } = ABOUT.get(schema) ?? {};
    expect([name, purpose, allowed]).toEqual([name, expect.stringMatching(/\w/), expect.stringMatching(/\w/)]);
    expect(usedBy.length, name).toBeGreaterThan(0);
  }
});

test('Each setting is read by the service', () => {
  const source = read('src/config.ts');
  for (const name of names) expect(source.split(`settings.${name}`).length, name).toBeGreaterThan(1);
});

test('The doctor, the demo and the command line name only settings that exist', () => {
  const files = ['src/cli', 'src/demo', 'src/embedded-postgres'].flatMap(folder =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
      .filter(file => file.endsWith('.ts'))
      .map(file => `${folder}/${file}`),
  );
  const prefixes = [...new Set(names.map(name => name.split('_')[0]))].join('|');
  // In texts, where a constant of the code does not stand.
  const text = /'(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"|`(?:\\.|[^`\\])*`/g;
  const named = files.flatMap(file =>
    (read(file).match(text) ?? []).flatMap(said =>
      (said.replace(/\$\{[^}]*\}/g, '').match(new RegExp(`\\b(?:${prefixes})_[A-Z_]+\\b`, 'g')) ?? []).map(
        name => `${file}: ${name}`,
      ),
    ),
  );
  expect(named.length).toBeGreaterThan(5);
  expect(named.filter(line => !names.includes(line.split(': ')[1] ?? ''))).toEqual([]);
});

test('Without settings, the limits match the guide', () => {
  const { caps, graphql, rateLimits } = readConfig({});
  expect(rateLimits).toMatchObject({ reads: 6_000, quotes: 1_200, writes: 600 });
  expect(caps).toEqual({
    warehouses: 1_000,
    carrierConnections: 200,
    apiKeys: 100,
    webhookEndpoints: 100,
    shipmentEvents: 2_000,
  });
  expect(graphql.timeoutMs).toBe(10_000);
});

test('A secret is never printed, however wrong it is', () => {
  const wrong = 'not \u0001 allowed';
  expect(SECRETS).toEqual(expect.arrayContaining(['DATABASE_URL', 'SECRETS_KEY']));
  for (const name of SECRETS) {
    const read = () => readConfig({ [name]: wrong });
    expect(read).toThrow(StartupError);
    expect(read).toThrow(new RegExp(`^${name} is set, but must be `));
    expect(read).not.toThrow(wrong);
  }
});

test.each(['nonsense', 'AAAA', `${'A'.repeat(43)}=,AAAA`])(
  'SECRETS_KEY=%s gives one message, which says what is allowed',
  key => {
    const env = { NODE_ENV: 'production', DATABASE_URL: 'postgres://127.0.0.1/x', SECRETS_KEY: key };
    const message = 'SECRETS_KEY is set, but must be base64 of 32 bytes, or several separated by commas.';
    expect(() => readConfig(env)).toThrow(new StartupError(message));
  },
);
