import { EVERY_MS } from '../domain/polling/poll.rules.ts';
import { duration } from './duration.ts';
import { code, table } from './markdown.ts';

/** How often a carrier is asked about a shipment, by its status. */
export function pollIntervals(): string {
  const byInterval = Map.groupBy(Object.entries(EVERY_MS), ([, ms]) => ms);
  const rows = [...byInterval].toSorted(([one], [other]) => one - other);
  return table(
    ['The service asks every', 'Statuses'],
    rows.map(([ms, entries]) => [duration(ms), entries.map(([status]) => code(status)).join(', ')]),
  );
}
