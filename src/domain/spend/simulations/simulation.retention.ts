import { deletedByAge, type RetentionRule } from '../../../platform/retention-rule.ts';
import { KEPT_DAYS } from './simulation.service.ts';

export const SIMULATION_RETENTION: RetentionRule = {
  ...deletedByAge({ table: 'tariff_simulation', key: 'company_id, id', at: 'created_at' }),
  what: 'simulations of tariffs',
  how: 'deleted',
  kept: KEPT_DAYS,
};
