import type { RetentionRule } from '../../../../platform/retention-rule.ts';
import { deleteChanges } from './change-retention.service.ts';
import { oldestChange } from './changes.repository.ts';

export const CHANGE_RETENTION: RetentionRule = {
  table: 'tracking_change',
  what: 'changes of shipments',
  how: 'deleted; a cursor before them expires',
  kept: { setting: 'CHANGE_RETENTION_DAYS', days: ({ changeDays }) => changeDays },
  remove: deleteChanges,
  oldest: oldestChange,
};
