import { beforeAll, describe, expect, test, vi } from 'vitest';
import { SECRETS_KEY, useWorld } from '../support/world.ts';
import { inProcess } from './in-process.ts';
import { type Env, type Json, useProcesses } from './processes.ts';
import { SOON } from './service-calls.ts';

const processes = useProcesses();
const world = useWorld({ ROLE: 'api' });
let settings: Env;
beforeAll(async () => {
  settings = { DATA_DIR: await processes.dataDir(), DATABASE_URL: world.databaseUrl, SECRETS_KEY, DEMO: 'false' };
});

interface Finding {
  readonly check: string;
  readonly status: 'ok' | 'warn' | 'fail';
  readonly found: string;
  readonly advice: string | null;
}

async function examine(env: Env = {}): Promise<{ code: number | null; findings: Finding[]; checks: Json }> {
  const { code, stdout, stderr } = await inProcess(['doctor', '--json'], { ...settings, ...env });
  expect(stderr).toBe('');
  const findings: Finding[] = JSON.parse(stdout);
  for (const { status, advice } of findings) expect(advice === null).toBe(status === 'ok');
  expect(code).toBe(findings.some(({ status }) => status === 'fail') ? 1 : 0);
  return { code, findings, checks: Object.fromEntries(findings.map(({ check, status }) => [check, status])) };
}

/** What it says of one thing, as one text. */
function said(findings: readonly Finding[], check: string): string {
  const about = findings.filter(finding => finding.check === check);
  return about.map(({ status, found, advice }) => `${status} ${found} → ${advice}`).join('\n');
}

describe.concurrent('doctor', () => {
  test('looks at the room on the disk of the embedded database, and at no other', async () => {
    expect((await examine()).checks).not.toHaveProperty('disk');
    const { stdout } = await processes.cli(['doctor'], { DATA_DIR: await processes.dataDir() });
    expect(stdout).toMatch(/^(ok|warn|fail) +disk +[\d.]+ GiB are free in /m);
  });

  test('sees a worker at once, and that it is gone as soon', async () => {
    const env = { ...settings, DATABASE_URL: await processes.database('migrated') };
    const program = processes.start({ ...env, ROLE: 'worker' });
    await program.said(/"msg":"ready"/);
    const workers = async () => said((await examine(env)).findings, 'workers');
    expect(await workers()).toBe('ok 1 process works jobs → null');
    program.kill('SIGKILL');
    await program.ended();
    const gone = 'warn no worker is running, so webhooks and polls wait → start a worker (ROLE=worker or all)';
    await vi.waitFor(async () => expect(await workers()).toBe(gone), SOON);
  });
});
