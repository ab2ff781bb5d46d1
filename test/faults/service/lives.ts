import { TARIFF } from '../../rest/feed.ts';
import { PALERMO } from '../../rest/tariffs.ts';
import { WAREHOUSE } from '../../support/platform-side.ts';
import type { Company } from './company.ts';
import type { RecordKind } from './ledger.ts';

/** The values that the steps of a life have collected: unique names, and returned ids. */
export interface Known {
  /** Unique among all lives; the same where it is a number. */
  readonly token: string;
  readonly number: number;
  /** Records of the company that exist all the time. */
  readonly company: Company;
  readonly [name: string]: unknown;
}

export interface Step {
  readonly mutation: string;
  readonly input: (known: Known) => object;
  /** The fields that are read from the payload. */
  readonly reads?: string;
  /** The values from the payload, by the names that later steps use. */
  // biome-ignore lint/suspicious/noExplicitAny: the payload of any mutation
  readonly learns?: (payload: any) => Record<string, unknown>;
  /** Records that must look so afterwards. */
  readonly leaves?: (known: Known) => readonly (readonly [kind: RecordKind, token: string, ...states: string[]])[];
  /** It is carried out each time it is sent, also under one `Idempotency-Key`. */
  readonly changesNothing?: true;
  /** Codes of errors that are expected as well. */
  readonly accepts?: readonly string[];
}

/** Not far in the past, so that tariffs of today are in force. */
const today = () => new Date().toISOString().slice(0, 10);
const tariffNamed = (name: string) => ({ ...TARIFF, name });
const revision = 'tariffRevision { databaseId }';
// biome-ignore lint/suspicious/noExplicitAny: the payload of any mutation
const learnRevision = (name: string) => (payload: any) => ({ [name]: payload.tariffRevision.databaseId });

const warehouse: readonly Step[] = [
  {
    mutation: 'createWarehouse',
    input: ({ token }) => ({ ...WAREHOUSE, name: token, address: 'Via Prima 1' }),
    reads: 'warehouse { databaseId }',
    learns: ({ warehouse: { databaseId } }) => ({ id: databaseId }),
    leaves: ({ token }) => [['warehouse', token, 'Via Prima 1']],
  },
  {
    mutation: 'updateWarehouse',
    input: ({ id }) => ({ id, address: 'Via Seconda 2' }),
    leaves: ({ token }) => [['warehouse', token, 'Via Seconda 2']],
  },
  { mutation: 'deleteWarehouse', input: ({ id }) => ({ id }), leaves: ({ token }) => [['warehouse', token]] },
];

const apiKey: readonly Step[] = [
  {
    mutation: 'createApiKey',
    input: ({ token }) => ({ label: token, scopes: ['HEALTH_READ'] }),
    reads: 'key { id }',
    learns: ({ key: { id } }) => ({ id }),
    leaves: ({ token }) => [['API key', token, 'active']],
  },
  { mutation: 'updateApiKey', input: ({ id }) => ({ id, rates: { reads: 60 } }) },
  {
    mutation: 'rotateApiKey',
    input: ({ id }) => ({ id, overlapHours: 1 }),
    reads: 'key { id }',
    learns: ({ key: { id } }) => ({ newId: id }),
    leaves: ({ token }) => [['API key', token, 'active', 'active']],
  },
  {
    mutation: 'revokeApiKey',
    input: ({ id }) => ({ id }),
    leaves: ({ token }) => [['API key', token, 'active', 'revoked']],
  },
  {
    mutation: 'revokeApiKey',
    input: ({ newId }) => ({ id: newId }),
    leaves: ({ token }) => [['API key', token, 'revoked', 'revoked']],
  },
];

/** Its events are never sent to it: the state of a shipment that the load does not use. */
const endpoint: readonly Step[] = [
  {
    mutation: 'createWebhookEndpoint',
    input: ({ token }) => ({ label: token, url: 'http://127.0.0.1:9/', events: ['TRACKING_DELIVERED'] }),
    reads: 'webhookEndpoint { id }',
    learns: ({ webhookEndpoint: { id } }) => ({ id }),
    leaves: ({ token }) => [['endpoint', token, 'active']],
  },
  { mutation: 'updateWebhookEndpoint', input: ({ id }) => ({ id, url: 'http://127.0.0.1:9/changed' }) },
  {
    mutation: 'pauseWebhookEndpoint',
    input: ({ id }) => ({ id }),
    leaves: ({ token }) => [['endpoint', token, 'paused']],
  },
  {
    mutation: 'resumeWebhookEndpoint',
    input: ({ id }) => ({ id }),
    leaves: ({ token }) => [['endpoint', token, 'active']],
  },
  { mutation: 'rotateWebhookSecret', input: ({ id }) => ({ id }) },
  {
    mutation: 'deleteWebhookEndpoint',
    input: ({ id }) => ({ id }),
    leaves: ({ token }) => [['endpoint', token, 'deleted']],
  },
];

