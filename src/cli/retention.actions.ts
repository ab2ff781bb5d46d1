import { deleteOlderThan } from '../domain/webhooks/retention/webhook-retention.service.ts';
import { forgetRequests } from '../platform/idempotency.ts';
import { withDatabase } from './session.ts';

export function runRetention({ days }: { days?: number }) {
  return withDatabase(async ({ config, database }) => {
    const keptDays = days ?? config.webhookRetentionDays;
    const deleted = await deleteOlderThan(database, keptDays);
    return { keptDays, deleted, idempotencyKeys: await forgetRequests(database) };
  });
}
