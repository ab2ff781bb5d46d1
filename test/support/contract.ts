import { readFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import type { Answer } from './rest-client.ts';

interface Declared {
  readonly headers: Record<string, { $ref: string }>;
  readonly content?: Record<string, { schema: object }>;
}

interface OpenApi {
  readonly paths: Record<string, Record<string, { responses: Record<string, Declared> }>>;
  readonly components: { headers: Record<string, { required?: boolean; schema: { type: string } }> };
}

const openapi = JSON.parse(readFileSync(new URL('../../schema/openapi.json', import.meta.url), 'utf8')) as OpenApi;
const ajv = new Ajv2020({ strict: false, allErrors: true });
formats.default(ajv);
ajv.addSchema(closed(openapi), 'openapi');

/**
 * The contract as it is today. Callers know that fields and values may be added, so its schemas are open; the service
 * adds none that it does not declare.
 */
export function closed<Node>(node: Node): Node {
  if (Array.isArray(node)) return node.map(closed) as Node;
  if (typeof node !== 'object' || node === null) return node;
  const entries = Object.entries(node).map(([name, value]) => [name, closed(value)]);
  const { 'x-extensible-enum': values, ...schema } = Object.fromEntries(entries);
  return {
    ...schema,
    ...(values && { enum: [schema.type].flat().includes('null') ? [...values, null] : values }),
    ...(schema.type === 'object' && schema.properties && { additionalProperties: false }),
  };
}

/** Throws unless `schema/openapi.json` declares the status and the headers of an answer, and its body fits. */
export function assertContract(method: string, path: string, { status, headers, body, text }: Answer): void {
  if (!headers.get('x-request-id')) throw new Error(`${method} ${path}: no X-Request-Id`);
  const template = Object.keys(openapi.paths).find(candidate => matches(candidate, path.split('?')[0] ?? ''));
  const operation = template && openapi.paths[template]?.[method === 'HEAD' ? 'get' : method.toLowerCase()];
  if (!template || !operation) {
    // Not in the contract: it must be refused, in the form every refusal has.
    if (status !== 404 && status !== 405)
      throw new Error(`${method} ${path} is not in the contract but answered ${status}`);
    assertFits('#/components/schemas/Problem', body, `${method} ${path}`);
    return;
  }
  const declared = operation.responses[status];
  if (!declared) throw new Error(`${method} ${path} answered ${status}, which the contract does not declare`);
  assertHeaders(declared, headers, `${method} ${path} answered ${status}`);
  const [mediaType] = Object.keys(declared.content ?? {});
  if (mediaType === undefined || method === 'HEAD') {
    if (text !== '') throw new Error(`${method} ${path} answered ${status} with a body`);
    return;
  }
  if (!headers.get('content-type')?.startsWith(mediaType)) {
    throw new Error(`${method} ${path} answered ${headers.get('content-type')}, not ${mediaType}`);
  }
  const pointer = [
    '',
    'paths',
    template,
    method.toLowerCase(),
    'responses',
    String(status),
    'content',
    mediaType,
    'schema',
  ];
  assertFits(
    `#${pointer.map(step => encodeURIComponent(step.replaceAll('~', '~0').replaceAll('/', '~1'))).join('/')}`,
    body,
    `${method} ${path}`,
  );
}

/** All headers of the contract. */
const CONTRACT_HEADERS = new Set(
  Object.values(openapi.paths)
    .flatMap(path => Object.values(path))
    .flatMap(({ responses }) => Object.values(responses))
    .flatMap(({ headers }) => Object.keys(headers)),
);

function assertHeaders(declared: Declared, headers: Headers, what: string): void {
  for (const name of CONTRACT_HEADERS) {
    const value = headers.get(name);
    const ref = declared.headers[name]?.$ref;
    if (ref === undefined) {
      if (value !== null) throw new Error(`${what} with ${name}, which the contract does not declare`);
      continue;
    }
    const header = openapi.components.headers[ref.split('/').at(-1) ?? ''];
    if (!header) throw new Error(`no header at ${ref}`);
    if (value !== null) {
      assertFits(`${ref}/schema`, header.schema.type === 'integer' ? Number(value) : value, `${what} with ${name}`);
    } else if (header.required) {
      throw new Error(`${what} without ${name}`);
    }
  }
}

function matches(template: string, path: string): boolean {
  const steps = template.split('/');
  const given = path.split('/');
  return (
    steps.length === given.length &&
    steps.every((step, i) => step === given[i] || (step.startsWith('{') && given[i] !== ''))
  );
}

function assertFits(ref: string, body: unknown, what: string): void {
  const validate = ajv.getSchema(`openapi${ref}`);
  if (!validate) throw new Error(`no schema at ${ref}`);
  if (!validate(body)) throw new Error(`${what}: ${ajv.errorsText(validate.errors)} in ${JSON.stringify(body)}`);
}
