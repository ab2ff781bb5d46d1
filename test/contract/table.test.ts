import {
  extendSchema,
  type GraphQLSchema,
  getNamedType,
  isEnumType,
  isInputObjectType,
  isInterfaceType,
  isIntrospectionType,
  isObjectType,
  isSpecifiedScalarType,
  Kind,
  OperationTypeNode,
  parse,
} from 'graphql';
import { describe, expect, test } from 'vitest';
import { schema } from '../../src/graphql/schema.ts';
import { sections } from '../../src/http/openapi/openapi.ts';
import { BASE_PATH, ENDPOINTS, type Endpoint } from '../../src/http/rest/endpoints.ts';
import { OPERATIONS } from '../../src/http/rest/operations.ts';
import { SCOPES } from '../../src/platform/scopes.ts';

/** The tables of the API's specification, copied by hand: method, path, scope and status. REST has these and no others. */
const SPECIFIED = `
GET    /health                                                  health:read        200
POST   /shipments/quote                                         shipments:quote    200
GET    /shipments/tracking/by-tracking-number/{trackingNumber}  shipments:tracking 200
GET    /shipments/tracking/by-order-number/{orderNumber}        shipments:tracking 200
GET    /warehouses                                              warehouses:read    200
POST   /warehouses                                              warehouses:create  201
GET    /warehouses/{id}                                         warehouses:read    200
PATCH  /warehouses/{id}                                         warehouses:update  200
DELETE /warehouses/{id}                                         warehouses:delete  204
GET    /carriers                                                carriers:read      200
POST   /addresses/check-address                                 addresses:check    200
POST   /webhooks                                                webhooks:manage    201
GET    /webhooks                                                webhooks:manage    200
DELETE /webhooks/{id}                                           webhooks:manage    200
`;

const SPECIFIED_SCOPES = [
  ...['health:read', 'shipments:quote', 'shipments:tracking', 'warehouses:read', 'warehouses:create'],
  ...['warehouses:update', 'warehouses:delete', 'addresses:check', 'webhooks:manage', 'carriers:read'],
  'marketplaces:read',
];
/** Beyond the specification, for the platform that feeds the service through GraphQL. */
const PLATFORM_SCOPES = [
  'orders:write',
  'shipments:write',
  'tracking:write',
  'carriers:manage',
  'keys:manage',
  'audit:read',
];

const ROOTS = [OperationTypeNode.QUERY, OperationTypeNode.MUTATION, OperationTypeNode.SUBSCRIPTION] as const;
const rows = ENDPOINTS.map(endpoint => ({ name: `${endpoint.method} ${endpoint.path}`, endpoint }));

/** Where Pothos keeps what a field asks of its caller. */
function scopeOf(field: { extensions: object }): unknown {
  const { pothosOptions } = field.extensions as { pothosOptions?: { authScopes?: { scope?: unknown } } };
  return pothosOptions?.authScopes?.scope;
}

/** The records that these fields return need the scope of their own type: see graphql/node.test.ts. */
const BY_TYPE = ['node', 'nodes'];

/** Fields of the root types that anybody could call, or that ask for a scope no key can have. */
function withoutScope(of: GraphQLSchema): string[] {
  return ROOTS.flatMap(root => Object.values(of.getRootType(root)?.getFields() ?? {}))
    .filter(({ name }) => !BY_TYPE.includes(name))
    .filter(field => !Object.hasOwn(SCOPES, String(scopeOf(field))))
    .map(field => field.name);
}

/** The one root field that a row's operation selects. */
function rootField({ operation }: Endpoint) {
  const definitions = parse(OPERATIONS[operation]).definitions.filter(({ kind }) => kind === Kind.OPERATION_DEFINITION);
  const [definition] = definitions;
  if (definition?.kind !== Kind.OPERATION_DEFINITION || definitions.length > 1)
    throw new Error(`${operation}: not one`);
  const [selection, second] = definition.selectionSet.selections;
  const field =
    selection?.kind === Kind.FIELD
      ? schema.getRootType(definition.operation)?.getFields()[selection.name.value]
      : undefined;
  if (!field || second) throw new Error(`${operation} does not select one root field`);
  return { field, kind: definition.operation, name: definition.name?.value };
}

