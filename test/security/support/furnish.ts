import { until } from '../../bench/until.ts';
import { importTariff, TARIFF } from '../../rest/feed.ts';
import { italianDay, PALERMO } from '../../rest/tariffs.ts';
import type { Payload } from '../../support/graphql-client.ts';
import {
  createWarehouse,
  feedEvents,
  feedOrders,
  feedShipments,
  RECIPIENT,
  WAREHOUSE,
} from '../../support/platform-side.ts';
import type { Caller } from '../../support/world.ts';
import type { Ids } from './sdl.ts';
import type { SecurityWorld } from './world.ts';

const CONNECT =
  'mutation ($input: ConnectCarrierInput!) { connectCarrier(input: $input) { carrierConnection { databaseId } userErrors { code pointer message } } }';
const CREATE_KEY =
  'mutation ($input: CreateApiKeyInput!) { createApiKey(input: $input) { key { apiKeyId: id } userErrors { code pointer message } } }';
const DRAFT =
  'mutation ($input: CreateTariffDraftInput!) { createTariffDraft(input: $input) { tariffRevision { databaseId } userErrors { code pointer message } } }';
const SAVE_QUOTE =
  'mutation ($input: SaveQuoteInput!) { saveQuote(input: $input) { savedQuote { databaseId tariffRevision { databaseId } } userErrors { code pointer message } } }';
const CREATE_NOTICE =
  'mutation ($input: CreateNoticeEndpointInput!) { createNoticeEndpoint(input: $input) { webhookEndpoint { id } userErrors { code pointer message } } }';
const FOUND = `query ($tracking: String!, $endpoint: ID!) {
  trackingByNumber(trackingNumber: $tracking) { id: databaseId timeline { nodes { id } } }
  orders { edges { cursor } }
  shipments { edges { cursor } }
  changeLog { cursor }
  webhookEndpoint(id: $endpoint) { deliveries { edges { cursor node { id status } } } }
}`;

interface Found {
  readonly trackingByNumber: { id: number; timeline: { nodes: { id: string }[] } };
  readonly orders: { edges: { cursor: string }[] };
  readonly shipments: { edges: { cursor: string }[] };
  readonly changeLog: { cursor: string };
  readonly webhookEndpoint: { deliveries: { edges: { cursor: string; node: { id: string; status: string } }[] } };
}

async function must<Data>({ graphql }: Caller, query: string, variables: Record<string, unknown>): Promise<Data> {
  const { data, errors } = await graphql<Data>(query, variables);
  const wrong = errors ?? Object.values(data as object).flatMap(value => (value as Partial<Payload>)?.userErrors ?? []);
  if (wrong.length > 0) throw new Error(`The company cannot be furnished: ${JSON.stringify(wrong)}`);
  return data;
}

const INVOICE =
  'mutation ($input: ImportCarrierInvoiceInput!) { importCarrierInvoice(input: $input) { carrierInvoice { databaseId } userErrors { code pointer message } } }';

const SIMULATE =
  'mutation ($input: SimulateTariffsInput!) { simulateTariffs(input: $input) { simulation { databaseId } userErrors { code pointer message } } }';
const PLACES =
  'mutation ($input: ReplacePlaceListInput!) { replacePlaceList(input: $input) { carrierReference { id } userErrors { code pointer message } } }';
const TEST = 'mutation ($input: TestCarrierConnectionInput!) { testCarrierConnection(input: $input) { outcome } }';
const CALLS = '{ carrierCalls(first: 1) { nodes { id } } }';
const dayBefore = (days: number) => italianDay(-days);

let furnished = 0;

/**
 * Gives a company one of everything. `mark` is in every text that is only its own; the numbers by which things are
 * found have none of it, since a caller who guesses them gets them back.
 */
