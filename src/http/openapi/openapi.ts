import {
  type FragmentDefinitionNode,
  GraphQLNonNull,
  type GraphQLSchema,
  getNullableType,
  Kind,
  type OperationDefinitionNode,
  parse,
} from 'graphql';
import { bodyOf, inputTypeOf } from '../../graphql/rest-bodies.ts';
import { CONTRACT_VERSION } from '../../platform/contract-version.ts';
import { FAULTS, type FaultCode } from '../../platform/fault.ts';
import { rateClassOf } from '../guards/rate-class.ts';
import { DESCRIPTIONS } from '../rest/endpoint-descriptions.ts';
import { BASE_PATH, ENDPOINTS, type Endpoint } from '../rest/endpoints.ts';
import { type Examples, examplesOf } from '../rest/examples.ts';
import { OPERATIONS } from '../rest/operations.ts';
import type { Components, JsonSchema } from '../rest/shape.ts';
import { inputSchema } from './input-schema.ts';
import { outputSchema } from './json-schema.ts';
import {
  COMMON_HEADERS,
  DATED_HEADERS,
  HEADER_COMPONENTS,
  HEADERS,
  IDEMPOTENCY_PARAMETER,
  IF_NONE_MATCH_PARAMETER,
  KEPT_HEADERS,
  problemSchema,
  READ_HEADERS,
  REPLAY_HEADERS,
  UNUSED_IDEMPOTENCY_PARAMETER,
} from './openapi-components.ts';
import { type EventKind, webhooksSection } from './openapi-webhooks.ts';

/** Faults of every endpoint. */
const COMMON: readonly FaultCode[] = [
  'malformed_request',
  'headers_too_large',
  'expectation_failed',
  'request_timeout',
  'conflicting_credentials',
  'missing_credentials',
  'invalid_api_key',
  'insufficient_scope',
  'rate_limited',
  'internal_error',
  'unavailable',
];
const WITH_BODY: readonly FaultCode[] = [
  'malformed_json',
  'unsupported_media_type',
  'body_too_large',
  'validation_failed',
];

const TO_POST: readonly FaultCode[] = ['invalid_idempotency_key'];
const TO_KEPT: readonly FaultCode[] = ['idempotency_key_reused', 'idempotency_in_progress', 'idempotency_answer_lost'];

/** The parts of the contract besides the table of endpoints. */
interface ContractParts {
  readonly examples: Examples;
  readonly events: readonly EventKind[];
  /** The schema of an event's body, around the schema of the tracking record. */
  readonly payload: (trackingRecord: JsonSchema) => JsonSchema;
}

