import { resolve } from 'node:path';
import type { z } from 'zod';
import { commandName } from './platform/command-name.ts';
import { HTTP_LIMITS } from './platform/limits/http-limits.ts';
import { readOperators } from './platform/secrets/operators.ts';
import { StartupError } from './platform/startup-error.ts';
import { fileVariableOf, readSecretFiles } from './secret-files.ts';
import { SECRETS, SETTINGS, type SettingName } from './service-settings.ts';
import { ABOUT } from './setting-kinds.ts';

// Reads the settings of the service from its environment, once, and groups them for the code.

/** The settings as the code uses them. */
export type Config = Readonly<ReturnType<typeof configOf>>;

/** Every variable that is read: the settings, and those that name the file of a secret. */
export const VARIABLES: readonly string[] = [...Object.keys(SETTINGS.shape), ...SECRETS.map(fileVariableOf)];

/** Environment variables that are not read. */
export function otherVariables(env: NodeJS.ProcessEnv = process.env): string[] {
  return Object.keys(env).filter(name => !VARIABLES.includes(name));
}

/**
 * Reads and validates all settings once; no other module reads `process.env`.
 *
 * @throws StartupError naming every wrong setting with the values that are allowed
 */
export function readConfig(env: NodeJS.ProcessEnv = process.env): Config {
  // `NAME= npm start` and compose files set an empty variable for "not set".
  const variables = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== ''));
  const { values, problems } = readSecretFiles(variables, SECRETS);
  const given = { ...variables, ...values };
  const { data, error } = SETTINGS.safeParse(given);
  const names = new Set(error?.issues.map(({ path: [name] }) => name as SettingName));
  const refused = Array.from(names, name => {
    const { isSecret, allowed } = ABOUT.get(SETTINGS.shape[name]) ?? {};
    if (name in values) return `${fileVariableOf(name)} names a file whose content must be ${allowed}`;
    return `${name} ${isSecret ? 'is set' : `is "${env[name]}"`}, but must be ${allowed}`;
  });
  const wrong = [...problems, ...refused];
  const { NODE_ENV, DATABASE_URL, SECRETS_KEY = given.SECRETS_KEY_FILE } = given;
  if (NODE_ENV === 'production' && DATABASE_URL !== undefined && SECRETS_KEY === undefined) {
    wrong.push(`SECRETS_KEY must be set in production with DATABASE_URL (\`${commandName()} secrets key\` makes one)`);
  }
  if (data === undefined || wrong.length > 0) throw new StartupError(`${wrong.join('; ')}.`);
  return configOf(data);
}

function configOf(settings: z.output<typeof SETTINGS>) {
  return {
    host: settings.HOST,
    port: settings.PORT,
    publicUrl: withoutSlash(settings.PUBLIC_URL),
    databaseUrl: settings.DATABASE_URL,
    databaseDirectUrl: settings.DATABASE_DIRECT_URL,
    readDatabaseUrl: settings.READ_DATABASE_URL,
    databasePoolSize: settings.DATABASE_POOL_SIZE,
    dataDir: resolve(settings.DATA_DIR),
    role: settings.ROLE,
    processes: settings.PROCESSES,
    isPractice: settings.PRACTICE,
    logLevel: settings.LOG_LEVEL,
    metricsPort: settings.METRICS_PORT,
    metricsToken: settings.METRICS_TOKEN,
    operators: settings.OPS_USERS === undefined ? undefined : readOperators(settings.OPS_USERS),
    otlpEndpoint: withoutSlash(settings.OTEL_EXPORTER_OTLP_ENDPOINT),
    graphql: { maxCost: settings.GRAPHQL_MAX_COST, timeoutMs: settings.GRAPHQL_TIMEOUT_SECONDS * 1000 },
    migrateOnStart: settings.MIGRATE_ON_START,
    secretsKey: settings.SECRETS_KEY,
    webhookPolicy: { allowPrivate: settings.WEBHOOK_ALLOW_PRIVATE ?? [], allowHttp: settings.WEBHOOK_ALLOW_HTTP },
    retention: {
      webhookDays: settings.WEBHOOK_RETENTION_DAYS,
      changeDays: settings.CHANGE_RETENTION_DAYS,
      carrierCallDays: settings.CARRIER_CALL_RETENTION_DAYS,
      recipientDays: settings.RECIPIENT_RETENTION_DAYS,
      timelineDays: settings.TIMELINE_RETENTION_DAYS,
    },
    rateLimits: {
      reads: settings.RATE_LIMIT_READS,
      quotes: settings.RATE_LIMIT_QUOTES,
      writes: settings.RATE_LIMIT_WRITES,
      cost: settings.RATE_LIMIT_COST,
    },
    caps: {
      warehouses: settings.MAX_WAREHOUSES,
      carrierConnections: settings.MAX_CARRIER_CONNECTIONS,
      apiKeys: settings.MAX_API_KEYS,
      webhookEndpoints: settings.MAX_WEBHOOK_ENDPOINTS,
      shipmentEvents: settings.MAX_SHIPMENT_EVENTS,
    },
    http: {
      ...HTTP_LIMITS,
      maxConnections: settings.MAX_CONNECTIONS,
      maxConnectionsPerKey: settings.MAX_CONNECTIONS_PER_KEY,
    },
    streams: { maxStreams: settings.MAX_STREAMS, maxStreamsPerKey: settings.MAX_STREAMS_PER_KEY },
    corsOrigins: settings.CORS_ORIGINS,
    carrierSandboxUrl: withoutSlash(settings.CARRIER_SANDBOX_URL),
    isProduction: settings.NODE_ENV === 'production',
    demo: settings.DEMO ?? settings.NODE_ENV !== 'production',
  };
}

function withoutSlash(url: string | undefined): string | undefined {
  return url?.replace(/(?<!\/)\/+$/, '');
}
