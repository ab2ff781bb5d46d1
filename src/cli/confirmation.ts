import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { InvalidArgumentError } from 'commander';
import { StartupError } from '../platform/startup-error.ts';
import { unlessInterrupted } from './interruption.ts';

/**
 * Asks for confirmation of an action that cannot be undone, unless `--yes` was given.
 *
 * @param what the action as a sentence
 * @throws InvalidArgumentError if there is no terminal
 * @throws StartupError if the answer is no
 */
export async function confirm(what: string, yes: boolean | undefined): Promise<void> {
  if (yes) return;
  requireTerminal(what);
  const answer = await answerTo(`${what} Continue? [y/N] `);
  if (!/^(y|yes|s|sì|si)$/i.test(answer.trim())) throw new StartupError('Nothing was changed.');
}

async function answerTo(question: string): Promise<string> {
  // Standard output is reserved for the result.
  process.stderr.write(question);
  const lines = createInterface({ input: process.stdin, terminal: false });
  try {
    // Ctrl-D ends the input without a line.
    const [answer = ''] = await unlessInterrupted(() => Promise.race([once(lines, 'line'), once(lines, 'close')]));
    return String(answer);
  } finally {
    lines.close();
  }
}

/**
 * Asks for the name of the thing that will be erased, unless it was given.
 *
 * @throws InvalidArgumentError if there is no terminal
 * @throws StartupError if the name differs
 */
export async function confirmByName(what: string, name: string, given: string | undefined): Promise<void> {
  if (given === undefined && !isTerminal()) {
    throw new InvalidArgumentError(`${what} Give its name by --name to confirm it; there is no terminal to ask at.`);
  }
  const typed = given ?? (await answerTo(`${what} Type its name to confirm it: `));
  if (typed.trim() !== name) throw new StartupError('The name does not match. Nothing was changed.');
}

/** @throws InvalidArgumentError if there is no terminal to ask at */
function requireTerminal(what: string): void {
  if (isTerminal()) return;
  throw new InvalidArgumentError(`${what} Give --yes to confirm it; there is no terminal to ask at.`);
}

function isTerminal(): boolean {
  return Boolean(process.stdin.isTTY && process.stderr.isTTY);
}
