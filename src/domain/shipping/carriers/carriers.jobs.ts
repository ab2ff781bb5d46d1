import { deletedByAge, type RetentionRule } from '../../../platform/retention-rule.ts';

export const CARRIER_CALL_RETENTION: RetentionRule = {
  ...deletedByAge({ table: 'carrier_call', key: 'company_id, id', at: 'at' }),
  what: 'calls to carriers',
  how: 'deleted; with 0 no more are recorded, and those that were are kept for a day',
  kept: { setting: 'CARRIER_CALL_RETENTION_DAYS', days: ({ carrierCallDays }) => Math.max(carrierCallDays, 1) },
};
