import type { Database } from '../../../platform/database/database.ts';
import { Tenant } from '../../../platform/database/tenancy/tenancy.ts';
import type { Housekeeping } from '../../../platform/jobs/job-kinds.ts';
import { countUnreadable, type Resealed, reseal, type SealedRows } from '../../../platform/secrets/reseal.ts';
import type { SecretBox } from '../../../platform/secrets/secret-box.ts';
import { secretContext } from './secret.rules.ts';
import { deleteExpiredSecrets, replaceBox, type SealedSecret, sealedSecrets } from './webhook-secrets.repository.ts';

/** Deletes replaced secrets that no longer sign. */
export async function expireSecrets({ database }: Housekeeping): Promise<void> {
  await deleteExpiredSecrets(database);
}

/** Counts the secrets, and those that no key of `SECRETS_KEY` opens. */
export function unreadableSecrets(database: Database, box: SecretBox) {
  return countUnreadable(box, sealedSecretsOf(database));
}

/** Seals every secret with the first key of `SECRETS_KEY`. */
export function resealSecrets(database: Database, box: SecretBox, leavesUnreadable: boolean): Promise<Resealed> {
  return reseal(box, sealedSecretsOf(database), leavesUnreadable);
}

function sealedSecretsOf(database: Database): SealedRows<SealedSecret> {
  return {
    after: (id, max) => sealedSecrets(database, id, max),
    contextOf: ({ companyId, endpointId }) => secretContext(companyId, endpointId),
    replace: (secret, sealed) => replaceBox(new Tenant(secret.companyId, database), secret, sealed),
  };
}
