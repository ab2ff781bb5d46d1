import { Tenant } from '../../../platform/database/tenancy.ts';
import type { Housekeeping } from '../../../platform/jobs/job-kinds.ts';
import { TERMINAL_STATUSES } from '../../tracking/events.rules.ts';
import { sendClearing, sendDrain, sendProbe } from '../backlog/backlog.service.ts';
import { companiesWithDelays, delayedShipments, forgottenEndpoints } from './delays.repository.ts';
import { notifyOfDelays } from './fan-out.service.ts';

/** A shipment that has been late for longer is no news. */
const MAX_DELAY_DAYS = 30;
const DELAYS_AT_ONCE = 500;

/** Moves what is parked for an endpoint after its probe or its drain was lost, with a queue or a worker. */
export async function sweep({ database, jobs }: Housekeeping): Promise<void> {
  for (const { companyId, endpointId, state } of await forgottenEndpoints(database)) {
    const send = state === 'disabled' ? sendClearing : state === 'backing_off' ? sendProbe : sendDrain;
    await new Tenant(companyId, database).transaction(tx => send(tx, jobs, endpointId, new Date()));
  }
}

/** Tells subscribers, once, of shipments that are past their expected date and still open. */
export async function detectDelays({ database, jobs, publicUrl }: Housekeeping): Promise<void> {
  for (const companyId of await companiesWithDelays(database, MAX_DELAY_DAYS, TERMINAL_STATUSES)) {
    const tenant = new Tenant(companyId, database);
    let told = DELAYS_AT_ONCE;
    while (told === DELAYS_AT_ONCE) {
      told = await tenant.transaction(async tx => {
        const late = await delayedShipments(tx, MAX_DELAY_DAYS, TERMINAL_STATUSES, DELAYS_AT_ONCE);
        return notifyOfDelays(tx, { jobs, publicUrl }, late);
      });
    }
  }
}
