import type { CarrierEvent, TrackingFinding } from '../carriers/carrier.port.ts';
import type { CarrierCode } from '../carriers/carriers.catalog.ts';
import { fold, UNTOUCHED } from '../tracking/fold.rules.ts';
import { readStatus, type StatusCode } from '../tracking/status.rules.ts';
import { byTheirTimes } from './unusable-times.rules.ts';

/** Shows which events a carrier's response would record, for operators who look at one response. */

interface ReadEvent {
  /** The time of the event in UTC. */
  readonly occurredAt: string;
  readonly statusCode: StatusCode;
  readonly code: string | null;
  readonly description: string | null;
  readonly location: string | null;
  readonly note: string | null;
}

interface ReadTracking {
  readonly finding: TrackingFinding['kind'];
  /** The events, from the oldest to the newest. */
  readonly events: readonly ReadEvent[];
  /** The status of a shipment of one parcel that has these events alone; null without a known one. */
  readonly current: StatusCode | null;
  readonly estimate: string | null;
  readonly related: readonly { readonly trackingNumber: string; readonly type: 'forward' | 'return' }[];
  /** Codes and texts without a status, and times that cannot be used. */
  readonly notUnderstood: readonly string[];
}

export function readTracking(carrierCode: CarrierCode, finding: TrackingFinding, receivedAt: Date): ReadTracking {
  if (finding.kind !== 'events') {
    return { finding: finding.kind, events: [], current: null, estimate: null, related: [], notUnderstood: [] };
  }
  const { timed, untimed } = byTheirTimes(finding.events, receivedAt);
  const says = ({ carrierStatusCode: code, description: text, carrierStatusGroup: general }: CarrierEvent) =>
    readStatus(carrierCode, { code, text, general }).status;
  const statuses = [...timed.map(says), ...untimed.map(({ statusCode }) => statusCode)];
  const read = [...timed, ...untimed].map((event, i) => ({
    occurredAt: new Date(event.timestamp).toISOString(),
    statusCode: statuses[i] ?? 'unknown',
    code: event.carrierStatusCode,
    description: event.description,
    location: event.location,
    note: event.note,
  }));
  const unknown = [...timed, ...untimed].filter(event => says(event) === 'unknown');
  return {
    finding: finding.kind,
    events: read.toSorted((one, other) => Date.parse(one.occurredAt) - Date.parse(other.occurredAt)),
    current: read.length === 0 ? null : currentOf(read),
    estimate: finding.estimate,
    related: finding.related,
    notUnderstood: [
      ...new Set(
        unknown.map(
          ({ carrierStatusCode, description }) =>
            `no status for ${[carrierStatusCode, description].filter(Boolean).join(' ')}`,
        ),
      ),
      ...untimed.map(({ carrierTime }) => carrierTime),
    ],
  };
}

function currentOf(events: readonly ReadEvent[]): StatusCode {
  const folded = events.map(({ occurredAt, statusCode }, id) => ({
    id,
    occurredAtMs: Date.parse(occurredAt),
    statusCode,
    isCarrierDelivery: statusCode === 'delivered',
    label: null,
  }));
  return fold(UNTOUCHED, folded, { count: 1, labels: new Set() }).state.statusCode;
}
