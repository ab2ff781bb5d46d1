import { Announcement } from '../../platform/announcement.ts';

/** A connection that can no longer be asked, or that can be asked now, with other settings than before. */
export interface ConnectionChange {
  readonly carrierCompanyId: number;
  readonly canBeAsked: boolean;
}

/** Announced while the connection is locked. */
export const connectionChanged = new Announcement<ConnectionChange>('connection changed');
