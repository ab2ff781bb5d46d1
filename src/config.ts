import { resolve } from 'node:path';
import { z } from 'zod';
import { type Caps, DEFAULT_CAPS, MAX_CAP } from './platform/limits/caps.ts';
import { HTTP_LIMITS, type HttpLimits } from './platform/limits/http-limits.ts';
import { MAX_RATE, RATE_CLASSES, type RateClass, type Rates } from './platform/limits/rates.ts';
import { parseCidrs } from './platform/outbound/outbound-address.ts';
import type { OutboundPolicy } from './platform/outbound/outbound-url.ts';
import { areSecretsKeys } from './platform/secrets/secret-box.ts';
import { StartupError } from './platform/startup-error.ts';

const flag = z.enum(['true', 'false', '1', '0']).transform(value => value === 'true' || value === '1');
const portNumber = z.coerce.number().int().min(0).max(65_535);
const rate = (rateClass: RateClass) => ({
  allowed: `a whole number from 1 to ${MAX_RATE}`,
  schema: z.coerce.number().int().min(1).max(MAX_RATE).default(RATE_CLASSES[rateClass].perMinute),
});
const cap = (name: keyof Caps) => ({
  allowed: `a whole number from 1 to ${MAX_CAP}`,
  schema: z.coerce.number().int().min(1).max(MAX_CAP).default(DEFAULT_CAPS[name]),
});
const connections = (count: number) => ({
  allowed: 'a whole number from 1 to 1000000',
  schema: z.coerce.number().int().min(1).max(1_000_000).default(count),
});
const url = (...protocols: string[]) =>
  z
    .string()
    .refine(
      value => URL.canParse(value) && protocols.includes(new URL(value).protocol),
      `a URL that starts with ${protocols.map(protocol => `${protocol}//`).join(' or ')}`,
    );

/** Every setting: its name in the environment, what it allows (also what an error says), and its default. */
const SETTINGS = {
  HOST: { allowed: 'a host name or an IP address', schema: z.string().min(1).default('127.0.0.1') },
  PORT: { allowed: 'a whole number from 0 (any free port) to 65535', schema: portNumber.default(3000) },
  PUBLIC_URL: { allowed: 'an http:// or https:// URL', schema: url('http:', 'https:').optional() },
  DATABASE_URL: { allowed: 'a postgres:// URL', schema: url('postgres:', 'postgresql:').optional() },
  DATABASE_DIRECT_URL: { allowed: 'a postgres:// URL', schema: url('postgres:', 'postgresql:').optional() },
  READ_DATABASE_URL: { allowed: 'a postgres:// URL', schema: url('postgres:', 'postgresql:').optional() },
  DATABASE_POOL_SIZE: {
    allowed: 'a whole number from 2 to 500',
    schema: z.coerce.number().int().min(2).max(500).default(16),
  },
  DATA_DIR: { allowed: 'a folder', schema: z.string().min(1).default('.data') },
  ROLE: { allowed: 'all, api or worker', schema: z.enum(['all', 'api', 'worker']).default('all') },
  LOG_LEVEL: {
    allowed: 'fatal, error, warn, info, debug, trace or silent',
    schema: z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']).default('info'),
  },
  METRICS_PORT: { allowed: 'a whole number from 1 to 65535', schema: portNumber.min(1).optional() },
  METRICS_TOKEN: {
    allowed: 'at least 16 printable ASCII characters, none of them a blank',
    schema: z
      .string()
      .regex(/^[\x21-\x7e]{16,}$/)
      .optional(),
  },
  OPS_PASSWORD: { allowed: 'at least 12 characters', schema: z.string().min(12).optional() },
  OTEL_EXPORTER_OTLP_ENDPOINT: { allowed: 'an http:// or https:// URL', schema: url('http:', 'https:').optional() },
  GRAPHQL_MAX_COST: {
    allowed: 'a whole number from 100000',
    schema: z.coerce.number().int().min(100_000).default(200_000),
  },
  GRAPHQL_TIMEOUT_SECONDS: {
    allowed: 'a number from 0.1 to 600',
    schema: z.coerce.number().min(0.1).max(600).default(10),
  },
  MIGRATE_ON_START: { allowed: 'true or false', schema: flag.default(true) },
  SECRETS_KEY: {
    allowed: 'base64 of 32 bytes, or several separated by commas',
    schema: z.string().refine(areSecretsKeys).optional(),
  },
  WEBHOOK_ALLOW_PRIVATE: {
    allowed: 'networks in CIDR notation separated by commas, such as 127.0.0.0/8',
    schema: z
      .string()
      .default('')
      .transform(parseCidrs)
      .refine(cidrs => cidrs !== undefined),
  },
  WEBHOOK_ALLOW_HTTP: { allowed: 'true or false', schema: flag.default(false) },
  WEBHOOK_RETENTION_DAYS: {
    allowed: 'a whole number from 1 to 3650',
    schema: z.coerce.number().int().min(1).max(3650).default(30),
  },
  RATE_LIMIT_READS: rate('reads'),
  RATE_LIMIT_QUOTES: rate('quotes'),
  RATE_LIMIT_WRITES: rate('writes'),
  RATE_LIMIT_COST: rate('cost'),
  MAX_WAREHOUSES: cap('warehouses'),
  MAX_CARRIER_CONNECTIONS: cap('carrierConnections'),
  MAX_API_KEYS: cap('apiKeys'),
  MAX_WEBHOOK_ENDPOINTS: cap('webhookEndpoints'),
  MAX_SHIPMENT_EVENTS: cap('shipmentEvents'),
  MAX_CONNECTIONS: connections(HTTP_LIMITS.maxConnections),
  MAX_CONNECTIONS_PER_KEY: connections(HTTP_LIMITS.maxConnectionsPerKey),
  CORS_ORIGINS: {
    allowed: 'origins such as https://shop.example.com separated by commas, or *',
    schema: z
      .string()
      .default('')
      .transform(text => (text === '' ? [] : text.split(',').map(one => one.trim())))
      .refine(origins => origins.every(one => one === '*' || (URL.canParse(one) && new URL(one).origin === one))),
  },
  CARRIER_SANDBOX_URL: { allowed: 'an http:// or https:// URL', schema: url('http:', 'https:').optional() },
  DEMO: { allowed: 'true or false', schema: flag.optional() },
  NODE_ENV: {
    allowed: 'development, test or production',
    schema: z.enum(['development', 'test', 'production']).default('development'),
  },
} as const;

