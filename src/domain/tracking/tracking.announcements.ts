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

/** Announced with the ids of new shipments, once for each batch of them. */
export const shipmentsCreated = new Announcement<readonly number[]>('shipments created');

/** Announced once for each batch of events, while the shipments are locked. */
export const statusesChanged = new Announcement<{
  readonly announcer: Announcer;
  readonly changes: readonly StatusChange[];
}>('statuses changed');
