import { readFileSync } from 'node:fs';
import { Ajv } from 'ajv';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import type { AskedAddress } from '../../src/domain/shipping/carriers/carrier.port.ts';
import type { CarrierCode } from '../../src/domain/shipping/carriers/carriers.catalog.ts';
import type { OutboundRequest } from '../../src/platform/outbound/outbound.ts';
import { ADAPTERS } from '../../src/upstream/adapters.ts';
import { poste } from '../../src/upstream/poste.ts';
import { type Asked, readAnswer } from '../../src/upstream/read-answer.ts';

/**
 * Holds every request of an adapter against the carrier's interface as it is published (`schema/carriers/`): its method
 * and path, the mandatory parameters and fields, their types, and nothing that the interface does not have. A credential
 * has `x-required`: it is mandatory, and our fetch adds it.
 */

interface Parameter {
  readonly name: string;
  readonly in: 'query' | 'path' | 'header';
  readonly required?: boolean;
  readonly 'x-required'?: boolean;
  readonly schema: object;
}

interface Operation {
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: { readonly content: { readonly 'application/json': { readonly schema: object } } };
}

interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components?: object;
}

const ITALY: AskedAddress = {
  address: 'Via Dante, 3/A',
  city: 'Forlì',
  zip: '47121',
  provincia: 'FC',
  country: 'IT',
  origin: { country: 'IT', zip: '20121', city: 'Milano' },
};

const QUESTIONS: readonly (readonly [what: string, Asked])[] = [
  ['about an address', { address: ITALY }],
  ['about an address without a province', { address: { ...ITALY, provincia: null } }],
  ['about an address with signs', { address: { ...ITALY, address: 'Via R&S #3 "B"', city: "L'Aquila" } }],
  ['from an unknown origin', { address: { ...ITALY, origin: { country: 'IT', zip: null, city: null } } }],
  ['about an address abroad', { address: { ...ITALY, city: 'Wien', zip: '1010', provincia: null, country: 'AT' } }],
  [
    'about an address in a state',
    { address: { ...ITALY, city: 'New York', zip: '10001', provincia: 'NY', country: 'US' } },
  ],
  ['about a number', { trackingNumber: '088001612345678' }],
  ['about a number with letters', { trackingNumber: 'SA662400001' }],
];

describe.each(Object.keys(ADAPTERS) as CarrierCode[])('A request to %s', carrier => {
  const { document: name = '', address } = ADAPTERS[carrier] ?? {};
  const document: Document = parse(
    readFileSync(new URL(`../../schema/carriers/${name}.yaml`, import.meta.url), 'utf8'),
  );

  test.each(QUESTIONS.filter(([, asked]) => address || 'trackingNumber' in asked))(
    '%s matches its interface',
    async (_, asked) => {
      const sent: { url: URL; request: OutboundRequest }[] = [];
      await readAnswer(carrier, asked, { status: 503, headers: {}, bytes: Buffer.alloc(0) }, (url, request) =>
        sent.push({ url, request }),
      );
      expect(sent.length).toBeGreaterThan(0);
      for (const { url, request } of sent) expect(faultsOf(document, url, request)).toEqual([]);
    },
  );
});

// Public clients of Poste ask in two ways, and sign in by JSON.
describe('A request to Poste', () => {
  const document: Document = parse(readFileSync(new URL('../../schema/carriers/poste.yaml', import.meta.url), 'utf8'));

  test('that is sent again by the other method matches its interface', async () => {
    const sent: { url: URL; request: OutboundRequest }[] = [];
    const reply = { status: 405, headers: {}, bytes: Buffer.alloc(0) };
    await readAnswer('POSTE', { trackingNumber: 'ZA 123.456' }, reply, (url, request) => sent.push({ url, request }));
    expect(sent.map(({ request }) => request.method)).toEqual(['GET', 'POST']);
    expect(sent[1]?.url.search).toBe('');
    expect(JSON.parse(`${sent[1]?.request.body}`).arg0.shipmentsData[0].waybillNumber).toBe('ZA123456');
    for (const { url, request } of sent) expect(faultsOf(document, url, request)).toEqual([]);
  });

  test.each([
    ['https://apiw.gp.posteitaliane.it/gp/internet', {}, /^https:\/\/postemarketplace/],
    ['https://apid.gp.posteitaliane.it/dev/kindergarden', {}, /^api:/],
    ['https://apiw.gp.posteitaliane.it/gp/internet', { scope: 'another' }, /^another$/],
  ])('that signs in at %s with %j matches its interface', (base, settings, scope) => {
    const url = new URL(`${base}${poste.grant?.path}`);
    const request = poste.grant?.request(url, { clientId: 'id', clientSecret: 'secret', ...settings });
    const path = new URL(poste.grant?.path ?? '', url);
    expect(faultsOf(document, path, request as unknown as OutboundRequest)).toEqual([]);
    expect(JSON.parse(request?.body ?? '{}').scope).toMatch(scope);
  });
});

