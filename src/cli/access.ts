import type { Command } from 'commander';
import { ALL_SCOPES } from '../platform/scopes.ts';
import { actionsOf } from './actions.ts';
import type { Answering } from './output.ts';

const access = actionsOf(() => import('./access.actions.ts'));

/** `cli company …` and `cli key …`: who may use the service. */
export function addAccessCommands(program: Command, answering: Answering): void {
  const company = program.command('company').description('Companies: whose data is kept apart');
  company
    .command('create')
    .description('make a company; answers its id')
    .requiredOption('--name <name>', 'its name, 1–200 characters')
    .action(answering(access(actions => actions.createCompany)));
  company
    .command('list')
    .description('list companies, oldest first')
    .action(answering(access(actions => actions.listCompanies)));

  const key = program.command('key').description('API keys: what may act for a company');
  key
    .command('create')
    .description('issue a key; it is shown this once')
    .requiredOption('--company <id>', 'company id')
    .requiredOption('--label <label>', 'what the key is for, 1–200 characters')
    .requiredOption('--scopes <scopes>', `all, or a comma-separated list of ${ALL_SCOPES.join(', ')}`)
    .option('--expires <date>', 'when it stops working: a date (its start, in UTC) or an ISO 8601 date-time')
    .action(answering(access(actions => actions.createKey)));
  key
    .command('list')
    .description('list keys, oldest first; never the keys themselves')
    .option('--company <id>', 'of this company only')
    .action(answering(access(actions => actions.listKeys)));
  key
    .command('revoke')
    .description('revoke a key for good; every process refuses it within a second')
    .requiredOption('--key <id>', 'API key id, as `key list` shows it')
    .action(answering(access(actions => actions.revokeKey)));
}
