import { readFileSync } from 'node:fs';
import {
  buildSchema,
  type GraphQLField,
  type GraphQLInputType,
  type GraphQLObjectType,
  type GraphQLOutputType,
  type GraphQLSchema,
  getNamedType,
  isAbstractType,
  isEnumType,
  isInputObjectType,
  isLeafType,
  isListType,
  isNonNullType,
  isObjectType,
} from 'graphql';
import { globalId } from '../../../src/graphql/node-id.ts';
import { TARIFF } from '../../rest/feed.ts';
import { PALERMO } from '../../rest/tariffs.ts';
import { RECIPIENT } from '../../support/platform-side.ts';

/** The graph as it is published. */
export const SDL: GraphQLSchema = buildSchema(
  readFileSync(new URL('../../../schema/schema.graphql', import.meta.url), 'utf8'),
);

export type Field = GraphQLField<unknown, unknown>;
export const KINDS = ['query', 'mutation', 'subscription'] as const;
export type Kind = (typeof KINDS)[number];

/** The name of the root type of operations of a kind. */
export const ROOTS: Readonly<Record<Kind, string>> = {
  query: 'Query',
  mutation: 'Mutation',
  subscription: 'Subscription',
};

export function rootFields(kind: Kind): Field[] {
  return Object.values((SDL.getType(ROOTS[kind]) as GraphQLObjectType).getFields());
}

/** Records that arguments can refer to, of one company or of none. */
export interface Ids {
  readonly warehouse: number;
  readonly connection: number;
  readonly order: number;
  readonly shipment: number;
  readonly tariff: number;
  readonly invoice: number;
  readonly simulation: number;
  readonly revision: number;
  readonly draft: number;
  readonly savedQuote: number;
  readonly endpoint: string;
  readonly noticeEndpoint: string;
  readonly delivery: string;
  readonly apiKey: string;
  readonly event: string;
  readonly orderNumber: string;
  readonly trackingNumber: string;
  readonly marketplaceOrderNumber: string;
  readonly marketplace: string;
  /** Cursors of pages of orders, shipments and deliveries, and of the end of the change log. */
  readonly orderCursor: string;
  readonly shipmentCursor: string;
  readonly deliveryCursor: string;
  readonly changeCursor: string;
  /** Where webhooks may be sent. */
  readonly url: string;
}

const NEVER_ID = 2_147_483_647;
const NEVER_UUID = '00000000-0000-4000-8000-000000000000';

/** Ids that no company has. */
export const NOBODYS: Ids = {
  warehouse: NEVER_ID,
  connection: NEVER_ID,
  order: NEVER_ID,
  shipment: NEVER_ID,
  tariff: NEVER_ID,
  invoice: NEVER_ID,
  simulation: NEVER_ID,
  revision: NEVER_ID,
  draft: NEVER_ID,
  savedQuote: NEVER_ID,
  endpoint: NEVER_UUID,
  noticeEndpoint: NEVER_UUID,
  delivery: globalId('WebhookDelivery', NEVER_ID),
  apiKey: NEVER_UUID,
  event: globalId('TrackingEvent', NEVER_ID),
  orderNumber: 'NEVER-1',
  trackingNumber: 'NEVER2',
  marketplaceOrderNumber: 'NEVER-3',
  marketplace: 'NEVER',
  orderCursor: '',
  shipmentCursor: '',
  deliveryCursor: '',
  changeCursor: '',
  url: 'http://127.0.0.1:9/',
};

const DAY_MS = 86_400_000;
const time = (days: number) => new Date(Date.now() + days * DAY_MS).toISOString();