function faultsOf(document: Document, url: URL, request: OutboundRequest): string[] {
  const [path = '', operations = {}] = Object.entries(document.paths).find(([one]) => matches(one, url.pathname)) ?? [];
  const operation = operations[request.method.toLowerCase()];
  if (!operation) return [`no operation is ${request.method} ${url.pathname}`];
  const given = {
    query: Object.fromEntries(url.searchParams),
    path: partsOf(path, url.pathname),
    header: Object.fromEntries(Object.entries(request.headers).map(([key, value]) => [key.toLowerCase(), value])),
  };
  const parameters = operation.parameters ?? [];
  const unknown = Object.keys(given.query).filter(
    key => !parameters.some(one => one.in === 'query' && one.name === key),
  );
  return [
    ...unknown.map(key => `the parameter ${key} is not known`),
    ...parameters.flatMap(parameter => faultsOfParameter(document, parameter, given)),
    ...faultsOfBody(document, operation, request),
  ];
}

function faultsOfParameter(
  document: Document,
  { name, in: place, required, 'x-required': isAdded, schema }: Parameter,
  given: Readonly<Record<Parameter['in'], Readonly<Record<string, string>>>>,
): string[] {
  const value = given[place][place === 'header' ? name.toLowerCase() : name];
  if (value === undefined) return required || isAdded ? [`the parameter ${name} is missing`] : [];
  return faultsBy(document, schema, value, true).map(fault => `the parameter ${name} ${fault}`);
}

function faultsOfBody(document: Document, { requestBody }: Operation, { body, headers }: OutboundRequest): string[] {
  if (!requestBody) return body === null ? [] : ['a body that the interface does not have'];
  if (headers['content-type'] !== 'application/json') return ['a body without its type'];
  return faultsBy(document, requestBody.content['application/json'].schema, JSON.parse(String(body)), false);
}

/** Bounds that would be types of their own in Mesh's schema, by the names that they have in JSON Schema. */
const BOUNDS: ReadonlyMap<string, string> = new Map([
  ['x-min-length', 'minLength'],
  ['x-max-length', 'maxLength'],
  ['x-maximum', 'maximum'],
  ['x-enum', 'enum'],
]);

/** Made once: each compiles the schema of schemas anew. Parameters are texts, whose types are read from them. */
const [AJV, COERCING] = [false, true].map(
  coerceTypes => new Ajv({ strict: false, coerceTypes, allErrors: true, validateFormats: false }),
) as [Ajv, Ajv];

/** By the schema with all objects closed. */
function faultsBy(document: Document, schema: object, value: unknown, coerceTypes: boolean): string[] {
  const validate = (coerceTypes ? COERCING : AJV).compile(
    closed({ ...schema, components: document.components }) as object,
  );
  return validate(value) ? [] : (validate.errors ?? []).map(error => `${error.instancePath} ${error.message}`.trim());
}

function closed(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(closed);
  if (typeof schema !== 'object' || schema === null) return schema;
  const own = Object.fromEntries(Object.entries(schema).map(([key, value]) => [BOUNDS.get(key) ?? key, closed(value)]));
  if (own.type !== 'object' || own.properties === undefined) return own;
  const added = Array.isArray(own['x-required']) ? own['x-required'] : [];
  return { additionalProperties: false, ...own, required: [...((own.required as string[]) ?? []), ...added] };
}

function matches(template: string, pathname: string): boolean {
  return new RegExp(`^${template.replace(/\{\w+\}/g, '[^/]+')}$`, 'i').test(pathname);
}

function partsOf(template: string, pathname: string): Record<string, string> {
  const names = [...template.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
  const [, ...values] = new RegExp(`^${template.replace(/\{\w+\}/g, '([^/]+)')}$`, 'i').exec(pathname) ?? [];
  return Object.fromEntries(names.map((name, i) => [name, values[i] ?? '']));
}

test('A request without a mandatory field, or with an unknown one, has faults', () => {
  const document: Document = parse(readFileSync(new URL('../../schema/carriers/brt.yaml', import.meta.url), 'utf8'));
  const url = new URL('https://api.brt.it/rest/v1/shipments/routing');
  const headers = { 'content-type': 'application/json' };
  const request = { method: 'PUT', headers, body: '{"routingData":{"departureDepot":"x","more":1}}' };
  expect(faultsOf(document, url, request as unknown as OutboundRequest).toSorted()).toEqual(
    expect.arrayContaining([
      "must have required property 'account'",
      "/routingData must have required property 'consigneeCity'",
      '/routingData must NOT have additional properties',
      '/routingData/departureDepot must be integer',
    ]),
  );
});
