import { Tenant } from '../../../platform/database/tenancy.ts';
import type { Housekeeping } from '../../../platform/jobs/job-kinds.ts';
import { TERMINAL_STATUSES } from '../../tracking/events.rules.ts';
import { companiesWithDelays, delayedShipments } from './delays.repository.ts';
import { notifyOfDelays } from './fan-out.service.ts';

/** A shipment that has been late for longer is no news. */
const MAX_DELAY_DAYS = 30;
const DELAYS_AT_ONCE = 500;

/**
 * Notifies subscribers, once, of shipments that are past their expected date and still open. It stands here and not with
 * tracking, since a delay changes nothing of the shipment: only subscribers learn of it.
 */
export async function detectDelays({ database, jobs, publicUrl }: Housekeeping): Promise<void> {
  for (const companyId of await companiesWithDelays(database, MAX_DELAY_DAYS, TERMINAL_STATUSES)) {
    const tenant = new Tenant(companyId, database);
    let notified = DELAYS_AT_ONCE;
    while (notified === DELAYS_AT_ONCE) {
      notified = await tenant.transaction(async tx => {
        const late = await delayedShipments(tx, MAX_DELAY_DAYS, TERMINAL_STATUSES, DELAYS_AT_ONCE);
        return notifyOfDelays(tx, { jobs, publicUrl }, late);
      });
    }
  }
}
