import { MAX_BATCH } from '../../domain/common/batch.rules.ts';
import { MAX_PARCEL_KINDS, MAX_PARCELS } from '../../domain/shipping/orders/orders.rules.ts';
import { isPolled, nextPollMs } from '../../domain/shipping/polling/poll.rules.ts';
import { STATUS_CODES, type StatusCode } from '../../domain/shipping/tracking/status.rules.ts';
import { BATCH_ITEM, CARRIER_CALL_WORK, MUTATION, QUOTE, TARIFF_DOCUMENT, TARIFF_IMPORT } from '../../graphql/costs.ts';
import { MAX_DEPTH } from '../../graphql/limits.ts';
import { MAX_JSON_DEPTH } from '../../graphql/scalars.ts';
import { MAX_BODY_BYTES as MAX_GRAPHQL_BYTES } from '../../http/graphql-route.ts';
import { MAX_BODY_BYTES } from '../../http/guards/body.ts';
import { RETENTION_RULES } from '../../migrate.ts';
import { type Caps, DEFAULT_CAPS } from '../../platform/limits/caps.ts';
import { HTTP_LIMITS } from '../../platform/limits/http-limits.ts';
import { RATE_CLASSES, type RateClass } from '../../platform/limits/rates.ts';
import { MAX_URL_LENGTH } from '../../platform/outbound/outbound-url.ts';
import { SETTINGS } from '../../service-settings.ts';
import { code, count, duration, table } from './markdown.ts';

const COUNTS: Readonly<Record<RateClass, string>> = {
  reads: 'requests that read',
  quotes: 'quotes, address checks and refreshes of tracking',
  writes: 'requests that change something; in GraphQL each mutation of a document',
  cost: 'the work of all requests, in [units of cost](#cost)',
};

/** The rates of a key, and of a company with all its keys. */
export function rates(): string {
  return table(
    ['Limit', 'A minute', 'Counts'],
    Object.entries(RATE_CLASSES).map(([name, { perMinute }]) => [
      code(name),
      count(perMinute),
      COUNTS[name as RateClass],
    ]),
  );
}

export function costs(): string {
  return table(
    ['Work', 'Units of cost'],
    [
      ['A value or an object in the response', '1'],
      ['32 characters of text in the response, or in the body of a GraphQL request', '1'],
      ['An item of a batch, such as an order of `upsertOrders`', count(BATCH_ITEM)],
      ['A mutation', count(MUTATION)],
      ['A quote, on all carrier connections', count(QUOTE)],
      ['An address check, a refresh of tracking or a test of a carrier connection', count(CARRIER_CALL_WORK)],
      ['A whole tariff document in the response', count(TARIFF_DOCUMENT)],
      ['The import of a tariff', count(TARIFF_IMPORT)],
    ],
  );
}

const WHAT: Readonly<Record<keyof Caps, { readonly what: string; readonly beyond: string }>> = {
  warehouses: { what: 'Warehouses of a company', beyond: '409 `warehouse_limit_reached`' },
  carrierConnections: {
    what: 'Carrier connections of a company, without those that were disconnected',
    beyond: '409 `carrier_connection_limit_reached`',
  },
  apiKeys: { what: 'Keys of a company that work', beyond: '409 `api_key_limit_reached`' },
  webhookEndpoints: {
    what: 'Webhook endpoints of a company, with deleted ones whose deliveries are still kept',
    beyond: '409 `webhook_limit_reached`',
  },
  shipmentEvents: {
    what: 'Tracking events of a shipment',
    beyond: 'the event is rejected as `too_many_events`, unless its status is final',
  },
};

export function companyLimits(): string {
  const rows = Object.entries(DEFAULT_CAPS).map(([name, limit]) => {
    const { what, beyond } = WHAT[name as keyof Caps];
    return [what, count(limit), beyond];
  });
  return table(['What', 'At most', 'Beyond it'], rows);
}