/** Settings whose value may hold a password and is never printed. */
const SECRETS: ReadonlySet<string> = new Set([
  'DATABASE_URL',
  'DATABASE_DIRECT_URL',
  'READ_DATABASE_URL',
  'SECRETS_KEY',
  'METRICS_TOKEN',
  'OPS_PASSWORD',
]);

export interface Config {
  readonly host: string;
  /** 0 takes any free port. */
  readonly port: number;
  /** Where callers reach the service, for the links it hands out; by default the address it listens on. */
  readonly publicUrl: string | undefined;
  /** Without it, an embedded PostgreSQL runs in `dataDir`. */
  readonly databaseUrl: string | undefined;
  /** Past a pooler that `databaseUrl` leads to, for what holds a connection's state; undefined where there is none. */
  readonly databaseDirectUrl: string | undefined;
  /** A replica for reads that bear to be a moment old. */
  readonly readDatabaseUrl: string | undefined;
  readonly databasePoolSize: number;
  readonly dataDir: string;
  /** `api` answers requests, `worker` carries out jobs, `all` does both. */
  readonly role: 'all' | 'api' | 'worker';
  readonly logLevel: string;
  readonly metricsPort: number | undefined;
  /** What Prometheus must send as `Authorization: Bearer`; with it, figures are at /metrics of the main port too. */
  readonly metricsToken: string | undefined;
  /** Opens pg-boss' dashboard, at /ops/jobs; undefined for none. */
  readonly opsPassword: string | undefined;
  /** A collector of traces; undefined for none. Without a slash at its end. */
  readonly otlpEndpoint: string | undefined;
  /** What a GraphQL document may cost and how long its answer may take. */
  readonly graphql: { readonly maxCost: number; readonly timeoutMs: number };
  readonly migrateOnStart: boolean;
  /** What secrets are sealed with, as `SecretBox.of` takes it; undefined for a key kept in `dataDir`. */
  readonly secretsKey: string | undefined;
  /** Where webhooks may go beside `https` to public addresses. */
  readonly webhookPolicy: OutboundPolicy;
  /** How long webhook events and attempts are kept. */
  readonly webhookRetentionDays: number;
  /** Requests and units of cost a minute, for a company and for each of its keys that has no rates of its own. */
  readonly rateLimits: Rates;
  /** What a company may have of each kind. */
  readonly caps: Caps;
  /** What connections and bodies may take; only the connections are settings. */
  readonly http: HttpLimits;
  /** Origins whose pages may call the API, or `*`. */
  readonly corsOrigins: readonly string[];
  /** Stand-ins for carriers, which connections of the sandbox are asked at; by default those of the demo. */
  readonly carrierSandboxUrl: string | undefined;
  /** Make the demo company and print its key at start. */
  readonly demo: boolean;
}

