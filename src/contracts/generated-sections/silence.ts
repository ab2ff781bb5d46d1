import { NORMAL_WORKING_DAYS } from '../../domain/tracking/delays/silence.rules.ts';
import { code, table } from './markdown.ts';

/** How long each status may last without news before a shipment counts as stalled. */
export function silence(): string {
  const byDays = Map.groupBy(Object.entries(NORMAL_WORKING_DAYS), ([, days]) => days);
  const rows = [...byDays].toSorted(([one], [other]) => one - other);
  return table(
    ['Working days without news', 'Statuses'],
    rows.map(([days, entries]) => [String(days), entries.map(([status]) => code(status)).join(', ')]),
  );
}
