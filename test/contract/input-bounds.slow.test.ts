import { readFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { beforeAll, describe, expect, test } from 'vitest';
import { type Caller, useSharedWorld } from '../support/world.ts';

/**
 * The OpenAPI document and the service agree on every field of every body: what one accepts the other accepts. Each field
 * is sent values just inside and just outside of each bound that the document states, and values at the bounds that such
 * services usually have, which would show a bound that the document conceals.
 */

interface Schema {
  readonly $ref?: string;
  readonly description?: string;
  readonly type?: string | readonly string[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
  readonly required?: readonly string[];
  readonly enum?: readonly unknown[];
  readonly format?: string;
  readonly pattern?: string;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minimum?: number;
  readonly exclusiveMinimum?: number;
  readonly maximum?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
}

const openapi = JSON.parse(readFileSync(new URL('../../schema/openapi.json', import.meta.url), 'utf8'));
const ajv = new Ajv2020({ strict: false });
formats.default(ajv);
ajv.addSchema(openapi, 'openapi');

/** Rules about what a value means, which a JSON Schema can't state. */
const MEANING = new Set([
  'unknown_country',
  'invalid_postal_code',
  'postal_code_not_in_province',
  'unknown_province',
  'conflicting_modes',
  'https_required',
  'blocked_address',
]);

const world = useSharedWorld({ ROLE: 'all' });
let caller: Caller;
let bodies: Readonly<Record<string, { readonly method: string; readonly path: string; readonly body: object }>>;

const ADDRESS = { address: 'Via Roma 1', city: 'Milano' };

beforeAll(async () => {
  caller = await world.company();
  const warehouse = { name: 'One', typeId: 1, postalCode: '20121', state: 'MI', country: 'IT', ...ADDRESS };
  const { body } = await caller.rest('POST', '/warehouses', warehouse);
  const parcel = { weight: 1, length: 10, width: 10, height: 10, quantity: 1 };
  const destination = { country: 'IT', postalCode: '20121', province: 'MI', companyName: 'Rossi', ...ADDRESS };
  const shipment = { warehouseId: body.id, destination, codAmount: 1, insuranceAmount: 1, shipmentDate: '2026-06-30' };
  const lists = { options: ['x'], carrierCompanyIds: [1] };
  const totals = { totalWeight: 1, totalVolume: 1, parcelNumber: 1 };
  bodies = {
    'a new warehouse': { method: 'POST', path: '/warehouses', body: warehouse },
    'a change of a warehouse': { method: 'PATCH', path: `/warehouses/${body.id}`, body: warehouse },
    'a quote of parcels': {
      method: 'POST',
      path: '/shipments/quote',
      body: { ...shipment, ...lists, parcels: [parcel] },
    },
    'a quote of totals': { method: 'POST', path: '/shipments/quote', body: { ...shipment, ...lists, ...totals } },
    'a quote of an order': { method: 'POST', path: '/shipments/quote', body: { orderId: 1 } },
    'an address to check': {
      method: 'POST',
      path: '/addresses/check-address',
      body: { carrierCompanyId: 1, zip: '20121', provincia: 'MI', country: 'IT', ...ADDRESS },
    },
    'a webhook': {
      method: 'POST',
      path: '/webhooks',
      body: { label: 'One', url: 'https://example.com/', events: ['tracking.*'] },
    },
  };
});

/** Lengths and numbers that bounds are often at. */
const USUAL = [0, 1, 20, 40, 50, 100, 200, 250, 500, 1000, 2048, 2 ** 31 - 1];
const LONGEST = 3000;

/** Values around the bounds of a field, and around those that it might have though it does not say so. */
function probes(schema: Schema, inside: unknown): unknown[] {
  const around = [...USUAL, ...stated(schema)].flatMap(bound => [bound, bound + 1]);
  const lengths = [...new Set(around)].filter(length => length >= 0 && length <= LONGEST);
  const others = [null, true, 'x', 1, {}, [], ...(schema.enum ?? [])];
  if (Array.isArray(inside)) return [...others, ...lengths.filter(n => n <= 600).map(n => Array(n).fill(inside[0]))];
  if (typeof inside === 'number') return [...others, ...new Set(around), -1, 0.5, -0.001, 1e21];
  if (schema.format === 'uri') return lengths.filter(n => n > 30).map(n => String(inside).padEnd(n, 'x'));
  if (schema.pattern || schema.enum || schema.format || schema.anyOf)
    return [...others, inside, `${inside}x`, '2026-02-30'];
  return [...others, ...lengths.map(length => 'x'.repeat(length))];
}

function stated(schema: Schema): number[] {
  const { minLength, maxLength, minimum, exclusiveMinimum, maximum, minItems, maxItems } = schema;
  const bounds = [minLength, maxLength, minimum, exclusiveMinimum, maximum, minItems, maxItems];
  return bounds.filter(bound => bound !== undefined).flatMap(bound => [bound - 1, bound]);
}

type Path = readonly (string | number)[];

/** Every field of a body, with its path. */
function fieldsOf(schema: Schema, body: unknown, path: Path = []): { path: Path; schema: Schema; inside: unknown }[] {
  const own = variantOf(resolved(schema), body);
  const inner = Array.isArray(body)
    ? fieldsOf(own.items ?? {}, body[0], [...path, 0])
    : typeof body === 'object' && body !== null
      ? Object.entries(body).flatMap(([name, value]) =>
          fieldsOf(own.properties?.[name] ?? missing(path, name), value, [...path, name]),
        )
      : [];
  return path.length === 0 ? inner : [{ path, schema: own, inside: body }, ...inner];
}

/** The variant of a body. */
function variantOf(schema: Schema, body: unknown): Schema {
  const has = ({ required = [] }: Schema) => required.every(name => Object.hasOwn(body as object, name));
  return schema.anyOf?.map(resolved).find(has) ?? schema;
}

function missing(path: Path, name: string): never {
  throw new Error(`${[...path, name].join('/')} is not in the document`);
}

function resolved(schema: Schema): Schema {
  if (schema.$ref) return resolved(openapi.components.schemas[schema.$ref.split('/').at(-1) ?? '']);
  const [first, nothing] = schema.anyOf ?? [];
  return first?.$ref && nothing?.type === 'null' ? resolved(first) : schema;
}

function withValue(body: unknown, [step, ...rest]: Path, value: unknown): unknown {
  if (step === undefined) return value;
  const copy = Array.isArray(body) ? [...body] : { ...(body as object) };
  const fields = copy as Record<string | number, unknown>;
  fields[step] = withValue(fields[step], rest, value);
  return copy;
}

function schemaOf(method: string, path: string): Schema {
  const template = path.replace(/\/\d+$/, '/{id}');
  const operation = openapi.paths[`/api/v1/integrations${template}`][method.toLowerCase()];
  return operation.requestBody.content['application/json'].schema;
}

/** Codes of what the service finds wrong with a body. */
async function codesOf(method: string, path: string, body: unknown): Promise<string[]> {
  const { status, body: answer } = await caller.rest(method, path, body);
  if (status !== 422 || answer.code !== 'validation_failed') return [];
  return answer.errors.map(({ code }: { code: string }) => code);
}

const NAMES = [
  'a new warehouse',
  'a change of a warehouse',
  'a quote of parcels',
  'a quote of totals',
  'a quote of an order',
  'an address to check',
  'a webhook',
];

describe('The document and the service agree on each field of', () => {
  test.each(NAMES)('%s', { timeout: 60_000 }, async name => {
    const { method, path, body } = bodies[name] as (typeof bodies)[string];
    const schema = schemaOf(method, path);
    const isValid = ajv.getSchema(`openapi${schema.$ref}`) as (value: unknown) => boolean;
    expect(await codesOf(method, path, body)).toEqual([]);
    expect(isValid(body)).toBe(true);

    const differences: string[] = [];
    const fields = fieldsOf(schema, body);
    expect(fields.length).toBeGreaterThanOrEqual(Object.keys(body).length);
    const compare = async (at: Path, value: unknown) => {
      const sent = withValue(body, at, value);
      const codes = await codesOf(method, path, sent);
      // Nothing may be allowed by itself, and not where another field needs it.
      const bounds = codes.filter(
        code => !(MEANING.has(code) || ((value === null || value === '') && code === 'required')),
      );
      const text = `/${at.join('/')} ${(JSON.stringify(value) ?? 'nothing').slice(0, 60)}`;
      if (!isValid(sent) && codes.length === 0) differences.push(`${text} is rejected by the document only`);
      if (isValid(sent) && bounds.length > 0) differences.push(`${text} is rejected by the service only`);
    };
    for (const field of fields) {
      await Promise.all(probes(field.schema, field.inside).map(value => compare(field.path, value)));
    }
    expect(differences).toEqual([]);
  });

  test.each(NAMES)('%s, whose decimals say how many places they may have', async name => {
    const { method, path, body } = bodies[name] as (typeof bodies)[string];
    for (const { path: at, schema } of fieldsOf(schemaOf(method, path), body)) {
      if (![schema.type].flat().includes('number')) continue;
      const places = Number(/at most (\d) decimals/.exec(schema.description ?? '')?.[1]);
      for (const [digits, codes] of [
        [places, []],
        [places + 1, ['out_of_range']],
      ] as const) {
        const sent = withValue(body, at, Number(`1.${'1'.repeat(digits)}`));
        expect([at, digits, await codesOf(method, path, sent)]).toEqual([at, digits, codes]);
      }
    }
  });

  test.each(NAMES)('%s, whose texts are trimmed before their bounds are checked', async name => {
    expect(openapi.info.description).toContain('Blanks around texts are removed before their bounds are checked');
    const { method, path, body } = bodies[name] as (typeof bodies)[string];
    for (const { path: at, schema, inside } of fieldsOf(schemaOf(method, path), body)) {
      if (typeof inside !== 'string' || schema.enum || schema.format === 'uri') continue;
      const longest = schema.pattern || schema.anyOf ? inside : inside.padEnd(schema.maxLength ?? 0, 'x');
      const codes = await codesOf(method, path, withValue(body, at, `  ${longest}  `));
      expect([at, codes.filter(code => !MEANING.has(code))]).toEqual([at, []]);
    }
  });

  test('every body that an endpoint takes', () => {
    const operations = Object.values<Record<string, { requestBody?: object }>>(openapi.paths).flatMap(Object.values);
    const paths = new Set(Object.values(bodies).map(({ method, path }) => `${method} ${path}`));
    expect(paths.size).toBe(operations.filter(({ requestBody }) => requestBody).length);
  });
});
