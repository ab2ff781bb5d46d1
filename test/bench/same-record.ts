import { CARRIERS, LABELS, pageOf } from './peers/record.ts';

// A record in the common form of the service's response and of peers that leave out its texts.

interface FullRecord {
  readonly relatedShipments?: unknown;
  readonly carrier: { readonly name: string };
  readonly recipient: { readonly country: string };
  readonly timeline: readonly { readonly label: string }[];
}

/** The service's record without what only it says in words: names of countries, labels of events, logos. */
export function shortRecord({ relatedShipments: _, ...record }: FullRecord): object {
  const { country: _country, ...recipient } = record.recipient;
  const timeline = record.timeline.map(({ label: _label, ...event }) => event);
  return { ...record, carrier: record.carrier.name, recipient, timeline };
}

interface BareRecord {
  readonly status: string;
  readonly carrier: string;
  readonly trackingNumber: string;
  readonly trackingUrl: string | null;
  readonly shipmentDate: string | null;
  readonly expectedDeliveryDate: string | null;
  readonly deliveredDate: string | null;
  readonly timeline: readonly { readonly timestamp: string; readonly statusCode: string }[];
}

/** The form of a record that PostgreSQL wrote. */
export function fromDatabase(record: BareRecord): object {
  return {
    ...record,
    status: LABELS[record.status],
    carrier: CARRIERS[record.carrier],
    trackingUrl: record.trackingUrl ?? pageOf(record.carrier, record.trackingNumber),
    shipmentDate: instant(record.shipmentDate),
    expectedDeliveryDate: instant(record.expectedDeliveryDate),
    deliveredDate: instant(record.deliveredDate),
    timeline: record.timeline.map(event => ({ ...event, timestamp: instant(event.timestamp) })),
  };
}

/** The service's form of a time, of PostgreSQL's. */
export function instant(text: string | null): string | null {
  return text === null ? null : new Date(text).toISOString();
}
