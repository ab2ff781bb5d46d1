import type { IssueCode } from './issue-codes.ts';

/**
 * Every reason to reject a request: stable code → HTTP status, title and what a caller can do about it. The status is
 * stated only here; the REST face, the graph and the pages under `/problems/` read this table.
 */
export const FAULTS = {
  malformed_json: {
    status: 400,
    title: 'Malformed JSON',
    help: 'The body is empty, or is not valid JSON in UTF-8. Send one JSON value.',
  },
  malformed_request: {
    status: 400,
    title: 'Malformed request',
    help: 'The request does not have the form that this path expects. `detail` says what is wrong.',
  },
  graphql_invalid: {
    status: 400,
    title: 'Invalid GraphQL document',
    help: 'The document has a syntax error or does not match the schema. `message` says where.',
  },
  invalid_idempotency_key: {
    status: 400,
    title: 'Invalid idempotency key',
    help: '`Idempotency-Key` must have 1 to 255 visible ASCII characters. Use a UUID.',
  },
  graphql_too_deep: {
    status: 400,
    title: 'GraphQL document too deep',
    help: 'The document nests fields `depth` levels deep. The limit is `limit`. Split it into several requests.',
  },
  graphql_too_complex: {
    status: 400,
    title: 'GraphQL document too complex',
    help: 'The document costs `cost` units. The limit is `limit`. Ask for smaller pages, fewer fields or fewer calls to carriers.',
  },
  request_too_expensive: {
    status: 422,
    title: 'Request too expensive',
    help: 'The work for the request or the text of its response costs more than `limit` units, the limit of one request, or the work takes too much memory or processor time. Ask for less at once: smaller pages and fewer fields in GraphQL, fewer records in a batch.',
  },
  conflicting_credentials: {
    status: 400,
    title: 'Conflicting credentials',
    help: '`x-api-key` and `Authorization` contain different keys. Send only one of the two headers.',
  },
  missing_credentials: {
    status: 401,
    title: 'Missing credentials',
    help: 'Send an API key in `x-api-key` or as `Authorization: Bearer KEY`.',
  },
  invalid_api_key: {
    status: 401,
    title: 'Invalid API key',
    help: 'The key is unknown, revoked, expired or mistyped. Ask your operator for a new one.',
  },
  insufficient_scope: {
    status: 403,
    title: 'Insufficient scope',
    help: 'The key is valid, but it does not have the scope in `requiredScope`. Ask your operator for a key that has it.',
  },
  origin_not_allowed: {
    status: 403,
    title: 'Origin not allowed',
    help: 'A web page of this origin may not call the tools of assistants. Ask your operator to name it in `CORS_ORIGINS`.',
  },
  route_not_found: {
    status: 404,
    title: 'Route not found',
    help: 'There is nothing at this path. `/docs` and `/openapi.json` list the paths.',
  },
  warehouse_not_found: {
    status: 404,
    title: 'Warehouse not found',
    help: 'The company has no warehouse with this id.',
  },
  shipment_not_found: {
    status: 404,
    title: 'Shipment not found',
    help: 'The company has no shipment with this number or id.',
  },
  order_not_found: { status: 404, title: 'Order not found', help: 'The company has no order with this number or id.' },
  carrier_connection_not_found: {
    status: 404,
    title: 'Carrier connection not found',
    help: 'The company has no carrier connection with this id. `GET /carriers` lists them.',
  },
  webhook_not_found: {
    status: 404,
    title: 'Webhook not found',
    help: 'The company has no webhook endpoint, or no delivery, with this id.',
  },
  tariff_not_found: { status: 404, title: 'Tariff not found', help: 'The company has no tariff with this id.' },
  tariff_revision_not_found: {
    status: 404,
    title: 'Tariff revision not found',
    help: 'The company has no revision and no draft of a tariff with this id. A draft that was discarded is gone.',
  },
  saved_quote_not_found: {
    status: 404,
    title: 'Saved quote not found',
    help: 'The company has no saved quote with this id.',
  },
  tariff_simulation_not_found: {
    status: 404,
    title: 'Simulation not found',
    help: 'The company has no simulation of tariffs with this id. It is deleted after 30 days.',
  },
  carrier_invoice_not_found: {
    status: 404,
    title: 'Carrier invoice not found',
    help: 'The company has no carrier invoice with this id.',
  },
  node_not_found: {
    status: 404,
    title: 'Record not found',
    help: 'The company has no record with this global id. It may have been deleted.',
  },
  api_key_not_found: { status: 404, title: 'API key not found', help: 'The company has no API key with this id.' },
  not_acceptable: {
    status: 406,
    title: 'Not acceptable',
    help: '`Accept` allows none of the media types that this path returns. Allow `application/json` or `application/graphql-response+json`.',
  },
  method_not_allowed: {
    status: 405,
    title: 'Method not allowed',
    help: 'The path does not support this method. The header `Allow` lists those that it supports.',
  },
  request_timeout: {
    status: 408,
    title: 'Request timeout',
    help: 'The request did not arrive in time. Its headers must arrive within 10 seconds and all of it within 30, with at least 1 KiB of the body a second. The connection is closed. Send the request again on a new one.',
  },
  carrier_not_asked: {
    status: 409,
    title: 'Carrier cannot be asked',
    help: 'The service cannot ask the carrier about this shipment. The connection is not active or has no usable credentials, or the service has no interface to this carrier. `GET /carriers` shows the connections.',
  },
  warehouse_in_use: {
    status: 409,
    title: 'Warehouse in use',
    help: 'Orders or shipments still refer to the warehouse. `orders` and `shipments` say how many. Move them to another warehouse first.',
  },
  warehouse_limit_reached: {
    status: 409,
    title: 'Warehouse limit reached',
    help: 'The company has reached its limit of `limit` warehouses. Delete one first.',
  },
  carrier_connection_limit_reached: {
    status: 409,
    title: 'Carrier connection limit reached',
    help: 'The company has reached its limit of `limit` carrier connections. Disconnect one first.',
  },
  carrier_reference_in_use: {
    status: 409,
    title: 'List or index in use',
    help: 'Tariffs in force or scheduled drafts refer to the list of places or the index. `detail` names them, and `tariffs` says how many. Import the tariffs without it, and discard the drafts, first.',
  },
  carrier_reference_limit_reached: {
    status: 409,
    title: 'List and index limit reached',
    help: 'The carrier has reached its limit of `limit` lists of places and indexes. Delete one first.',
  },
  api_key_limit_reached: {
    status: 409,
    title: 'API key limit reached',
    help: 'The company has reached its limit of `limit` active API keys. Revoke one first.',
  },
  webhook_limit_reached: {
    status: 409,
    title: 'Webhook limit reached',
    help: 'The company has reached its limit of `limit` webhook endpoints. Delete one first. A deleted endpoint counts until its deliveries have been deleted too.',
  },
  idempotency_key_reused: {
    status: 409,
    title: 'Idempotency key reused',
    help: 'Another request was sent with this `Idempotency-Key` in the last 24 hours. Use a new key for each request.',
  },
  idempotency_in_progress: {
    status: 409,
    title: 'Idempotent request in progress',
    help: 'The first request with this `Idempotency-Key` may still be in progress. Send it again after `Retry-After` seconds.',
  },
  idempotency_answer_lost: {
    status: 409,
    title: 'Response of an idempotent request lost',
    help: 'The request was carried out, but its response is lost. Look at what it did before you send it with a new `Idempotency-Key`.',
  },
  body_too_large: {
    status: 413,
    title: 'Body too large',
    help: 'The body has more than `maxBytes` bytes, which is the limit. Send a smaller one.',
  },
  unsupported_media_type: {
    status: 415,
    title: 'Unsupported media type',
    help: 'The body must be JSON. Send it as `Content-Type: application/json`, in UTF-8 and not compressed.',
  },
  expectation_failed: {
    status: 417,
    title: 'Expectation failed',
    help: 'The header `Expect` must be `100-continue` or be left out.',
  },
  validation_failed: {
    status: 422,
    title: 'Validation failed',
    help: 'The input has errors. Each entry of `errors` names a field by an RFC 6901 pointer into the body, and says what is allowed.',
  },
  rate_limited: {
    status: 429,
    title: 'Rate limited',
    help: 'The key or its company has reached a limit: requests or cost in a minute, concurrent requests, the size of concurrent bodies, open connections, or requests that wait on one. `detail` says which one. Send the request again after `Retry-After` seconds. The header `RateLimit` of each response shows the remaining quota of the minute.',
  },
  headers_too_large: {
    status: 431,
    title: 'Headers too large',
    help: 'The path and the headers of a request have more than 16 KiB in total, which is the limit. Send fewer or shorter ones.',
  },
  internal_error: {
    status: 500,
    title: 'Internal error',
    help: 'The service failed unexpectedly. Give `requestId` to the operator when you report it.',
  },
  method_not_implemented: {
    status: 501,
    title: 'Method not implemented',
    help: 'The service does not know this method of HTTP. Send the request with one that the reference lists.',
  },
  graphql_timeout: {
    status: 503,
    title: 'GraphQL document took too long',
    help: 'The document ran longer than the time limit and was stopped. Ask for less at once. A mutation may have been carried out: look before you send it again.',
  },
  stream_interrupted: {
    status: 503,
    title: 'Stream interrupted',
    help: 'The service ended the stream, because it stops or because you did not read the events fast enough. Subscribe again after the last event that you have, and nothing is lost.',
  },
  unavailable: {
    status: 503,
    title: 'Temporarily unavailable',
    help: 'The service cannot respond at the moment, or is too slow to get to the request in time. Send the request again after `Retry-After` seconds.',
  },
} as const satisfies Record<string, { status: number; title: string; help: string }>;