/** The endpoint is for a notice that does not occur here. */
const noticeEndpoint: readonly Step[] = [
  {
    mutation: 'createNoticeEndpoint',
    input: ({ token }) => ({ label: token, url: 'http://127.0.0.1:9/', notices: ['NOTICE_TARIFF_ENDING'] }),
    reads: 'webhookEndpoint { id }',
    learns: ({ webhookEndpoint: { id } }) => ({ id }),
    leaves: ({ token }) => [['endpoint', token, 'active']],
  },
  { mutation: 'updateNoticeEndpoint', input: ({ id }) => ({ id, url: 'http://127.0.0.1:9/changed' }) },
  {
    mutation: 'deleteNoticeEndpoint',
    input: ({ id }) => ({ id }),
    leaves: ({ token }) => [['endpoint', token, 'deleted']],
  },
];

const account: readonly Step[] = [
  {
    mutation: 'connectCarrier',
    input: ({ token }) => ({ carrierCode: 'POSTE', label: token }),
    reads: 'carrierConnection { databaseId }',
    learns: ({ carrierConnection: { databaseId } }) => ({ carrierConnectionId: databaseId }),
    leaves: ({ token }) => [['connection', token, 'active']],
  },
  {
    mutation: 'importTariff',
    input: ({ carrierConnectionId, token }) => ({ carrierConnectionId, tariff: tariffNamed(`${token}-a`) }),
    reads: revision,
    learns: learnRevision('first'),
    leaves: ({ token }) => [['revision', `${token}-a`, 'published']],
  },
  {
    mutation: 'createTariffDraft',
    input: ({ carrierConnectionId, token }) => ({ carrierConnectionId, tariff: tariffNamed(`${token}-b`) }),
    reads: revision,
    learns: learnRevision('draft'),
    leaves: ({ token }) => [['revision', `${token}-b`, 'draft']],
  },
  {
    mutation: 'publishTariff',
    input: ({ draft }) => ({ id: draft }),
    leaves: ({ token }) => [['revision', `${token}-b`, 'published']],
  },
  {
    mutation: 'rollbackTariff',
    input: ({ first, token }) => ({ id: first, name: `${token}-c` }),
    leaves: ({ token }) => [['revision', `${token}-c`, 'published']],
  },
  {
    mutation: 'createTariffDraft',
    input: ({ carrierConnectionId, token }) => ({ carrierConnectionId, tariff: tariffNamed(`${token}-d`) }),
    reads: revision,
    learns: learnRevision('discarded'),
    leaves: ({ token }) => [['revision', `${token}-d`, 'draft']],
  },
  {
    mutation: 'importTariffWorkbook',
    input: ({ carrierConnectionId }) => ({ carrierConnectionId, file: { text: 'a;b' }, dryRun: true }),
    reads: revision,
    accepts: ['invalid_text'],
  },
  {
    mutation: 'discardTariffDraft',
    input: ({ discarded }) => ({ id: discarded }),
    leaves: ({ token }) => [['revision', `${token}-d`]],
  },
  {
    mutation: 'saveQuote',
    input: ({ carrierConnectionId, company: { warehouse }, number }) => ({
      carrierConnectionId,
      quote: {
        shipment: { totals: { warehouseId: warehouse, destination: PALERMO, weight: '3', volume: String(number) } },
      },
    }),
    leaves: ({ token }) => [['saved quote', token, 'saved']],
  },
  {
    mutation: 'importCarrierInvoice',
    input: ({ carrierConnectionId, token }) => ({
      carrierConnectionId,
      number: token,
      date: today(),
      mapping: { name: 'PLAIN' },
      source: { file: { text: `tracking_number;base\n${token};5,00\n` } },
    }),
    reads: 'carrierInvoice { databaseId }',
    learns: ({ carrierInvoice: { databaseId } }) => ({ invoice: databaseId }),
    leaves: ({ token }) => [['invoice', token, '1']],
  },
  {
    mutation: 'recheckCarrierInvoice',
    input: ({ invoice }) => ({ id: invoice }),
    leaves: ({ token }) => [['invoice', token, '2']],
  },
  {
    mutation: 'deleteCarrierInvoice',
    input: ({ invoice }) => ({ id: invoice }),
    leaves: ({ token }) => [['invoice', token]],
  },
  {
    mutation: 'simulateTariffs',
    input: ({ carrierConnectionId, number }) => ({
      period: { from: today(), to: today() },
      filter: { carrierConnectionId },
      tariffs: [{ tariff: { carrierConnectionId } }],
      monthlyShipments: number,
    }),
    reads: 'simulation { databaseId }',
    learns: ({ simulation: { databaseId } }) => ({ simulation: databaseId }),
    leaves: ({ token }) => [['simulation', token, 'kept']],
  },
  {
    mutation: 'deleteTariffSimulation',
    input: ({ simulation }) => ({ id: simulation }),
    leaves: ({ token }) => [['simulation', token]],
  },
  {
    mutation: 'updateCarrierConnection',
    input: ({ carrierConnectionId }) => ({ id: carrierConnectionId, isActive: false }),
    leaves: ({ token }) => [['connection', token, 'inactive']],
  },
  {
    mutation: 'testCarrierConnection',
    input: ({ carrierConnectionId }) => ({ id: carrierConnectionId }),
    reads: 'outcome',
    changesNothing: true,
  },
  {
    mutation: 'disconnectCarrier',
    input: ({ carrierConnectionId }) => ({ id: carrierConnectionId }),
    leaves: ({ token }) => [['connection', token, 'disconnected']],
  },
];

