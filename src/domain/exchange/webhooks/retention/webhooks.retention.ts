import { deletedByAge, oldestRow, type RetentionRule } from '../../../../platform/retention-rule.ts';
import { deleteEvents } from './webhook-retention.repository.ts';

const kept: RetentionRule['kept'] = { setting: 'WEBHOOK_RETENTION_DAYS', days: ({ webhookDays }) => webhookDays };

/** Attempts come first, because they are the most; the rest cascades from events. */
export const WEBHOOK_RETENTION_RULES: readonly RetentionRule[] = [
  {
    ...deletedByAge({ table: 'webhook_attempt', key: 'company_id, delivery_id, number', at: 'started_at' }),
    what: 'attempts to deliver webhooks',
    how: 'deleted',
    kept,
  },
  {
    table: 'webhook_event',
    what: 'webhook events with their deliveries',
    how: 'deleted once no delivery of the event is still to be made',
    kept,
    remove: deleteEvents,
    oldest: oldestRow('webhook_event', 'created_at'),
  },
];