export type FaultCode = keyof typeof FAULTS;

/** One thing wrong with an input. `path` starts at the operation's input. */
export interface Issue {
  readonly path: readonly (string | number)[];
  readonly code: IssueCode;
  readonly message: string;
  /** The line in a text of several lines, and the column; both count from 1. */
  readonly line?: number;
  readonly column?: number;
}

/** The additional content of a problem: extension members and response headers. */
interface FaultOptions {
  readonly detail?: string;
  readonly members?: Readonly<Record<string, string | number>>;
  readonly headers?: Readonly<Record<string, string>>;
  readonly issues?: readonly Issue[];
  /** Known parts of the result, such as the counts of a file's rows. A mutation returns them beside the errors. */
  readonly results?: Readonly<Record<string, unknown>>;
  /** The inner reason, for the log only. */
  readonly cause?: unknown;
}

/** An expected rejection with a public part (code, detail, members) and an internal `cause`, which is only logged. */
export class Fault extends Error {
  readonly code: FaultCode;
  readonly options: FaultOptions;

  constructor(code: FaultCode, options: FaultOptions = {}) {
    super(options.detail ?? FAULTS[code].title, { cause: options.cause });
    this.name = 'Fault';
    this.code = code;
    this.options = options;
  }

  get status(): number {
    return FAULTS[this.code].status;
  }
}

