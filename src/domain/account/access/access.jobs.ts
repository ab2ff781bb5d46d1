import type { JobKind } from '../../../platform/jobs/job-kinds.ts';
import { type JobData, RENEWED } from '../../../platform/jobs/queues.ts';
import { recordUse } from './access.repository.ts';

interface KeyUsed extends JobData {
  readonly apiKeyId: string;
  /** ISO 8601. */
  readonly usedAt: string;
}

/** Writes when a key was last used. A lost job is harmless, because the key's next minute writes it again. */
export const keyUsed: JobKind<KeyUsed> = {
  queue: 'access.key-used',
  options: RENEWED,
  concurrency: 10,
  pollSeconds: 2,
  work: (tenant, { apiKeyId, usedAt }) => recordUse(tenant, apiKeyId, usedAt),
};
