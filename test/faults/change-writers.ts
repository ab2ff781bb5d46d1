import { setTimeout } from 'node:timers/promises';
import { RECIPIENT } from '../support/platform-side.ts';
import { type Api, ask } from './change-readers.ts';

/** The records of writers, each item only once it was acknowledged. */
export interface Written {
  shipments: number;
  events: number;
  updates: number;
}

export interface WriterOptions {
  readonly writer: number;
  readonly carrierConnectionId: number;
  /** Called after each call that was acknowledged. */
  readonly acknowledged: (written: Written) => void;
  readonly isOver: () => boolean;
}

const SHIPMENTS_AT_ONCE = 40;
const EVENTS_OF_EACH = 40;
const BATCH = 400;
/** A part of the calls is aborted by the writer, which sends them again. */
const ABORTED = 0.05;
const RETRY_MS = 100;

const UPSERT = `mutation ($input: [ShipmentInput!]!) {
  upsertShipments(input: { shipments: $input }) { rejected results { outcome } userErrors { message } }
}`;
const RECORD = `mutation ($input: [TrackingEventInput!]!) {
  recordTrackingEvents(input: { events: $input }) { rejected results { outcome } userErrors { message } }
}`;

/** These move a shipment on each time; the last one sends a webhook. */
const STATUSES = ['IN_TRANSIT', 'AT_DEPOT', 'CUSTOMS', 'DELAYED', 'IN_TRANSIT', 'AT_DEPOT', 'CUSTOMS', 'DELAYED'];
const START = Date.now() - 20 * 86_400_000;

/** Makes shipments and records their events, some of them late, without end: each call again until it is acknowledged. */
export async function write(api: Api, { writer, carrierConnectionId, acknowledged, isOver }: WriterOptions) {
  const written: Written = { shipments: 0, events: 0, updates: 0 };
  const send = async (field: string, query: string, input: readonly object[]) => {
    for (;;) {
      try {
        const signal = Math.random() < ABORTED ? AbortSignal.timeout(Math.random() * 50) : undefined;
        const data = await ask<Record<string, { rejected: number }>>(api, query, { input }, signal);
        if ((data[field]?.rejected ?? 1) > 0) throw new Error('items were rejected');
        break;
      } catch {
        await setTimeout(RETRY_MS * Math.random());
      }
    }
    if (Math.random() < ABORTED) await setTimeout(Math.random() * 100);
  };
  for (let round = 0; !isOver(); round++) {
    const numbers = Array.from({ length: SHIPMENTS_AT_ONCE }, (_, i) => `F${writer}-${round}-${i}`);
    const shipments = (weight: string) =>
      numbers.map(trackingNumber => ({ carrierConnectionId, trackingNumber, recipient: RECIPIENT, weight }));
    await send('upsertShipments', UPSERT, shipments('1'));
    written.shipments += numbers.length;
    acknowledged(written);
    const events = Array.from({ length: EVENTS_OF_EACH }, (_, turn) =>
      numbers.map(trackingNumber => ({ trackingNumber, ...eventOf(turn) })),
    ).flat();
    for (let at = 0; at < events.length && !isOver(); at += BATCH) {
      const batch = events.slice(at, at + BATCH);
      await send('recordTrackingEvents', RECORD, batch);
      written.events += batch.length;
      acknowledged(written);
    }
    if (isOver()) return;
    await send('upsertShipments', UPSERT, shipments('2'));
    written.updates += numbers.length;
    acknowledged(written);
  }
}

/** Each tenth is older than the one before it, so that it moves nothing; the shipment is at a pickup point in the end. */
function eventOf(turn: number): object {
  const isLate = turn % 10 === 9;
  const at = START + (isLate ? turn - 2 : turn) * 60_000 + (isLate ? 1_000 : 0);
  const statusCode = turn === EVENTS_OF_EACH - 2 ? 'PICKUP_POINT' : STATUSES[turn % STATUSES.length];
  return { occurredAt: new Date(at).toISOString(), statusCode };
}
