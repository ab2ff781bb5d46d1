import { builder } from '../../../graphql/builder.ts';
import type { RequestContext } from '../../../graphql/context.ts';
import { CARRIER_CALL, CARRIER_CALL_WORK } from '../../../graphql/costs.ts';
import { enumType } from '../../../graphql/enum-type.ts';
import { connectionOf, LIST_ARGS, listCost, listPage } from '../../../graphql/lists.ts';
import { mutation, numberId } from '../../../graphql/mutation.ts';
import { integerKey, numberSought, RecordId } from '../../../graphql/node-id.ts';
import { nodeType, numberedNode } from '../../../graphql/nodes.ts';
import { idArg, lookUp, query } from '../../../graphql/query.ts';
import { capabilitiesOf, openQuestions } from './account.rules.ts';
import { CARRIERS, type Carrier, carrierByCode, carrierOf } from './carriers.catalog.ts';
import { type ConnectionRow, connectionById, countConnections, listConnections } from './carriers.repository.ts';
import { carrierConnection, connectCarrier, disconnectCarrier, updateConnection } from './carriers.service.ts';
import { connectCarrierInput, updateCarrierConnectionInput } from './connection.input.ts';
import { type ConnectionTestOutcome, testConnection } from './connection-test.service.ts';

const Capability = enumType('CarrierCapability', 'What the service can do through a carrier connection.', {
  quote: 'Price shipments.',
  tracking: 'Follow shipments.',
  address_check: 'Verify delivery addresses.',
  cod: 'Cash on delivery.',
  insurance: 'Insure shipments.',
});
export const VerificationType = enumType('VerificationType', 'How a carrier verifies an address.', {
  street_registry: 'The address is compared with a registry of streets.',
  routing: 'By the route of the parcel: postal code, city and province, but not the street.',
  postal_validation: 'Postal code and city are compared with a postal database.',
  transit_time: 'By the transit times to the place.',
  none: 'The carrier does not verify addresses.',
});
export const CountryScope = enumType('CountryScope', "Which countries a carrier's verification covers.", {
  domestic_it: 'Italy only.',
  international: 'Italy and abroad.',
  any: 'Carriers without verification.',
});

const Environment = enumType('CarrierEnvironment', 'Where the account of a connection is.', {
  live: 'At the carrier.',
  sandbox: "At the service's own stand-in for the carrier, with its test inputs.",
});

export const CarrierCodeRef = enumType(
  'CarrierCode',
  'Short code of a carrier of the platform. More may be added.',
  // Rows have strings, which were checked when they were connected.
  Object.fromEntries(CARRIERS.map(({ code, name }) => [code as string, name])),
);

function logoUrl(code: string, { publicUrl }: RequestContext): string {
  return `${publicUrl}/logos/${code.toLowerCase()}.svg`;
}

export const CarrierRef = builder.objectRef<Carrier>('Carrier').implement({
  description: 'A carrier of the platform.',
  fields: t => ({
    code: t.expose('code', { type: CarrierCodeRef, description: 'Short carrier code of the platform.' }),
    name: t.exposeString('name', { description: 'Commercial name.' }),
    logoUrl: t.field({
      type: 'URL',
      description: "Address of a badge with the carrier's name (SVG).",
      resolve: ({ code }, _args, context) => logoUrl(code, context),
    }),
  }),
});

nodeType(CarrierRef, { keyOf: ({ code }) => code, readKey: code => code, find: carrierByCode });

export const CarrierConnectionRef = builder.objectRef<ConnectionRow>('CarrierConnection').implement({
  description: 'An account of the company at a carrier. Credentials and tariffs are never shown.',
  fields: t => ({
    databaseId: t.exposeInt('id', {
      description: 'Number of the connection: `carrierCompanyId` in REST and in files.',
      extensions: { openapi: { description: 'Identifier of the connection.' } },
    }),
    carrierCode: t.expose('carrierCode', { type: CarrierCodeRef, description: 'Short carrier code of the platform.' }),
    carrierName: t.value('String', 'Commercial name.', ({ carrierCode }) => carrierOf(carrierCode).name),
    label: t.exposeString('label', { description: "The company's own name for the account." }),
    logoUrl: t.field({
      type: 'URL',
      description: "Address of a badge with the carrier's name (SVG).",
      resolve: ({ carrierCode }, _args, context) => logoUrl(carrierCode, context),
    }),
    isActive: t.exposeBoolean('isActive', { description: 'Whether the connection is used.' }),
    environment: t.expose('environment', { type: Environment, description: 'Where its account is.' }),
    ...t.nullableColumns('URL', {
      baseUrl: "The base address that replaces the carrier's own. Null if the carrier's own is used.",
    }),
    hasCredentials: t.exposeBoolean('hasCredentials', {
      description:
        'Whether it has credentials. Most carriers ask for them to check addresses and to follow shipments. They are never shown.',
    }),
    capabilities: t.value(
      [Capability],
      'What the service can do through this connection while it is active. Shipments are followed and addresses checked only with the credentials that the carrier asks for each, if it asks for any; quotes need a tariff that is in force on the day of shipment.',
      ({ carrierCode, environment, questions }, _args, { carriers }) => {
        const carrier = carrierOf(carrierCode);
        const canAsk = environment === 'live' || carriers.hasSandbox;
        return capabilitiesOf(carrier, canAsk ? [...questions, ...openQuestions(carrier)] : []);
      },
    ),
    verificationType: t.field({
      type: VerificationType,
      description: 'How the carrier verifies an address.',
      resolve: ({ carrierCode }) => carrierOf(carrierCode).verificationType,
    }),
    countryScope: t.field({
      type: CountryScope,
      description: 'The countries that its verification covers.',
      resolve: ({ carrierCode }) => carrierOf(carrierCode).countryScope,
    }),
    ...t.columns('DateTime', { createdAt: 'Creation time.', updatedAt: 'Last update time.' }),
  }),
});

