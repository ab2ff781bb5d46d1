import { STATUS_CODES, type StatusCode } from '../../tracking/status.rules.ts';
import type { ShipmentRow } from '../../tracking/tracking.repository.ts';
import { EVENT_TYPES, type EventType, eventOfStatus } from './event.rules.ts';
import { type ShipmentRecord, shipmentRecords } from './shipment-records.port.ts';
import { normalSilence } from './silence.rules.ts';

type JsonSchema = Readonly<Record<string, unknown>>;

/** What a body holds of a shipment, so that none grows without end: the newest of its timeline, the first related ones. */
const MAX_TIMELINE = 200;
const MAX_RELATED = 200;

/** What a body needs of its record: one event more, which shows that there are more. */
export const RECORD_BOUNDS = { maxEvents: MAX_TIMELINE + 1, maxRelated: MAX_RELATED };

/** What happened to a shipment, and the shipment as it is since. */
export interface Occurrence {
  readonly id: string;
  readonly type: EventType;
  readonly at: Date;
  /** Counts up within the shipment, from 1; 0 for a test. */
  readonly sequence: number;
  /** Its timeline may go beyond what a body holds, which the body then says. */
  readonly shipment: Required<ShipmentRow>;
  readonly previousStatusCode: StatusCode;
}

/**
 * The bodies of webhooks, in the order of what happened: `data` is the tracking record as `GET /shipments/tracking/…`
 * returns it, with the codes and the event that made it so, and no more than the newest entries of its timeline.
 *
 * @param publicUrl where callers reach the service; no slash at its end
 */
export async function bodiesOf(occurrences: readonly Occurrence[], publicUrl: string): Promise<string[]> {
  const shown = occurrences.map(({ shipment }) => ({ ...shipment, timeline: shipment.timeline.slice(-MAX_TIMELINE) }));
  const records = await shipmentRecords.call(shown, publicUrl);
  return occurrences.map((occurrence, i) => bodyOf(occurrence, records[i] as ShipmentRecord));
}

function bodyOf({ id, type, at, sequence, shipment, previousStatusCode }: Occurrence, record: ShipmentRecord): string {
  return JSON.stringify({
    id,
    type,
    timestamp: at.toISOString(),
    sequence,
    data: {
      ...record,
      ...(shipment.timeline.length > record.timeline.length && { timelineTruncated: true }),
      statusCode: shipment.statusCode,
      previousStatusCode,
      event: record.timeline.at(-1) ?? null,
    },
  });
}

/** Each kind of event, the states that fire it, and what else does. */
export function eventKinds(): { type: EventType; statusCodes: readonly StatusCode[]; otherwise?: string }[] {
  return EVENT_TYPES.map(type => ({
    type,
    statusCodes: STATUS_CODES.filter(code => eventOfStatus(code) === type),
    ...(type === 'tracking.delay' && { otherwise: DELAYS }),
  }));
}

const DELAYS = `or, while it is open, once when it is past its expected date, and once when nothing was heard of it for longer than is normal: ${normalSilence()}`;

/** JSON Schema of the body, around that of the tracking record in the OpenAPI document. */
export function payloadSchema(trackingRecord: JsonSchema): JsonSchema {
  const record = trackingRecord as { properties: Record<string, JsonSchema>; required: readonly string[] };
  const statusCode = { type: 'string', enum: STATUS_CODES };
  const { items: event } = record.properties.timeline as { items: JsonSchema };
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: 'Tracking webhook',
    description: 'What is posted to a webhook endpoint. The same event has the same `id` on every attempt.',
    type: 'object',
    properties: {
      id: { type: 'string', format: 'uuid', description: 'The event, as in the header `webhook-id`.' },
      type: { type: 'string', enum: EVENT_TYPES, description: 'What happened. More may be added.' },
      timestamp: { type: 'string', format: 'date-time', description: 'When the service came to know of it.' },
      sequence: {
        type: 'integer',
        minimum: 0,
        description: 'Counts up within a shipment: what has a lower one is older. 0 in a test event.',
      },
      data: {
        type: 'object',
        description: 'The shipment as it was then.',
        properties: {
          ...record.properties,
          timeline: { ...record.properties.timeline, maxItems: MAX_TIMELINE },
          relatedShipments: { ...record.properties.relatedShipments, maxItems: MAX_RELATED },
          timelineTruncated: {
            type: 'boolean',
            const: true,
            description: `Present only where the timeline has more than ${MAX_TIMELINE} entries: \`timeline\` holds the newest of them.`,
          },
          statusCode: { ...statusCode, description: 'Current canonical state.' },
          previousStatusCode: {
            ...statusCode,
            description: 'The state before; the same where a delay was noticed without news of the carrier.',
          },
          event: { anyOf: [event, { type: 'null' }], description: 'The newest entry of the timeline, if it has any.' },
        },
        required: [...record.required, 'statusCode', 'previousStatusCode', 'event'],
        additionalProperties: false,
      },
    },
    required: ['id', 'type', 'timestamp', 'sequence', 'data'],
    additionalProperties: false,
  };
}