/** Values by the name of an argument or a field of an input; `owner.name` goes before the name alone. */
const NAMED: Readonly<Record<string, (ids: Ids) => unknown>> = {
  'warehouse.id': ids => ids.warehouse,
  'UpdateWarehouseInput.id': ids => ids.warehouse,
  'DeleteWarehouseInput.id': ids => ids.warehouse,
  'UpdateCarrierConnectionInput.id': ids => ids.connection,
  'DisconnectCarrierInput.id': ids => ids.connection,
  'TestCarrierConnectionInput.id': ids => ids.connection,
  'DeleteCarrierReferenceInput.id': () => globalId('CarrierReference', 'BRT.list.never'),
  'UpdateApiKeyInput.id': ids => ids.apiKey,
  'RotateApiKeyInput.id': ids => ids.apiKey,
  'RevokeApiKeyInput.id': ids => ids.apiKey,
  'tariff.id': ids => ids.tariff,
  'tariffSimulation.id': ids => ids.simulation,
  'DeleteTariffSimulationInput.id': ids => ids.simulation,
  'DeliveryPeriodInput.from': () => time(-7).slice(0, 10),
  'DeliveryPeriodInput.to': () => time(0).slice(0, 10),
  'SimulatedPeriodInput.from': () => time(-7).slice(0, 10),
  'SimulatedPeriodInput.to': () => time(0).slice(0, 10),
  tariffRevisionId: ids => ids.draft,
  'carrierInvoice.id': ids => ids.invoice,
  'carrierClaimsCsv.id': ids => ids.invoice,
  'RecheckCarrierInvoiceInput.id': ids => ids.invoice,
  'DeleteCarrierInvoiceInput.id': ids => ids.invoice,
  'ImportCarrierInvoiceInput.number': () => `F-${Math.random()}`,
  'CarrierInvoiceRowInput.date': () => time(-1).slice(0, 10),
  'ImportCarrierInvoiceInput.date': () => time(0).slice(0, 10),
  'CarrierChargeInput.kinds': () => ['BASE'],
  'tariffRevision.id': ids => ids.revision,
  'tariffDiff.from': ids => ids.revision,
  'tariffDiff.to': ids => ids.draft,
  'RollbackTariffInput.id': ids => ids.revision,
  'PublishTariffInput.id': ids => ids.draft,
  'DiscardTariffDraftInput.id': ids => ids.draft,
  'savedQuote.id': ids => ids.savedQuote,
  quoteId: ids => ids.savedQuote,
  revisions: ids => [ids.draft],
  publishDate: () => '2090-01-01',
  'webhookDelivery.id': ids => ids.delivery,
  'UpdateNoticeEndpointInput.id': ids => ids.noticeEndpoint,
  'DeleteNoticeEndpointInput.id': ids => ids.noticeEndpoint,
  'shipment.id': ids => ids.shipment,
  'OrderBy.id': ids => ids.order,
  'carrierConnection.id': ids => ids.connection,
  'node.id': ids => globalId('Warehouse', ids.warehouse),
  ids: ids => [globalId('Warehouse', ids.warehouse)],
  numbers: ids => [ids.trackingNumber],
  id: ids => ids.endpoint,
  endpointId: ids => ids.endpoint,
  deliveryId: ids => ids.delivery,
  apiKeyId: ids => ids.apiKey,
  carrierConnectionId: ids => ids.connection,
  carrierConnectionIds: ids => [ids.connection],
  warehouseId: ids => ids.warehouse,
  orderId: ids => ids.order,
  shipmentId: ids => ids.shipment,
  orderNumber: ids => ids.orderNumber,
  'trackingByOrderNumber.orderNumber': ids => ids.marketplaceOrderNumber,
  marketplaceOrderNumber: ids => ids.marketplaceOrderNumber,
  marketplace: ids => ids.marketplace,
  trackingNumber: ids => ids.trackingNumber,
  url: ids => ids.url,
  address: () => RECIPIENT.address,
  city: () => 'Milano',
  state: () => 'MI',
  provincia: () => 'MI',
  province: () => 'MI',
  country: () => 'IT',
  countryCode: () => 'IT',
  postalCode: () => '20121',
  zip: () => '20121',
  name: () => 'Nuovo',
  label: () => 'Nuovo',
  typeId: () => 4,
  carrierCode: () => 'BRT',
  environment: () => 'SANDBOX',
  events: () => ['TRACKING_ALL'],
  notices: () => ['NOTICE_ALL'],
  scopes: () => ['HEALTH_READ'],
  since: () => time(-1),
  until: () => time(0),
  occurredAt: () => time(-1),
  expiresAt: () => time(1),
  shipmentDate: () => time(0).slice(0, 10),
  'ShipmentInput.shippedAt': () => time(-1),
  'TrackingEventInput.statusCode': () => 'IN_TRANSIT',
  'RelatedShipmentInput.type': () => 'RETURN',
  'SendTestEventInput.type': () => 'TRACKING_IN_TRANSIT',
  overlapHours: () => 1,
  tariff: () => TARIFF,
  trackingUrl: () => 'https://127.0.0.1/',
  options: () => [],
  first: () => 10,
  last: () => 10,
  quantity: () => 1,
  parcelNumber: () => 1,
  parcelCount: () => 1,
};

