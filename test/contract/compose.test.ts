import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { SETTINGS } from '../../src/config.ts';

interface Service {
  image?: string;
  build?: { dockerfile_inline: string };
  command?: string[];
  environment: Record<string, string>;
  healthcheck: { test?: string[]; disable?: boolean };
  depends_on?: Record<string, { condition: string }>;
}

const read = (file: string) => readFileSync(new URL(`../../${file}`, import.meta.url), 'utf8');
const compose = parse(read('docker-compose.yml'), { merge: true }) as {
  services: Record<string, Service>;
  volumes: object;
};
const { postgres, migrate, api, worker } = compose.services as Record<string, Service>;

test('it runs PostgreSQL, one migration, api and worker, and nothing else', () => {
  expect(Object.keys(compose.services).toSorted()).toEqual(['api', 'migrate', 'postgres', 'worker']);
  expect(api?.environment.ROLE).toBe('api');
  expect(worker?.environment.ROLE).toBe('worker');
  expect(migrate?.command).toEqual(['src/cli.ts', 'migrate']);
});

test('migration waits for the database, the service for the migration', () => {
  expect(migrate?.depends_on).toEqual({ postgres: { condition: 'service_healthy' } });
  for (const service of [api, worker]) {
    expect(service?.depends_on).toEqual({ migrate: { condition: 'service_completed_successfully' } });
  }
});

test('everything that stays up has a health check', () => {
  for (const service of [postgres, api, worker]) expect(service?.healthcheck.test?.length).toBeGreaterThan(1);
});

test('the image is built from Node 24, copies what exists, and does not run as root', () => {
  const dockerfile = api?.build?.dockerfile_inline ?? '';
  expect(dockerfile).toMatch(/^FROM node:24/);
  expect(dockerfile).toMatch(/^USER node$/m);
  const copied = [...dockerfile.matchAll(/^COPY (.+) \S+$/gm)].flatMap(([, sources = '']) => sources.split(' '));
  expect(copied.length).toBeGreaterThan(3);
  for (const source of copied) expect(() => read(source), source).not.toThrow(/ENOENT/);
  // The same flags as `npm start`.
  const { scripts } = JSON.parse(read('package.json')) as { scripts: { start: string } };
  const entry = JSON.parse(/^ENTRYPOINT (.+)$/m.exec(dockerfile)?.[1] ?? '[]') as string[];
  expect([...entry, 'src/main.ts'].join(' ')).toBe(scripts.start.replace(/^exec /, ''));
});

test('it sets only settings that the service reads', () => {
  for (const service of [migrate, api, worker]) {
    expect(Object.keys(SETTINGS.shape)).toEqual(expect.arrayContaining(Object.keys(service?.environment ?? {})));
  }
});
