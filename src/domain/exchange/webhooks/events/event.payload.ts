import { normalSilence } from '../../../shipping/tracking/delays/silence.rules.ts';
import type { ShipmentPromises } from '../../../shipping/tracking/promised.rules.ts';
import type { EventRow } from '../../../shipping/tracking/shipment-parts.repository.ts';
import { STATUS_CODES, type StatusCode } from '../../../shipping/tracking/status.rules.ts';
import type { ShipmentRow } from '../../../shipping/tracking/tracking.repository.ts';
import {
  type SelectedData,
  type SelectedEvent,
  type SelectionSource,
  type ShipmentRecord,
  selectedData,
  selectionIssues,
  shipmentRecords,
} from './event.port.ts';
import { EVENT_TYPES, type EventType, eventOfStatus } from './event.rules.ts';

type JsonSchema = Readonly<Record<string, unknown>>;

/** The limits on a body's parts, so that none grows without end: newest events, first related shipments. */
export const MAX_TIMELINE = 200;
export const MAX_RELATED = 200;

/** An event of a shipment, and the shipment at the end of its transaction. */
export interface Occurrence {
  readonly id: string;
  readonly type: EventType;
  readonly at: Date;
  /** Increases within the shipment, from 1; 0 for a test. */
  readonly sequence: number;
  /** Its number in the change log; null for a test. */
  readonly change: number | null;
  /** Its timeline may be longer than a body's, which the body then states. */
  readonly shipment: Required<ShipmentRow>;
  readonly previousStatusCode: StatusCode;
  /** Undefined if no tracking event caused it. */
  readonly step?: Step | undefined;
}

/** The tracking event that changed a shipment's status, among those recorded with it. */
interface Step {
  readonly eventId: number;
  readonly occurredAtMs: number;
  readonly statusCode: StatusCode;
  /** The rank of each event that was recorded with it, in the order of their own time, by id. */
  readonly places: ReadonlyMap<number, number>;
}

/** How many of the newest events are read for bodies, so that each step has one more than a body holds. */
export function eventsToRead(step: Step | undefined): number {
  return MAX_TIMELINE + Math.max(1, step?.places.size ?? 1);
}

/**
 * The bodies of webhooks, in the order of the events: `data` is the tracking record of `GET /shipments/tracking/…`,
 * with the codes and the event of the change, and only the newest entries of its timeline. If several steps were
 * recorded together, each body shows the record without the later ones.
 *
 * @param publicUrl the address of the service, without a slash at its end
 */
export async function bodiesOf(
  occurrences: readonly Occurrence[],
  publicUrl: string,
  promises: ShipmentPromises,
): Promise<string[]> {
  // The timeline of a shipment is projected once for all of its steps, which may be hundreds with hundreds of entries.
  const first = new Map<Required<ShipmentRow>, number>();
  const rows = occurrences.map((occurrence, i) => {
    const row = rowAfter(occurrence);
    if (first.has(occurrence.shipment)) return { ...row, timeline: [] };
    first.set(occurrence.shipment, i);
    return row;
  });
  const records = await shipmentRecords.call(rows, publicUrl, promises);
  return occurrences.map((occurrence, i) => {
    const { timeline } = records[first.get(occurrence.shipment) as number] as ShipmentRecord;
    return bodyOf(occurrence, records[i] as ShipmentRecord, timeline);
  });
}

/** The shipment after a step, without its timeline. */
function rowAfter({ shipment, step }: Occurrence): Required<ShipmentRow> {
  if (step === undefined) return shipment;
  const { statusCode, occurredAtMs } = step;
  // The estimate of a later event is left out; the platform's own date stays.
  const isDatedLater = shipment.timeline.some(
    event => event.statusCode === 'shipped' && event.occurredAt === shipment.shippedAt && isAfter(event, step),
  );
  return {
    ...shipment,
    statusCode,
    statusAt: occurredAtMs,
    deliveredAt: statusCode === 'delivered' ? occurredAtMs : null,
    shippedAt: isDatedLater ? null : shipment.shippedAt,
  };
}

/** Whether an event was recorded with a step and follows it. */
function isAfter({ id }: { readonly id: number }, { eventId, places }: Step): boolean {
  return (places.get(id) ?? 0) > (places.get(eventId) ?? 0);
}

