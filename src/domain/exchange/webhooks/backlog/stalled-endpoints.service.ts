import { Tenant } from '../../../../platform/database/tenancy/tenancy.ts';
import type { Housekeeping } from '../../../../platform/jobs/job-kinds.ts';
import { oneByOne } from '../../../../platform/jobs/one-by-one.ts';
import { sendClearing, sendDrain, sendProbe } from './backlog.service.ts';
import { stalledEndpoints } from './stalled-endpoints.repository.ts';

/** Restarts endpoints whose probe or drain was lost, with a queue or a worker. */
export async function restartStalled({ database, jobs }: Housekeeping): Promise<void> {
  await oneByOne(await stalledEndpoints(database), ({ companyId, endpointId, state }) => {
    const send = state === 'disabled' ? sendClearing : state === 'backing_off' ? sendProbe : sendDrain;
    return new Tenant(companyId, database).transaction(tx => send(tx, jobs, endpointId, new Date()));
  });
}
