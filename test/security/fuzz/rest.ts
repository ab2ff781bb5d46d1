import { readFileSync } from 'node:fs';
import { contractFaultOf, faultOf } from '../support/answers.ts';
import type { Dice } from '../support/dice.ts';
import { mutated, NASTY_NUMBERS, NASTY_TEXTS, nastyValue, withDuplicate } from '../support/nasty.ts';
import { type Fuzzed, sendTrials, type Target, type Trial } from './target.ts';

type Schema = Readonly<Record<string, unknown>> & {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
};

interface Operation {
  readonly parameters?: readonly { readonly name: string; readonly in: string; readonly schema: Schema }[];
  readonly requestBody?: {
    readonly content: Record<string, { readonly schema: Schema; readonly examples?: Examples }>;
  };
}

type Examples = Readonly<Record<string, { readonly value?: unknown }>>;

const openapi = JSON.parse(readFileSync(new URL('../../../schema/openapi.json', import.meta.url), 'utf8')) as {
  readonly paths: Record<string, Record<string, Operation>>;
  readonly components: { readonly schemas: Record<string, Schema> };
};

const ROWS = Object.entries(openapi.paths).flatMap(([path, operations]) =>
  Object.entries(operations).map(([method, operation]) => ({ path, method: method.toUpperCase(), operation })),
);

const METHODS = ['GET', 'POST', 'PATCH', 'DELETE', 'PUT', 'HEAD', 'OPTIONS'];

/** Every operation with parameters, headers and bodies that fit the document, and with such as do not. */
export function fuzzRest(target: Target, count: number): Promise<Fuzzed> {
  return sendTrials(target, count, dice => trialOf(dice, target));
}

function trialOf(dice: Dice, target: Target): Trial {
  const row = dice.pick(ROWS);
  const method = dice.chance(0.03) ? dice.pick(METHODS) : row.method;
  const path = pathOf(dice, row.path, target) + queryOf(dice);
  const hasBody = !['GET', 'HEAD'].includes(method) && (row.operation.requestBody !== undefined || dice.chance(0.1));
  const body = hasBody ? bodyOf(dice, row.operation, target) : undefined;
  const headers = headersOf(dice, target, hasBody);
  const { 'x-api-key': _, authorization: __, ...shown } = headers;
  return {
    what: `${method} ${path} ${JSON.stringify(shown)} ${String(body).slice(0, 300)}`,
    path,
    init: { method, headers, body: body ?? null },
    faultOf: seen =>
      faultOf(seen, method) ??
      (method === 'OPTIONS' || isElsewhere(path) || (method === 'HEAD' && seen.status >= 400)
        ? undefined
        : contractFaultOf(method, path, seen)),
  };
}

