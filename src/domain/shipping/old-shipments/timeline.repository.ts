import { isPast, scanStatement } from './old-shipment-scan.repository.ts';

// The remaining events must fold to the status that the shipment has: the final ones stand for the whole shipment,
// whatever came before, and the first delivery keeps its date.
const IS_FINAL = '(e.status_code, e.occurred_at) in ((d.status_code, d.status_at), (d.status_code, d.delivered_at))';

/** Deletes the events of shipments that have ended, except the final ones. */
export const TIMELINES = scanStatement('shorten-timelines', {
  table: 'shipment',
  condition: isPast('r'),
  changes: `
    past as (
      select e.id from due d cross join lateral (
        select id from tracking_event e where company_id = $1 and shipment_id = d.id
          and (${IS_FINAL}) is not true offset 0
      ) e
    ),
    stand as (
      update tracking_event e set label = null, is_carrier_delivery = null from due d
        where e.company_id = $1 and e.shipment_id = d.id and ${IS_FINAL} and (label is not null or is_carrier_delivery)
    ),
    events as (
      delete from tracking_event where company_id = $1 and id = any(array(select id from past)) returning shipment_id
    ),
    uncounted as (
      update shipment set event_count = null, folded_events = null where company_id = $1 and id = any(array(select shipment_id from events))
    )`,
  count: 'select count(*) from events',
});
