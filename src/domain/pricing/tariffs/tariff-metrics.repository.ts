import type { Database } from '../../../platform/database/database.ts';
import { serviceStatement } from '../../../platform/database/statements/statements.ts';
import { isFollowed } from './revisions/revision.rules.ts';

/** The kinds of things that end and need a successor. */
export const ENDING_KINDS = ['tariff', 'fuel_index'] as const;

// A tariff or an index that ended long ago is left out, since it is no longer in use.
const ENDING = serviceStatement(
  'ending-tariffs',
  `select (select count(*)::integer from tariff t
        join carrier_connection c on c.company_id = t.company_id and c.id = t.carrier_connection_id
        where c.is_active and t.valid_until between today - 14 and today + 14 and not ${isFollowed('t')}) as tariff,
      (select count(*)::integer from (select max(days.day) as last,
            (array_agg(days.day order by days.day desc))[2] as before
          from carrier_reference r
          cross join lateral (select (rate ->> 'from')::date as day from jsonb_array_elements(r.content) rate) days
          where r.kind = 'index' group by r.company_id, r.carrier_code, r.name) i
        where case when i.last - i.before < 28 then i.last + (i.last - i.before) between today - 45 and today - 1
          else i.last + interval '1 month' between today - 45 and today + 7 end) as fuel_index
    from (select (now() at time zone 'Europe/Rome')::date as today) italy`,
);

/**
 * Counts tariffs of active connections that end within two weeks without a scheduled draft to follow them, and indexes
 * that lack the next month a week before it begins, or the next week on the day after it was due.
 */
export async function endingTariffs(
  database: Database,
): Promise<Readonly<Record<(typeof ENDING_KINDS)[number], number>>> {
  const [row] = await database.rows<Record<(typeof ENDING_KINDS)[number], number>>(ENDING, []);
  return row as Record<(typeof ENDING_KINDS)[number], number>;
}
