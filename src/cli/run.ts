import { type Command, CommanderError } from 'commander';
import type { Fault } from '../platform/fault.ts';
import { StartupError } from '../platform/startup-error.ts';
import { Interrupted } from './interruption.ts';
import { createProgram } from './program.ts';
import { RejectedFile } from './rejected-file.ts';

const FAILED = 1;
const MISUSED = 2;

/** Carries out one command. Returns its exit code: 0, 1 if it failed, 2 if it was misused, 128 and more after a signal. */
export async function run(words: readonly string[]): Promise<number> {
  const program = await createProgram(words);
  try {
    await program.parseAsync(words, { from: 'user' });
    // The exit code of a command whose result reports a failure.
    return Number(process.exitCode ?? 0);
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : misused(error, commandOf(program, words));
    const { Fault } = await import('../platform/fault.ts');
    if (error instanceof Fault) return explain(error, commandOf(program, words));
    const isExplained = error instanceof StartupError || error instanceof RejectedFile || error instanceof Interrupted;
    say(isExplained ? error.message : (unwritten(error) ?? (error as Error)?.stack ?? String(error)));
    return error instanceof Interrupted ? error.exitCode : FAILED;
  }
}

/** The words for a file that could be opened and not written to its end, such as for a full disk. */
function unwritten(error: unknown): string | undefined {
  const { code = '' } = (error ?? {}) as NodeJS.ErrnoException;
  return ['ENOSPC', 'EDQUOT', 'EFBIG'].includes(code) ? `The output can't be written (${code}).` : undefined;
}

function say(text: string): void {
  process.stderr.write(`${text}\n`);
}

/** Prints the error in one line, with a pointer to the help. The program without a command prints its help. */
function misused(error: CommanderError, command: Command): number {
  if (error.code === 'commander.help' && command.parent === null) {
    say(command.helpInformation().trimEnd());
    return MISUSED;
  }
  const message =
    error.code === 'commander.help'
      ? `name a command: ${command.commands.map(one => one.name()).join(', ')}`
      : error.message.replace(/^error: /, '').replace(/\n\((Did you mean .*\?)\)/, '. $1');
  sayMisuse(message, command);
  return MISUSED;
}

function sayMisuse(message: string, command: Command): void {
  const sentence = /[.?!]$/.test(message) ? message : `${message}.`;
  say(`error: ${sentence} See \`${fullName(command)} --help\`.`);
}

async function explain(fault: Fault, command: Command): Promise<number> {
  const { faultDetail } = await import('../platform/problem.ts');
  const { optionNamed } = await import('./option-names.ts');
  const { issues = [] } = fault.options;
  const isMisuse = issues.length > 0 && issues.every(({ code }) => !code.endsWith('_not_found'));
  const message =
    issues.map(issue => `${optionNamed(issue.path, command)} ${issue.message}`).join('; ') || faultDetail(fault);
  if (isMisuse) sayMisuse(message, command);
  else say(message);
  return isMisuse ? MISUSED : FAILED;
}

/** The command that the words name, as far as they match. */
function commandOf(program: Command, words: readonly string[]): Command {
  let command = program;
  for (const word of words.filter(one => !one.startsWith('-'))) {
    const below = command.commands.find(one => one.name() === word);
    if (!below) break;
    command = below;
  }
  return command;
}

function fullName(command: Command): string {
  return command.parent ? `${fullName(command.parent)} ${command.name()}` : command.name();
}
