import { InvalidArgumentError } from 'commander';
import { DEFAULT_OVERLAP_HOURS, MAX_OVERLAP_HOURS } from '../domain/access/rotation.rules.ts';
import { ALL_RATE_CLASSES, MAX_RATE, RATE_CLASSES } from '../platform/limits/rates.ts';
import { ALL_SCOPES } from '../platform/scopes.ts';
import type { CliCommand } from './cli-command.ts';
import { startOfDay, wholeNumber, words, YES } from './options.ts';
import type { Answering } from './output.ts';

/** `key …`: API keys. */
export function addKeyCommands(program: CliCommand, answering: Answering): void {
  const key = program.command('key').description('API keys of companies');
  const create = key
    .command('create')
    .description('issue a key and print it; it is shown this once')
    .requiredOption('--company <id>', 'company id')
    .requiredOption('--label <label>', 'what the key is for, 1–200 characters')
    .requiredOption('--scopes <scopes>', `all, or a comma-separated list of ${ALL_SCOPES.join(', ')}`)
    .option('--sandbox', 'a key of the sandbox of the company, which is created with its first key')
    .option('--expires <date>', 'when the key stops working: a date (00:00 UTC) or an ISO 8601 date-time')
    .example(
      'key create --company 2612779b-5144-4cdf-b16b-6695e8d40383 --label Platform --scopes all',
      'key create --company 2612779b-5144-4cdf-b16b-6695e8d40383 --label Shop --scopes shipments:quote --expires 2027-01-01',
      'key create --company 2612779b-5144-4cdf-b16b-6695e8d40383 --label Prove --scopes all --sandbox',
    )
    .action(answering(createKey, { note: ONLY_COPY }));
  key
    .command('list')
    .description('list keys, oldest first, without the keys themselves')
    .option('--company <id>', 'only those that belong to this company and its sandbox')
    .example('key list --company 2612779b-5144-4cdf-b16b-6695e8d40383')
    .action(answering(listKeys));
  const update = key
    .command('update')
    .description('change the label or the rates of a key in every process within a second')
    .requiredOption('--key <id>', 'API key id, as `key list` shows it')
    .option('--label <label>', 'what the key is for, 1–200 characters')
    .example('key update --key 9f0c1a52-6d0b-4a5e-8f0e-0d9a4b7c1e33 --rate-reads 12000')
    .action(answering(updateKey));
  const count = wholeNumber(1, MAX_RATE);
  const countOrDefault = wholeNumber(1, MAX_RATE, ', or default');
  for (const rateClass of ALL_RATE_CLASSES) {
    const { what } = RATE_CLASSES[rateClass];
    create.option(`--rate-${rateClass} <count>`, `${what} a minute (default: the setting of the service)`, count);
    update.option(
      `--rate-${rateClass} <count>`,
      `${what} a minute, or default for the setting of the service`,
      value => (value === 'default' ? value : countOrDefault(value)),
    );
  }
  key
    .command('rotate')
    .description('issue a key that replaces another one, and print it; the old one works until the overlap ends')
    .requiredOption('--key <id>', 'API key id, as `key list` shows it')
    .option(
      '--overlap-hours <hours>',
      'how many hours the old key still works',
      wholeNumber(0, MAX_OVERLAP_HOURS),
      DEFAULT_OVERLAP_HOURS,
    )
    .example('key rotate --key 9f0c1a52-6d0b-4a5e-8f0e-0d9a4b7c1e33 --overlap-hours 48')
    .action(answering(rotateKey, { note: ONLY_COPY }));
  key
    .command('revoke')
    .description('revoke a key for good; every process rejects it within a second')
    .requiredOption('--key <id>', 'API key id, as `key list` shows it')
    .option(...YES)
    .example('key revoke --key 9f0c1a52-6d0b-4a5e-8f0e-0d9a4b7c1e33')
    .action(answering(revokeKey));
}

const ONLY_COPY = 'This is the only copy of the key: keep it now, it is not shown again.';

interface RateOptions<Rate> {
  readonly rateReads?: Rate;
  readonly rateQuotes?: Rate;
  readonly rateWrites?: Rate;
  readonly rateCost?: Rate;
}

interface KeyOptions extends RateOptions<number> {
  readonly company: string;
  readonly label: string;
  readonly scopes: string;
  readonly sandbox?: true;
  readonly expires?: string;
}

async function createKey(options: KeyOptions) {
  const { withDatabase } = await import('./session.ts');
  const { AccessAdministration } = await import('../domain/access/access.service.ts');
  const { company, label, scopes, sandbox, expires, rateReads, rateQuotes, rateWrites, rateCost } = options;
  const rates = { reads: rateReads, quotes: rateQuotes, writes: rateWrites, cost: rateCost };
  return withDatabase(({ database }) =>
    new AccessAdministration(database).createKey({
      companyId: company,
      label,
      scopes: words(scopes),
      environment: sandbox ? 'sandbox' : null,
      expiresAt: expires === undefined ? null : startOfDay(expires),
      rates,
    }),
  );
}

async function listKeys({ company }: { company?: string }) {
  const { withDatabase } = await import('./session.ts');
  const { AccessAdministration } = await import('../domain/access/access.service.ts');
  return withDatabase(({ database }) => new AccessAdministration(database).keys(company));
}

interface UpdateOptions extends RateOptions<number | 'default'> {
  readonly key: string;
  readonly label?: string;
}

async function updateKey({ key, label, ...options }: UpdateOptions) {
  const rates = {
    reads: ownRate(options.rateReads),
    quotes: ownRate(options.rateQuotes),
    writes: ownRate(options.rateWrites),
    cost: ownRate(options.rateCost),
  };
  if ([label, ...Object.values(rates)].every(value => value === undefined)) {
    throw new InvalidArgumentError(
      'Say what to change by --label, --rate-reads, --rate-quotes, --rate-writes or --rate-cost.',
    );
  }
  const { withDatabase } = await import('./session.ts');
  const { AccessAdministration } = await import('../domain/access/access.service.ts');
  return withDatabase(async ({ database }) => {
    const updated = await new AccessAdministration(database).updateKey(key, { label, rates });
    return { apiKeyId: updated.apiKeyId, label: updated.label, rates: updated.rates };
  });
}

/** Null selects the service's own rate. */
function ownRate(rate: number | 'default' | undefined): number | null | undefined {
  return rate === 'default' ? null : rate;
}

interface RotateOptions {
  readonly key: string;
  readonly overlapHours: number;
}

async function rotateKey({ key: apiKeyId, overlapHours }: RotateOptions) {
  const { withDatabase } = await import('./session.ts');
  const { AccessAdministration } = await import('../domain/access/access.service.ts');
  return withDatabase(({ database }) => new AccessAdministration(database).rotateKey({ apiKeyId, overlapHours }));
}

async function revokeKey({ key: apiKeyId, yes }: { key: string; yes?: true }) {
  const { confirm } = await import('./confirmation.ts');
  const { withDatabase } = await import('./session.ts');
  const { AccessAdministration } = await import('../domain/access/access.service.ts');
  return withDatabase(async ({ database }) => {
    const access = new AccessAdministration(database);
    await access.tenantOfKey(apiKeyId);
    await confirm(`The key ${apiKeyId} will be rejected for good.`, yes);
    const { revokedAt } = await access.revokeKey(apiKeyId);
    return { apiKeyId, revokedAt };
  });
}