export async function furnishAll(
  world: Pick<SecurityWorld, 'database'>,
  caller: Caller,
  receiverUrl: string,
  mark = 'Contenuto',
): Promise<Ids> {
  const number = `N${++furnished}X`;
  const text = `${mark} ${number}`;
  const recipient = { ...RECIPIENT, companyName: text, address: text, email: `${mark}@example.com`, telephone: mark };
  const isSandbox = caller.apiKey.startsWith('sk_test_');
  const warehouse = await createWarehouse(caller, { name: text, address: text });
  const { connectCarrier } = await must<{ connectCarrier: { carrierConnection: { databaseId: number } } }>(
    caller,
    CONNECT,
    {
      // A live one without credentials, since nobody is to be asked outside of this machine.
      input: {
        carrierCode: 'BRT',
        label: text,
        ...(isSandbox && { credentials: { userId: mark, password: mark, depot: '102', clientCode: mark } }),
      },
    },
  );
  const connection = connectCarrier.carrierConnection.databaseId;
  // Nobody may be there: the call is recorded all the same, a moment later.
  await must(caller, TEST, { input: { id: String(connection) } });
  if (isSandbox)
    await until(
      () => must<{ carrierCalls: { nodes: readonly unknown[] } }>(caller, CALLS, {}),
      ({ carrierCalls }) => carrierCalls.nodes.length > 0,
      { timeoutMs: 30_000 },
    );
  const tariff = await importTariff(caller, connection, { ...TARIFF, name: text });
  await must(caller, PLACES, {
    input: { carrierCode: 'BRT', name: `lista_${number.toLowerCase()}`, places: { postalCodes: ['90010'] } },
  });
  const { createTariffDraft } = await must<{ createTariffDraft: { tariffRevision: { databaseId: number } } }>(
    caller,
    DRAFT,
    { input: { carrierConnectionId: connection, tariff: { ...TARIFF, name: text } } },
  );
  const { saveQuote } = await must<{
    saveQuote: { savedQuote: { databaseId: number; tariffRevision: { databaseId: number } } };
  }>(caller, SAVE_QUOTE, {
    input: {
      carrierConnectionId: connection,
      quote: {
        shipment: { totals: { warehouseId: warehouse, destination: PALERMO, weight: '3', volume: '1000' } },
      },
    },
  });
  const { databaseId: savedQuote, tariffRevision } = saveQuote.savedQuote;
  const numbers = { orderNumber: `O-${number}`, marketplace: `M-${number}`, marketplaceOrderNumber: `MN-${number}` };
  const [order = 0] = await feedOrders(caller, {
    ...numbers,
    marketplaceOrderId: `MI-${number}`,
    warehouseId: warehouse,
    recipient,
    service: `S-${number}`,
    parcels: [{ weight: 4, length: 40, width: 30, height: 30, pallet: { type: `P-${number}` } }],
  });
  const trackingNumber = `T${number}`;
  await feedShipments(
    caller,
    connection,
    { trackingNumber: `R${number}`, recipient },
    {
      trackingNumber,
      orderNumber: numbers.orderNumber,
      warehouseId: warehouse,
      recipient,
      quoteId: savedQuote,
      labels: [`L${number}`],
      reference: `REF${number}`,
      parcelId: `P${number}`,
      relatedShipments: [{ trackingNumber: `R${number}`, type: 'return' }],
    },
  );
  const invoice = await must<{ importCarrierInvoice: { carrierInvoice: { databaseId: number } } }>(caller, INVOICE, {
    input: {
      carrierConnectionId: connection,
      number: text,
      // Open claims are listed by default from 60 days after the invoice.
      date: '2026-01-31',
      mapping: { name: 'PLAIN' },
      source: { file: { text: `tracking_number;base;zone;service\n${trackingNumber};999,00;${text};S-${number}\n` } },
      terms: { palletType: `P-${number}` },
    },
  });
  const { simulateTariffs } = await must<{ simulateTariffs: { simulation: { databaseId: number } } }>(
    caller,
    SIMULATE,
    {
      input: {
        period: { from: dayBefore(7), to: dayBefore(0) },
        tariffs: [
          { tariff: { carrierConnectionId: connection } },
          { tariff: { tariffRevisionId: createTariffDraft.tariffRevision.databaseId } },
        ],
      },
    },
  );
  const webhook = await caller.rest('POST', '/webhooks', {
    label: text,
    url: `${receiverUrl}/${mark}`,
    events: ['tracking.*'],
  });
  const endpoint = webhook.body.id as string;
  const { createNoticeEndpoint } = await must<{ createNoticeEndpoint: { webhookEndpoint: { id: string } } }>(
    caller,
    CREATE_NOTICE,
    { input: { label: text, url: `${receiverUrl}/${mark}/notices`, notices: ['notice.*'] } },
  );
  const noticeEndpoint = createNoticeEndpoint.webhookEndpoint.id;
  await caller.rest('POST', '/warehouses', { ...WAREHOUSE, name: text }, { 'idempotency-key': `key-${number}` });
  await feedEvents(caller, {
    trackingNumber,
    occurredAt: new Date(Date.now() - 3_600_000).toISOString(),
    statusCode: 'in_transit',
    description: text,
    location: text,
    note: text,
  });
  // A delivery, which the scorecard counts.
  await feedEvents(caller, {
    trackingNumber: `R${number}`,
    occurredAt: new Date(Date.now() - 3_600_000).toISOString(),
    statusCode: 'delivered',
  });
  const { createApiKey } = await must<{ createApiKey: { key: { apiKeyId: string } } }>(caller, CREATE_KEY, {
    input: { label: text, scopes: ['health:read'] },
  });
  const found = await until(
    () => must<Found>(caller, FOUND, { tracking: trackingNumber, endpoint }),
    ({ webhookEndpoint: { deliveries } }) => deliveries.edges[0]?.node.status === 'success',
    { timeoutMs: 30_000 },
  );
  await world.database.pool.query(
    'update shipment set delay_told_at = now(), stall_told_at = now() where company_id = $1',
    [caller.companyId],
  );
  // The rows that the nightly job writes once promises are due.
  await world.database.pool.query(
    `insert into promise_accuracy (company_id, carrier_connection_id, level, share, promised, kept) values ($1, $2, 0, 0.8, 10, 8)`,
    [caller.companyId, connection],
  );
  const [delivery] = found.webhookEndpoint.deliveries.edges;
  return {
    warehouse,
    connection,
    order,
    shipment: found.trackingByNumber.id,
    tariff,
    endpoint,
    noticeEndpoint,
    simulation: simulateTariffs.simulation.databaseId,
    invoice: invoice.importCarrierInvoice.carrierInvoice.databaseId,
    revision: tariffRevision.databaseId,
    draft: createTariffDraft.tariffRevision.databaseId,
    savedQuote,
    delivery: delivery?.node.id ?? '',
    apiKey: createApiKey.key.apiKeyId,
    event: found.trackingByNumber.timeline.nodes[0]?.id ?? '',
    ...numbers,
    trackingNumber,
    orderCursor: found.orders.edges[0]?.cursor ?? '',
    shipmentCursor: found.shipments.edges[0]?.cursor ?? '',
    deliveryCursor: delivery?.cursor ?? '',
    changeCursor: found.changeLog.cursor,
    url: `${receiverUrl}/`,
  };
}
