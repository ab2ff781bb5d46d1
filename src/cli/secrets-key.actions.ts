import type { Command } from 'commander';
import { newSecretsKey } from '../platform/secrets/secret-box.ts';
import { wantsJson } from './options.ts';

export async function printKey(_options: object, command: Command): Promise<void> {
  const secretsKey = newSecretsKey();
  // The key alone, so that it can be put where it belongs by `$(…)`.
  process.stdout.write(`${wantsJson(command) ? JSON.stringify({ secretsKey }) : secretsKey}\n`);
}
