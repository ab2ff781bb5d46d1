import { beforeAll, expect, test } from 'vitest';
import { connectCarrier } from '../support/platform-side.ts';
import { type Caller, SECRETS_KEY, useWorld } from '../support/world.ts';
import { inProcess } from './in-process.ts';
import { answerOf, type Env, type Json, useProcesses } from './processes.ts';

const processes = useProcesses();
const world = useWorld({ ROLE: 'api' });
let settings: Env;
beforeAll(async () => {
  settings = { DATA_DIR: await processes.dataDir(), DATABASE_URL: world.databaseUrl, SECRETS_KEY };
});

const run = (...args: string[]) => inProcess(['--json', ...args], settings);
const json = async (...args: string[]): Promise<Json> => answerOf(await run(...args));

/** A company with five entries. */
async function busyCompany(): Promise<Caller> {
  const caller = await world.company();
  for (const label of ['Uno', 'Due', 'Tre']) await connectCarrier(caller, 'GLS', label);
  return caller;
}

/** Changes by the owner of the tables, who can switch the trigger off. */
async function tamper(statement: string, companyId: string): Promise<void> {
  await world.pool.query('alter table audit_entry disable trigger audit_entry_is_kept');
  await world.pool.query(statement, [companyId]);
  await world.pool.query('alter table audit_entry enable trigger audit_entry_is_kept');
}

async function findingOn(companyId: string): Promise<string | undefined> {
  const { stdout } = await run('doctor');
  const findings = JSON.parse(stdout) as { check: string; found: string }[];
  return findings.find(({ check, found }) => check === 'audit' && found.includes(companyId))?.found;
}

test('`audit` lists the entries of a company, newest first, or only the entries of given actions', async () => {
  const { companyId, apiKeyId } = await busyCompany();
  const all = await json('audit', '--company', companyId);
  expect(all.map(({ databaseId, action }: Json) => `${databaseId} ${action}`)).toEqual([
    '5 CARRIER_CONNECTED',
    '4 CARRIER_CONNECTED',
    '3 CARRIER_CONNECTED',
    '2 KEY_ISSUED',
    '1 COMPANY_CREATED',
  ]);
  expect(all[0]).toMatchObject({ actor: { kind: 'KEY', apiKeyId }, subject: { type: 'CarrierConnection' } });
  expect(all[1].detail).toMatchObject({ label: 'Due' });
  expect(all.at(-1)).toMatchObject({ actor: { kind: 'OPERATOR' }, subject: { key: companyId } });
  const issued = await json('audit', '--company', companyId, '--actions', 'key_issued', '--first', '1');
  expect(issued.map(({ databaseId }: Json) => databaseId)).toEqual([2]);
  const { code, stderr } = await run('audit', '--company', companyId, '--actions', 'key_stolen');
  expect([code, stderr]).toEqual([2, expect.stringContaining('must be one of CARRIER_CONNECTED, ')]);
});

test.each([
  ['was changed', `update audit_entry set content = '{"action":"key_issued"}' where company_id = $1 and number = 3`, 3],
  ['was removed', 'delete from audit_entry where company_id = $1 and number = 3', 4],
  ['was removed from the end', 'delete from audit_entry where company_id = $1 and number = 5', 4],
])('The doctor finds an entry that %s', async (_how, statement, number) => {
  const { companyId } = await busyCompany();
  expect(await findingOn(companyId)).toBeUndefined();
  await tamper(statement, companyId);
  expect(await findingOn(companyId)).toContain(`entry ${number} was changed, or one beside it removed`);
});

test('The doctor finds that all entries are gone', async () => {
  const { companyId } = await busyCompany();
  await tamper('delete from audit_entry where company_id = $1', companyId);
  expect(await findingOn(companyId)).toContain('all entries are gone');
});
