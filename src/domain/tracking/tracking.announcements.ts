import { Announcement } from '../../platform/announcement.ts';
import type { Jobs } from '../../platform/jobs/jobs.ts';
import type { StatusCode } from './status.rules.ts';

/** What handlers need to notify subscribers: jobs to send deliveries with, and the address for links. */
export interface Announcer {
  readonly jobs: Jobs;
  /** Where callers reach the service; no slash at its end. */
  readonly publicUrl: string;
}

/** A shipment whose current status changed, as its transaction leaves it. */
export interface StatusChange {
  readonly shipmentId: number;
  readonly statusCode: StatusCode;
  readonly previousStatusCode: StatusCode;
}

/** The changes of one batch of events; none where it changed no current status. */
export interface StatusChanges {
  readonly announcer: Announcer;
  readonly changes: readonly StatusChange[];
}

/** Announced with the ids of new shipments, once for each batch of them. */
export const shipmentsCreated = new Announcement<readonly number[]>('shipments created');

/** Announced while the shipments are locked. */
export const statusesChanged = new Announcement<StatusChanges>('statuses changed');
