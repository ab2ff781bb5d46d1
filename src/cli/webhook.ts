import { type Command, InvalidArgumentError, Option } from 'commander';
import type { DeliveryStatus } from '../domain/webhooks/deliveries/verdict.rules.ts';
import { startOfDay, wholeNumber } from './options.ts';
import type { Answering } from './output.ts';
import type { ListenOptions } from './webhook-listen.ts';

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
    .action(listen);
  webhook
    .command('list')
    .description('list the webhook endpoints of a company, newest first')
    .requiredOption('--company <id>', 'company id')
    .action(answering(listEndpoints));
  webhook
    .command('deliveries')
    .description('list the deliveries of a company, newest first')
    .requiredOption('--company <id>', 'company id')
    .option('--endpoint <id>', 'to this endpoint only, as `webhook list` shows it')
    .addOption(new Option('--status <status>', 'that have come this far only').choices(DELIVERY_STATUSES))
    .option('--limit <count>', 'as many at most', wholeNumber(1, 1_000), 50)
    .action(answering(listDeliveries));
  webhook
    .command('replay')
    .description('send every event of a time range to an endpoint again, and those it never got; answers how many')
    .requiredOption('--company <id>', 'company id')
    .requiredOption('--endpoint <id>', 'endpoint id, as `webhook list` shows it')
    .requiredOption('--from <date>', 'events from then on: a date (its start, in UTC) or an ISO 8601 date-time')
    .requiredOption('--to <date>', 'events before then, in the same form')
    .action(answering(replay));
  webhook
    .command('redrive')
    .description('send deliveries that were given up once more, of all companies, oldest first')
    .option('--limit <count>', 'as many at most', wholeNumber(1, 1_000_000), 1_000)
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

async function listen(options: ListenOptions, command: Command) {
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
    return { replayed: await replayDeliveries(tenant, jobs, range).catch(inWordsOfOptions) };
  });
}

const OPTIONS: Readonly<Record<string, string>> = { since: 'from', until: 'to' };

/** What is refused, by the names that options have here. */
async function inWordsOfOptions(error: unknown): Promise<never> {
  const { Fault, invalid } = await import('../platform/fault.ts');
  const issues = error instanceof Fault ? (error.options.issues ?? []) : [];
  if (issues.length === 0) throw error;
  throw invalid(issues.map(issue => ({ ...issue, path: issue.path.map(step => OPTIONS[step] ?? step) })));
}

async function redrive({ limit }: { limit: number }) {
  const { withJobs } = await import('./session.ts');
  const { redriveDeliveries } = await import('../domain/webhooks/webhook-admin.service.ts');
  return withJobs(async ({ announcer: { jobs } }) => ({ redriven: await redriveDeliveries(jobs, limit) }));
}
