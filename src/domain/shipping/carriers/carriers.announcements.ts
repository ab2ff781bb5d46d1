import { Announcement } from '../../../platform/announcement.ts';
import type { Jobs } from '../../../platform/jobs/jobs.ts';
import type { Metrics } from '../../../platform/telemetry/metrics.ts';
import type { Question } from './carriers.catalog.ts';

/** A connection that can no longer be asked, or that can be asked now with changed settings. */
export interface ConnectionChange {
  readonly carrierConnectionId: number;
  readonly canBeAsked: boolean;
}

/** Announced while the connection is locked. */
export const connectionChanged = new Announcement<ConnectionChange>('connection changed');

/** A carrier rejects credentials that it accepted before, or accepts them again. */
export interface CredentialsChange {
  readonly verdict: 'accepted' | 'refused';
  readonly connection: {
    readonly id: number;
    readonly carrierCode: string;
    readonly label: string;
  };
  /** The question that the credentials are for; null if they are for all. */
  readonly question: Question | null;
  readonly notifier: CredentialsNotifier;
}

/** The tools that handlers need to write a notice. */
export interface CredentialsNotifier {
  readonly jobs: Jobs;
  readonly metrics: Metrics;
}

/** Announced while the connection is locked. */
export const credentialsChanged = new Announcement<CredentialsChange>('credentials refused or accepted');