/**
 * Reads and validates all settings once; nothing else looks at `process.env`.
 *
 * @throws StartupError naming every wrong setting with what is allowed.
 */
export function readConfig(env: NodeJS.ProcessEnv = process.env): Config {
  const wrong: string[] = [];
  const read = <Name extends keyof typeof SETTINGS>(name: Name): z.infer<(typeof SETTINGS)[Name]['schema']> => {
    const { schema, allowed } = SETTINGS[name];
    // An empty variable is what `NAME= npm start` and compose files write for "not set".
    const result = schema.safeParse(env[name] === '' ? undefined : env[name]);
    if (!result.success)
      wrong.push(`${name} ${SECRETS.has(name) ? 'is set' : `is "${env[name]}"`}, but must be ${allowed}`);
    return result.data as z.infer<(typeof SETTINGS)[Name]['schema']>;
  };
  const production = read('NODE_ENV') === 'production';
  const config: Config = {
    host: read('HOST'),
    port: read('PORT'),
    publicUrl: read('PUBLIC_URL')?.replace(/\/+$/, ''),
    databaseUrl: read('DATABASE_URL'),
    databaseDirectUrl: read('DATABASE_DIRECT_URL'),
    readDatabaseUrl: read('READ_DATABASE_URL'),
    databasePoolSize: read('DATABASE_POOL_SIZE'),
    dataDir: resolve(read('DATA_DIR') ?? '.'),
    role: read('ROLE'),
    logLevel: read('LOG_LEVEL'),
    metricsPort: read('METRICS_PORT'),
    metricsToken: read('METRICS_TOKEN'),
    opsPassword: read('OPS_PASSWORD'),
    otlpEndpoint: read('OTEL_EXPORTER_OTLP_ENDPOINT')?.replace(/\/+$/, ''),
    graphql: { maxCost: read('GRAPHQL_MAX_COST'), timeoutMs: (read('GRAPHQL_TIMEOUT_SECONDS') ?? 0) * 1000 },
    migrateOnStart: read('MIGRATE_ON_START'),
    secretsKey: read('SECRETS_KEY'),
    webhookPolicy: { allowPrivate: read('WEBHOOK_ALLOW_PRIVATE') ?? [], allowHttp: read('WEBHOOK_ALLOW_HTTP') },
    webhookRetentionDays: read('WEBHOOK_RETENTION_DAYS'),
    rateLimits: {
      reads: read('RATE_LIMIT_READS'),
      quotes: read('RATE_LIMIT_QUOTES'),
      writes: read('RATE_LIMIT_WRITES'),
      cost: read('RATE_LIMIT_COST'),
    },
    caps: {
      warehouses: read('MAX_WAREHOUSES'),
      carrierConnections: read('MAX_CARRIER_CONNECTIONS'),
      apiKeys: read('MAX_API_KEYS'),
      webhookEndpoints: read('MAX_WEBHOOK_ENDPOINTS'),
      shipmentEvents: read('MAX_SHIPMENT_EVENTS'),
    },
    http: {
      ...HTTP_LIMITS,
      maxConnections: read('MAX_CONNECTIONS'),
      maxConnectionsPerKey: read('MAX_CONNECTIONS_PER_KEY'),
    },
    corsOrigins: read('CORS_ORIGINS') ?? [],
    carrierSandboxUrl: read('CARRIER_SANDBOX_URL')?.replace(/\/+$/, ''),
    demo: read('DEMO') ?? !production,
  };
  if (production && config.databaseUrl !== undefined && config.secretsKey === undefined) {
    wrong.push('SECRETS_KEY must be set in production with DATABASE_URL (`npm run -s cli -- secrets key` makes one)');
  }
  if (wrong.length > 0) throw new StartupError(`${wrong.join('; ')}.`);
  return config;
}
