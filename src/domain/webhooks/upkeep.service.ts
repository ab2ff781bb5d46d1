import type { Database } from '../../platform/database/database.ts';
import { Tenant } from '../../platform/database/tenancy.ts';
import type { Housekeeping } from '../../platform/jobs/jobs.ts';
import { countUnreadable, reseal, type SealedRows } from '../../platform/secrets/reseal.ts';
import type { SecretBox } from '../../platform/secrets/secret-box.ts';
import { TERMINAL_STATUSES } from '../tracking/events.rules.ts';
import { sendClearing, sendDrain, sendProbe } from './backlog.service.ts';
import { announceDelays } from './fan-out.service.ts';
import { secretContext } from './secret.rules.ts';
import {
  companiesWithDelays,
  delayedShipments,
  deleteExpiredSecrets,
  deleteOld,
  forgottenEndpoints,
  replaceBox,
  type SealedSecret,
  sealedSecrets,
} from './upkeep.repository.ts';

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
        return announceDelays(tx, { jobs, publicUrl }, late);
      });
    }
  }
}

/** Deletes attempts and events that are past their time; answers how many. */
export const deleteOlderThan = deleteOld;

/** The same by the clock. */
export async function retain({ database, log, retentionDays }: Housekeeping): Promise<void> {
  const deleted = await deleteOlderThan(database, retentionDays);
  if (deleted > 0) log.info({ deleted }, 'old webhook events and attempts deleted');
}

/** Forgets secrets that were rotated out. */
export async function expireSecrets({ database }: Housekeeping): Promise<void> {
  await deleteExpiredSecrets(database);
}

/** How many secrets there are, and how many no key of `SECRETS_KEY` opens. */
export function unreadableSecrets(database: Database, box: SecretBox) {
  return countUnreadable(box, sealedSecretsOf(database));
}

/** Seals every secret with the first key of `SECRETS_KEY`; answers how many there are and how many were sealed anew. */
export function resealSecrets(database: Database, box: SecretBox): Promise<{ secrets: number; resealed: number }> {
  return reseal(box, sealedSecretsOf(database));
}

function sealedSecretsOf(database: Database): SealedRows<SealedSecret> {
  return {
    after: (id, max) => sealedSecrets(database, id, max),
    contextOf: ({ companyId, endpointId }) => secretContext(companyId, endpointId),
    replace: (secret, sealed) => replaceBox(new Tenant(secret.companyId, database), secret, sealed),
  };
}
