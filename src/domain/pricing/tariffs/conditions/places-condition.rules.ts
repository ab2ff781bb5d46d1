import { findRule } from '../areas/area.rules.ts';
import { area } from '../areas/place.format.rules.ts';
import { conditionKind } from './condition-kind.rules.ts';

/** A destination among some places. */
export const placesCondition = conditionKind({
  form: { to: area.optional() },
  isEarly: true,
  isCostly: true,
  guide: ['`to`', 'the destination matches one of these [places](#how-places-match)'],
  words: { to: 'places' },
  check: (issues, path, { to }) => {
    if (to) issues.areas([to], () => [...path, 'to'], ['the same']);
  },
  compile: ({ to }, { tables }) => to && tables.of([to]),
  holds: (table, { shipment }) => findRule(table, shipment.destination, shipment.origin) >= 0,
});
