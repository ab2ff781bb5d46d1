import { z } from 'zod';
import { lineCode } from '../format/parts.format.rules.ts';
import { conditionKind, rejectUnknown } from './condition-kind.rules.ts';

/** One of some services. Each service is compiled by itself, so it is known before anything is priced. */
export const servicesCondition = conditionKind({
  form: { services: z.array(lineCode).min(1).max(100).describe('By one of these services.').optional() },
  isEarly: true,
  isCostly: false,
  guide: ['`services`', 'it goes by one of these [services](#services)'],
  words: {},
  check: (issues, path, { services }, known) =>
    rejectUnknown(issues, [...path, 'services'], services, { all: known.services, code: 'unknown_service' }),
  compile: ({ services }, { service }) => services && { isAmong: service !== undefined && services.includes(service) },
  holds: ({ isAmong }) => isAmong,
});
