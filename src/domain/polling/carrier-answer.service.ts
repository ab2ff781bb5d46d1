import { type AddressCheckResult, judge } from '../addresses/address-verdict.rules.ts';
import type { AddressFinding, AskedAddress, TrackingFinding } from '../carriers/carrier.port.ts';
import { type CarrierCode, carrierOf } from '../carriers/carriers.catalog.ts';
import { readStatus, type StatusCode } from '../tracking/status.rules.ts';
import { byTheirTimes } from './unusable-times.rules.ts';

/** Says what would be recorded of a carrier's finding, for operators who look at a response by itself. */

export interface ReadEvent {
  /** UTC. */
  readonly occurredAt: string;
  readonly statusCode: StatusCode;
  readonly code: string | null;
  readonly description: string | null;
  readonly location: string | null;
  readonly note: string | null;
}

export interface ReadTracking {
  readonly finding: TrackingFinding['kind'];
  /** From the oldest to the newest. */
  readonly events: readonly ReadEvent[];
  readonly estimate: string | null;
  readonly related: readonly { readonly trackingNumber: string; readonly type: 'forward' | 'return' }[];
  /** Codes and texts without a status, and times that cannot be used. */
  readonly notUnderstood: readonly string[];
}

export function readTracking(carrierCode: CarrierCode, finding: TrackingFinding, receivedAt: Date): ReadTracking {
  if (finding.kind !== 'events') {
    return { finding: finding.kind, events: [], estimate: null, related: [], notUnderstood: [] };
  }
  const { timed, untimed } = byTheirTimes(finding.events, receivedAt);
  const read = [...timed, ...untimed].map(event => ({
    occurredAt: new Date(event.timestamp).toISOString(),
    statusCode: readStatus(carrierCode, {
      code: event.carrierStatusCode,
      text: event.description,
      general: event.carrierStatusGroup,
    }).status,
    code: event.carrierStatusCode,
    description: event.description,
    location: event.location,
    note: event.note,
  }));
  const unknown = read.filter(({ statusCode }) => statusCode === 'unknown');
  return {
    finding: finding.kind,
    events: read.toSorted((one, other) => Date.parse(one.occurredAt) - Date.parse(other.occurredAt)),
    estimate: finding.estimate,
    related: finding.related,
    notUnderstood: [
      ...new Set(
        unknown.map(({ code, description }) => `no status for ${[code, description].filter(Boolean).join(' ')}`),
      ),
      ...untimed.map(({ carrierTime }) => carrierTime),
    ],
  };
}

export function readAddress(
  carrierCode: CarrierCode,
  asked: AskedAddress,
  finding: AddressFinding,
): AddressCheckResult {
  return judge(carrierOf(carrierCode), asked, finding);
}
