import type { Command } from 'commander';
import { actionsOf } from './actions.ts';
import type { Answering } from './output.ts';

const key = actionsOf(() => import('./secrets-key.actions.ts'));
const rotation = actionsOf(() => import('./secrets.actions.ts'));

/** `cli secrets …`: the keys under which the database keeps what must be read again. */
export function addSecretsCommands(program: Command, answering: Answering): void {
  const secrets = program.command('secrets').description('Secrets: the keys in SECRETS_KEY that seal them');
  secrets
    .command('key')
    .description('print a new key for SECRETS_KEY; needs no database')
    .action(key(actions => actions.printKey));
  secrets
    .command('rotate')
    .description('seal every secret anew with the first key of SECRETS_KEY; the others are needed no more')
    .action(answering(rotation(actions => actions.resealAll)));
}
