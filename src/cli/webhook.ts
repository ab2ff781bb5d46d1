import { type Command, InvalidArgumentError, Option } from 'commander';
import type { DeliveryStatus } from '../domain/webhooks/deliveries/verdict.rules.ts';
import type { CliCommand } from './cli-command.ts';
import { startOfDay, wholeNumber } from './options.ts';
import type { Answering } from './output.ts';
import type { ListenOptions } from './webhook-listen.ts';

/** What `DeliveryStatus` says, since nothing of the service is loaded for help. */
const DELIVERY_STATUSES: readonly DeliveryStatus[] = ['pending', 'retrying', 'success', 'failed', 'cancelled'];

/** `webhook …`: what subscribers receive, and a subscriber to try it with. */
export function addWebhookCommands(program: CliCommand, answering: Answering): void {
  const webhook = program.command('webhook').description('Webhook endpoints and their deliveries');
  webhook
    .command('listen')
    .description('receive webhooks on this machine, verify and print them until Ctrl-C, without a database')
    .requiredOption('--key <key>', 'API key with the scope webhooks:manage', apiKey)
    .option('--url <url>', 'address of the service', serviceUrl, 'http://127.0.0.1:3000')
    .option('--port <port>', 'port to listen on; 0 takes any free port', wholeNumber(0, 65_535), 0)
    .option('--events <events>', 'comma-separated list of events to receive', 'tracking.*')
    .option('--label <label>', 'label of the endpoint, 1–200 characters', 'cli webhook listen')
    .addOption(
      new Option(
        '--forward <url>',
        'make no endpoint; follow the changes of shipments, and post signed webhooks to this address (scope shipments:tracking)',
      )
        .argParser(serviceUrl)
        .conflicts(['port', 'label']),
    )
    .example(
      'webhook listen --key "$API_KEY" --events tracking.delivered',
      'webhook listen --key "$API_KEY" --forward http://127.0.0.1:8080/webhooks',
    )
    .action(listen);
  webhook
    .command('list')
    .description('list the webhook endpoints of a company, newest first')
    .requiredOption('--company <id>', 'company id')
    .example('webhook list --company 2612779b-5144-4cdf-b16b-6695e8d40383')
    .action(answering(listEndpoints));
  webhook
    .command('deliveries')
    .description('list the deliveries of a company, newest first')
    .requiredOption('--company <id>', 'company id')
    .option('--endpoint <id>', 'only those to this endpoint, as `webhook list` shows its id')
    .addOption(new Option('--status <status>', 'only those with this status').choices(DELIVERY_STATUSES))
    .option('--limit <count>', 'the most to handle', wholeNumber(1, 1_000), 50)
    .example('webhook deliveries --company 2612779b-5144-4cdf-b16b-6695e8d40383 --status failed')
    .action(answering(listDeliveries));
  webhook
    .command('replay')
    .description(
      'send an endpoint every event of a time range again, also those that it never received, and print how many',
    )
    .requiredOption('--company <id>', 'company id')
    .requiredOption('--endpoint <id>', 'endpoint id, as `webhook list` shows it')
    .requiredOption('--from <date>', 'start of the range: a date (00:00 UTC) or an ISO 8601 date-time')
    .requiredOption('--to <date>', 'end of the range, in the same form; not included')
    .example(
      'webhook replay --company 2612779b-5144-4cdf-b16b-6695e8d40383 --endpoint 5a3c1a52-6d0b-4a5e-8f0e-0d9a4b7c1e33 --from 2026-11-01 --to 2026-11-02',
    )
    .action(answering(replay));
  webhook
    .command('redrive')
    .description('send deliveries of all companies that were given up again, oldest first')
    .option('--limit <count>', 'the most to handle', wholeNumber(1, 1_000_000), 1_000)
    .example('webhook redrive --limit 100')
    .action(answering(redrive));
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

async function listen({ forward, ...options }: ListenOptions & { readonly forward?: string }, command: Command) {
  if (forward !== undefined) {
    const { forwardWebhooks } = await import('./webhook-forward.ts');
    return forwardWebhooks({ ...options, forward }, command);
  }
  const { listenForWebhooks } = await import('./webhook-listen.ts');
  return listenForWebhooks(options, command);
}

async function listEndpoints({ company }: { company: string }) {
  const { withDatabase } = await import('./session.ts');
  const { endpointsOfCompany } = await import('../domain/webhooks/webhook-admin.service.ts');
  return withDatabase(({ database }) => endpointsOfCompany(database, company));
}

interface DeliveriesOptions {
  readonly company: string;
  readonly endpoint?: string;
  readonly status?: DeliveryStatus;
  readonly limit: number;
}

async function listDeliveries({ company, endpoint, status, limit }: DeliveriesOptions) {
  const { withDatabase } = await import('./session.ts');
  const { deliveriesOfCompany } = await import('../domain/webhooks/webhook-admin.service.ts');
  return withDatabase(({ database }) =>
    deliveriesOfCompany(database, company, { endpointId: endpoint, status, max: limit }),
  );
}

interface ReplayOptions {
  readonly company: string;
  readonly endpoint: string;
  readonly from: string;
  readonly to: string;
}

async function replay({ company, endpoint: endpointId, from, to }: ReplayOptions) {
  const { withJobs } = await import('./session.ts');
  const { tenantOfCompany } = await import('../domain/access/access.service.ts');
  const { replayDeliveries } = await import('../domain/webhooks/deliveries/deliveries.service.ts');
  return withJobs(async ({ database, announcer: { jobs } }) => {
    const tenant = await tenantOfCompany(database, company);
    const range = { endpointId, since: startOfDay(from), until: startOfDay(to) };
    return { replayed: await replayDeliveries(tenant, jobs, range) };
  });
}

async function redrive({ limit }: { limit: number }) {
  const { withJobs } = await import('./session.ts');
  const { redriveDeliveries } = await import('../domain/webhooks/webhook-admin.service.ts');
  return withJobs(async ({ announcer: { jobs } }) => ({ redriven: await redriveDeliveries(jobs, limit) }));
}
