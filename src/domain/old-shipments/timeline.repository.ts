import { isPast, scanStatement } from './old-shipment-scan.repository.ts';

/** Deletes the events of shipments that have ended, except the final one. */
export const TIMELINES = scanStatement('shorten-timelines', {
  table: 'shipment',
  condition: isPast('r'),
  changes: `
    past as (
      select e.id from due d cross join lateral (
        select id from tracking_event where company_id = $1 and shipment_id = d.id
          and (status_code, occurred_at) is distinct from (d.status_code, d.status_at) offset 0
      ) e
    ),
    events as (
      delete from tracking_event where company_id = $1 and id = any(array(select id from past)) returning shipment_id
    ),
    uncounted as (
      update shipment set event_count = null where company_id = $1 and id = any(array(select shipment_id from events))
    )`,
  count: 'select count(*) from events',
});
