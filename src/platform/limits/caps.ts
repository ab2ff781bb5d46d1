import { MAX_LIST } from '../database/lists/page.ts';
import { Fault, type FaultCode } from '../fault.ts';

/** What a company may have of a kind, unless settings say otherwise. Lists that are answered whole stay short by it. */
export const DEFAULT_CAPS = {
  warehouses: 1000,
  /** Those that were not disconnected. */
  carrierConnections: 200,
  /** Those that are neither revoked nor expired. */
  apiKeys: 100,
  /** Those that are kept, active or not. */
  webhookEndpoints: 100,
  /** Of one shipment. */
  shipmentEvents: 2000,
} as const;

export type Caps = Readonly<Record<keyof typeof DEFAULT_CAPS, number>>;

/** No cap is larger: a list that is answered whole asks for as many. */
export const MAX_CAP = MAX_LIST;

/** Changes of one kind that may wait for each other, of one company and in one process: each is a matter of milliseconds. */
export const MAX_WAITING_CHANGES = 1000;

/**
 * To be asked in the transaction that adds one more, while no other adds any.
 *
 * @param what names what is counted, as in "1000 warehouses"
 * @throws Fault of the code, where there is no room
 */
export function requireRoom(code: FaultCode, count: number, limit: number, what: string): void {
  if (count < limit) return;
  throw new Fault(code, { detail: `The company has ${count} ${what}. The limit is ${limit}.`, members: { limit } });
}
