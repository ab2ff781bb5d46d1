import type { Command } from 'commander';
import type { Config } from '../config.ts';
import { StartupError } from '../platform/startup-error.ts';
import type { CliCommand } from './cli-command.ts';
import { type Finding, fail } from './finding.ts';
import { wantsJson } from './options.ts';

/** `doctor`: checks what the service depends on. */
export function addDoctorCommand(program: CliCommand): void {
  program
    .command('doctor')
    .description('examine settings, database, secrets, queues and disk, and say what to do about each problem')
    .example('doctor')
    .action(examine);
}

/** Prints the findings, one per line, and fails if one of them fails. */
async function examine(_options: object, command: Command): Promise<void> {
  const findings = await examineAll();
  process.stdout.write(`${wantsJson(command) ? JSON.stringify(findings) : findings.map(lineOf).join('\n')}\n`);
  if (findings.some(({ status }) => status === 'fail')) process.exitCode = 1;
}

async function examineAll(): Promise<Finding[]> {
  const { otherVariables, readConfig } = await import('../config.ts');
  const { examineDisk, examineSettings, misspelt } = await import('./doctor-settings.ts');
  let config: Config;
  try {
    config = readConfig();
  } catch (error) {
    return [
      fail('settings', reason(error), 'correct them in the environment; src/docs/settings.md lists the allowed values'),
      // A setting that is missing may be there under a wrong name.
      ...misspelt(otherVariables()),
    ];
  }
  // Checks without a database come first: a full disk is a reason why a database does not start.
  const findings = [
    ...examineSettings(config, otherVariables()),
    ...(await guarded('disk', () => examineDisk(config))),
  ];
  const { withDatabaseAsItIs } = await import('./session.ts');
  const { examineDatabase } = await import('./doctor-database.ts');
  const { examineSecrets } = await import('./doctor-secrets.ts');
  const { examineQueues } = await import('./doctor-queues.ts');
  const { examineAudit, examineCompanies, examineSelections } = await import('./doctor-companies.ts');
  try {
    await withDatabaseAsItIs(config, async ({ database }) => {
      findings.push(...(await guarded('database', () => examineDatabase(database, config))));
      findings.push(...(await guarded('secrets', () => examineSecrets(database, config))));
      findings.push(...(await guarded('queues', () => examineQueues(database))));
      findings.push(...(await guarded('audit', () => examineAudit(database))));
      findings.push(...(await guarded('companies', () => examineCompanies(database))));
      findings.push(...(await guarded('webhooks', () => examineSelections(database))));
    });
  } catch (error) {
    findings.push(fail('database', reason(error), 'start PostgreSQL, or correct DATABASE_URL'));
  }
  return findings;
}

/** An examination that throws is a finding too. */
async function guarded(check: string, examination: () => Promise<Finding[]>): Promise<Finding[]> {
  try {
    return await examination();
  } catch (error) {
    return [fail(check, `cannot be examined: ${reason(error)}`, 'correct what fails above first')];
  }
}

function reason(error: unknown): string {
  const { message } = error as Error;
  return error instanceof StartupError ? message.replace(/\.$/, '') : message;
}

function lineOf({ check, status, found, advice }: Finding): string {
  return `${status.padEnd(4)}  ${check.padEnd(12)}  ${found}${advice === null ? '' : `\n${' '.repeat(20)}→ ${advice}`}`;
}