const reference: readonly Step[] = [
  {
    mutation: 'replacePlaceList',
    input: ({ token }) => ({ carrierCode: 'POSTE', name: token.toLowerCase(), places: { postalCodes: ['90139'] } }),
    reads: 'carrierReference { id }',
    learns: ({ carrierReference: { id } }) => ({ id }),
    leaves: ({ token }) => [['reference', token.toLowerCase(), 'list']],
  },
  {
    mutation: 'deleteCarrierReference',
    input: ({ id }) => ({ id }),
    leaves: ({ token }) => [['reference', token.toLowerCase()]],
  },
  {
    mutation: 'importFuelIndex',
    input: ({ token }) => ({
      carrierCode: 'POSTE',
      name: token.toLowerCase(),
      rates: [{ from: '2026-01', percent: '8.5' }],
    }),
    reads: 'carrierReference { id }',
    learns: ({ carrierReference: { id } }) => ({ id }),
    leaves: ({ token }) => [['reference', token.toLowerCase(), 'index']],
  },
  {
    mutation: 'deleteCarrierReference',
    input: ({ id }) => ({ id }),
    leaves: ({ token }) => [['reference', token.toLowerCase()]],
  },
];

/** A call without a record of its own: with a key, a repetition must get an equal response. */
const orders: readonly Step[] = [
  { mutation: 'sendTestEvent', input: ({ company }) => ({ endpointId: company.endpoint }) },
  { mutation: 'redeliver', input: ({ company }) => ({ deliveryId: company.delivery }) },
  {
    mutation: 'replayDeliveries',
    input: ({ company }) => ({
      endpointId: company.endpoint,
      since: '2020-01-01T00:00:00Z',
      until: '2020-01-02T00:00:00Z',
    }),
    reads: 'count',
  },
  {
    mutation: 'refreshTracking',
    input: ({ company }) => ({ shipmentId: company.shipment }),
    accepts: ['carrier_not_asked'],
  },
  {
    mutation: 'importOrders',
    input: () => ({
      file: { text: 'Numero ordine;Indirizzo;CAP;Città\nFILE-1;Via Roma 1;10121;Torino\n' },
      dryRun: true,
    }),
    reads: 'rejected',
  },
  {
    mutation: 'setDefaultParcel',
    input: () => ({ parcel: { length: '40', width: '30', height: '20' } }),
    reads: 'defaultParcel { length }',
  },
];

/** These are sent in batches, and without keys. */
export const BATCHES = ['upsertOrders', 'upsertShipments', 'recordTrackingEvents'] as const;

/** Each mutation of the graph that is not sent in batches, in the order in which a platform would use it. */
export const LIVES: readonly (readonly Step[])[] = [
  warehouse,
  apiKey,
  endpoint,
  noticeEndpoint,
  account,
  reference,
  orders,
];