/** More issues would help nobody, and an input can have millions of errors. */
export const MAX_ISSUES = 100;

/** The addition to the rejection of a batch, some items of which may be correct. */
export const NOTHING_STORED = 'Nothing was stored.';

/**
 * Rejects an input with all of its issues. `detail` states the first one, because most clients show only that.
 *
 * @param consequence a sentence for the end of `detail`
 */
export function invalid(issues: readonly Issue[], consequence?: string, cause?: unknown): Fault {
  const reported = issues.slice(0, MAX_ISSUES);
  const [first] = reported;
  const others = reported.length - 1;
  const more = others > 0 ? ` \`errors\` has ${others} more.` : '';
  const wrong = first ? `${sentence(first)}${more}` : 'The input has errors.';
  const detail = consequence === undefined ? wrong : `${wrong} ${consequence}`;
  return new Fault('validation_failed', { detail, issues: reported, cause });
}

/** @throws Fault `validation_failed` if there is any issue */
export function requireNone(issues: readonly Issue[]): void {
  if (issues.length > 0) throw invalid(issues);
}

/** An issue as a sentence that can be shown by itself. */
export function sentence({ path, message }: Pick<Issue, 'path' | 'message'>): string {
  return `${nameOf(path)} ${message}.`;
}

/** A field in words: `parcels[0].weight`. Names from callers may be long. */
function nameOf(path: Issue['path']): string {
  const name = path.reduce<string>((text, step) => {
    if (typeof step === 'number') return `${text}[${step}]`;
    return text === '' ? step : `${text}.${step}`;
  }, '');
  return name === '' ? 'The input' : `The field ${name.slice(0, MAX_NAME)}`;
}

const MAX_NAME = 100;

/** RFC 6901 JSON pointer of a path: `['parcels', 0, 'a/b']` → `/parcels/0/a~1b`. The empty path is the whole input. */
export function pointer(path: readonly (string | number)[]): string {
  return path.map(step => `/${String(step).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
}
