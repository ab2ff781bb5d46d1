import { Tenant } from '../../../../platform/database/tenancy/tenancy.ts';
import type { Housekeeping } from '../../../../platform/jobs/job-kinds.ts';
import type { SealedRows, SecretKind } from '../../../../platform/secrets/reseal.ts';
import { secretContext } from './secret.rules.ts';
import { deleteExpiredSecrets, replaceBox, type SealedSecret, sealedSecrets } from './webhook-secrets.repository.ts';

/** Deletes replaced secrets that no longer sign. */
export async function expireSecrets({ database }: Housekeeping): Promise<void> {
  await deleteExpiredSecrets(database);
}

export const WEBHOOK_SECRETS: SecretKind = {
  what: 'secrets of webhooks',
  sealed: (database): SealedRows<SealedSecret> => ({
    after: (id, max) => sealedSecrets(database, id, max),
    contextOf: ({ companyId, endpointId }) => secretContext(companyId, endpointId),
    replace: (secret, sealed) => replaceBox(new Tenant(secret.companyId, database), secret, sealed),
  }),
};