export function connectionLimits(): string {
  const { maxConnectionsPerKey, maxPipelined, headersMs, requestMs, bodyWindowBytes, bodyWindowMs } = HTTP_LIMITS;
  const { bodyBytesPerCompany, bodyWaitMs, unreadMs, unreadStreamMs, keepAliveMs } = HTTP_LIMITS;
  const { MAX_STREAMS, MAX_STREAMS_PER_KEY } = SETTINGS.parse({});
  const slowest = bodyWindowBytes / 1024 / (bodyWindowMs / 1000);
  return table(
    ['What', 'At most', 'Beyond it'],
    [
      ['Open connections of a key', count(maxConnectionsPerKey), '429 `rate_limited`'],
      ['Requests that wait on one connection (pipelining)', count(maxPipelined), '429 `rate_limited`'],
      ['Address and headers of a request', '16 KiB', '431 `headers_too_large`'],
      ['Time for the headers to arrive', duration(headersMs), '408 `request_timeout`'],
      ['Time for the whole request to arrive', duration(requestMs), '408 `request_timeout`'],
      ['Pace of a body', `no slower than ${slowest} KiB a second`, '408 `request_timeout`'],
      [
        'Bodies that a company sends at the same time',
        `${bodyBytesPerCompany / 1024 / 1024} MiB together`,
        `429 \`rate_limited\` after ${duration(bodyWaitMs)}`,
      ],
      ['Time in which nothing of a response is read', duration(unreadMs), 'the connection is closed'],
      ['Open streams of a key, in each process', count(MAX_STREAMS_PER_KEY), '429 `rate_limited`'],
      ['Open streams of a process', count(MAX_STREAMS), '503 `unavailable`'],
      ['Time in which nothing of a stream is read', duration(unreadStreamMs), '`stream_interrupted`'],
      ['Idle time of a connection', duration(keepAliveMs), 'the connection is closed'],
    ],
  );
}

/** How large requests and their parts may be. */
export function sizeLimits(): string {
  return table(
    ['What', 'At most'],
    [
      ['Body of a REST request', `${MAX_BODY_BYTES / 1024} KiB of JSON, ${MAX_JSON_DEPTH} levels deep`],
      ['Body of a GraphQL request', `${MAX_GRAPHQL_BYTES / 1024 / 1024} MiB`],
      ['Parcels of a quote', `${count(MAX_PARCEL_KINDS)} kinds, ${count(MAX_PARCELS)} parcels`],
      ['Items of a batch', count(MAX_BATCH)],
      ['URLs', `${count(MAX_URL_LENGTH)} characters`],
    ],
  );
}

export function graphqlLimits(): string {
  const { GRAPHQL_MAX_COST, GRAPHQL_TIMEOUT_SECONDS } = SETTINGS.parse({});
  return table(
    ['Limit', 'Value', 'Error'],
    [
      ['Nesting of fields', String(MAX_DEPTH), code('graphql_too_deep')],
      ['Cost of a document before it runs', `${count(GRAPHQL_MAX_COST)} by default`, code('graphql_too_complex')],
      ['Cost of a document while it runs', `${count(GRAPHQL_MAX_COST)} by default`, code('request_too_expensive')],
      ['Time', `${GRAPHQL_TIMEOUT_SECONDS} seconds by default`, code('graphql_timeout')],
    ],
  );
}

/** The rows that are deleted with age, and when. */
export function dataRetention(): string {
  const defaults = SETTINGS.parse({}) as Readonly<Record<string, unknown>>;
  const rows = RETENTION_RULES.map(({ table: of, what, how, kept }) => {
    const setting = typeof kept === 'number' ? undefined : kept.setting;
    const days = Number(setting === undefined ? kept : defaults[setting]);
    const time = days === 0 ? 'indefinitely' : days === 1 ? '24 hours' : `${days} days`;
    return [`${what[0]?.toUpperCase()}${what.slice(1)}`, time, setting ? code(setting) : '–', how, code(of)];
  });
  return table(['What', 'Kept', 'Setting', 'Then', 'Table'], rows);
}

const DAY_MS = 24 * 60 * 60_000;
const AGES_DAYS = [0, 2, 14];

/** How often a carrier is asked about a shipment, by status and age. */
export function pollingPace(): string {
  const rows = STATUS_CODES.filter(isPolled).map(status => [
    code(status),
    ...AGES_DAYS.map(days => duration(everyMs(status, days))),
  ]);
  return table(['Status', 'First two days', 'From 2 days', 'From 14 days'], rows);
}

/** Without jitter. */
function everyMs(statusCode: StatusCode, days: number): number {
  const ageMs = days * DAY_MS;
  const polled = {
    statusCode,
    ageMs,
    statusAgeMs: 0,
    isSandbox: false,
    intervalFactor: 1,
    noAnswer: null,
    misses: 0,
    askedMs: undefined,
  };
  return nextPollMs(polled, 0.5) ?? 0;
}
