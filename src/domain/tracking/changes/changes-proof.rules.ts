import { globalId } from '../../../platform/record-id.ts';
import { type ChangeRow, TYPE_OF } from './changes.rules.ts';

/**
 * The proof's line of text for a change, which consumers build from the data of `changes`. The guide defines it, so a
 * changed format would break their copies.
 */
export function proofLine(change: ChangeRow): string {
  const { number, kind, at, shipmentId } = change;
  return [
    number,
    TYPE_OF[kind],
    new Date(at).toISOString(),
    globalId('Shipment', shipmentId),
    ...detailsOf(change),
  ].join('\t');
}

/**
 * The fields of each kind, in the order of the guide and in the form of the graph. A kind that came after version 1.0 has
 * none, so that a program whose table lacks it can calculate the hash.
 */
function detailsOf({ kind, eventId, statusCode, previousStatusCode, detail }: ChangeRow): readonly unknown[] {
  switch (kind) {
    case 'created':
    case 'delayed':
      return [];
    case 'updated':
      return [String(detail?.fields)];
    case 'status':
      return [eventOf(eventId), statusCode?.toUpperCase(), previousStatusCode?.toUpperCase()];
    case 'event':
      return [eventOf(eventId)];
    case 'estimate':
      return [detail?.expectedAt, detail?.previousExpectedAt ?? ''];
    case 'related':
      return [String(detail?.type).toUpperCase(), detail?.relatedKey];
  }
}

function eventOf(id: ChangeRow['eventId']): string {
  return globalId('TrackingEvent', String(id));
}