/** Everything of a graph that says nothing of itself: types, fields, arguments, inputs and values. */
function withoutDescription(of: GraphQLSchema): string[] {
  const missing: string[] = [];
  const look = (name: string, described: { description?: string | null }) => {
    if (!/\w/.test(described.description ?? '')) missing.push(name);
  };
  for (const type of Object.values(of.getTypeMap())) {
    if (isIntrospectionType(type) || isSpecifiedScalarType(type)) continue;
    look(type.name, type);
    if (isObjectType(type) || isInterfaceType(type)) {
      for (const field of Object.values(type.getFields())) {
        look(`${type.name}.${field.name}`, field);
        for (const argument of field.args) look(`${type.name}.${field.name}(${argument.name})`, argument);
      }
    }
    if (isInputObjectType(type)) {
      for (const field of Object.values(type.getFields())) look(`${type.name}.${field.name}`, field);
    }
    if (isEnumType(type)) for (const value of type.getValues()) look(`${type.name}.${value.name}`, value);
  }
  return missing;
}

describe('The table of operations', () => {
  test('has the rows of the specification, with their scopes and statuses, and no others', () => {
    const specified = SPECIFIED.trim()
      .split('\n')
      .map(line => line.split(/\s+/).join(' '));
    const declared = ENDPOINTS.map(({ method, path, scope, status }) => `${method} ${path} ${scope} ${status}`);
    expect(declared.toSorted()).toEqual(specified.toSorted());
    expect(BASE_PATH).toBe('/api/v1/integrations');
  });

  test('prevents the contract from being written if no section describes the tag of a row', () => {
    expect(() => sections([...ENDPOINTS, { tag: 'Notes' }])).toThrow(
      'No section describes the tag Notes of an endpoint: add it to TAGS in src/http/openapi/openapi.ts.',
    );
  });

  test('calls every operation, each from one row', () => {
    const operations = ENDPOINTS.map(({ operation }) => operation);
    expect(operations.toSorted()).toEqual(Object.keys(OPERATIONS).toSorted());
    expect(new Set(operations).size).toBe(operations.length);
  });

  test.each(rows)('gives $name the scope that the graph asks for', ({ endpoint }) => {
    const { field } = rootField(endpoint);
    expect(scopeOf(field)).toBe(endpoint.scope);
  });

  test.each(rows)(
    'gives $name a method that matches whether it changes something, and the name of its operation',
    ({ endpoint }) => {
      const { kind, name } = rootField(endpoint);
      // A POST may be either: one can ask with a body.
      if (endpoint.method !== 'POST') expect(kind).toBe(endpoint.method === 'GET' ? 'query' : 'mutation');
      expect(name).toBe(endpoint.operation);
    },
  );

  test.each(rows)('gives the operation of $name each of its variables, and nothing else', ({ endpoint }) => {
    const [definition] = parse(OPERATIONS[endpoint.operation]).definitions;
    const wanted =
      definition?.kind === Kind.OPERATION_DEFINITION
        ? definition.variableDefinitions?.map(({ variable }) => variable.name.value)
        : undefined;
    // A parameter of the path beside a body is a field of the input.
    const given = endpoint.body ? ['input'] : Object.keys(endpoint.parameters);
    expect(given.toSorted()).toEqual(wanted?.toSorted());
    expect(Object.keys(endpoint.parameters)).toEqual(
      [...endpoint.path.matchAll(/\{(\w+)\}/g)].map(([, parameter]) => parameter),
    );
  });
});

