import { type Command, InvalidArgumentError } from 'commander';
import type { CliCommand } from './cli-command.ts';
import { wholeNumber, words } from './options.ts';
import type { Answering } from './output.ts';
import type { ListenOptions } from './webhook-listen.ts';

/** Commands that the graph cannot carry out: a receiver on this machine, and work for all companies. */

export function addWebhookCommands(webhook: CliCommand, answering: Answering): void {
  webhook
    .command('listen')
    .description('receive webhooks on this machine, verify and print them until Ctrl-C, without a database')
    .requiredOption('--key <key>', 'API key with the scope webhooks:manage', apiKey)
    .option('--url <url>', 'address of the service', serviceUrl, 'http://127.0.0.1:3000')
    .option('--port <port>', 'port to listen on; 0 takes any free port', wholeNumber(0, 65_535), 0)
    .option('--events <events>', 'comma-separated list of events to receive', 'tracking.*')
    .option('--label <label>', 'label of the endpoint, 1–200 characters', 'cli webhook listen')
    .example('webhook listen --key "$API_KEY" --events tracking.delivered')
    .action(listen);
  webhook
    .command('redrive')
    .description('send deliveries of all companies that were given up again, oldest first')
    .option('--limit <count>', 'the most to handle', wholeNumber(1, 1_000_000), 1_000)
    .example('webhook redrive --limit 100')
    .action(answering(redrive));
}

/** Only an operator lets an endpoint receive the notices of all companies. */
export function addNoticeCommand(notice: CliCommand, answering: Answering): void {
  notice
    .command('create')
    .description('create an endpoint for notices and print its secret, this once')
    .requiredOption('--company <id>', 'company id')
    .requiredOption('--label <label>', 'label of the endpoint, 1–200 characters')
    .requiredOption('--url <url>', 'https:// address that notices are posted to')
    .requiredOption('--notices <notices>', 'comma-separated list of notices to receive, or notice.* for all', words)
    .option('--all-companies', 'receive the notices of all companies; keys of the company can then read them')
    .example(
      'notice create --company 2612779b-5144-4cdf-b16b-6695e8d40383 --label On-call --url https://ops.example.com/hooks --notices "notice.*" --all-companies',
    )
    .action(answering(createNotices, { note: ONLY_COPY }));
}

const ONLY_COPY = 'This is the only copy of the secret: keep it now, it is not shown again.';

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

async function listen(options: ListenOptions, command: Command) {
  const { listenForWebhooks } = await import('./webhook-listen.ts');
  return listenForWebhooks(options, command);
}

interface NoticeOptions {
  readonly company: string;
  readonly label: string;
  readonly url: string;
  readonly notices: string[];
  readonly allCompanies?: true;
}

async function createNotices({ company, allCompanies, ...fields }: NoticeOptions) {
  const { withJobs } = await import('./session.ts');
  const { tenantOfCompany } = await import('../domain/account/access/access.service.ts');
  const { createNoticeEndpoint } = await import('../domain/exchange/webhooks/notices/notice-endpoints.service.ts');
  const { openSecrets } = await import('../wiring/service-secrets.ts');
  return withJobs(async ({ config, database }) => {
    const tenant = await tenantOfCompany(database, company);
    const settings = { policy: config.webhookPolicy, box: await openSecrets(database, config) };
    const made = await createNoticeEndpoint(tenant, settings, config.caps, fields as never, { allCompanies });
    const { id, secret, label, url, topic, state, events: notices } = made;
    return { id, secret, label, url, topic, state, notices, allCompanies: made.allCompanies };
  });
}

async function redrive({ limit }: { limit: number }) {
  const { withJobs } = await import('./session.ts');
  const { redriveDeliveries } = await import('../domain/exchange/webhooks/deliveries/deliveries.service.ts');
  return withJobs(async ({ announcer: { jobs } }) => ({ redriven: await redriveDeliveries(jobs, limit) }));
}
