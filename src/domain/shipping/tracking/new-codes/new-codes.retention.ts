import { deletedByAge, type RetentionRule } from '../../../../platform/retention-rule.ts';

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