/** Inputs whose fields depend on each other. */
const INPUTS: Readonly<Record<string, (ids: Ids) => Record<string, unknown>>> = {
  AddressCheckInput: () => ({ provincia: 'MI', zip: '20121' }),
  CreateWarehouseInput: () => ({ postalCode: '20121' }),
  DeliveryEstimateDestinationInput: () => ({ postalCode: '20121' }),
  DeliveryPeriodInput: () => ({ from: '2026-06-01', to: '2026-06-30' }),
  QuoteDestinationInput: () => ({ postalCode: '20121' }),
  RecipientInput: () => ({ postalCode: '20121' }),
  UpdateWarehouseInput: ids => ({ id: ids.warehouse, name: 'Cambiato' }),
  UpdateWebhookEndpointInput: ids => ({ id: ids.endpoint, label: 'Cambiato' }),
  UpdateNoticeEndpointInput: ids => ({ id: ids.noticeEndpoint, label: 'Cambiato' }),
  UpdateApiKeyInput: ids => ({ id: ids.apiKey, label: 'Cambiata' }),
  UpdateCarrierConnectionInput: ids => ({ id: ids.connection, label: 'Cambiato' }),
  CarrierCredentialsInput: () => ({ userId: 'utente', password: 'segreto', depot: '102', clientCode: '1020100' }),
};

/** The field that is sent of an input of which one is to be, unless one is chosen. */
const SENT_OF: Readonly<Record<string, (ids: Ids) => Record<string, unknown>>> = {
  QuotedShipmentInput: ids => ({
    totals: { warehouseId: ids.warehouse, destination: { ...PALERMO }, weight: '3', volume: '1000' },
  }),
  TableFileInput: ({ trackingNumber }) => ({ text: `tracking_number;base\n${trackingNumber};5,00\n` }),
};

/** Decides of an optional field or argument whether it is given. */
export type Choice = (owner: string, name: string) => boolean;

export const REQUIRED_ONLY: Choice = () => false;

/** A value that the rules of the domain take too, as far as a single value can tell. */
export function validValue(type: GraphQLInputType, owner: string, name: string, ids: Ids, choice: Choice): unknown {
  const named = NAMED[`${owner}.${name}`] ?? NAMED[name];
  if (named && !isInputObjectType(getNamedType(type))) return named(ids);
  if (isNonNullType(type)) return validValue(type.ofType, owner, name, ids, choice);
  if (isListType(type)) return [validValue(type.ofType, owner, name, ids, choice)];
  if (isInputObjectType(type)) {
    const fields = Object.values(type.getFields());
    if (type.isOneOf) {
      const chosen = fields.filter(field => choice(type.name, field.name));
      const sent = SENT_OF[type.name];
      if (sent && chosen.length === 0) return sent(ids);
      // A name that is also inside of another field is meant there.
      const outer = chosen.find(field => isInputObjectType(getNamedType(field.type)));
      const field = outer ?? chosen[0] ?? fields[0];
      if (!field) throw new Error(`${type.name} has no field`);
      return { [field.name]: validValue(field.type, type.name, field.name, ids, choice) };
    }
    const given = fields.filter(
      field => (isNonNullType(field.type) && field.defaultValue === undefined) || choice(type.name, field.name),
    );
    const value = given.map(field => [field.name, validValue(field.type, type.name, field.name, ids, choice)]);
    return { ...INPUTS[type.name]?.(ids), ...Object.fromEntries(value) };
  }
  if (isEnumType(type)) return type.getValues()[0]?.name;
  switch (type.name) {
    case 'Int':
      return 1;
    case 'Decimal':
      return '1.5';
    case 'Boolean':
      return true;
    case 'DateTime':
      return time(-1);
    default:
      return 'testo';
  }
}