/** `fetch` tidies an address; what that leads to may be a page. */
function isElsewhere(path: string): boolean {
  const { pathname } = new URL(path, 'http://localhost');
  return !pathname.startsWith('/api/v1/integrations/') || pathname !== path.split(/[?#]/)[0];
}

function pathOf(dice: Dice, path: string, { ids }: Target): string {
  const known = [ids.warehouse, ids.endpoint, ids.trackingNumber, ids.marketplaceOrderNumber].map(String);
  const filled = path.replaceAll(/\{\w+\}/g, () => {
    const value = dice.chance(0.5)
      ? dice.pick(known)
      : dice.chance(0.5)
        ? dice.pick(NASTY_TEXTS)
        : String(dice.pick(NASTY_NUMBERS));
    // An empty step would be another path.
    return encodeURIComponent(value.toWellFormed().slice(0, 3_000) || '-');
  });
  if (dice.chance(0.02)) return `${filled}/`;
  return dice.chance(0.02) ? `${filled}%${dice.pick(['zz', '', '0', 'C0%80', 'FF'])}` : filled;
}

function queryOf(dice: Dice): string {
  if (dice.chance(0.9)) return '';
  return `?${encodeURIComponent(dice.pick(NASTY_TEXTS).toWellFormed().slice(0, 200))}=${dice.pick(['%', '1', '%00', '%ff', 'a&a&a'])}`;
}

const ODD_HEADERS: readonly (readonly [string, readonly string[]])[] = [
  ['idempotency-key', ['', 'a', 'è', 'b'.repeat(256), 'same', 'same', 'a b', '\t']],
  ['if-none-match', ['*', '"x"', 'W/"x"', ',,,', '"'.repeat(3_000), '']],
  ['accept', ['*/*', 'text/html', 'application/xml', ';;q=2', '', 'application/json;q=0']],
  ['accept-encoding', ['gzip', 'identity;q=0', 'zz', '*;q=0', '']],
  ['x-request-id', ['', 'a'.repeat(300), 'ok-1', '<script>', 'è']],
  ['range', ['bytes=0-1', 'bytes=-', 'x']],
  ['origin', ['null', 'http://evil.example', '::']],
  ['x-forwarded-host', ['evil.example', '']],
  ['x-http-method-override', ['DELETE']],
  ['traceparent', ['00-0-0-00', 'zz', '00-ffffffffffffffffffffffffffffffff-ffffffffffffffff-01']],
  ['content-encoding', ['gzip', 'br', 'identity']],
  ['cookie', ['a=b; '.repeat(500)]],
];
const TYPES = [
  'text/plain',
  'application/json; charset=utf-16',
  'application/problem+json',
  'application/json;;',
  'multipart/form-data',
  '',
];

function headersOf(dice: Dice, { apiKey }: Target, hasBody: boolean): Record<string, string> {
  const headers: Record<string, string> = dice.chance(0.5)
    ? { 'x-api-key': apiKey }
    : { authorization: `Bearer ${apiKey}` };
  if (dice.chance(0.03)) headers['x-api-key'] = dice.pick(['', 'sk_live_', `${apiKey}x`, 'è', 'a'.repeat(5_000)]);
  if (dice.chance(0.03))
    headers.authorization = dice.pick(['Bearer', 'bearer ', 'Basic Og==', `Bearer  ${apiKey}`, '']);
  if (hasBody) headers['content-type'] = dice.chance(0.95) ? 'application/json' : dice.pick(TYPES);
  while (dice.chance(0.15)) {
    const [name, values] = dice.pick(ODD_HEADERS);
    headers[name] = dice.pick(values);
  }
  return headers;
}

const RAW_BODIES: readonly string[] = [
  ...['', ' ', '{', '}', 'null', '[]', '"', '{"a":1,}', '{"a":1}{"b":2}', '\ufeff{}', '{"a":\u0000}', "{'a':1}", 'NaN'],
  ...[`${'['.repeat(5_000)}${']'.repeat(5_000)}`, `${'{"a":'.repeat(5_000)}1${'}'.repeat(5_000)}`, ' '.repeat(300_000)],
  ...[
    `{"name":"${'a'.repeat(300_000)}"}`,
    '{"__proto__":{"typeId":1}}',
    '{"a":1,"a":2}',
    '1e400',
    '-',
    '{"\\ud800":1}',
  ],
];

function bodyOf(dice: Dice, { requestBody }: Operation, target: Target): string | Uint8Array<ArrayBuffer> {
  const content = requestBody?.content['application/json'];
  if (!content || dice.chance(0.08))
    return dice.chance(0.9) ? dice.pick(RAW_BODIES) : new Uint8Array([0x7b, 0x22, 0xff, 0xfe]);
  const examples = Object.values(content.examples ?? {}).flatMap(({ value }) => (value === undefined ? [] : [value]));
  let value = examples.length > 0 && dice.chance(0.5) ? dice.pick(examples) : fitting(dice, content.schema);
  value = atHome(value, target);
  const wrong = dice.chance(0.25) ? 0 : 1 + dice.below(3);
  for (let i = 0; i < wrong; i++) value = mutated(value, dice);
  const json = JSON.stringify(value) ?? '';
  return dice.chance(0.05) ? withDuplicate(json, dice) : json;
}

/** References lead to the company's own records, and webhooks stay on this machine. */
function atHome(value: unknown, { ids }: Target): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  const home: Record<string, unknown> = {
    warehouseId: ids.warehouse,
    orderId: ids.order,
    carrierCompanyId: ids.connection,
    url: ids.url,
    carrierCompanyIds: [ids.connection],
  };
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, home[name] ?? inner]));
}

/** A value that fits a schema; optional fields are there or not, and numbers are often at their bounds. */
function fitting(dice: Dice, schema: Schema, depth = 6): unknown {
  if (depth === 0) return null;
  if (schema.$ref)
    return fitting(dice, openapi.components.schemas[schema.$ref.split('/').at(-1) ?? ''] ?? {}, depth - 1);
  const choices = schema.anyOf ?? schema.oneOf;
  if (choices) return fitting(dice, dice.pick(choices), depth - 1);
  if (schema.enum) return dice.pick(schema.enum);
  const type = typeof schema.type === 'string' ? schema.type : dice.pick(schema.type ?? ['null']);
  if (type === 'object') {
    const given = Object.entries(schema.properties ?? {}).filter(
      ([name]) => schema.required?.includes(name) || dice.chance(0.4),
    );
    return Object.fromEntries(given.map(([name, inner]) => [name, fitting(dice, inner, depth - 1)]));
  }
  if (type === 'array') {
    return Array.from({ length: 1 + dice.below(3) }, () => fitting(dice, schema.items ?? {}, depth - 1));
  }
  if (type === 'boolean') return dice.chance(0.5);
  if (type === 'integer') return dice.pick([schema.minimum ?? 1, schema.maximum ?? 10, 1, 3]);
  if (type === 'number') return dice.pick([schema.minimum ?? 1, schema.maximum ?? 10, 1.5, 0.01]);
  if (type === 'string') {
    const { minLength = 1, maxLength = 20 } = schema;
    return dice.pick(['Testo', 'IT', '20121', 'a'.repeat(minLength), 'è'.repeat(Math.min(maxLength, 3_000))]);
  }
  return type === 'null' ? null : nastyValue(dice);
}
