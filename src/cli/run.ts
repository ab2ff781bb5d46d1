import { CommanderError, InvalidArgumentError } from 'commander';
import type { Fault } from '../platform/fault.ts';
import { StartupError } from '../platform/startup-error.ts';
import { createProgram } from './program.ts';
import { RefusedFile } from './refused-file.ts';

const FAILED = 1;
const MISUSED = 2;

/** Carries out one command; answers its exit code: 0, 1 where it failed, 2 where it was misused. */
export async function run(words: readonly string[]): Promise<number> {
  try {
    await createProgram().parseAsync(words, { from: 'user' });
    // Of a command that has said in its answer what failed.
    return Number(process.exitCode ?? 0);
  } catch (error) {
    // Of a parser's commander has said what is wrong; of one that an action throws it has not.
    if (error instanceof InvalidArgumentError) {
      process.stderr.write(`${error.message}\n`);
      return MISUSED;
    }
    // Commander has said what is wrong, or shown the help that was asked for.
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : MISUSED;
    const { Fault } = await import('../platform/fault.ts');
    if (error instanceof Fault) return explain(error);
    const isTold = error instanceof StartupError || error instanceof RefusedFile;
    const message = isTold ? error.message : ((error as Error)?.stack ?? String(error));
    process.stderr.write(`${message}\n`);
    return FAILED;
  }
}

async function explain(fault: Fault): Promise<number> {
  const { pointer } = await import('../platform/fault.ts');
  const { faultDetail } = await import('../platform/problem.ts');
  const { issues = [] } = fault.options;
  if (issues.length === 0) process.stderr.write(`${faultDetail(fault)}\n`);
  for (const { path, message } of issues) process.stderr.write(`${pointer(path).slice(1)} ${message}\n`);
  const isMisuse = issues.length > 0 && issues.every(({ code }) => !code.endsWith('_not_found'));
  return isMisuse ? MISUSED : FAILED;
}
