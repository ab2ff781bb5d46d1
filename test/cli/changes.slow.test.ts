import { fileURLToPath } from 'node:url';
import { describe, expect, test, vi } from 'vitest';
import { recordEvents } from '../support/platform-side.ts';
import { linesOf, useChanges } from './change-log.ts';
import { DEADLINE_MS, type Json, Program } from './processes.ts';

// `changes`: the change log of a company on the command line.

const given = useChanges();
const { processes, run, world } = given;
const SOON = { timeout: DEADLINE_MS, interval: 20 };
const follow = (...args: string[]): Program =>
  processes.startCli(['--json', 'changes', '--company', given.caller.companyId, '--follow', ...args], given.settings);

describe('`changes --follow`', () => {
  const move = (trackingNumber: string, minute: number) =>
    recordEvents(given.caller, [
      {
        trackingNumber,
        occurredAt: new Date(Date.UTC(2026, 10, 21, 0, minute)).toISOString(),
        statusCode: minute % 2 ? 'in_transit' : 'at_depot',
      },
    ]);
  const everything = async (): Promise<Json[]> =>
    linesOf((await run('--json', 'changes', '--company', given.caller.companyId)).stdout);

  test('continues with each change as it happens, also after its connections were lost, until Ctrl-C', async () => {
    const program = follow('--after', '0');
    const isUpToDate = async () => expect(linesOf(program.stdout)).toEqual(await everything());
    await vi.waitFor(isUpToDate, SOON);
    await move('A', 1);
    await vi.waitFor(isUpToDate, SOON);
    const client = await processes.connect(world.databaseUrl);
    await client.query(
      'select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()',
    );
    // The service has lost its connections too.
    await vi.waitFor(() => move('A', 2), SOON);
    await vi.waitFor(isUpToDate, SOON);
    await move('A', 3);
    await vi.waitFor(isUpToDate, SOON);
    program.kill('SIGINT');
    expect(await program.ended()).toMatchObject({ code: 0, signal: null, stderr: '' });
  });

  test('begins with new changes if no number is given', async () => {
    const before = (await everything()).length;
    const program = follow('--kinds', 'status');
    let minute = 10;
    // Changes before the wait are not new.
    await vi.waitFor(async () => {
      await move('A', minute++);
      expect(program.stdout).not.toBe('');
    }, SOON);
    expect(linesOf(program.stdout)[0].number).toBeGreaterThan(before);
    program.kill('SIGTERM');
    expect(await program.ended()).toMatchObject({ code: 0, stderr: '' });
  });

  test('ends when nobody reads its output any more', async () => {
    const command = '"$NODE" "$CLI" --json changes --company "$COMPANY" --follow --after 0 | head -n 1';
    const env = { NODE: process.execPath, CLI: fileURLToPath(new URL('../../src/cli.ts', import.meta.url)) };
    const program = new Program(
      ['-c', `${command}; echo "exit code \${PIPESTATUS[0]}"`],
      { ...given.settings, ...env, COMPANY: given.caller.companyId },
      { file: 'bash' },
    );
    try {
      await program.said(/"number":1/);
      await vi.waitFor(async () => {
        await move('A', Math.floor(Math.random() * 1_000) + 100);
        expect(program.runs).toBe(false);
      }, SOON);
      const { stdout, stderr } = await program.ended();
      expect([stdout.trim().split('\n').at(-1), stderr]).toEqual(['exit code 0', '']);
    } finally {
      program.kill('SIGKILL');
    }
  });
});
