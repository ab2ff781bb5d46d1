import type { Command } from 'commander';
import { DEFAULT_OVERLAP_HOURS, MAX_OVERLAP_HOURS } from '../domain/access/key.rules.ts';
import { ALL_RATE_CLASSES, MAX_RATE, RATE_CLASSES } from '../platform/limits/rates.ts';
import { ALL_SCOPES } from '../platform/scopes.ts';
import { actionsOf } from './actions.ts';
import { wholeNumber } from './options.ts';
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
  const create = key
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
  const update = key
    .command('update')
    .description('change the label or the rates of a key; every process goes by them within a second')
    .requiredOption('--key <id>', 'API key id, as `key list` shows it')
    .option('--label <label>', 'what the key is for, 1–200 characters')
    .action(answering(access(actions => actions.updateKey)));
  const count = wholeNumber(1, MAX_RATE);
  const countOrDefault = wholeNumber(1, MAX_RATE, ', or default');
  for (const rateClass of ALL_RATE_CLASSES) {
    const { what } = RATE_CLASSES[rateClass];
    create.option(`--rate-${rateClass} <count>`, `${what} a minute; as the service is set where left out`, count);
    update.option(`--rate-${rateClass} <count>`, `${what} a minute, or default: as the service is set`, value =>
      value === 'default' ? value : countOrDefault(value),
    );
  }
  key
    .command('rotate')
    .description('issue a key like another to follow it; it is shown this once, and the old one works a while longer')
    .requiredOption('--key <id>', 'API key id, as `key list` shows it')
    .option(
      '--overlap-hours <hours>',
      'how long the old one works',
      wholeNumber(0, MAX_OVERLAP_HOURS),
      DEFAULT_OVERLAP_HOURS,
    )
    .action(answering(access(actions => actions.rotateKey)));
  key
    .command('revoke')
    .description('revoke a key for good; every process refuses it within a second')
    .requiredOption('--key <id>', 'API key id, as `key list` shows it')
    .action(answering(access(actions => actions.revokeKey)));
}