/** Fields that take one of some arguments: that which is given, and those which are not. */
const ONE_OF: Readonly<Record<string, readonly [string, readonly string[]]>> = {
  shipments: ['first', ['last']],
  orders: ['first', ['last']],
  carrierInvoices: ['first', ['last']],
  lines: ['first', ['last']],
  findings: ['first', ['last']],
  deliveries: ['first', ['last']],
  savedQuotes: ['first', ['last']],
};

/** The arguments of a field: those it needs, and others as they are chosen. */
export function validArguments(field: Field, ids: Ids, choice: Choice = REQUIRED_ONLY): Record<string, unknown> {
  const [given, others] = ONE_OF[field.name] ?? [];
  return Object.fromEntries(
    field.args
      .filter(({ name }) => !others?.includes(name))
      .filter(
        ({ type, name, defaultValue }) =>
          (isNonNullType(type) && defaultValue === undefined) || name === given || choice(field.name, name),
      )
      .map(({ name, type }) => [name, validValue(type, field.name, name, ids, choice)]),
  );
}

/**
 * Valid arguments, but only one entry of each list: with everything inside, more would exceed the cost of a document.
 */
export function argumentsForOne(field: Field, ids: Ids): Record<string, unknown> {
  const isList = field.args.some(({ name }) => name === 'first');
  return { ...validArguments(field, ids), ...(isList && { first: 1 }) };
}

/** All that can be read of a type without arguments, so many levels deep; empty for a leaf. */
export function selectionOf(type: GraphQLOutputType, depth: number, isSelected: (field: Field) => boolean): string {
  const named = getNamedType(type);
  if (isLeafType(named)) return '';
  if (isAbstractType(named)) {
    // The ids that are sent here are warehouses', and all types together have fields of one name that differ.
    const possible = SDL.getPossibleTypes(named).filter(one => named.name !== 'Node' || one.name === 'Warehouse');
    const parts = possible.map(one => `... on ${one.name} ${selectionOf(one, depth, isSelected)}`);
    return `{ __typename ${parts.join(' ')} }`;
  }
  if (!isObjectType(named)) return '';
  const fields = Object.values(named.getFields())
    .filter(field => !field.args.some(({ type: of, defaultValue }) => isNonNullType(of) && defaultValue === undefined))
    .filter(isSelected)
    .flatMap(field => {
      if (isLeafType(getNamedType(field.type))) return [field.name];
      return depth > 0 ? [`${field.name} ${selectionOf(field.type, depth - 1, isSelected)}`] : [];
    });
  return `{ ${['__typename', ...fields].join(' ')} }`;
}

/** A document that asks for one root field, with its arguments as variables. */
export function documentOf(
  kind: Kind,
  field: Field,
  given: Record<string, unknown>,
  selection: string,
): { query: string; variables: Record<string, unknown> } {
  const args = field.args.filter(({ name }) => name in given);
  const declared = args.map(({ name, type }) => `$${name}: ${type}`).join(', ');
  const passed = args.map(({ name }) => `${name}: $${name}`).join(', ');
  const call = `${field.name}${passed && `(${passed})`} ${selection}`;
  return { query: `${kind} ${declared && `(${declared})`} { ${call} }`, variables: given };
}
