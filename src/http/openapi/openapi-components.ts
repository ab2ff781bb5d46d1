import { FAULTS, MAX_ISSUES } from '../../platform/fault.ts';
import { ISSUE_CODES } from '../../platform/issue-codes.ts';
import { ALL_RATE_CLASSES } from '../../platform/limits/rates.ts';
import { SCOPES } from '../../platform/scopes.ts';
import type { JsonSchema } from '../rest/shape.ts';
import { extensibleEnum } from './json-schema.ts';

/** A list with one item for each class in which a request counts. */
function ratePattern(parameters: string): string {
  const item = `"(${ALL_RATE_CLASSES.join('|')})";${parameters}`;
  return `^${item}(, ${item})*$`;
}

const ANSWER_HEADERS: Readonly<Record<string, JsonSchema>> = {
  'X-Request-Id': {
    description: 'The id of the request: the one that the caller sent, or a new one.',
    required: true,
    schema: { type: 'string', pattern: '^[A-Za-z0-9._-]{1,200}$', maxLength: 200 },
  },
  'RateLimit-Policy': {
    description:
      'The limits of the key that this request counts against: `q` requests of its kind, and `q` units of cost, in `w` seconds.',
    required: true,
    schema: { type: 'string', pattern: ratePattern('q=[0-9]+;w=[0-9]+'), maxLength: 200 },
  },
  RateLimit: {
    description: 'The rest of each quota: `r` requests or units of cost, for `t` seconds.',
    required: true,
    schema: { type: 'string', pattern: ratePattern('r=[0-9]+;t=[0-9]+'), maxLength: 200 },
  },
  'Access-Control-Allow-Origin': {
    description: 'The origin of the page, if the operator allows it. Left out otherwise.',
    schema: { type: 'string', maxLength: 2048 },
  },
  'WWW-Authenticate': {
    description: 'How to authenticate: `Bearer`.',
    required: true,
    schema: { type: 'string', const: 'Bearer' },
  },
  ETag: {
    description: 'Identifies this response, for `If-None-Match`.',
    required: true,
    schema: { type: 'string', pattern: '^W/"[A-Za-z0-9_-]+"$', maxLength: 100 },
  },
  'Cache-Control': {
    description: 'Only the caller may cache the response, and must revalidate it with its `ETag`.',
    required: true,
    schema: { type: 'string', const: 'private, no-cache' },
  },
  'Last-Modified': {
    description:
      'When the carrier last returned the tracking, or when the shipment changed, whichever is later. `If-Modified-Since` is not evaluated; send the `ETag` as `If-None-Match`.',
    required: true,
    schema: {
      type: 'string',
      pattern: '^[A-Z][a-z]{2}, [0-9]{2} [A-Z][a-z]{2} [0-9]{4} [0-9:]{8} GMT$',
      maxLength: 29,
    },
  },
  'Idempotent-Replayed': {
    description:
      '`true` if this is the response to an earlier request with the same `Idempotency-Key`. Left out otherwise.',
    schema: { type: 'string', const: 'true' },
  },
  'Retry-After': { description: 'Seconds to wait.', required: true, schema: { type: 'integer', maximum: 86_400 } },
};

/** Headers that responses of one status may lack, and when. */
const SOMETIMES: Readonly<Record<string, string>> = {
  'RateLimit-Policy': 'Left out if the request was rejected before its key was read.',
  RateLimit: 'Left out if the request was rejected before its key was read.',
  'Retry-After': 'Only with `idempotency_in_progress`.',
};

/** Headers that responses share. */
export const HEADER_COMPONENTS: Readonly<Record<string, JsonSchema>> = {
  ...ANSWER_HEADERS,
  ...Object.fromEntries(
    Object.entries(SOMETIMES).map(([name, when]) => {
      const { description, schema } = ANSWER_HEADERS[name] as JsonSchema;
      return [`${name}-Sometimes`, { description: `${description} ${when}`, required: false, schema }];
    }),
  ),
};

function headers(...names: readonly string[]): JsonSchema {
  return Object.fromEntries(names.map(name => [name, { $ref: `#/components/headers/${name}` }]));
}

function sometimes(...names: readonly string[]): JsonSchema {
  return Object.fromEntries(names.map(name => [name, { $ref: `#/components/headers/${name}-Sometimes` }]));
}

export const COMMON_HEADERS = headers('X-Request-Id', 'RateLimit-Policy', 'RateLimit', 'Access-Control-Allow-Origin');

