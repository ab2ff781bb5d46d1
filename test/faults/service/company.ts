import { SANDBOX_DEPOT } from '../../../src/sandbox/gls-stand-in.ts';
import { SANDBOX_ACCOUNT } from '../../../src/sandbox/scenarios.ts';
import { until } from '../../bench/until.ts';
import { TARIFF } from '../../rest/feed.ts';
import { RECIPIENT, WAREHOUSE } from '../../support/platform-side.ts';
import { ask } from '../change-readers.ts';

/** The base of the load: it exists before any fault, and stays. */
export interface Company {
  readonly companyId: string;
  readonly apiKey: string;
  readonly warehouse: number;
  /** A connection to a carrier that is not asked, with a tariff. */
  readonly connection: number;
  /** A connection to a carrier in the sandbox that checks addresses. */
  readonly sandbox: number;
  readonly order: number;
  readonly orderNumber: string;
  readonly shipment: number;
  readonly trackingNumber: string;
  /** Gets every event, at the receiver that does not fail. */
  readonly endpoint: string;
  readonly delivery: string;
}

export const SANDBOX_CREDENTIALS = {
  depot: SANDBOX_DEPOT,
  clientCode: SANDBOX_ACCOUNT,
  contractCode: SANDBOX_ACCOUNT,
  password: SANDBOX_ACCOUNT,
};

const ORDER = 'STABLE-1';
const MARKETPLACE_ORDER = '405-1';
const SHIPMENT = 'STABLE2';

export async function prepareCompany(
  url: string,
  { companyId, apiKey }: { companyId: string; apiKey: string },
  receiverUrl: string,
): Promise<Company> {
  // biome-ignore lint/suspicious/noExplicitAny: the payload of any mutation
  const mutate = async (mutation: string, input: object, reads: string): Promise<any> => {
    const type = `${mutation[0]?.toUpperCase()}${mutation.slice(1)}Input`;
    const query = `mutation ($input: ${type}!) { ${mutation}(input: $input) { ${reads} userErrors { message } } }`;
    const data = await ask<Record<string, { userErrors: { message: string }[] }>>({ urls: [url], apiKey }, query, {
      input,
    });
    const payload = data[mutation];
    if (!payload || payload.userErrors[0]) throw new Error(`${mutation}: ${payload?.userErrors[0]?.message}`);
    return payload;
  };
  const { warehouse } = await mutate('createWarehouse', WAREHOUSE, 'warehouse { databaseId }');
  const connect = async (input: object): Promise<number> =>
    (await mutate('connectCarrier', input, 'carrierConnection { databaseId }')).carrierConnection.databaseId;
  const connection = await connect({ carrierCode: 'POSTE', label: 'Stable' });
  const credentials = SANDBOX_CREDENTIALS;
  const sandbox = await connect({ carrierCode: 'GLS', label: 'Sandbox', credentials });
  await mutate('importTariff', { carrierConnectionId: connection, tariff: TARIFF }, 'tariff { databaseId }');
  const endpoint = { label: 'Stable', url: receiverUrl, events: ['TRACKING_ALL'] };
  const { webhookEndpoint } = await mutate('createWebhookEndpoint', endpoint, 'webhookEndpoint { id }');
  const ids = 'results { id: databaseId }';
  const orders = [{ orderNumber: ORDER, marketplaceOrderNumber: MARKETPLACE_ORDER, recipient: RECIPIENT }];
  const order = await mutate('upsertOrders', { orders }, ids);
  const shipments = [{ carrierConnectionId: connection, trackingNumber: SHIPMENT, orderNumber: ORDER }];
  const shipment = await mutate('upsertShipments', { shipments }, ids);
  const at = new Date(Date.now() - 3_600_000).toISOString();
  await mutate(
    'recordTrackingEvents',
    { events: [{ trackingNumber: SHIPMENT, occurredAt: at, statusCode: 'SHIPPED' }] },
    'rejected',
  );
  const { webhookEndpoint: sent } = await until(
    () =>
      ask<{ webhookEndpoint: { deliveries: { nodes: { id: string; status: string }[] } } }>(
        { urls: [url], apiKey },
        'query ($id: ID!) { webhookEndpoint(id: $id) { deliveries { nodes { id status } } } }',
        { id: webhookEndpoint.id },
      ),
    seen => seen.webhookEndpoint.deliveries.nodes[0]?.status === 'SUCCESS',
  );
  return {
    companyId,
    apiKey,
    connection,
    sandbox,
    orderNumber: MARKETPLACE_ORDER,
    trackingNumber: SHIPMENT,
    warehouse: warehouse.databaseId,
    order: Number(order.results[0].id),
    shipment: Number(shipment.results[0].id),
    endpoint: webhookEndpoint.id,
    delivery: sent.deliveries.nodes[0]?.id ?? '',
  };
}