describe('The check of rights', () => {
  test('finds the scopes of the specification and the decisions', () => {
    expect(Object.keys(SCOPES).toSorted()).toEqual([...SPECIFIED_SCOPES, ...PLATFORM_SCOPES].toSorted());
  });

  test('finds a scope on every field of Query, Mutation and Subscription', () => {
    expect(withoutScope(schema)).toEqual([]);
  });

  test('would find a field without a scope', () => {
    const open = extendSchema(
      schema,
      parse(
        'extend type Query { open: String } extend type Mutation { door: String } extend type Subscription { window: String }',
      ),
    );
    expect(withoutScope(open)).toEqual(['open', 'door', 'window']);
  });

  test('would find a field with a scope that no key can have', () => {
    const mistyped = extendSchema(schema, parse('extend type Query { mistyped: String }'));
    const field = mistyped.getQueryType()?.getFields().mistyped;
    if (field) field.extensions = { pothosOptions: { authScopes: { scope: 'warehouse:read' } } };
    expect(withoutScope(mistyped)).toEqual(['mistyped']);
  });

  test.each([
    ['apiKey', 'health:read'],
    ['warehouses', 'warehouses:read'],
    ['warehouse', 'warehouses:read'],
    ['createWarehouse', 'warehouses:create'],
    ['updateWarehouse', 'warehouses:update'],
    ['deleteWarehouse', 'warehouses:delete'],
    ['carrierConnections', 'carriers:read'],
    ['connectCarrier', 'carriers:manage'],
    ['quoteShipment', 'shipments:quote'],
    ['quoteAfterShipment', 'shipments:quote'],
    ['tariffs', 'carriers:manage'],
    ['tariff', 'carriers:manage'],
    ['importTariff', 'carriers:manage'],
    ['carrierReferences', 'carriers:manage'],
    ['importFuelIndex', 'carriers:manage'],
    ['replacePlaceList', 'carriers:manage'],
    ['deleteCarrierReference', 'carriers:manage'],
    ['trackingByNumber', 'shipments:tracking'],
    ['trackingByOrderNumber', 'shipments:tracking'],
    ['shipments', 'shipments:tracking'],
    ['orders', 'shipments:tracking'],
    ['marketplaces', 'marketplaces:read'],
    ['upsertOrders', 'orders:write'],
    ['upsertShipments', 'shipments:write'],
    ['recordTrackingEvents', 'tracking:write'],
    ...[
      ...['webhookEndpoints', 'webhookEndpoint', 'webhookDelivery', 'createWebhookEndpoint', 'updateWebhookEndpoint'],
      ...['deleteWebhookEndpoint', 'pauseWebhookEndpoint', 'resumeWebhookEndpoint', 'rotateWebhookSecret'],
      ...['sendTestEvent', 'redeliver', 'replayDeliveries'],
    ].map(name => [name, 'webhooks:manage']),
  ])('finds that %s asks for %s', (name, scope) => {
    const field = ROOTS.map(root => schema.getRootType(root)?.getFields()[name]).find(found => found !== undefined);
    expect(field && scopeOf(field)).toBe(scope);
  });
});

describe('The graph', () => {
  test('describes every type, field, argument and value', () => {
    expect(withoutDescription(schema)).toEqual([]);
  });

  test('is checked so that an element without a description would be found', () => {
    const bare = extendSchema(
      schema,
      parse(`
        "described" type Bare { field("described" a: Int, b: Int): String "described" other: String }
        enum Colour { "described" red green }
        input Blank { "described" a: Int b: Int }
      `),
    );
    const known = new Set(withoutDescription(schema));
    expect(withoutDescription(bare).filter(name => !known.has(name))).toEqual([
      'Bare.field',
      'Bare.field(b)',
      'Colour',
      'Colour.green',
      'Blank',
      'Blank.b',
    ]);
  });

  test('has no field with contact data of a recipient, or with a proof of identity', () => {
    const told = Object.values(schema.getTypeMap())
      .filter(type => isObjectType(type) && !isIntrospectionType(type))
      .flatMap(type => (isObjectType(type) ? Object.values(type.getFields()) : []))
      .map(field => `${field.name}: ${getNamedType(field.type).name}`);
    // Whether there are any says nothing of what they are, and the hash is of an entry of the audit trail.
    expect(told.filter(name => /e-?mail|phone|hash|password|credential/i.test(name))).toEqual([
      'hash: String',
      'hasCredentials: Boolean',
    ]);
    expect(told).toContain('recipient: Recipient');
  });
});
