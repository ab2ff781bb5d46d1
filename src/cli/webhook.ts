import { type Command, InvalidArgumentError, Option } from 'commander';
import type { DeliveryStatus } from '../domain/webhooks/deliveries/verdict.rules.ts';
import { actionsOf } from './actions.ts';
import { wholeNumber } from './options.ts';
import type { Answering } from './output.ts';

const webhooks = actionsOf(() => import('./webhook.actions.ts'));
const receiver = actionsOf(() => import('./webhook-listen.actions.ts'));

/** What `DeliveryStatus` says, since nothing of the service is loaded for help. */
const DELIVERY_STATUSES: readonly DeliveryStatus[] = ['pending', 'retrying', 'success', 'failed', 'cancelled'];

/** `cli webhook …`: what is told to subscribers, and a subscriber to try it with. */
export function addWebhookCommands(program: Command, answering: Answering): void {
  const webhook = program.command('webhook').description('Webhooks: what subscribers are told of');
  webhook
    .command('listen')
    .description('receive webhooks on this machine, verify and print them, until Ctrl-C; needs a service, no database')
    .requiredOption('--key <key>', 'API key with the scope webhooks:manage', apiKey)
    .option('--url <url>', 'where the service is', serviceUrl, 'http://127.0.0.1:3000')
    .option('--port <port>', 'where to listen; 0 takes any free port', wholeNumber(0, 65_535), 0)
    .option('--events <events>', 'a comma-separated list of what to be told of', 'tracking.*')
    .option('--label <label>', 'name of the endpoint, 1–200 characters', 'cli webhook listen')
    .action(receiver(actions => actions.listen));
  webhook
    .command('list')
    .description('list the webhook endpoints of a company, newest first')
    .requiredOption('--company <id>', 'company id')
    .action(answering(webhooks(actions => actions.listEndpoints)));
  webhook
    .command('deliveries')
    .description('list the deliveries of a company, newest first')
    .requiredOption('--company <id>', 'company id')
    .option('--endpoint <id>', 'to this endpoint only, as `webhook list` shows it')
    .addOption(new Option('--status <status>', 'that have come this far only').choices(DELIVERY_STATUSES))
    .option('--limit <count>', 'as many at most', wholeNumber(1, 1_000), 50)
    .action(answering(webhooks(actions => actions.listDeliveries)));
  webhook
    .command('replay')
    .description('send every event of a time range to an endpoint again, and those it never got; answers how many')
    .requiredOption('--company <id>', 'company id')
    .requiredOption('--endpoint <id>', 'endpoint id, as `webhook list` shows it')
    .requiredOption('--from <date>', 'events from then on: a date (its start, in UTC) or an ISO 8601 date-time')
    .requiredOption('--to <date>', 'events before then, in the same form')
    .action(answering(webhooks(actions => actions.replay)));
  webhook
    .command('redrive')
    .description('send deliveries that were given up once more, of all companies, oldest first')
    .option('--limit <count>', 'as many at most', wholeNumber(1, 1_000_000), 1_000)
    .action(answering(webhooks(actions => actions.redrive)));
}

function apiKey(value: string): string {
  if (!/^[\w-]+$/.test(value)) throw new InvalidArgumentError('It must be a key, as `key create` shows it.');
  return value;
}

function serviceUrl(value: string): string {
  const url = URL.parse(value);
  if (url?.protocol !== 'http:' && url?.protocol !== 'https:') {
    throw new InvalidArgumentError('It must be an http:// or https:// URL.');
  }
  return url.origin + url.pathname.replace(/\/+$/, '');
}