numberedNode(CarrierConnectionRef, 'carriers:read', connectionById);

const Connection = connectionOf(CarrierConnectionRef);

/** The id of a connection in a field of another type. Showing it needs neither a scope nor a read. */
export function recordIdOfConnection(id: number): RecordId {
  return new RecordId('CarrierConnection', id);
}

/** The JSON Schema of an id that is a number in REST. */
export const NUMBER_IN_REST = { type: 'integer', format: 'int32' } as const;

/** The connection behind a field of another type. */
export function carrierConnectionOf({ tenant }: RequestContext, carrierConnectionId: number) {
  return carrierConnection(tenant, carrierConnectionId);
}

const ConnectionTestOutcomeRef = enumType<ConnectionTestOutcome>(
  'CarrierConnectionTestOutcome',
  'The result of a request to a carrier with the credentials of a connection.',
  {
    accepted: 'The carrier accepted the credentials and returned a result.',
    refused: 'The carrier rejected the credentials.',
    rejected:
      'The carrier rejected the request for another reason, such as a setting of the account. The record of the call shows its message.',
    unreadable: 'The response cannot be read. The base address may belong to another system.',
    unavailable: 'The carrier cannot be reached at the moment.',
    no_credentials: 'The connection has no credentials.',
    inactive: 'The connection is not active.',
    unsupported: 'The service has no interface to the carrier.',
  },
);

query('carrierConnections', {
  type: Connection,
  description: "The company's carrier connections, by ascending id.",
  authScopes: { scope: 'carriers:read' },
  args: LIST_ARGS,
  complexity: listCost,
  resolve: (_root, args, { tenant }) => {
    const rows = { keyOf: ({ id }: ConnectionRow) => id, count: () => countConnections(tenant) };
    return listPage(args, integerKey, rows, page => listConnections(tenant, page));
  },
});

query('carrierConnection', {
  type: CarrierConnectionRef,
  nullable: true,
  description: 'One carrier connection, even if it was disconnected. Null if the company has none with this id.',
  authScopes: { scope: 'carriers:read' },
  args: idArg('Global id of the connection, or its `databaseId`.'),
  resolve: (_root, { id }, context) =>
    lookUp(context, () => carrierConnection(context.tenant, numberSought('CarrierConnection', id))),
});

mutation('connectCarrier', {
  description:
    'Connects an account at a carrier. A company can have several accounts at one carrier. `CARRIER_CONNECTION_LIMIT_REACHED` if the company has as many connections as it may have.',
  scope: 'carriers:manage',
  rawFields: connectCarrierInput,
  payload: { carrierConnection: { type: CarrierConnectionRef, description: 'The new connection.' } },
  resolve: async (fields, { tenant, carriers, caps }) => ({
    carrierConnection: await connectCarrier(tenant, carriers, caps, fields),
  }),
});

const ids = { id: numberId('CarrierConnection', 'The carrier connection.') };

mutation('updateCarrierConnection', {
  description: 'Changes the fields of a connection that are sent.',
  scope: 'carriers:manage',
  ids,
  rawFields: updateCarrierConnectionInput,
  payload: { carrierConnection: { type: CarrierConnectionRef, description: 'The connection as it is now.' } },
  resolve: async ({ id, ...fields }, { tenant, carriers }) => ({
    carrierConnection: await updateConnection(tenant, carriers, id, fields),
  }),
});

mutation('disconnectCarrier', {
  description:
    'Disconnects an account permanently. Its credentials are deleted, and it is no longer listed, quoted or asked. Its shipments stay.',
  scope: 'carriers:manage',
  ids,
  payload: { carrierConnection: { type: CarrierConnectionRef, description: 'The connection as it was.' } },
  resolve: async ({ id }, { tenant, carriers }) => ({
    carrierConnection: await disconnectCarrier(tenant, id, carriers),
  }),
});

mutation('testCarrierConnection', {
  description:
    "Sends the carrier a request with the connection's credentials, and returns whether the carrier accepts them. Where the carrier asks for other credentials to track shipments, it is asked twice.",
  scope: 'carriers:manage',
  ids,
  payload: {
    outcome: {
      type: ConnectionTestOutcomeRef,
      description:
        '`ACCEPTED` if the carrier accepts the credentials for every question, else the first other outcome.',
    },
    tracking: {
      type: ConnectionTestOutcomeRef,
      nullable: true,
      description: 'The outcome for tracking. Null if the connection has no credentials for it.',
    },
    addressCheck: {
      type: ConnectionTestOutcomeRef,
      nullable: true,
      description: 'The outcome for the check of addresses. Null if the connection has no credentials for it.',
    },
  },
  complexity: CARRIER_CALL,
  work: CARRIER_CALL_WORK,
  changesNothing: true,
  resolve: ({ id }, { tenant, carriers, place, jobs, metrics }) =>
    place.outside(() => testConnection(tenant, carriers, id, { jobs, metrics })),
});
