import { MAX_LIST } from '../database/lists/page.ts';
import { Fault, type FaultCode } from '../fault.ts';

/** The default limits on the things that a company may have. They keep lists short that are returned whole. */
export const DEFAULT_CAPS = {
  warehouses: 1000,
  /** Connections that were not disconnected. */
  carrierConnections: 200,
  /** Keys that are neither revoked nor expired. */
  apiKeys: 100,
  /** Endpoints that are stored, active or not. */
  webhookEndpoints: 100,
  shipmentEvents: 2000,
} as const;

export type Caps = Readonly<Record<keyof typeof DEFAULT_CAPS, number>>;

/** No cap is larger, because lists that are returned whole read this many rows. */
export const MAX_CAP = MAX_LIST;

/** Changes of one kind that may wait for each other, for one company in one process. Each takes milliseconds. */
export const MAX_WAITING_CHANGES = 1000;

/**
 * Must be called in the transaction that adds a thing, while no other transaction adds one.
 *
 * @param what names the thing that is counted, as in "1000 warehouses"
 * @throws Fault with the code, if there is no room
 */
export function requireRoom(code: FaultCode, count: number, limit: number, what: string): void {
  if (count < limit) return;
  throw new Fault(code, { detail: `The company has ${count} ${what}. The limit is ${limit}.`, members: { limit } });
}
