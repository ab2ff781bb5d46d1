import type { Schedule } from '../../../platform/jobs/job-kinds.ts';
import { RENEWED } from '../../../platform/jobs/queues.ts';
import { deletedByAge, type RetentionRule } from '../../../platform/retention-rule.ts';
import { deleteChanges } from './changes/change-retention.service.ts';
import { oldestChange } from './changes/changes.repository.ts';
import { detectDelays } from './delays/delays.service.ts';

/** The schedules of tracking. */
export const TRACKING_SCHEDULES: readonly Schedule[] = [
  // Version 1.0 named the queue for webhooks. Under another name, processes of both versions would each look for delays.
  { queue: 'webhooks.delays', options: RENEWED, cron: '*/5 * * * *', work: detectDelays },
];

export const CHANGE_RETENTION: RetentionRule = {
  table: 'tracking_change',
  what: 'changes of shipments',
  how: 'deleted; a cursor before them expires',
  kept: { setting: 'CHANGE_RETENTION_DAYS', days: ({ changeDays }) => changeDays },
  remove: deleteChanges,
  oldest: oldestChange,
};

export const NEW_CODE_RETENTION: RetentionRule = {
  ...deletedByAge({
    table: 'new_carrier_code',
    key: 'company_id, carrier_connection_id, code',
    at: 'last_seen_at',
  }),
  what: "carriers' codes that no table of codes has",
  how: 'deleted when they were last seen so long ago',
  kept: 30,
};
