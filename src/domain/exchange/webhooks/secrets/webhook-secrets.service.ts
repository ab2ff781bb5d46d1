import type { KeyObject } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { Tenant } from '../../../../platform/database/tenancy/tenancy.ts';
import type { Housekeeping } from '../../../../platform/jobs/job-kinds.ts';
import type { SealedRows, SecretKind } from '../../../../platform/secrets/reseal.ts';
import type { SecretBox } from '../../../../platform/secrets/secret-box.ts';
import { secretContext, signingKey } from './secret.rules.ts';
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

/** Secrets of endpoints that are in use. */
const MAX_KEYS = 10_000;

/** Opens sealed secrets and caches their keys, because opening takes longer than signing. */
export class SigningKeys {
  readonly #opened: LRUCache<string, KeyObject, { readonly sealed: Buffer; readonly context: string }>;

  constructor(box: SecretBox) {
    this.#opened = new LRUCache({
      max: MAX_KEYS,
      memoMethod: (_name, _stale, { context: { sealed, context } }) => signingKey(box.open(sealed, context)),
    });
  }

  /** @throws Error if a secret cannot be opened */
  of(companyId: string, endpointId: string, boxes: readonly Buffer[]): KeyObject[] {
    const context = secretContext(companyId, endpointId);
    // The name includes the endpoint, so that a secret opens for no other.
    const nameOf = (sealed: Buffer) => `${endpointId} ${sealed.toString('latin1')}`;
    return boxes.map(sealed => this.#opened.memo(nameOf(sealed), { context: { sealed, context } }));
  }
}
