import { z } from 'zod';
import { lineCode } from '../format/parts.format.rules.ts';
import { conditionKind, rejectUnknown } from './condition-kind.rules.ts';

/** An option that is asked for. */
export const optionsCondition = conditionKind({
  form: { options: z.array(lineCode).min(1).max(100).describe('One of these options is asked for.').optional() },
  isEarly: false,
  isCostly: false,
  guide: ['`options`', 'one of these options is asked for'],
  words: {},
  check: (issues, path, { options }, known) =>
    rejectUnknown(issues, [...path, 'options'], options, { all: known.options, code: 'unknown_line' }),
  compile: ({ options }) => options,
  holds: (options, { shipment }) => options.some(code => shipment.options.includes(code)),
});
