import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import { OWN_CLOCK } from '../support/own-clock.ts';
import { inProcess } from './in-process.ts';
import { answerOf, useProcesses } from './processes.ts';

// MikroORM's own command line on the service's database.

const processes = useProcesses();
const ROOT = new URL('../..', import.meta.url).pathname;
const CLI = new URL('../../node_modules/@mikro-orm/cli/cli.js', import.meta.url).pathname;

async function mikroOrm(args: readonly string[], databaseUrl?: string): Promise<{ code: number; text: string }> {
  const env = { PATH: process.env.PATH, ...OWN_CLOCK, ...(databaseUrl && { DATABASE_URL: databaseUrl }) };
  try {
    const { stdout, stderr } = await promisify(execFile)(process.execPath, [CLI, ...args], { cwd: ROOT, env });
    return { code: 0, text: stdout + stderr };
  } catch (error) {
    const { code, stdout, stderr } = error as { code: number; stdout: string; stderr: string };
    return { code, text: stdout + stderr };
  }
}

describe('A command that drops tables, or makes them without migrations,', () => {
  test.each([
    ['schema:drop', '--run'],
    ['schema:fresh', '--run'],
    ['schema:create', '--run'],
    ['migration:fresh'],
    ['migration:down'],
  ])('is rejected, and names the command that migrates: %s', async (...args) => {
    const databaseUrl = processes.ownerOf(await processes.database('migrated'));
    const { code, text } = await mikroOrm(args, databaseUrl);
    expect([code, text]).toEqual([1, expect.stringContaining('npm run cli -- migrate')]);
    const client = await processes.connect(databaseUrl);
    const { rows } = await client.query(`select count(*)::integer as count from pg_tables where schemaname = 'public'`);
    expect(rows[0].count).toBeGreaterThan(40);
  });
});

test('A migrated database matches the entities: MikroORM finds nothing to change in it, and changes nothing', async () => {
  const databaseUrl = processes.ownerOf(await processes.database('migrated'));
  const commands = [['migration:check'], ['schema:update', '--dump'], ['migration:create'], ['schema:update', '--run']];
  for (const args of commands) {
    expect(await mikroOrm(args, databaseUrl)).toEqual({
      code: 0,
      text: expect.stringMatching(/No changes required|Schema is up-to-date|Schema successfully updated/),
    });
  }
  const settings = { DATABASE_URL: databaseUrl, DATA_DIR: await processes.dataDir() };
  const { stdout } = await processes.cli(['doctor', '--json'], settings);
  expect(JSON.parse(stdout)).toContainEqual(expect.objectContaining({ check: 'shape', status: 'ok' }));
});

test('`migration:up` migrates an empty database as the command `migrate` does, and does nothing the second time', async () => {
  const databaseUrl = await processes.database('empty');
  for (let time = 0; time < 2; time++) {
    expect(await mikroOrm(['migration:up'], databaseUrl)).toMatchObject({ code: 0 });
  }
  const settings = { DATABASE_URL: databaseUrl, DATA_DIR: await processes.dataDir() };
  expect(answerOf(await inProcess(['migrate', '--json'], settings))).toEqual({ migrations: [] });
});

test('MikroORM’s command line says what to set where DATABASE_URL is missing', async () => {
  const { code, text } = await mikroOrm(['migration:pending']);
  expect([code, text]).toEqual([1, expect.stringContaining('set DATABASE_URL')]);
});
