import { ms, timeOf } from '../../../platform/database/statements/sql.ts';
import { statementForEach } from '../../../platform/database/statements/statements.ts';
import type { TenantTransaction } from '../../../platform/database/tenancy/tenant-transaction.ts';
import type { FoldedEvent, FoldState } from './fold.rules.ts';

/** The events of shipments for their fold, and what the fold changes. The shipments are locked. */

/** An event in the table; `statusCode` is the one that the timeline shows. */
export interface EventToFold extends FoldedEvent {
  readonly shipmentId: number;
  readonly isTakenBack: boolean;
}

const EVENTS = statementForEach(
  'events-to-fold',
  { shipment_id: 'integer' },
  input => `select each.company_id as "companyId", each.shipment_id as "shipmentId", e.id::float8 as id,
      ${ms('e.occurred_at')} as "occurredAtMs", e.status_code as "statusCode",
      coalesce(e.is_carrier_delivery, false) as "isCarrierDelivery", e.label, coalesce(e.is_taken_back, false) as "isTakenBack"
    from ${input} join tracking_event e on e.company_id = each.company_id and e.shipment_id = each.shipment_id`,
);

export function eventsToFold(tx: TenantTransaction, shipmentIds: readonly number[]): Promise<EventToFold[]> {
  return tx.rowsForEach<EventToFold>(EVENTS, shipmentIds);
}

const LABELS = statementForEach(
  'labels-to-fold',
  { shipment_id: 'integer' },
  input => `select each.company_id as "companyId", each.shipment_id as "shipmentId", l.tracking_key as key
    from ${input} join shipment_label l on l.company_id = each.company_id and l.shipment_id = each.shipment_id`,
);

/** The keys of the secondary labels of shipments. */
export function labelsToFold(
  tx: TenantTransaction,
  shipmentIds: readonly number[],
): Promise<{ readonly shipmentId: number; readonly key: string }[]> {
  return tx.rowsForEach(LABELS, shipmentIds);
}

// An event that keeps the status changes its shipment too: the anonymization of old shipments finds them by their last
// change, and must return for the event's texts. The row is updated once: a second update, for the numbers of announced
// steps, took a fifth of PostgreSQL's time for a batch and a third of its WAL (by turns, half of the events being steps:
// 96 us and 6,100 bytes an event, then 70 us and 3,900).
const UPDATE = statementForEach(
  'fold-shipments',
  {
    id: 'integer',
    status_code: 'text',
    status_at: 'float8',
    delivered_at: 'float8',
    first_scan_at: 'float8',
    shipped_at: 'float8',
    folded_to: 'float8',
    is_returning: 'boolean',
    events: 'integer',
    sequence: 'integer',
  },
  input => `update shipment s set status_code = each.status_code, status_at = ${timeOf('each.status_at')},
      delivered_at = ${timeOf('each.delivered_at')}, first_scan_at = ${timeOf('each.first_scan_at')},
      shipped_at = ${timeOf('each.shipped_at')}, folded_to = ${timeOf('each.folded_to')}, is_returning = each.is_returning,
      folded_events = each.events, event_count = each.events, event_sequence = each.sequence, updated_at = now()
    from ${input} where s.company_id = each.company_id and s.id = each.id`,
);

export interface FoldedShipment {
  readonly shipmentId: number;
  readonly state: FoldState;
  readonly events: number;
  readonly sequence: number;
}

export async function updateFolded(tx: TenantTransaction, folded: readonly FoldedShipment[]): Promise<void> {
  if (folded.length === 0) return;
  const states = folded.map(({ state }) => state);
  await tx.rowsForEach(
    UPDATE,
    folded.map(({ shipmentId }) => shipmentId),
    states.map(({ statusCode }) => statusCode),
    states.map(({ statusAtMs }) => statusAtMs),
    states.map(({ deliveredAtMs }) => deliveredAtMs),
    states.map(({ firstScanAtMs }) => firstScanAtMs),
    states.map(({ shippedAtMs }) => shippedAtMs),
    states.map(({ foldedToMs }) => foldedToMs),
    states.map(({ isReturning }) => isReturning),
    folded.map(({ events }) => events),
    folded.map(({ sequence }) => sequence),
  );
}

const REREAD = statementForEach(
  'reread-events',
  { id: 'bigint', shipment_id: 'integer', status_code: 'text', is_taken_back: 'boolean' },
  input => `update tracking_event e set status_code = each.status_code, is_taken_back = each.is_taken_back
    from ${input} where e.company_id = each.company_id and e.id = each.id and e.shipment_id = each.shipment_id`,
);

/** Updates events that the fold now reads in another way: a delivery that is a return, and a status that was taken back. */
export async function rereadEvents(tx: TenantTransaction, events: readonly EventToFold[]): Promise<void> {
  if (events.length === 0) return;
  await tx.rowsForEach(
    REREAD,
    events.map(({ id }) => id),
    events.map(({ shipmentId }) => shipmentId),
    events.map(({ statusCode }) => statusCode),
    events.map(({ isTakenBack }) => isTakenBack),
  );
}
