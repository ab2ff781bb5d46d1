import { Announcement } from '../../../platform/announcement.ts';
import type { Jobs } from '../../../platform/jobs/jobs.ts';
import type { Metrics } from '../../../platform/telemetry/metrics.ts';
import type { PromiseSource } from './promised.rules.ts';
import type { StatusCode } from './status.rules.ts';

/** The tools that handlers need to notify subscribers. */
export interface Announcer {
  readonly jobs: Jobs;
  /** The address of the service for links, without a slash at its end. */
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
  /**
   * Counts the announced steps of the shipment from 1; null if the status is not announced, or if the step was announced
   * before, taken back by a late event and brought back by another one.
   */
  readonly sequence: number | null;
}

/** A shipment whose status new events have changed, once or several times. */
export interface MovedShipment {
  readonly shipmentId: number;
  /** From the oldest to the newest by the events' own time; at least one. */
  readonly steps: readonly StatusStep[];
  /** Every event that was recorded with them, and the events of the steps, in the order of their own time. */
  readonly newEventIds: readonly number[];
}

/** The shipments whose status a batch of events changed; none if no current status changed. */
export interface StatusChanges {
  readonly announcer: Announcer;
  readonly moved: readonly MovedShipment[];
  /** The number of each event's change in the change log, by the event's id; sent in the next round trip. */
  readonly changeNumbers: Promise<ReadonlyMap<number, number>>;
}

/** Announced with the ids of new shipments, once for each batch. */
export const shipmentsCreated = new Announcement<readonly number[]>('shipments created');

/** Announced while the shipments are locked. */
export const statusesChanged = new Announcement<StatusChanges>('statuses changed');

/** A shipment that the service found late or silent. */
export interface DelayedShipment {
  readonly shipmentId: number;
  readonly statusCode: StatusCode;
  /** The number of its event for subscribers among the events of the shipment; null if they are not notified. */
  readonly sequence: number | null;
  /** Its number in the change log. */
  readonly change: number;
}

/** The shipments that the service found delayed in one transaction. */
export interface ShipmentDelays {
  /** A handler reads promises by itself, because their domain imports this one. */
  readonly announcer: Omit<Announcer, 'promises'>;
  readonly delayed: readonly DelayedShipment[];
}

/** Announced while the shipments are locked. */
export const shipmentsDelayed = new Announcement<ShipmentDelays>('shipments delayed');
