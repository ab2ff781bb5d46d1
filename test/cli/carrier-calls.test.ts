import { beforeAll, expect, test } from 'vitest';
import { insertCarrierCalls } from '../support/carrier-calls.ts';
import { askedAt, connectSandbox, useSandbox } from '../support/carriers.ts';
import { type Caller, SECRETS_KEY, useWorld } from '../support/world.ts';
import { inProcess } from './in-process.ts';
import { answerOf, type Env, type Json, useProcesses } from './processes.ts';

const processes = useProcesses();
const sandbox = useSandbox();
const world = useWorld(Object.assign(askedAt(sandbox), { ROLE: 'api' }));
let settings: Env;
let caller: Caller;
let connections: readonly number[];
beforeAll(async () => {
  const DATA_DIR = await processes.dataDir();
  settings = { DATA_DIR, DATABASE_URL: world.databaseUrl, SECRETS_KEY, CARRIER_SANDBOX_URL: sandbox.url };
  caller = await world.sandbox();
  connections = [await connectSandbox(caller, 'BRT'), await connectSandbox(caller, 'GLS')];
  await insertCarrierCalls(world.pool, caller.companyId, connections);
});

const run = (env: Env, ...args: string[]) => inProcess(['--json', ...args], { ...settings, ...env });
const calls = async (...args: string[]): Promise<Json[]> =>
  answerOf(await run({}, 'carrier', 'calls', '--company', caller.companyId, ...args));

test('`carrier calls` lists the calls of a company, by connection, request, outcome and time', async () => {
  const requestsOf = async (...args: string[]) => (await calls(...args)).map(({ requestId }) => requestId);
  expect(await requestsOf()).toEqual(['request-1', 'request-2']);
  const first = await run({}, 'carrier', 'calls', '--company', caller.companyId, '--first', '1');
  expect(JSON.parse(first.stdout)).toMatchObject([{ requestId: 'request-1' }]);
  expect(first.stderr).toBe('There are more: --all shows them too.\n');
  expect(await requestsOf('--first', '1', '--all')).toEqual(['request-1', 'request-2']);
  expect(await requestsOf('--connection', String(connections[1]))).toEqual(['request-2']);
  expect(await requestsOf('--request', 'request-1')).toEqual(['request-1']);
  expect(await requestsOf('--outcomes', 'refused')).toEqual([]);
  const [newest] = await calls();
  expect(await requestsOf('--from', newest.startedAt)).toEqual(['request-1']);
  expect(await requestsOf('--to', newest.startedAt)).toEqual(['request-2']);
  expect(newest).toMatchObject({
    carrierConnection: { databaseId: connections[0] },
    url: 'https://carrier.example/',
    requestHeaders: {},
  });
  const { stdout } = await inProcess(['carrier', 'calls', '--company', caller.companyId], settings);
  expect(stdout).toMatch(/│ GET +│ https:\/\/carrier\.example\/ +│ ANSWERED │ 200 /);
  const wrong = await run({}, 'carrier', 'calls', '--company', caller.companyId, '--from', 'yesterday');
  expect([wrong.code, wrong.stderr]).toEqual([2, expect.stringContaining('--from must be an ISO 8601 date-time')]);
});

test('`carrier test` records its call, unless calls are kept for no day', async () => {
  const [brt] = connections;
  const test = async (days: string) => {
    await run(
      { CARRIER_CALL_RETENTION_DAYS: days },
      'carrier',
      'test',
      '--company',
      caller.companyId,
      '--connection',
      String(brt),
    );
    return (await calls('--connection', String(brt))).filter(({ purpose }) => purpose === 'CREDENTIALS_TEST').length;
  };
  expect(await test('0')).toBe(0);
  // One about an address and one about a shipment, which BRT asks other credentials for.
  expect(await test('7')).toBe(2);
});

test('Calls are deleted once they are older than CARRIER_CALL_RETENTION_DAYS', async () => {
  const other = await world.sandbox();
  const connection = await connectSandbox(other, 'GLS');
  await insertCarrierCalls(
    world.pool,
    other.companyId,
    Array.from({ length: 250 }, () => connection),
  );
  await world.pool.query("update carrier_call set at = at - interval '8 days' where company_id = $1", [
    other.companyId,
  ]);
  await insertCarrierCalls(world.pool, other.companyId, [connection]);
  const removed: Json[] = answerOf(await run({}, 'retention', 'run', '--yes'));
  expect(removed).toContainEqual({ table: 'carrier_call', keptDays: 7, rows: 250 });
  const { rows } = await world.pool.query('select count(*)::integer as count from carrier_call where company_id = $1', [
    other.companyId,
  ]);
  expect(rows).toEqual([{ count: 1 }]);
});
