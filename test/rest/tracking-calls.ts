// Requests for tracking records.
import { beforeAll } from 'vitest';
import { connectCarrier } from '../support/platform-side.ts';
import { type Caller, useSharedWorld } from '../support/world.ts';

export const RECORD_KEYS = [
  'trackingNumber',
  'status',
  'shipmentDate',
  'expectedDeliveryDate',
  'deliveredDate',
  'parcelNumber',
  'weight',
  'volume',
  'trackingUrl',
  'orderNumber',
  'marketplaceOrderNumber',
  'carrier',
  'recipient',
  'timeline',
].toSorted();
export const keys = (value: object) => Object.keys(value).toSorted();

/** A company that ships by BRT. */
export function useTracking() {
  const world = useSharedWorld();
  let caller: Caller;
  let brt: number;
  beforeAll(async () => {
    caller = await world.company();
    brt = await connectCarrier(caller, 'BRT');
  });

  const byNumber = (number: string, by: Caller = caller) =>
    by.rest('GET', `/shipments/tracking/by-tracking-number/${encodeURIComponent(number)}`);
  const byOrder = (number: string, by: Caller = caller) =>
    by.rest('GET', `/shipments/tracking/by-order-number/${encodeURIComponent(number)}`);

  /** A company of its own with one connection, for numbers that would match numbers of other tests. */
  async function own() {
    const by = await world.company();
    return { by, brt: await connectCarrier(by, 'BRT'), gls: await connectCarrier(by, 'GLS') };
  }

  return {
    world,
    get caller() {
      return caller;
    },
    get brt() {
      return brt;
    },
    byNumber,
    byOrder,
    own,
  };
}
