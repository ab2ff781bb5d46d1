import { writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { beforeAll, describe, expect, test, vi } from 'vitest';
import { Progress } from '../../src/cli/progress.ts';
import { RECIPIENT } from '../support/platform-side.ts';
import { inProcess } from './in-process.ts';
import { answerOf, type Env, expectSentence, useProcesses } from './processes.ts';

const COLUMNS = 80;
const ID = '2612779b-5144-4cdf-b16b-6695e8d40383';
const SHORT_TIME = /\d{4}-\d{2}-\d{2} \d{2}:\d{2}Z/;

const processes = useProcesses();
let settings: Env;
let companyId: string;
beforeAll(async () => {
  settings = { DATA_DIR: await processes.dataDir(), DATABASE_URL: await processes.database('migrated') };
  ({ companyId } = answerOf(await run('company', 'create', '--name', 'Rossi', '--json')));
  answerOf(await run('key', 'create', '--company', companyId, '--label', 'L', '--scopes', 'all', '--json'));
});

const run = (...args: string[]) => inProcess(args, settings);
const atTerminal = (args: readonly string[], types?: string) =>
  inProcess(args, settings, { columns: COLUMNS, ...(types !== undefined && { types }) });

const widest = (text: string) => Math.max(...text.split('\n').map(line => line.length));
const keys = async () =>
  answerOf(await run('key', 'list', '--company', companyId, '--json')) as { id: string; revokedAt: string | null }[];

describe('A table', () => {
  test('fits a terminal of 80 columns, and names the columns that it leaves out', async () => {
    const [{ id } = { id: '' }] = await keys();
    const { stdout } = await atTerminal(['key', 'list', '--company', companyId]);
    expect(widest(stdout)).toBeLessThanOrEqual(COLUMNS);
    // Values that other commands take stay whole.
    expect(stdout).toContain(id);
    expect(stdout).toMatch(/^--wide also shows [\s\S]*\bcreatedAt\b[\s\S]*\bscopes\b/m);
    expect(stdout).not.toContain('HEALTH_READ');
  });

  test('shortens times to the minute', async () => {
    const other = answerOf(await run('company', 'create', '--name', 'Bianchi', '--json')).companyId as string;
    await run('company', 'suspend', '--company', other, '--yes');
    expect((await atTerminal(['company', 'list'])).stdout).toMatch(SHORT_TIME);
  });

  test('wraps texts that are still too wide, without losing any part', async () => {
    const name = 'Spedizioni e logistica del Mediterraneo '.repeat(4).trim();
    await run('company', 'create', '--name', name);
    const { stdout } = await atTerminal(['company', 'list']);
    expect(widest(stdout)).toBeLessThanOrEqual(COLUMNS);
    expect(stdout).toMatch(new RegExp(companyId));
    const cells = stdout.split('\n').map(line => line.split('│')[2] ?? '');
    expect(cells.join('').replace(/\s/g, '')).toContain(name.replace(/\s/g, ''));
  });

  test('has everything with `--wide`, and where the output is not a terminal', async () => {
    const list = ['key', 'list', '--company', companyId];
    const [wide, piped] = [await atTerminal(['--wide', ...list]), await run(...list)];
    expect(wide.stdout).toBe(piped.stdout);
    expect(widest(piped.stdout)).toBeGreaterThan(COLUMNS);
    expect(piped.stdout).toContain('HEALTH_READ');
    expect(piped.stdout).not.toMatch(SHORT_TIME);
  });
});

describe('A command that cannot be undone', () => {
  beforeAll(async () => {
    const connected = await run('carrier', 'connect', '--company', companyId, '--carrier', 'BRT', '--label', 'L');
    expect(connected).toMatchObject({ code: 0 });
  });

  const commands: { name: string; args: string[] }[] = [
    { name: 'carrier disconnect', args: ['carrier', 'disconnect', '--company', ID, '--connection', '1'] },
    { name: 'retention run', args: ['retention', 'run', '--days', '1'] },
    { name: 'company create, for a name that there is', args: ['company', 'create', '--name', ' Rossi'] },
  ];
  test.each(commands)('needs `--yes` where nobody can answer: $name', async ({ args }) => {
    const ended = await run(...args);
    expect(ended).toMatchObject({ code: 2, stdout: '' });
    expectSentence(ended.stderr);
    expect(ended.stderr).toContain('--yes');
  });

  test('is carried out after a yes, and after no other answer', async () => {
    const [{ id } = { id: '' }] = await keys();
    const revoke = ['key', 'revoke', '--company', companyId, '--key', id];
    const unconfirmed = await run(...revoke);
    expect(unconfirmed).toMatchObject({ code: 2, stdout: '', stderr: expect.stringContaining('--yes') });
    expectSentence(unconfirmed.stderr);
    for (const types of ['', 'n', 'nope']) {
      const ended = await atTerminal(revoke, types);
      expect(ended).toMatchObject({ code: 1, stdout: '' });
      expect(ended.stderr).toMatch(/Continue\? \[y\/N\] Nothing was changed\.\n$/);
    }
    expect(await keys()).toMatchObject([{ id, revokedAt: null }]);
    expect(await atTerminal(revoke, 'y')).toMatchObject({ code: 0 });
    expect(await keys()).toMatchObject([{ id, revokedAt: expect.any(String) }]);
  });
});

describe('A long command', () => {
  test('shows its progress in one line of a terminal', async () => {
    const file = join(dirname(settings.DATA_DIR ?? ''), 'orders.ndjson');
    const line = JSON.stringify({ orderNumber: 'P-1', recipient: RECIPIENT }).padEnd(16 * 1024);
    await writeFile(file, `${line}\n`.repeat(24));
    const { code, stdout, stderr } = await atTerminal([
      'import',
      'orders',
      file,
      '--company',
      companyId,
      '--batch',
      '4',
    ]);
    expect(code).toBe(0);
    expect(stderr).toMatch(/={20} 100 %, 24 rows, \d+\/s, 0 rejected/);
    expect(stdout).toMatch(/^created +1\n/);
    expect(stdout).not.toContain('nextRow');
  });

  test('writes a line every 30 seconds where the output is not a terminal, with share, rate and remaining time', () => {
    vi.useFakeTimers({ toFake: ['Date'] });
    const write = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
    try {
      const progress = new Progress('rows');
      for (let second = 1; second <= 120; second++) {
        vi.advanceTimersByTime(1_000);
        progress.update(second * 50, second / 240, '3 rejected');
      }
      progress.end();
      expect(write.mock.calls.map(([line]) => line)).toEqual([
        '12 %, 1500 rows, 50/s, 3 min 30 s left, 3 rejected\n',
        '25 %, 3000 rows, 50/s, 3 min 0 s left, 3 rejected\n',
        '37 %, 4500 rows, 50/s, 2 min 30 s left, 3 rejected\n',
        '50 %, 6000 rows, 50/s, 2 min 0 s left, 3 rejected\n',
      ]);
    } finally {
      write.mockRestore();
      vi.useRealTimers();
    }
  });
});
