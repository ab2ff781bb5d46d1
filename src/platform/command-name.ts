import { basename } from 'node:path';

/**
 * How an operator calls the command line, for messages that name a command: `shipping` where that was typed, and otherwise
 * the form that works in the folder of every installation.
 */
export function commandName(): string {
  return /^shipping(\.js)?$/.test(basename(process.argv[1] ?? '')) ? 'shipping' : 'npm run -s cli --';
}
