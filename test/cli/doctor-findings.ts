import { beforeAll, expect } from 'vitest';
import { SECRETS_KEY, useWorld } from '../support/world.ts';
import { inProcess } from './in-process.ts';
import { type Env, type Json, useProcesses } from './processes.ts';

// The command `doctor` on a database of the test, and its findings.

export interface Finding {
  readonly check: string;
  readonly status: 'ok' | 'warn' | 'fail';
  readonly found: string;
  readonly advice: string | null;
}

/** Runs `doctor` on the database of a world, with further settings where a test gives them. */
export function useDoctor() {
  const processes = useProcesses();
  const world = useWorld({ ROLE: 'api' });
  let settings: Env;
  beforeAll(async () => {
    settings = { DATA_DIR: await processes.dataDir(), DATABASE_URL: world.databaseUrl, SECRETS_KEY, DEMO: 'false' };
  });

  async function examine(env: Env = {}): Promise<{ code: number | null; findings: Finding[]; checks: Json }> {
    const { code, stdout, stderr } = await inProcess(['doctor', '--json'], { ...settings, ...env });
    expect(stderr).toBe('');
    const findings: Finding[] = JSON.parse(stdout);
    for (const { status, advice } of findings) expect(advice === null).toBe(status === 'ok');
    expect(code).toBe(findings.some(({ status }) => status === 'fail') ? 1 : 0);
    return { code, findings, checks: Object.fromEntries(findings.map(({ check, status }) => [check, status])) };
  }

  return {
    processes,
    examine,
    get settings(): Env {
      return settings;
    },
  };
}

/** The findings of one check, as one text. */
export function said(findings: readonly Finding[], check: string): string {
  const about = findings.filter(finding => finding.check === check);
  return about.map(({ status, found, advice }) => `${status} ${found} → ${advice}`).join('\n');
}
