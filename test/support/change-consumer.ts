import { createHash } from 'node:crypto';

/** A consumer of the change log, written from the guide and with nothing of the service's own code. */

/** Everything that a line of the hash chain is made of. */
export const CHANGES_WITH_DETAILS = withDetails('query');

/** The changes as a stream. */
export const LIVE_CHANGES_WITH_DETAILS = withDetails('subscription');

function withDetails(operation: string): string {
  return `${operation} ($after: String, $first: Int) {
  changes(after: $after, first: $first) {
    nodes {
      __typename number recordedAt shipmentId
      ... on ShipmentUpdated { fields }
      ... on ShipmentStatusChanged { eventId statusCode previousStatusCode }
      ... on TrackingEventRecorded { eventId }
      ... on CarrierEstimateChanged { expectedAt previousExpectedAt }
      ... on RelatedShipmentAdded { type trackingNumber }
    }
    pageInfo { endCursor hasNextPage }
    hasGap
  }
}`;
}

/** A change as the graph shows it. */
export interface PolledChange {
  readonly __typename: string;
  readonly number: number;
  readonly recordedAt: string;
  readonly shipmentId: string;
  readonly fields?: readonly string[];
  readonly eventId?: string;
  readonly statusCode?: string;
  readonly previousStatusCode?: string;
  readonly expectedAt?: string;
  readonly previousExpectedAt?: string | null;
  readonly type?: string;
  readonly trackingNumber?: string;
}

export interface PolledPage {
  readonly nodes: readonly PolledChange[];
  readonly pageInfo: { readonly endCursor: string; readonly hasNextPage: boolean };
  readonly hasGap: boolean;
}

export const START_HASH = '0'.repeat(64);

/** The cursor before the first change of a new company. */
export const LOG_START = Buffer.from('change:0:0').toString('base64url');

const DETAILS: Readonly<Record<string, (change: PolledChange) => readonly unknown[]>> = {
  ShipmentCreated: () => [],
  ShipmentUpdated: ({ fields }) => [fields?.join(',')],
  ShipmentStatusChanged: ({ eventId, statusCode, previousStatusCode }) => [eventId, statusCode, previousStatusCode],
  TrackingEventRecorded: ({ eventId }) => [eventId],
  CarrierEstimateChanged: ({ expectedAt, previousExpectedAt }) => [expectedAt, previousExpectedAt ?? ''],
  RelatedShipmentAdded: ({ type, trackingNumber }) => [type, trackingNumber],
};

function lineOfChange(change: PolledChange): string {
  const details = DETAILS[change.__typename]?.(change) ?? [];
  return [change.number, change.__typename, change.recordedAt, change.shipmentId, ...details].join('\t');
}

/** The hash after some changes, given the one before them. */
export function hashOfChanges(changes: readonly PolledChange[], previous = START_HASH): string {
  return changes.reduce(
    (hash, change) =>
      createHash('sha256')
        .update(`${hash}\n${lineOfChange(change)}\n`)
        .digest('hex'),
    previous,
  );
}
