// Shipments as they are imported and tracked.
import { expect } from 'vitest';
import { ask, connectCarrier, listed, unseen } from '../support/platform-side.ts';
import { type Caller, useSharedWorld } from '../support/world.ts';

interface Shipment {
  readonly id: number;
  readonly trackingNumber: string;
  readonly updatedAt: string;
  readonly relatedShipments: { type: string; trackingNumber: string }[];
  readonly [field: string]: unknown;
}

const TRACK = `query ($number: String!) { trackingByNumber(trackingNumber: $number) {
  id: databaseId trackingNumber statusCode statusLabel statusAt shippedAt expectedDeliveryAt deliveredAt parcelCount weight volume
  trackingUrl reference parcelId orderNumber marketplaceOrderNumber order { orderNumber } warehouse { id: databaseId }
  carrierConnection { databaseId } carrier { code }
  recipient { companyName address postalCode city province countryCode country }
  timeline { nodes { id } } relatedShipments { nodes { type trackingNumber } } createdAt updatedAt
} }`;

export const track = (caller: Caller, number: string) => ask(caller, TRACK, { number }).then(listed<Shipment>);

/** Whether a number finds a shipment. */
export async function isFound(caller: Caller, number: string): Promise<boolean> {
  const { data, errors } = await caller.graphql(unseen(TRACK), { number });
  expect(errors).toBeUndefined();
  return data.trackingByNumber !== null;
}

export const FULL = {
  reference: 'REF 1',
  parcelId: 'P.1',
  labels: ['L1', 'L2'],
  parcelCount: 3,
  weight: '10.80',
  volume: 36_000,
  trackingUrl: 'https://tracking.example.com/?n=1',
  shippedAt: '2026-11-20T09:00:00+01:00',
  expectedDeliveryAt: '2026-11-22T00:00:00Z',
  relatedShipments: [{ trackingNumber: 'elsewhere', type: 'forward' }],
};

/** A world with companies that ship. */
export function useShipper() {
  const world = useSharedWorld();

  /** A company with a connection to BRT. */
  async function shipper(): Promise<{ caller: Caller; brt: number }> {
    const caller = await world.company();
    return { caller, brt: await connectCarrier(caller) };
  }

  return {
    world,
    shipper,
  };
}
