import type { Command } from 'commander';
import { type Config, readConfig } from '../config.ts';
import { StartupError } from '../platform/startup-error.ts';
import { examineDatabase } from './doctor-database.ts';
import { examineQueues } from './doctor-queues.ts';
import { examineSecrets } from './doctor-secrets.ts';
import { examineDisk, examineSettings } from './doctor-settings.ts';
import { type Finding, fail } from './finding.ts';
import { wantsJson } from './options.ts';
import { withDatabaseAsItIs } from './session.ts';

/** Prints what was found, a line each, and fails where anything of it does. */
export async function examine(_options: object, command: Command): Promise<void> {
  const findings = await examineAll();
  process.stdout.write(`${wantsJson(command) ? JSON.stringify(findings) : findings.map(lineOf).join('\n')}\n`);
  if (findings.some(({ status }) => status === 'fail')) process.exitCode = 1;
}

async function examineAll(): Promise<Finding[]> {
  let config: Config;
  try {
    config = readConfig();
  } catch (error) {
    return [fail('settings', reason(error), 'correct them in the environment; the README lists what is allowed')];
  }
  // What needs no database first: a full disk is why some don't start.
  const findings = [...examineSettings(config), ...(await guarded('disk', () => examineDisk(config)))];
  try {
    await withDatabaseAsItIs(config, async ({ database }) => {
      findings.push(...(await guarded('database', () => examineDatabase(database, config))));
      findings.push(...(await guarded('secrets', () => examineSecrets(database, config))));
      findings.push(...(await guarded('queues', () => examineQueues(database))));
    });
  } catch (error) {
    findings.push(fail('database', reason(error), 'start PostgreSQL, or correct DATABASE_URL'));
  }
  return findings;
}

/** An examination that can't be carried out is a finding too. */
async function guarded(check: string, examination: () => Promise<Finding[]>): Promise<Finding[]> {
  try {
    return await examination();
  } catch (error) {
    return [fail(check, `can't be examined: ${reason(error)}`, 'see to what fails above first')];
  }
}

function reason(error: unknown): string {
  const { message } = error as Error;
  return error instanceof StartupError ? message.replace(/\.$/, '') : message;
}

function lineOf({ check, status, found, advice }: Finding): string {
  return `${status.padEnd(4)}  ${check.padEnd(12)}  ${found}${advice === null ? '' : `\n${' '.repeat(20)}→ ${advice}`}`;
}
