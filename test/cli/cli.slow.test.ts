import { randomUUID } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { beforeAll, describe, expect, test } from 'vitest';
import { connectCarrier, RECIPIENT } from '../support/platform-side.ts';
import { type Caller, SECRETS_KEY, useWorld } from '../support/world.ts';
import { inProcess } from './in-process.ts';
import { answerOf, type Env, embeddedServer, type Json, stop, useProcesses } from './processes.ts';
import { get } from './service-calls.ts';

// The command line as a program, in processes of its own.

const processes = useProcesses();

test('Two commands at once on an empty data folder both work, and leave no server running', async () => {
  const DATA_DIR = await processes.dataDir();
  const names = ['Prima', 'Seconda'];
  const create = (name: string) => processes.cli(['--json', 'company', 'create', '--name', name], { DATA_DIR });
  const made = (await Promise.all(names.map(create))).map(answerOf);
  const companies: Json[] = answerOf(await inProcess(['--json', 'company', 'list'], { DATA_DIR }));
  expect(new Set(companies.map(({ name }) => name))).toEqual(new Set(names));
  expect(new Set(companies.map(({ companyId }) => companyId))).toEqual(new Set(made.map(({ companyId }) => companyId)));
  expect(await embeddedServer(DATA_DIR)).toBeUndefined();
});

test('Commands beside a service use its embedded server, and leave it as it was', async () => {
  const DATA_DIR = await processes.dataDir();
  const service = await processes.service({ DATA_DIR });
  const json = async (...args: string[]) => answerOf(await processes.cli(['--json', ...args], { DATA_DIR }));
  expect(await json('demo')).toEqual({ companyId: expect.any(String), apiKey: service.apiKey, added: 0 });
  expect(await json('migrate')).toEqual({ migrations: [] });
  expect(await embeddedServer(DATA_DIR)).toBeDefined();
  expect((await get(service, '/health')).status).toBe(200);
  await stop(service);
});

describe('A command that is run as a program', () => {
  const world = useWorld({ ROLE: 'api' });
  let settings: Env;
  let caller: Caller;
  let orders: string;
  beforeAll(async () => {
    settings = { DATA_DIR: await processes.dataDir(), DATABASE_URL: world.databaseUrl, SECRETS_KEY };
    caller = await world.company();
    await connectCarrier(caller);
    orders = `${settings.DATA_DIR}-orders.ndjson`;
    await writeFile(orders, JSON.stringify({ orderNumber: 'A-1', recipient: RECIPIENT }));
  });

  test.each([
    'audit --company COMPANY',
    'carrier calls --company COMPANY',
    'carrier list --company COMPANY',
    'changes --company COMPANY',
    'company create --name Nuova',
    'company list',
    'demo',
    'import orders ORDERS --company COMPANY',
    'key create --company COMPANY --label L --scopes all',
    'key list --company COMPANY',
    'key rotate --company COMPANY --key KEY',
    'key update --company COMPANY --key KEY --rate-reads 9000',
    'key revoke --company COMPANY --yes --key KEY',
    'migrate --grant ROLE',
    'grant ROLE',
    'promise compute --company COMPANY',
    'queue list',
    'retention run --yes',
    'secrets key',
    'secrets rotate',
    'status',
    'tariff list --company COMPANY',
    'webhook list --company COMPANY',
    'webhook redrive',
  ])('succeeds and ends by itself: %s', async command => {
    const ROLE = new URL(world.databaseUrl).username;
    const values: Env = { COMPANY: caller.companyId, KEY: caller.apiKeyId, ORDERS: orders, ROLE };
    const args = command.split(' ').map(word => values[word] ?? word);
    const env = args.includes(ROLE) ? { ...settings, DATABASE_URL: world.ownerUrl } : settings;
    expect(await processes.cli(['--json', ...args], env)).toMatchObject({ code: 0, signal: null, stderr: '' });
  });

  const cases: { name: string; args: string[]; env?: Env; code: number }[] = [
    { name: 'help', args: ['key', '--help'], code: 0 },
    { name: 'an unknown command', args: ['launch'], code: 2 },
    {
      name: 'an unknown key',
      args: ['key', 'revoke', '--company', randomUUID(), '--yes', '--key', randomUUID()],
      code: 1,
    },
    { name: 'a wrong setting', args: ['company', 'list'], env: { DATABASE_POOL_SIZE: 'x' }, code: 1 },
    { name: 'a result that is a failure', args: ['doctor', '--json'], env: { DATABASE_POOL_SIZE: 'x' }, code: 1 },
  ];
  test.each(cases)('ends as in this process: $name', async ({ args, env = {}, code }) => {
    const ended = await processes.cli(args, { ...settings, ...env });
    expect(ended.code).toBe(code);
    expect(ended).toEqual(await inProcess(args, { ...settings, ...env }));
  });
});