/** @param entries the whole timeline that was read */
function bodyOf(
  { id, type, at, sequence, change, shipment, previousStatusCode, step }: Occurrence,
  record: ShipmentRecord,
  entries: readonly object[],
): string {
  const known =
    step === undefined ? entries : entries.filter((_, i) => !isAfter(shipment.timeline[i] as EventRow, step));
  const timeline = known.slice(-MAX_TIMELINE);
  const event =
    step === undefined ? timeline.at(-1) : entries[shipment.timeline.findIndex(one => one.id === step.eventId)];
  return JSON.stringify({
    id,
    type,
    timestamp: at.toISOString(),
    sequence,
    change,
    data: {
      ...record,
      timeline,
      ...(known.length > timeline.length && { timelineTruncated: true }),
      statusCode: step?.statusCode ?? shipment.statusCode,
      previousStatusCode,
      event: event ?? null,
    },
  });
}

/** The parts of each body around the data, equal for all bodies of an event. */
export interface Envelope {
  readonly id: string;
  readonly type: EventType;
  readonly timestamp: string;
  readonly sequence: number;
  readonly change: number | null;
}

/** The shipment of an event may be deleted before the event is sent. */
const GONE: SelectedData = {
  data: null,
  errors: [{ code: 'shipment_not_found', message: 'The shipment no longer exists.', path: [] }],
};

/**
 * The body of an event whose endpoint has a selection. Errors of the selection are part of the body.
 *
 * @param event undefined if its shipment is gone
 * @throws Fault `unavailable` while the database is down
 */
export async function selectedBody(
  { id, type, timestamp, sequence, change }: Envelope,
  selection: string,
  event: SelectedEvent | undefined,
  source: SelectionSource,
): Promise<string> {
  const shown = event ? await selectedData.call(selection, event, source) : GONE;
  return JSON.stringify({ id, type, timestamp, sequence, change, ...shown });
}

/** Errors of a selection; none if it is valid. A new one may be no longer than the limit. */
export function issuesOfSelection(
  ...args: Parameters<typeof selectionIssues.call>
): ReturnType<typeof selectionIssues.call> {
  return selectionIssues.call(...args);
}

/** Each kind of event, the statuses that fire it, and other triggers. */
export function eventKinds(): { type: EventType; statusCodes: readonly StatusCode[]; otherwise?: string }[] {
  return EVENT_TYPES.map(type => ({
    type,
    statusCodes: STATUS_CODES.filter(code => eventOfStatus(code) === type),
    ...(type === 'tracking.delay' && { otherwise: DELAYS }),
  }));
}

const DELAYS = `or, while it is open, once when it is past its expected date, and once when there has been no news of it for longer than is normal: ${normalSilence()}`;

/** JSON Schema of the body, with the tracking record of the OpenAPI document. */
export function payloadSchema(trackingRecord: JsonSchema): JsonSchema {
  const record = trackingRecord as { properties: Record<string, JsonSchema>; required: readonly string[] };
  // Open, because fields, events and states may be added.
  const statusCode = { type: 'string', 'x-extensible-enum': STATUS_CODES };
  const { items: event } = record.properties.timeline as { items: JsonSchema };
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: 'Tracking webhook',
    description: 'The body that is posted to a webhook endpoint. An event has the same `id` on every attempt.',
    type: 'object',
    properties: {
      id: { type: 'string', format: 'uuid', description: 'The event, as in the header `webhook-id`.' },
      type: { type: 'string', 'x-extensible-enum': EVENT_TYPES, description: 'What happened.' },
      timestamp: { type: 'string', format: 'date-time', description: 'When the service recorded it.' },
      sequence: {
        type: 'integer',
        minimum: 0,
        description: 'Counts the events of a shipment: a lower number is older. 0 in a test event.',
      },
      change: {
        type: ['integer', 'null'],
        minimum: 1,
        description:
          "The number of this change in the company's change log, which counts every change of its shipments without a gap. Null in a test event. An event that a version before 1.1 recorded has null for a delay that no carrier reported.",
      },
      data: {
        type: 'object',
        description: 'The shipment as this event left it.',
        properties: {
          ...record.properties,
          timeline: { ...record.properties.timeline, maxItems: MAX_TIMELINE },
          relatedShipments: { ...record.properties.relatedShipments, maxItems: MAX_RELATED },
          timelineTruncated: {
            type: 'boolean',
            const: true,
            description: `Present only if the timeline has more than ${MAX_TIMELINE} entries: \`timeline\` holds the newest of them.`,
          },
          statusCode: { ...statusCode, description: 'Canonical state that this event left it in.' },
          previousStatusCode: {
            ...statusCode,
            description:
              'The state that the record showed before. In a delay that no carrier reported, the same state.',
          },
          event: {
            anyOf: [event, { type: 'null' }],
            description:
              'The entry of the timeline that changed the state. In a delay that no carrier reported, the newest entry, if there is one.',
          },
        },
        required: [...record.required, 'statusCode', 'previousStatusCode', 'event'],
      },
    },
    required: ['id', 'type', 'timestamp', 'sequence', 'change', 'data'],
  };
}
