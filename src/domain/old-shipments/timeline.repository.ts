import { isPast, walkStatement } from './walk.repository.ts';

/** Deletes the events of shipments that have ended, except the one that says how. */
export const TIMELINES = walkStatement('trim-timelines', {
  table: 'shipment',
  condition: isPast('r'),
  changes: `
    events as (
      delete from tracking_event e using due d
        where e.company_id = $1 and e.shipment_id = d.id and (e.status_code, e.occurred_at) is distinct from (d.status_code, d.status_at)
        returning e.id
    )`,
  count: 'select count(*) from events',
});
