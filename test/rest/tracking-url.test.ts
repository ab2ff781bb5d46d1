import { expect, test } from 'vitest';
import { createWebhook } from '../jobs/webhooks.ts';
import { ask, connectCarrier, feedEvents, feedOrders, feedShipments } from '../support/platform-side.ts';
import { REACHABLE, startReceiver } from '../support/receiver.ts';
import { useWorld } from '../support/world.ts';

const world = useWorld(REACHABLE);

const GLS = 'https://gls-group.com/IT/it/servizi-online/ricerca-spedizioni/?match=M1610%2F45%266789&type=NAT';
const OWN = 'https://shop.example.com/track/1';

test.each([
  ['is the carrier’s public page for the number, as carriers write it', 'GLS', 'mul m1610/45&.67 89', {}, GLS],
  ['is the platform’s where it gives one', 'GLS', 'M1610456789', { trackingUrl: OWN }, OWN],
  ['is null where the carrier has no page by number', 'FERCAM', '123456', {}, null],
])(
  'The field trackingUrl %s, in REST, GraphQL and webhooks alike',
  async (_, carrierCode, trackingNumber, fields, url) => {
    const caller = await world.company();
    const receiver = await startReceiver();
    try {
      await createWebhook(caller, receiver.url);
      const connection = await connectCarrier(caller, carrierCode);
      await feedOrders(caller, { orderNumber: 'O1', marketplaceOrderNumber: 'M1' });
      await feedShipments(caller, connection, { trackingNumber, orderNumber: 'O1', ...fields });
      const number = encodeURIComponent(trackingNumber);
      const { body } = await caller.rest('GET', `/shipments/tracking/by-tracking-number/${number}`);
      expect(body.trackingUrl).toBe(url);
      const ofOrder = await caller.rest('GET', '/shipments/tracking/by-order-number/M1');
      expect(ofOrder.body).toMatchObject([{ trackingUrl: url }]);
      const { edges } = await ask<{ edges: unknown[] }>(caller, '{ shipments { edges { node { trackingUrl } } } }');
      expect(edges).toEqual([{ node: { trackingUrl: url } }]);
      await feedEvents(caller, { trackingNumber, occurredAt: '2026-11-20T10:00:00Z', statusCode: 'shipped' });
      const [event] = await receiver.waitFor(1);
      expect(event?.json.data.trackingUrl).toBe(url);
    } finally {
      await receiver.close();
    }
  },
);
