import { type Command, InvalidArgumentError, Option } from 'commander';
import type { DeliveryStatus } from '../domain/webhooks/deliveries/verdict.rules.ts';
import type { CliCommand } from './cli-command.ts';
import { startOfDay, wholeNumber } from './options.ts';
import type { Answering } from './output.ts';
import type { EndpointOptions } from './webhook-endpoints.ts';
import type { ListenOptions } from './webhook-listen.ts';

/** The values of `DeliveryStatus`. They are repeated, because no module of the service is loaded for help. */
const DELIVERY_STATUSES: readonly DeliveryStatus[] = ['pending', 'retrying', 'success', 'failed', 'cancelled'];

/** `webhook …`: endpoints, their deliveries, and a test receiver. */
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
  for (const [name, does] of [
    ['create', 'create a webhook endpoint of a company and print its secret, this once'],
    [
      'update',
      'change a webhook endpoint; options that are left out change nothing, and conditions replace the whole filter',
    ],
  ] as const) {
    const isNew = name === 'create';
    const command = webhook.command(name).description(does).requiredOption('--company <id>', 'company id');
    if (!isNew) command.requiredOption('--endpoint <id>', 'endpoint id, as `webhook list` shows it');
    const required = (flags: string, description: string) =>
      isNew ? command.requiredOption(flags, description) : command.option(flags, description);
    required('--label <label>', 'label of the endpoint, 1–200 characters');
    required('--url <url>', 'https:// address that events are posted to');
    required(
      '--events <events>',
      'comma-separated list of events to receive: tracking.* for all of tracking, or notice.* for all notices',
    );
    command
      .option('--carriers <codes>', 'only of these carriers, such as BRT,GLS')
      .option('--warehouses <ids>', 'only from these warehouses, comma-separated')
      .option('--marketplaces <names>', 'only from these marketplaces, comma-separated')
      .option('--statuses <statuses>', 'only with these statuses, such as delivered,held')
      .option('--metadata <key=values...>', 'only where a key has one of these values, such as channel=b2b,b2c')
      .option(
        '--selection <file>',
        `file of a GraphQL selection on WebhookEvent${isNew ? '' : ', or none'}; - reads standard input`,
      );
    if (isNew) {
      command
        .option('--all-companies', 'receive the notices of all companies; keys of the company can then read them')
        .example(
          'webhook create --company 2612779b-5144-4cdf-b16b-6695e8d40383 --label Shop --url https://shop.example.com/hooks --events tracking.delivered --carriers BRT --metadata channel=b2b',
          'webhook create --company 2612779b-5144-4cdf-b16b-6695e8d40383 --label On-call --url https://ops.example.com/hooks --events "notice.*" --all-companies',
        )
        .action(answering(createEndpoint, { note: ONLY_COPY }));
    } else {
      command
        .option('--no-filter', 'remove the filter')
        .example(
          'webhook update --company 2612779b-5144-4cdf-b16b-6695e8d40383 --endpoint 5a3c1a52-6d0b-4a5e-8f0e-0d9a4b7c1e33 --selection payload.graphql',
        )
        .action(answering(updateEndpoint));
    }
  }
  webhook
    .command('test')
    .description('send an endpoint an example event, and print it; --json prints the body as it is posted')
    .requiredOption('--company <id>', 'company id')
    .requiredOption('--endpoint <id>', 'endpoint id, as `webhook list` shows it')
    .option('--event <event>', 'which event; tracking.in_transit or notice.endpoint_failing by default')
    .example(
      'webhook test --company 2612779b-5144-4cdf-b16b-6695e8d40383 --endpoint 5a3c1a52-6d0b-4a5e-8f0e-0d9a4b7c1e33 --event tracking.delivered',
    )
    .action(answering(testEndpoint));
  webhook
    .command('list')
    .description('list the webhook endpoints of a company, newest first')
    .requiredOption('--company <id>', 'company id')
    .example('webhook list --company 2612779b-5144-4cdf-b16b-6695e8d40383')
    .action(answering(listEndpoints));
  webhook
    .command('deliveries')
    .description('list the deliveries of a company with the outcome of their latest attempt, newest first')
    .requiredOption('--company <id>', 'company id')
    .option('--endpoint <id>', 'only those to this endpoint, as `webhook list` shows its id')
    .addOption(new Option('--status <status>', 'only those with this status').choices(DELIVERY_STATUSES))
    .option('--limit <count>', 'the most to list', wholeNumber(1, 1_000), 50)
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
  return url.origin + url.pathname.replace(/(?<!\/)\/+$/, '');
}

async function listen({ forward, ...options }: ListenOptions & { readonly forward?: string }, command: Command) {
  if (forward !== undefined) {
    const { forwardWebhooks } = await import('./webhook-forward.ts');
    return forwardWebhooks({ ...options, forward }, command);
  }
  const { listenForWebhooks } = await import('./webhook-listen.ts');
  return listenForWebhooks(options, command);
}

const ONLY_COPY = 'This is the only copy of the secret: keep it now, it is not shown again.';

async function createEndpoint(options: EndpointOptions) {
  return (await import('./webhook-endpoints.ts')).createWebhook(options);
}

async function updateEndpoint(options: EndpointOptions & { readonly endpoint: string }) {
  return (await import('./webhook-endpoints.ts')).updateWebhook(options);
}

async function testEndpoint(options: { company: string; endpoint: string; event?: string }) {
  return (await import('./webhook-endpoints.ts')).testWebhook(options);
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
    const range = { endpointId, from: startOfDay(from), to: startOfDay(to) };
    return { replayed: await replayDeliveries(tenant, jobs, range) };
  });
}

async function redrive({ limit }: { limit: number }) {
  const { withJobs } = await import('./session.ts');
  const { redriveDeliveries } = await import('../domain/webhooks/webhook-admin.service.ts');
  return withJobs(async ({ announcer: { jobs } }) => ({ redriven: await redriveDeliveries(jobs, limit) }));
}
