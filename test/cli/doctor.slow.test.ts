import { describe, expect, test, vi } from 'vitest';
import { said, useDoctor } from './doctor-findings.ts';
import { SOON } from './service-calls.ts';

const doctor = useDoctor();
const { processes, examine } = doctor;

describe.concurrent('The doctor', () => {
  test('looks at the free space on the disk of the embedded database, and at no other', async () => {
    expect((await examine()).checks).not.toHaveProperty('disk');
    const { stdout } = await processes.cli(['doctor'], { DATA_DIR: await processes.dataDir() });
    expect(stdout).toMatch(/^(ok|warn|fail) +disk +[\d.]+ GiB are free in /m);
  });

  test('sees at once that a worker runs, and that it has ended', async () => {
    const env = { ...doctor.settings, DATABASE_URL: await processes.database('migrated') };
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
