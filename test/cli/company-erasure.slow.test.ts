import { beforeAll, expect, test, vi } from 'vitest';
import { connectCarrier, shipment, upsertShipments } from '../support/platform-side.ts';
import { REACHABLE } from '../support/receiver.ts';
import { SECRETS_KEY, useWorld } from '../support/world.ts';
import { inProcess } from './in-process.ts';
import { answerOf, type Env, type Json, useProcesses } from './processes.ts';

const processes = useProcesses();
const world = useWorld({ ...REACHABLE, CARRIER_SANDBOX_URL: 'http://127.0.0.1:9' });
let settings: Env;
beforeAll(async () => {
  settings = { DATA_DIR: await processes.dataDir(), DATABASE_URL: world.databaseUrl, SECRETS_KEY };
});

const run = (...args: string[]) => inProcess(['--json', ...args], settings);
const json = async (...args: string[]): Promise<Json> => answerOf(await run(...args));
const suspend = (companyId: string) => json('company', 'suspend', '--company', companyId, '--yes');
const erase = (companyId: string, name: string) =>
  json('company', 'erase', '--company', companyId, '--name', name, '--by', 'Anna Neri');

async function rowsOf<Row = Json>(text: string, ...values: unknown[]): Promise<Row[]> {
  return (await world.pool.query(text, values)).rows;
}

async function nameOf(companyId: string): Promise<string> {
  const [company] = await rowsOf('select name from company where id = $1', companyId);
  return company.name;
}

/** Every table of the database that has rows of its own. */
const tables = () =>
  rowsOf<{ name: string }>(
    `select c.oid::regclass::text as name from pg_class c where c.relkind = 'r'
      and c.relnamespace::regnamespace::text not in ('pg_catalog', 'information_schema') order by 1`,
  );

/** How many rows of each table have a text somewhere, those alone that have any. */
async function found(text: string): Promise<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const { name } of await tables()) {
    const [row] = await rowsOf(`select count(*)::integer as count from ${name} t where t::text like $1`, `%${text}%`);
    if (row.count > 0) counts[name] = row.count;
  }
  return counts;
}

test('An erasure that is killed goes on when the command is run again, and counts each row once', async () => {
  const caller = await world.company();
  const { companyId } = caller;
  await upsertShipments(caller, [shipment(await connectCarrier(caller), 'K1')]);
  await rowsOf(
    `insert into tracking_change (company_id, number, kind, shipment_id) select $1, n, 'updated', 1 from generate_series(10, 40009) n`,
    companyId,
  );
  const changes = async () => {
    const [row] = await rowsOf(
      'select count(*)::integer as count from tracking_change where company_id = $1',
      companyId,
    );
    return row.count as number;
  };
  const total = await changes();
  await suspend(companyId);
  const name = await nameOf(companyId);
  const killed = processes.startCli(['company', 'erase', '--company', companyId, '--name', name], settings);
  await vi.waitFor(async () => expect(await changes()).toBeLessThan(total), { timeout: 20_000, interval: 5 });
  killed.kill('SIGKILL');
  await killed.ended();
  const left = await changes();
  expect(left).toBeGreaterThan(0);

  const resumed = await run('company', 'resume', '--company', companyId);
  expect([resumed.code, resumed.stderr]).toEqual([2, expect.stringContaining('erasure was begun')]);
  const { stdout } = await run('doctor');
  const finding = (JSON.parse(stdout) as Json[]).find(({ check }) => check === 'companies');
  expect(finding).toMatchObject({ status: 'warn', found: expect.stringContaining(companyId) });

  const [proof] = await erase(companyId, name);
  expect(proof.counts.tracking_change).toBe(total);
  expect(await found(companyId)).toEqual({ erased_company: 1 });
});
