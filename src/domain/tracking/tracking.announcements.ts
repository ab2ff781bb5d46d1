import { Announcement } from '../../platform/announcement.ts';
import type { Jobs } from '../../platform/jobs/jobs.ts';
import type { Metrics } from '../../platform/telemetry/metrics.ts';
import type { PromiseSource } from './promised.rules.ts';
import type { StatusCode } from './status.rules.ts';

/** What handlers need to notify subscribers: jobs to send deliveries with, the address for links, expected dates, and metrics. */
export interface Announcer {
  readonly jobs: Jobs;
  /** Where callers reach the service; no slash at its end. */
  readonly publicUrl: string;
  readonly promises: PromiseSource;
  readonly metrics: Metrics;
}

/** A change of a shipment's current status by one event. */
export interface StatusStep {
  readonly eventId: number;
  readonly occurredAtMs: number;
  readonly statusCode: StatusCode;
  readonly previousStatusCode: StatusCode;
}

/** A shipment that new events have moved to another status, or through several. */
export interface MovedShipment {
  readonly shipmentId: number;
  /** From the oldest to the newest by the events' own time; at least one. */
  readonly steps: readonly StatusStep[];
  /** Every event that was recorded with them, in the order of its own time. */
  readonly newEventIds: readonly number[];
}

/** What one batch of events moved; no shipment where it changed no current status. */
export interface StatusChanges {
  readonly announcer: Announcer;
  readonly moved: readonly MovedShipment[];
  /** The number of each event's change in the change log, by the event's id; asked for in the round trip of what comes next. */
  readonly changeNumbers: Promise<ReadonlyMap<number, number>>;
}

/** Announced with the ids of new shipments, once for each batch of them. */
export const shipmentsCreated = new Announcement<readonly number[]>('shipments created');

/** Announced while the shipments are locked. */
export const statusesChanged = new Announcement<StatusChanges>('statuses changed');
