import { type ChangeRow, TYPE_OF } from './changes.rules.ts';

/**
 * What the proof of a change log covers of each change: a line of text, which consumers make from what `changes` returns.
 * The guide defines it for them, so a line that looks different from one version to the next would break their copies.
 */
export function proofLine(change: ChangeRow): string {
  const { number, kind, at, shipmentId } = change;
  return [number, TYPE_OF[kind], new Date(at).toISOString(), shipmentId, ...detailsOf(change)].join('\t');
}

/** What each kind has of its own, in the order in which the guide lists it, as the graph shows it. */
function detailsOf({ kind, eventId, statusCode, previousStatusCode, detail }: ChangeRow): readonly unknown[] {
  switch (kind) {
    case 'created':
      return [];
    case 'updated':
      return [String(detail?.fields)];
    case 'status':
      return [eventId, statusCode?.toUpperCase(), previousStatusCode?.toUpperCase()];
    case 'event':
      return [eventId];
    case 'estimate':
      return [detail?.expectedAt, detail?.previousExpectedAt ?? ''];
    case 'related':
      return [String(detail?.type).toUpperCase(), detail?.relatedKey];
  }
}
