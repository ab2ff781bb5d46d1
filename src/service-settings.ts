import { availableParallelism } from 'node:os';
import { z } from 'zod';
import { isDatabaseAddress } from './platform/database/connections/server-addresses.ts';
import { type Caps, DEFAULT_CAPS, MAX_CAP } from './platform/limits/caps.ts';
import { HTTP_LIMITS } from './platform/limits/http-limits.ts';
import { MAX_RATE, RATE_CLASSES, type RateClass } from './platform/limits/rates.ts';
import { parseCidrs } from './platform/outbound/outbound-address.ts';
import { readOperators } from './platform/secrets/operators.ts';
import { areSecretsKeys } from './platform/secrets/secret-box.ts';
import {
  ABOUT,
  type About,
  daysOrNever,
  EVERYWHERE,
  FLAG,
  oneOf,
  optional,
  SERVICE,
  text,
  url,
  wholeNumber,
  withDefault,
} from './setting-kinds.ts';

// Every setting of the service: its values, default, purpose and the processes that use it. `config.ts` reads them. Errors
// and the table of settings (src/contracts/generated-sections/settings.ts) are made from these declarations.

const MAX_PROCESSES = 64;
const PROCESSES = {
  schema: z
    .literal('auto')
    .transform(() => Math.min(availableParallelism(), MAX_PROCESSES))
    .or(z.coerce.number().int().min(1).max(MAX_PROCESSES)),
  allowed: `a whole number from 1 to ${MAX_PROCESSES}, or auto (one for each core)`,
};
const DATABASE = text('a postgres:// URL with the name of a database', isDatabaseAddress);
const WEB = url('an http:// or https:// URL', 'http:', 'https:');
const LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;

const rate = (rateClass: RateClass) =>
  withDefault(wholeNumber(1, MAX_RATE), RATE_CLASSES[rateClass].perMinute, {
    purpose: `How many ${RATE_CLASSES[rateClass].what} are allowed in a minute: for each key without rates of its own, and for all keys of a company together.`,
    usedBy: ['api'],
  });
const kept = (days: number, what: string, min = 1, usedBy: About['usedBy'] = ['worker', 'commands']) =>
  withDefault(wholeNumber(min, 3650), days, { purpose: `How many days ${what}`, usedBy });
const cap = (name: keyof Caps, purpose: string, usedBy: About['usedBy'] = ['api', 'commands']) =>
  withDefault(wholeNumber(1, MAX_CAP), DEFAULT_CAPS[name], { purpose, usedBy });

