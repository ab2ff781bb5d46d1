// Requests to the graph as they go over HTTP, with errors as they come back.
import { beforeAll } from 'vitest';
import { withoutCost } from '../support/graphql-client.ts';
import {
  connectCarrier,
  createWarehouse,
  type Item,
  order,
  recordEvents,
  shipment,
  upsertOrders,
  upsertShipments,
} from '../support/platform-side.ts';
import { type Caller, useSharedWorld } from '../support/world.ts';

interface GraphError {
  message: string;
  path?: (string | number)[];
  locations?: unknown;
  extensions: { code: string; status: number; requestId: string; requiredScope?: string; [member: string]: unknown };
}

export interface Reply {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  readonly body: { data?: Item | null; errors?: GraphError[] } & Item;
}

export async function reply(response: Promise<Response>): Promise<Reply> {
  const { status, headers, ...rest } = await response.then(async answer => ({
    status: answer.status,
    headers: answer.headers,
    text: withoutCost(await answer.text()),
  }));
  const body = /json/.test(headers.get('content-type') ?? '') ? JSON.parse(rest.text) : undefined;
  return { status, headers, text: rest.text, body };
}

export const NOT_FOUND = 'query ($number: String!) { trackingByNumber(trackingNumber: $number) { id: databaseId } }';

/** A company with orders and shipments, and requests to its graph. */
export function useGraph() {
  const world = useSharedWorld();

  /** A POST as it is: `body` is sent as JSON unless it is text. */
  function post(
    { apiKey }: Pick<Caller, 'apiKey'>,
    body: unknown,
    headers: Record<string, string> = {},
  ): Promise<Reply> {
    return reply(
      fetch(`${world.app.url}/graphql`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'x-api-key': apiKey, ...headers },
        body: typeof body === 'string' ? body : JSON.stringify(body),
      }),
    );
  }

  function get(
    { apiKey }: Pick<Caller, 'apiKey'>,
    params: Record<string, string>,
    headers: Record<string, string> = {},
  ) {
    const search = new URLSearchParams(params);
    return reply(fetch(`${world.app.url}/graphql?${search}`, { headers: { 'x-api-key': apiKey, ...headers } }));
  }

  /** A company with a delivered shipment of two events and its order, a return of it, and one without anything. */
  let caller: Caller;

  beforeAll(async () => {
    caller = await world.company();
    const connection = await connectCarrier(caller, 'GLS');
    const warehouseId = await createWarehouse(caller);
    await upsertOrders(caller, [
      order('o-1', {
        warehouseId,
        marketplace: 'Amazon',
        marketplaceOrderNumber: '405-1',
        parcels: [{ weight: '10.80' }],
      }),
    ]);
    const dates = { shippedAt: '2026-11-20T09:00:00+01:00', expectedDeliveryAt: '2026-11-22T00:00:00Z' };
    await upsertShipments(caller, [
      {
        carrierConnectionId: connection,
        trackingNumber: 'n1',
        orderNumber: 'o-1',
        warehouseId,
        weight: '10.80',
        volume: 36_000,
        parcelCount: 2,
        trackingUrl: 'https://example.com/n1',
        relatedShipments: [{ trackingNumber: 'n2', type: 'return' }],
        ...dates,
      },
      shipment(connection, 'n2', { orderNumber: 'o-1' }),
      shipment(connection, 'n3'),
    ]);
    const told = { trackingNumber: 'n1', location: 'Milano' };
    await recordEvents(caller, [
      { ...told, occurredAt: '2026-11-21T08:00:00Z', carrierStatusCode: '905', description: 'IN CONSEGNA' },
      {
        ...told,
        occurredAt: '2026-11-21T11:00:00Z',
        carrierStatusCode: '906',
        description: 'CONSEGNATA',
        note: 'Firma',
      },
    ]);
  });

  return {
    world,
    post,
    get,
    get caller() {
      return caller;
    },
  };
}
