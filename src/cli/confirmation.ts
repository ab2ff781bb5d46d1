import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { InvalidArgumentError } from 'commander';
import { StartupError } from '../platform/startup-error.ts';
import { unlessInterrupted } from './interruption.ts';

/**
 * Asks before what cannot be undone, unless `--yes` was given.
 *
 * @param what what will be done, as a sentence
 * @throws InvalidArgumentError if nobody can be asked
 * @throws StartupError if the answer is no
 */
export async function confirm(what: string, yes: boolean | undefined): Promise<void> {
  if (yes) return;
  requireTerminal(what);
  // Standard output is for the result alone.
  process.stderr.write(`${what} Continue? [y/N] `);
  const lines = createInterface({ input: process.stdin, terminal: false });
  try {
    // Also at the end of the input, which Ctrl-D makes.
    const [answer = ''] = await unlessInterrupted(() => Promise.race([once(lines, 'line'), once(lines, 'close')]));
    if (!/^(y|yes|s|sì|si)$/i.test(String(answer).trim())) throw new StartupError('Nothing was changed.');
  } finally {
    lines.close();
  }
}

/** @throws InvalidArgumentError if there is no terminal to ask at */
export function requireTerminal(what: string): void {
  if (process.stdin.isTTY && process.stderr.isTTY) return;
  throw new InvalidArgumentError(`${what} Give --yes to confirm it; there is no terminal to ask at.`);
}