/** Settings by their names in the environment. */
export const SETTINGS = z.object({
  DATABASE_URL: optional(DATABASE, {
    purpose:
      'The PostgreSQL database to use, version 15 or newer. `sslmode` in it says how connections are encrypted. With several hosts and `target_session_attrs=read-write` the service uses the primary among them, and follows a promotion.',
    unset: 'an embedded one in `DATA_DIR`',
    usedBy: EVERYWHERE,
    isSecret: true,
  }),
  DATABASE_DIRECT_URL: optional(DATABASE, {
    purpose:
      'The address of the same database without the pooler that `DATABASE_URL` leads to. LISTEN, locks and migrations use it. If it is set, statements are not prepared.',
    usedBy: EVERYWHERE,
    isSecret: true,
  }),
  READ_DATABASE_URL: optional(DATABASE, {
    purpose:
      'A read replica. Tracking, pages of shipments and the end of the change log are read from it, and can be a moment old.',
    usedBy: ['api'],
    isSecret: true,
  }),
  DATABASE_POOL_SIZE: withDefault(wholeNumber(2, 500), 16, {
    purpose: 'How many connections to PostgreSQL a process opens. It opens one more to listen.',
    usedBy: SERVICE,
  }),
  DATA_DIR: withDefault(text('a folder'), '.data', {
    purpose:
      'The folder of the embedded database, its log, the demo key, and the file `secrets-key` if `SECRETS_KEY` is not set.',
    usedBy: EVERYWHERE,
  }),
  HOST: withDefault(text('a host name or an IP address'), '127.0.0.1', {
    purpose: 'The address to listen on.',
    usedBy: SERVICE,
  }),
  PORT: withDefault(wholeNumber(0, 65_535, 'a whole number from 0 (any free port) to 65535'), 3000, {
    purpose: 'The port to listen on.',
    usedBy: EVERYWHERE,
  }),
  PUBLIC_URL: optional(WEB, {
    purpose: 'The address at which callers reach the service. Links in responses begin with it.',
    unset: 'the listening address',
    usedBy: EVERYWHERE,
  }),
  ROLE: withDefault(oneOf('all', 'api', 'worker'), 'all', {
    purpose:
      'What the process does: `api` responds to requests, `worker` works jobs and responds only to health probes, `/metrics` and `/ops`, `all` does both.',
    usedBy: SERVICE,
  }),
  PROCESSES: withDefault(PROCESSES, 1, {
    purpose: 'How many processes one start runs. They share the role, the port and the database.',
    usedBy: EVERYWHERE,
  }),
  PRACTICE: withDefault(FLAG, false, {
    purpose:
      'For a restored copy: workers send no webhook and ask no carrier by themselves. Webhooks and requests to carriers wait.',
    usedBy: EVERYWHERE,
  }),
  DEMO: optional(FLAG, {
    purpose: 'Whether to create the demo company at the start and print its key.',
    unset: 'true, in production false',
    usedBy: EVERYWHERE,
  }),
  MIGRATE_ON_START: withDefault(FLAG, true, {
    purpose:
      'Whether to migrate the database at the start, if the role of `DATABASE_URL` owns the tables. Set it to false if your deployment runs `migrate`.',
    usedBy: SERVICE,
  }),
  CARRIER_SANDBOX_URL: optional(WEB, {
    purpose: 'The address of a sandbox. If neither this nor the demo is set, there is no sandbox.',
    unset: "the demo's sandbox",
    usedBy: EVERYWHERE,
  }),
  SECRETS_KEY: optional(text('base64 of 32 bytes, or several separated by commas', areSecretsKeys), {
    purpose:
      'Encrypts webhook secrets, carrier credentials and the responses kept for an `Idempotency-Key`. If there are several keys, the first encrypts and all decrypt. In production with `DATABASE_URL` it is required, the same for every process.',
    unset: 'kept in `DATA_DIR`',
    usedBy: EVERYWHERE,
    isSecret: true,
  }),
  WEBHOOK_ALLOW_PRIVATE: withDefault(
    {
      schema: z
        .string()
        .transform(parseCidrs)
        .refine(cidrs => cidrs !== undefined),
      allowed: 'networks in CIDR notation separated by commas, such as 127.0.0.0/8',
    },
    [],
    { purpose: 'Networks that webhooks may reach although they are not public.', usedBy: EVERYWHERE },
  ),
  WEBHOOK_ALLOW_HTTP: withDefault(FLAG, false, {
    purpose: 'Whether webhook endpoints may have an `http://` address.',
    usedBy: EVERYWHERE,
  }),
  WEBHOOK_RETENTION_DAYS: kept(30, 'webhook events, deliveries and attempts are kept.'),
  CHANGE_RETENTION_DAYS: kept(90, 'the changes of shipments are kept, for consumers that ask what changed since.'),
  CARRIER_CALL_RETENTION_DAYS: kept(7, 'calls to carriers are kept. 0 records none.', 0, EVERYWHERE),
  RECIPIENT_RETENTION_DAYS: withDefault(daysOrNever(30), 730, {
    purpose:
      'After how many days without a change a shipment that has ended, and its order, lose the name, address, e-mail and telephone of the recipient. 0 keeps them.',
    usedBy: ['worker', 'commands'],
  }),
  TIMELINE_RETENTION_DAYS: withDefault(daysOrNever(90), 0, {
    purpose:
      'After how many days without a change a shipment that has ended keeps only its last event. 0 keeps the whole timeline.',
    usedBy: ['worker', 'commands'],
  }),
  RATE_LIMIT_READS: rate('reads'),
  RATE_LIMIT_QUOTES: rate('quotes'),
  RATE_LIMIT_WRITES: rate('writes'),
  RATE_LIMIT_COST: rate('cost'),
  MAX_WAREHOUSES: cap('warehouses', 'How many warehouses a company can have.'),
  MAX_CARRIER_CONNECTIONS: cap(
    'carrierConnections',
    'How many carrier connections a company can have, without those that were disconnected.',
  ),
  MAX_API_KEYS: cap('apiKeys', 'How many keys of a company can work at the same time.', ['api']),
  MAX_WEBHOOK_ENDPOINTS: cap(
    'webhookEndpoints',
    'How many webhook endpoints are kept for a company, with deleted ones.',
  ),
  MAX_SHIPMENT_EVENTS: cap('shipmentEvents', 'How many tracking events a shipment can have.', EVERYWHERE),
  MAX_CONNECTIONS: withDefault(wholeNumber(1, 1_000_000), HTTP_LIMITS.maxConnections, {
    purpose: 'How many connections of callers a process holds open. Each takes a file descriptor.',
    usedBy: SERVICE,
  }),
  MAX_CONNECTIONS_PER_KEY: withDefault(wholeNumber(1, 1_000_000), HTTP_LIMITS.maxConnectionsPerKey, {
    purpose:
      'How many connections one key can have open in a process. A connection belongs to the key of its latest request.',
    usedBy: ['api'],
  }),
  MAX_STREAMS: withDefault(wholeNumber(1, 1_000_000), 5_000, {
    purpose: 'How many streams of GraphQL subscriptions a process holds open. Each is a connection too.',
    usedBy: ['api'],
  }),
  MAX_STREAMS_PER_KEY: withDefault(wholeNumber(1, 1_000_000), 10, {
    purpose: 'How many of those can belong to one key.',
    usedBy: ['api'],
  }),
  CORS_ORIGINS: withDefault(
    {
      schema: z
        .string()
        .transform(origins => origins.split(',').map(origin => origin.trim()))
        .refine(origins => origins.every(one => one === '*' || (URL.canParse(one) && new URL(one).origin === one))),
      allowed: 'origins such as https://shop.example.com separated by commas, or *',
    },
    [],
    { purpose: 'Origins whose web pages may call the API, `/mcp` among it.', usedBy: ['api'] },
  ),
  GRAPHQL_MAX_COST: withDefault(wholeNumber(100_000, Number.MAX_SAFE_INTEGER, 'a whole number from 100000'), 200_000, {
    purpose: 'The highest cost of a GraphQL document.',
    usedBy: ['api'],
  }),
  GRAPHQL_TIMEOUT_SECONDS: withDefault(
    { schema: z.coerce.number().min(0.1).max(600), allowed: 'a number from 0.1 to 600' },
    10,
    { purpose: 'How many seconds a GraphQL document may run.', usedBy: ['api'] },
  ),
  METRICS_PORT: optional(wholeNumber(1, 65_535), {
    purpose: 'A port of its own for Prometheus metrics.',
    usedBy: SERVICE,
  }),
  METRICS_TOKEN: optional(
    text('at least 16 printable ASCII characters, none of them a blank', value => /^[\x21-\x7e]{16,}$/.test(value)),
    {
      purpose:
        'The token that Prometheus sends as `Authorization: Bearer`. If it is set, `/metrics` of `PORT` serves metrics too.',
      usedBy: SERVICE,
      isSecret: true,
    },
  ),
  OPS_USERS: optional(
    text(
      'entries such as `anna:` and the hash of a password, separated by commas, blanks or line breaks, each name once',
      value => readOperators(value) !== undefined,
    ),
    {
      purpose:
        "The users of the page for operators at `/ops` and of pg-boss' dashboard at `/ops/jobs`. `operator create` makes an entry.",
      usedBy: SERVICE,
      isSecret: true,
    },
  ),
  OTEL_EXPORTER_OTLP_ENDPOINT: optional(WEB, {
    purpose: 'The collector to send traces to, by OTLP over HTTP, such as `http://localhost:4318`.',
    usedBy: SERVICE,
  }),
  LOG_LEVEL: withDefault(oneOf(...LEVELS), 'info', {
    purpose: 'How much is logged. `info` has one JSON line for each request.',
    usedBy: SERVICE,
  }),
  NODE_ENV: withDefault(oneOf('development', 'test', 'production'), 'development', {
    purpose: 'In `production` there is no demo company unless `DEMO` is true.',
    usedBy: EVERYWHERE,
  }),
});

export type SettingName = keyof typeof SETTINGS.shape;

/** The settings whose values are never printed, and can be read from files. */
export const SECRETS = Object.entries(SETTINGS.shape).flatMap(([name, one]) =>
  ABOUT.get(one)?.isSecret ? [name] : [],
);
