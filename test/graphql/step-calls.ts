import { ask, connectCarrier, type Item, shipment, upsertShipments } from '../support/platform-side.ts';
import type { Caller, World } from '../support/world.ts';

/** Events of a shipment by the minute, and the webhook events that they fire. */

export interface Fired {
  readonly type: string;
  readonly sequence: number;
  readonly data: {
    readonly status: string;
    readonly statusCode: string;
    readonly previousStatusCode: string;
    readonly shipmentDate: string | null;
    readonly deliveredDate: string | null;
    readonly timeline: readonly Shown[];
    readonly timelineTruncated?: true;
    readonly event: Shown;
  };
}

export interface Shown {
  readonly timestamp: string;
  readonly statusCode: string;
}

const START = Date.UTC(2026, 10, 20);

/** Minute `minute` of a day. */
export const at = (minute: number) => new Date(START + minute * 60_000).toISOString();

export const told = (minute: number, statusCode: string, fields: Item = {}): Item => ({
  trackingNumber: 'n',
  occurredAt: at(minute),
  statusCode,
  ...fields,
});

/** A company with a shipment `n`, and an endpoint. */
export async function company(
  world: World,
  { carrierCode = 'GLS', events = ['tracking.*'], fields = {} as Item } = {},
) {
  const caller = await world.company();
  const connection = await connectCarrier(caller, carrierCode);
  const { id } = await ask<{ id: string }>(
    caller,
    'mutation ($input: CreateWebhookEndpointInput!) { createWebhookEndpoint(input: $input) { webhookEndpoint { id } userErrors { code pointer message } } }',
    { input: { label: 'None', url: 'http://127.0.0.1:9/', events } },
  );
  await upsertShipments(caller, [shipment(connection, 'n', fields)]);
  return { caller, connection, endpointId: id };
}

/** The fired events of a shipment, in order. */
export async function fired(world: World, { companyId }: Caller, number = 'n'): Promise<Fired[]> {
  const { rows } = await world.pool.query<{ body: string }>(
    `select w.body from webhook_event w join shipment s on s.company_id = w.company_id and s.id = w.shipment_id
      where w.company_id = $1 and s.tracking_number = $2 order by w.sequence`,
    [companyId, number],
  );
  return rows.map(({ body }) => JSON.parse(body));
}

export const stepsOf = (events: readonly Fired[]) =>
  events.map(({ data }) => `${data.previousStatusCode} > ${data.statusCode} at ${data.event.timestamp}`);

/** The record as REST returns it. */
export const record = async ({ rest }: Caller, number = 'n') =>
  (await rest('GET', `/shipments/tracking/by-tracking-number/${number}`)).body;