/** The rate headers of a request that may have been rejected before its key was known. */
const RATE_SOMETIMES = sometimes('RateLimit-Policy', 'RateLimit');

export const READ_HEADERS = headers('ETag', 'Cache-Control');
export const DATED_HEADERS = headers('Last-Modified');
export const REPLAY_HEADERS = headers('Idempotent-Replayed');

// Without an example: the reference would send one key with every request, whose first response would be returned again.
const IDEMPOTENCY_KEY = {
  name: 'Idempotency-Key',
  in: 'header',
  schema: { type: 'string', pattern: '^[\\x21-\\x7e]+$', minLength: 1, maxLength: 255 },
};
/** The parameter of requests that are stored under it. */
export const IDEMPOTENCY_PARAMETER: JsonSchema = {
  ...IDEMPOTENCY_KEY,
  description:
    'Identifies the request for 24 hours. The service carries the request out once, and returns the first response again for each repetition. Only success is kept. Use a new UUID for each request.',
};
/** The parameter of requests that change nothing. */
export const UNUSED_IDEMPOTENCY_PARAMETER: JsonSchema = {
  ...IDEMPOTENCY_KEY,
  description: 'Must be well formed. It has no effect, because the request changes nothing.',
};

export const IF_NONE_MATCH_PARAMETER: JsonSchema = {
  name: 'If-None-Match',
  in: 'header',
  description: 'The `ETag` of an earlier response. If nothing has changed, the response is 304 without a body.',
  schema: { type: 'string' },
};

/** Additional headers of rejections, by status. */
export const HEADERS: Readonly<Record<number, JsonSchema>> = {
  400: RATE_SOMETIMES,
  401: { ...RATE_SOMETIMES, ...headers('WWW-Authenticate') },
  408: RATE_SOMETIMES,
  417: RATE_SOMETIMES,
  429: headers('Retry-After'),
  431: RATE_SOMETIMES,
  500: RATE_SOMETIMES,
  503: { ...RATE_SOMETIMES, ...headers('Retry-After') },
};

/** Additional headers of a request that is stored for its `Idempotency-Key`. */
export const KEPT_HEADERS: Readonly<Record<number, JsonSchema>> = { 409: sometimes('Retry-After') };

export function problemSchema(): JsonSchema {
  return {
    type: 'object',
    description: 'What went wrong (RFC 9457). `type` leads to a page about it.',
    properties: {
      type: {
        type: 'string',
        format: 'uri',
        description: 'Page about this kind of problem. The address ends in its `code`.',
      },
      title: { type: 'string', description: 'Short name of the kind of problem.' },
      status: { type: 'integer', minimum: 400, maximum: 599, description: 'HTTP status.' },
      detail: { type: 'string', description: 'What happened this time.' },
      instance: { type: 'string', description: 'Path of the request.' },
      code: { ...extensibleEnum(Object.keys(FAULTS)), description: 'Stable code of the kind of problem.' },
      requestId: { type: 'string', description: 'Id of the request, also in `X-Request-Id`.' },
      requiredScope: {
        ...extensibleEnum(Object.keys(SCOPES)),
        description: 'With `insufficient_scope`: the scope the key lacks.',
      },
      reason: {
        ...extensibleEnum(['suspended']),
        description: 'With `invalid_api_key`: `suspended` for a valid key of a suspended company.',
      },
      orders: { type: 'integer', description: 'With `warehouse_in_use`: orders that reference it.' },
      shipments: { type: 'integer', description: 'With `warehouse_in_use`: shipments that reference it.' },
      limit: { type: 'integer', description: 'With `…_limit_reached`: how many a company may have.' },
      maxBytes: { type: 'integer', description: 'With `body_too_large`: the largest body.' },
      errors: {
        type: 'array',
        maxItems: MAX_ISSUES,
        description: 'With `validation_failed`: every field that is wrong.',
        items: {
          type: 'object',
          properties: {
            pointer: {
              type: 'string',
              format: 'json-pointer',
              description: 'RFC 6901 pointer into the body. Empty for the whole body.',
            },
            code: { ...extensibleEnum(Object.keys(ISSUE_CODES)), description: 'Stable code of the error.' },
            message: { type: 'string', description: 'What is allowed.' },
          },
          required: ['pointer', 'code', 'message'],
        },
      },
    },
    required: ['type', 'title', 'status', 'detail', 'instance', 'code', 'requestId'],
  };
}
