import { basename } from 'node:path';

/**
 * The name of the command line, for messages that name a command: `shipping` if the operator typed it, and otherwise
 * the form that works in the folder of every installation.
 */
export function commandName(): string {
  return /^shipping(\.js)?$/.test(basename(process.argv[1] ?? '')) ? 'shipping' : 'npm run -s cli --';
}
