import {
  type FragmentDefinitionNode,
  type GraphQLInputType,
  type GraphQLSchema,
  Kind,
  type OperationDefinitionNode,
  parse,
  typeFromAST,
} from 'graphql';
import { FAULTS, type FaultCode } from '../platform/fault.ts';
import { SCOPES } from '../platform/scopes.ts';
import { BASE_PATH, ENDPOINTS, type Endpoint } from './endpoints.ts';
import { inputSchema, outputSchema } from './json-schema.ts';
import { OPERATIONS } from './operations.ts';
import type { Components, JsonSchema } from './shape.ts';

/** What every endpoint can answer, whatever it does. */
const COMMON: readonly FaultCode[] = [
  'conflicting_credentials',
  'missing_credentials',
  'invalid_api_key',
  'insufficient_scope',
  'internal_error',
  'unavailable',
];
const WITH_BODY: readonly FaultCode[] = [
  'malformed_json',
  'unsupported_media_type',
  'body_too_large',
  'validation_failed',
];

/** The REST contract as OpenAPI 3.1, derived from the table of endpoints and the graph they call. */
export function openApiDocument(schema: GraphQLSchema): JsonSchema {
  const components: Components = { Problem: problemSchema() };
  const paths: Record<string, Record<string, JsonSchema>> = {};
  for (const endpoint of ENDPOINTS) {
    const path = BASE_PATH + endpoint.path;
    paths[path] ??= {};
    paths[path][endpoint.method.toLowerCase()] = operationObject(endpoint, schema, components);
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Shipping Integrations API',
      version: '1.0.0',
      description:
        'Quotes, tracking, warehouses, address checks and signed tracking webhooks, for one company a key. Failures are `application/problem+json` (RFC 9457) with a stable `code`.',
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: '/', description: 'The service this document was read from.' }],
    security: [{ apiKey: [] }, { bearer: [] }],
    tags: [...new Set(ENDPOINTS.map(({ tag }) => tag))].map(name => ({ name })),
    paths,
    components: {
      schemas: Object.fromEntries(Object.entries(components).toSorted(([a], [b]) => (a < b ? -1 : 1))),
      securitySchemes: {
        apiKey: { type: 'apiKey', in: 'header', name: 'x-api-key', description: 'An API key, bound to one company.' },
        bearer: { type: 'http', scheme: 'bearer', description: 'The same API key as a bearer token.' },
      },
    },
  };
}

function operationObject(endpoint: Endpoint, schema: GraphQLSchema, components: Components): JsonSchema {
  const { operation, fragments } = parsed(endpoint);
  const failures = [...COMMON, ...(endpoint.body ? WITH_BODY : []), ...endpoint.failures];
  const byStatus = Map.groupBy(failures, code => FAULTS[code].status);
  return {
    operationId: endpoint.operation,
    summary: endpoint.summary,
    description: `Scope \`${endpoint.scope}\`: ${SCOPES[endpoint.scope]}`,
    tags: [endpoint.tag],
    ...(Object.keys(endpoint.parameters).length > 0 && {
      parameters: Object.entries(endpoint.parameters).map(([name, { schema: parameterSchema, description }]) => ({
        name,
        in: 'path',
        required: true,
        description,
        schema: parameterSchema,
      })),
    }),
    ...(endpoint.body && { requestBody: requestBody(operation, schema, components) }),
    responses: {
      [endpoint.status]: success(endpoint, operation, fragments, schema, components),
      ...Object.fromEntries(
        [...byStatus]
          .toSorted(([a], [b]) => a - b)
          .map(([status, codes]) => [
            status,
            {
              description: codes.map(code => `\`${code}\`: ${FAULTS[code].help}`).join(' '),
              headers: { ...REQUEST_ID_HEADER, ...HEADERS[status] },
              content: { 'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } } },
            },
          ]),
      ),
    },
  };
}

function success(
  endpoint: Endpoint,
  operation: OperationDefinitionNode,
  fragments: ReadonlyMap<string, FragmentDefinitionNode>,
  schema: GraphQLSchema,
  components: Components,
): JsonSchema {
  const [selection] = operation.selectionSet.selections;
  const root = schema.getRootType(operation.operation);
  if (selection?.kind !== Kind.FIELD || !root) throw new Error(`${endpoint.operation} must select one root field`);
  const field = root.getFields()[selection.name.value];
  if (!field) throw new Error(`${endpoint.operation}: no root field ${selection.name.value}`);
  const value = outputSchema(field.type, selection.selectionSet, fragments, components);
  const described = endpoint.shape.describe(value, components);
  return {
    description: field.description ?? '',
    headers: REQUEST_ID_HEADER,
    ...(described && { content: { 'application/json': { schema: described } } }),
  };
}

function requestBody(operation: OperationDefinitionNode, schema: GraphQLSchema, components: Components): JsonSchema {
  const input = operation.variableDefinitions?.find(({ variable }) => variable.name.value === 'input');
  if (!input) throw new Error(`${operation.name?.value} takes a body, so it needs a variable $input`);
  const type = typeFromAST(schema, input.type) as GraphQLInputType;
  return { required: true, content: { 'application/json': { schema: inputSchema(type, components) } } };
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

const REQUEST_ID_HEADER = {
  'X-Request-Id': {
    description: "The request's id: the caller's own, or one made for it.",
    schema: { type: 'string' },
  },
};

/** What refusals of a status say in headers beside. */
const HEADERS: Readonly<Record<number, JsonSchema>> = {
  401: { 'WWW-Authenticate': { description: 'How to authenticate: `Bearer`.', schema: { type: 'string' } } },
  503: { 'Retry-After': { description: 'Seconds to wait.', schema: { type: 'integer' } } },
};

function problemSchema(): JsonSchema {
  return {
    type: 'object',
    description: 'What went wrong (RFC 9457). `type` leads to a page about it.',
    properties: {
      type: { type: 'string', format: 'uri', description: 'Page about this kind of problem; ends in its `code`.' },
      title: { type: 'string', description: 'Short name of the kind of problem.' },
      status: { type: 'integer', description: 'HTTP status.' },
      detail: { type: 'string', description: 'What happened this time.' },
      instance: { type: 'string', description: 'Path of the request.' },
      code: { type: 'string', enum: Object.keys(FAULTS), description: 'Stable code of the kind of problem.' },
      requestId: { type: 'string', description: 'Id of the request, also in `X-Request-Id`.' },
      requiredScope: {
        type: 'string',
        enum: Object.keys(SCOPES),
        description: 'With `insufficient_scope`: the scope the key lacks.',
      },
      orders: { type: 'integer', description: 'With `warehouse_in_use`: orders that reference it.' },
      shipments: { type: 'integer', description: 'With `warehouse_in_use`: shipments that reference it.' },
      limit: { type: 'integer', description: 'With `webhook_limit_reached`: active endpoints a company may have.' },
      maxBytes: { type: 'integer', description: 'With `body_too_large`: the largest body.' },
      errors: {
        type: 'array',
        description: 'With `validation_failed`: every field that is wrong.',
        items: {
          type: 'object',
          properties: {
            pointer: { type: 'string', description: 'RFC 6901 pointer into the body; empty for the whole of it.' },
            code: { type: 'string', description: 'Stable code of the reason.' },
            message: { type: 'string', description: 'What is allowed.' },
          },
          required: ['pointer', 'code', 'message'],
          additionalProperties: false,
        },
      },
    },
    required: ['type', 'title', 'status', 'detail', 'instance', 'code', 'requestId'],
    additionalProperties: false,
  };
}