/** The REST contract as OpenAPI 3.1, derived from the table of endpoints and the graph. */
export function openApiDocument(schema: GraphQLSchema, { examples, events, payload }: ContractParts): JsonSchema {
  const components: Components = { Problem: problemSchema() };
  const paths: Record<string, Record<string, JsonSchema>> = {};
  for (const endpoint of ENDPOINTS) {
    const path = BASE_PATH + endpoint.path;
    paths[path] ??= {};
    paths[path][endpoint.method.toLowerCase()] = operationObject(endpoint, schema, components, examples);
  }
  const { $schema: _, title: __, ...trackingEvent } = payload(components.TrackingRecord ?? {});
  components.TrackingEvent = trackingEvent;
  const possible = new Set(ENDPOINTS.flatMap(failuresOf));
  return {
    openapi: '3.1.0',
    info: {
      title: 'Shipping Integrations API',
      version: CONTRACT_VERSION,
      description: DESCRIPTION,
      contact: { name: 'The operator of this service; give it the `X-Request-Id` of the call' },
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [
      {
        url: '/',
        description: 'The service this document was read from, in production or for tests.',
        'x-internal': false,
      },
    ],
    security: [{ apiKey: [] }, { bearer: [] }],
    tags: sections(ENDPOINTS),
    paths,
    webhooks: webhooksSection(events, examples.events),
    components: {
      schemas: Object.fromEntries(Object.entries(components).toSorted(([a], [b]) => (a < b ? -1 : 1))),
      securitySchemes: {
        apiKey: { type: 'apiKey', in: 'header', name: 'x-api-key', description: 'An API key, bound to one company.' },
        bearer: { type: 'http', scheme: 'bearer', description: 'The API key as a bearer token.' },
      },
      examples: Object.fromEntries(
        Object.entries(examples.problems)
          .filter(([code]) => possible.has(code as FaultCode))
          .map(([code, value]) => [code, { summary: FAULTS[code as FaultCode].title, value }]),
      ),
      headers: HEADER_COMPONENTS,
    },
  };
}

/**
 * The sections of the reference, in its order.
 *
 * @throws for an undescribed tag, whose operations would be in no section
 */
export function sections(endpoints: readonly Pick<Endpoint, 'tag'>[]): JsonSchema[] {
  for (const { tag } of endpoints) {
    if (Object.hasOwn(TAGS, tag)) continue;
    throw new Error(
      `No section describes the tag ${tag} of an endpoint: add it to TAGS in src/http/openapi/openapi.ts.`,
    );
  }
  return Object.entries(TAGS).map(([name, description]) => ({ name, description }));
}

function failuresOf(endpoint: Endpoint): readonly FaultCode[] {
  const { method, body, failures } = endpoint;
  const toPost = method === 'POST' ? [...TO_POST, ...(isKept(endpoint) ? TO_KEPT : [])] : [];
  return [...COMMON, ...(body ? WITH_BODY : []), ...toPost, ...failures];
}

/** Whether responses are stored for an `Idempotency-Key`: a request that changes nothing can simply be repeated. */
function isKept(endpoint: Endpoint): boolean {
  return endpoint.method === 'POST' && rateClassOf(endpoint) === 'writes';
}

function operationObject(
  endpoint: Endpoint,
  schema: GraphQLSchema,
  components: Components,
  examples: Examples,
): JsonSchema {
  const { operation, fragments } = parsed(endpoint);
  const calls = examples.operations[endpoint.operation];
  const parameters: JsonSchema[] = [
    ...Object.entries(endpoint.parameters).map(([name, { schema: parameterSchema, description }]) => ({
      name,
      in: 'path',
      required: true,
      description,
      schema: parameterSchema,
      ...examplesOf(calls, example => example.parameters?.[name]),
    })),
    ...headerParameters(endpoint, calls),
  ];
  const byStatus = Map.groupBy(failuresOf(endpoint), code => FAULTS[code].status);
  return {
    operationId: endpoint.operation,
    summary: endpoint.summary,
    description: `${DESCRIPTIONS[endpoint.operation].trim()}\n\nThe key needs the scope \`${endpoint.scope}\`.`,
    tags: [endpoint.tag],
    ...(parameters.length > 0 && { parameters }),
    ...(endpoint.body && { requestBody: requestBody(operation, components, calls) }),
    responses: {
      [endpoint.status]: success(endpoint, operation, fragments, schema, components, calls),
      ...(endpoint.method === 'GET' && { 304: notModified(endpoint) }),
      ...Object.fromEntries(
        [...byStatus]
          .toSorted(([a], [b]) => a - b)
          .map(([status, codes]) => [
            status,
            {
              description: codes.map(code => `- \`${code}\`: ${FAULTS[code].help}`).join('\n'),
              headers: {
                ...COMMON_HEADERS,
                ...HEADERS[status],
                ...(isKept(endpoint) && KEPT_HEADERS[status]),
              },
              content: {
                'application/problem+json': {
                  schema: { $ref: '#/components/schemas/Problem' },
                  examples: problemExamples(endpoint, codes, examples),
                },
              },
            },
          ]),
      ),
    },
  };
}

function readHeaders({ method, isDated }: Endpoint): JsonSchema {
  return { ...(method === 'GET' && READ_HEADERS), ...(isDated && DATED_HEADERS) };
}

function notModified(endpoint: Endpoint): JsonSchema {
  return {
    description: 'The response that `If-None-Match` names is still current.',
    headers: { ...COMMON_HEADERS, ...readHeaders(endpoint) },
  };
}

/** An example of each code: recorded from the operation itself, or shared with others. */
function problemExamples(
  { operation }: Endpoint,
  codes: readonly FaultCode[],
  { problems, rejections }: Examples,
): JsonSchema {
  const found: Record<string, JsonSchema> = {};
  for (const code of codes) {
    const own = rejections[operation]?.[code];
    if (own !== undefined) found[code] = { summary: FAULTS[code].title, value: own };
    else if (problems[code] !== undefined) found[code] = { $ref: `#/components/examples/${code}` };
  }
  return found;
}

function headerParameters(endpoint: Endpoint, calls: Calls): JsonSchema[] {
  const { method } = endpoint;
  if (method === 'GET') {
    const [etag] = Object.values(calls ?? {}).map(call => call.etag);
    return [{ ...IF_NONE_MATCH_PARAMETER, ...(etag !== undefined && { example: etag }) }];
  }
  if (method !== 'POST') return [];
  return [isKept(endpoint) ? IDEMPOTENCY_PARAMETER : UNUSED_IDEMPOTENCY_PARAMETER];
}

function success(
  endpoint: Endpoint,
  operation: OperationDefinitionNode,
  fragments: ReadonlyMap<string, FragmentDefinitionNode>,
  schema: GraphQLSchema,
  components: Components,
  calls: Calls,
): JsonSchema {
  const [selection] = operation.selectionSet.selections;
  const root = schema.getRootType(operation.operation);
  if (selection?.kind !== Kind.FIELD || !root) throw new Error(`${endpoint.operation} must select one root field`);
  const field = root.getFields()[selection.name.value];
  if (!field) throw new Error(`${endpoint.operation}: no root field ${selection.name.value}`);
  const stated = field.extensions.openapi as { readonly description?: string } | undefined;
  // Null stands for an error, for which REST sends a problem.
  const type = new GraphQLNonNull(getNullableType(field.type));
  const value = outputSchema(type, selection.selectionSet, fragments, components);
  const described = endpoint.shape.describe(value, components);
  return {
    description: stated?.description ?? field.description ?? '',
    headers: {
      ...COMMON_HEADERS,
      ...readHeaders(endpoint),
      ...(isKept(endpoint) && REPLAY_HEADERS),
    },
    ...(described && {
      content: { 'application/json': { schema: described, ...examplesOf(calls, example => example.response) } },
    }),
  };
}

function requestBody(operation: OperationDefinitionNode, components: Components, calls: Calls): JsonSchema {
  const content = {
    schema: inputSchema(bodyOf(inputTypeOf(operation)).schema, components),
    ...examplesOf(calls, example => example.request),
  };
  return { required: true, content: { 'application/json': content } };
}

function parsed(endpoint: Endpoint) {
  const { definitions } = parse(OPERATIONS[endpoint.operation]);
  const operation = definitions.find(definition => definition.kind === Kind.OPERATION_DEFINITION);
  if (!operation) throw new Error(`${endpoint.operation} has no operation`);
  const fragments = new Map(
    definitions
      .filter(definition => definition.kind === Kind.FRAGMENT_DEFINITION)
      .map(fragment => [fragment.name.value, fragment]),
  );
  return { operation, fragments };
}

type Calls = Examples['operations'][keyof Examples['operations']];

const DESCRIPTION = `Quotes, tracking, warehouses, address checks and signed tracking webhooks. Each API key belongs to one company, and sees that company's data only.

A rejected request returns \`application/problem+json\` (RFC 9457) with a stable \`code\`. So does a request at any address that is not valid HTTP: 408 \`request_timeout\`, 417 \`expectation_failed\` and 431 \`headers_too_large\`. Fields, codes and values can be added at any time: ignore what you do not know.

Blanks around texts are removed before their bounds are checked, and a text of invisible characters alone is empty. URLs and values of enums are taken as they are.

Guides: [getting started](/docs/getting-started), [authentication](/docs/authentication), [errors](/docs/errors), [limits and retries](/docs/limits), [sandbox](/docs/sandbox), [clients](/docs/clients).`;

/** By name, as the reference shows them. */
const TAGS: Readonly<Record<string, string>> = {
  Quotes: 'What a shipment costs, by carrier.',
  Tracking: 'Where shipments are.',
  Webhooks: 'Your endpoints for the events of shipments, and the requests that the service sends to them.',
  Warehouses: 'The places that shipments leave from.',
  Addresses: "Check delivery addresses through the company's own carriers.",
  Carriers: "The company's accounts at carriers.",
  Health: 'Whether a key works, and what it may do.',
};
