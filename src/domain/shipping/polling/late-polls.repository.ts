import type { Database } from '../../../platform/database/database.ts';
import { ms } from '../../../platform/database/statements/sql.ts';
import { serviceStatement } from '../../../platform/database/statements/statements.ts';

/** Shipments that are overdue for a poll, counted up to a limit. */
export interface LatePolls {
  readonly count: number;
  /** When the oldest was due, in milliseconds since 1970. */
  readonly oldestDueAt: number | null;
}

// Reads the index of due times up to the limit. A shipment in hand is due after its lease.
const LATE = serviceStatement(
  'late-polls',
  `select count(*)::integer as count, ${ms('min(due_at)')} as "oldestDueAt" from (
      select due_at from tracking_poll where due_at < now() - make_interval(mins => $1) order by due_at limit $2
    ) late`,
);

/** Shipments that were due more than `minutes` ago, over all companies. */
export async function latePolls(database: Database, minutes: number, max: number): Promise<LatePolls> {
  const [row] = await database.rows<LatePolls>(LATE, [minutes, max]);
  return row ?? { count: 0, oldestDueAt: null };
}
