import type { Command } from 'commander';
import { actionsOf } from './actions.ts';
import { CONNECTION } from './options.ts';
import type { Answering } from './output.ts';

const accounts = actionsOf(() => import('./carrier.actions.ts'));
const test = actionsOf(() => import('./carrier-test.actions.ts'));

/** `cli carrier …`: accounts at carriers. */
export function addCarrierCommands(program: Command, answering: Answering): void {
  const carrier = program.command('carrier').description('Carriers: the accounts of companies');
  carrier
    .command('connect')
    .description("connect a company's account at a carrier; answers the connection's id")
    .requiredOption('--company <id>', 'company id')
    .requiredOption('--carrier <code>', 'carrier code, such as GLS')
    .requiredOption('--label <label>', "the company's own name for the account, 1–200 characters")
    .option('--credentials <file>', 'JSON file of what the carrier asks for; - reads standard input')
    .option('--base-url <url>', 'where the carrier is reached in place of its own address, for its test systems')
    .option('--sandbox', "an account of the service's own stand-ins, never asked at the carrier")
    .action(answering(accounts(actions => actions.connectAccount)));
  carrier
    .command('test')
    .description('ask the carrier one question with the credentials of a connection; answers whether it takes them')
    .requiredOption(...CONNECTION)
    .action(answering(test(actions => actions.testAccount)));
  carrier
    .command('disconnect')
    .description('forget an account for good: its credentials are deleted, its shipments stay')
    .requiredOption(...CONNECTION)
    .action(answering(accounts(actions => actions.disconnectAccount)));
}
