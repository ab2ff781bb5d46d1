import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, test, vi } from 'vitest';
import { connectCarrier, recordEvents, shipment, upsertShipments } from '../graphql/platform-side.ts';
import { type Caller, SECRETS_KEY, useWorld } from '../support/world.ts';
import { inProcess } from './in-process.ts';
import { DEADLINE_MS, type Env, expectSentence, type Json, Program, useProcesses } from './processes.ts';

// `changes`: the change log of a company on the command line.

const processes = useProcesses();
const world = useWorld({ ROLE: 'api' });
const SOON = { timeout: DEADLINE_MS, interval: 20 };
let settings: Env;
let caller: Caller;
let connection: number;
beforeAll(async () => {
  settings = { DATA_DIR: await processes.dataDir(), DATABASE_URL: world.databaseUrl, SECRETS_KEY };
  caller = await world.company();
  connection = await connectCarrier(caller);
  await upsertShipments(caller, [shipment(connection, 'A'), shipment(connection, 'B')]);
  await recordEvents(caller, [
    { trackingNumber: 'A', timestamp: '2026-11-20T10:00:00Z', statusCode: 'shipped' },
    { trackingNumber: 'B', timestamp: '2026-11-20T10:00:00Z', statusCode: 'delivered' },
  ]);
});

const run = (...args: string[]) => inProcess(args, settings);
const linesOf = (text: string): Json[] =>
  text
    .split('\n')
    .filter(Boolean)
    .map(line => JSON.parse(line));
const follow = (...args: string[]): Program =>
  processes.startCli(['--json', 'changes', '--company', caller.companyId, '--follow', ...args], settings);

describe('changes', () => {
  test('prints the changes that are kept, a line each', async () => {
    const { code, stdout, stderr } = await run('changes', '--company', caller.companyId);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(
      stdout.split('\n').map(line =>
        line
          .trim()
          .split(/\s{2,}/)
          .toSpliced(1, 1),
      ),
    ).toEqual([
      ['1', 'created', 'A'],
      ['2', 'created', 'B'],
      ['3', 'status', 'A', 'created → shipped'],
      ['4', 'status', 'B', 'created → delivered'],
      [''],
    ]);
  });

  test('prints JSON lines, after a number and through a filter', async () => {
    const { stdout } = await run('--json', 'changes', 'list', '--company', caller.companyId, '--after', '2');
    expect(linesOf(stdout)).toEqual([
      expect.objectContaining({ number: 3, kind: 'status', trackingNumber: 'A', statusCode: 'shipped' }),
      expect.objectContaining({ number: 4, previousStatusCode: 'created', eventId: expect.stringMatching(/^\d+$/) }),
    ]);
    const numbers = async (...filter: string[]) => {
      const { stdout } = await run('--json', 'changes', '--company', caller.companyId, ...filter);
      return linesOf(stdout).map(({ number }) => number);
    };
    expect(await numbers('--kinds', 'created')).toEqual([1, 2]);
    expect(await numbers('--statuses', 'delivered,held')).toEqual([4]);
    expect(await numbers('--shipment', String(linesOf(stdout)[0].shipmentId))).toEqual([1, 3]);
  });

  test('names what is wrong with an option, and a company that does not exist', async () => {
    const misused = await run('changes', '--company', caller.companyId, '--kinds', 'x');
    expect(misused).toMatchObject({ code: 2, stderr: expect.stringContaining('created, updated, status') });
    const unknown = await run('changes', '--company', '00000000-0000-4000-8000-000000000000');
    expect(unknown.code).toBe(1);
    expectSentence(unknown.stderr);
  });

  test('asks before every cursor expires, and does it', async () => {
    expect((await run('changes', 'expire')).stderr).toContain('--yes');
    const { code, stdout } = await run('--json', 'changes', 'expire', '--yes');
    expect({ code, answer: JSON.parse(stdout) }).toEqual({ code: 0, answer: { companies: 1 } });
  });
});

describe('changes --follow', () => {
  const move = (trackingNumber: string, minute: number) =>
    recordEvents(caller, [
      {
        trackingNumber,
        timestamp: new Date(Date.UTC(2026, 10, 21, 0, minute)).toISOString(),
        statusCode: minute % 2 ? 'in_transit' : 'at_depot',
      },
    ]);
  const everything = async (): Promise<Json[]> =>
    linesOf((await run('--json', 'changes', '--company', caller.companyId)).stdout);

  test('goes on with each change as it happens, also after its connections were lost, until Ctrl-C', async () => {
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

  test('begins with what is new where no number is given', async () => {
    const before = (await everything()).length;
    const program = follow('--kinds', 'status');
    let minute = 10;
    // What happens before it waits is not new.
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
      { ...settings, ...env, COMPANY: caller.companyId },
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
