import { z } from 'zod';
import { zoneCode } from '../format/parts.format.rules.ts';
import { conditionKind, rejectUnknown } from './condition-kind.rules.ts';

/** One of some zones, by index. */
export const zonesCondition = conditionKind({
  form: { zones: z.array(zoneCode).min(1).max(1_000).optional() },
  isEarly: true,
  isCostly: false,
  guide: ['`zones`', 'the shipment is in one of these zones'],
  words: {},
  check: (issues, path, { zones }, known) =>
    rejectUnknown(issues, [...path, 'zones'], zones, { all: known.zones, code: 'unknown_zone' }),
  compile: ({ zones }, names) => zones && new Set(zones.map(code => names.zones.get(code) ?? -1)),
  holds: (zones, { zone }) => zones.has(zone),
});
