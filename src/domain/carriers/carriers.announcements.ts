import { Announcement } from '../../platform/announcement.ts';
import type { Jobs } from '../../platform/jobs/jobs.ts';
import type { Metrics } from '../../platform/telemetry/metrics.ts';

/** A connection that can no longer be asked, or that can be asked now, with other settings than before. */
export interface ConnectionChange {
  readonly carrierCompanyId: number;
  readonly canBeAsked: boolean;
}

/** Announced while the connection is locked. */
export const connectionChanged = new Announcement<ConnectionChange>('connection changed');

/** A carrier refuses the credentials of a connection that it took before, or takes them again. */
export interface CredentialsChange {
  readonly verdict: 'accepted' | 'refused';
  readonly connection: {
    readonly id: number;
    readonly carrierCode: string;
    readonly label: string;
  };
  readonly notifier: CredentialsNotifier;
}

/** What handlers need to tell it. */
export interface CredentialsNotifier {
  readonly jobs: Jobs;
  readonly metrics: Metrics;
}

/** Announced while the connection is locked. */
export const credentialsChanged = new Announcement<CredentialsChange>('credentials refused or accepted');
