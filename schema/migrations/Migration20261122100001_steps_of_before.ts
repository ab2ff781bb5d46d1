import { Migration } from '@mikro-orm/migrations';

/** Shipments of one transaction; nobody waits longer for one of them than these take. */
const AT_ONCE = 1_000;

/** As the service writes it beside an event whose time cannot be used. */
const TIME = `to_char(one.occurred_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;

/**
 * Brings shipments and events of before to what is recorded from now on. A shipment whose status is `unknown` though it has
 * another event gets the status of the newest of these; first scan and time of shipping are those of its events. An event
 * dated more than 24 hours ahead gets the time at which it was recorded, with its own in the note, and is `unknown`, as one
 * that a carrier sends now. What is open again is polled again. Nobody is notified.
 *
 * Each thousand shipments of a company are a transaction of their own, which locks them in the order of their ids as the
 * service does. It can be stopped and run again.
 */
export default class Migration20261122100001_steps_of_before extends Migration {
  override isTransactional(): boolean {
    return false;
  }

  override up(): void {
    this.addSql(`do $$
      declare
        clock constant timestamptz(3) := now();
        ahead constant timestamptz := now() + interval '24 hours';
        company_ids constant uuid[] := array(select id from company order by id);
        company uuid;
        after_id integer;
        last_id integer;
        one record;
        received timestamptz;
      begin
        foreach company in array company_ids loop
          after_id := 0;
          loop
            select max(id) into last_id from (
              select id from shipment where company_id = company and id > after_id order by id limit ${AT_ONCE}
            ) batch;
            exit when last_id is null;
            perform from shipment where company_id = company and id > after_id and id <= last_id
              order by id for no key update;

            for one in select * from tracking_event
              where company_id = company and shipment_id > after_id and shipment_id <= last_id and occurred_at > ahead
              order by shipment_id, id desc
            loop
              received := one.recorded_at;
              -- Until no other event has this moment, code and place.
              loop
                begin
                  update tracking_event set occurred_at = received, status_code = 'unknown',
                      note = concat_ws(' · ', left(note, 900), 'Orario nel futuro: ' || ${TIME})
                    where company_id = company and id = one.id;
                  exit;
                exception when unique_violation then
                  received := received - interval '1 millisecond';
                end;
              end loop;
            end loop;

            with told as (
              select shipment_id, min(occurred_at) filter (where status_code not in ('created', 'cancelled', 'unknown')) as first_scan_at,
                  min(occurred_at) filter (where status_code = 'shipped') as shipped_at,
                  (array_agg(status_code order by status_code = 'unknown', occurred_at desc, id desc))[1] as status_code,
                  (array_agg(occurred_at order by status_code = 'unknown', occurred_at desc, id desc))[1] as status_at
                from tracking_event where company_id = company and shipment_id > after_id and shipment_id <= last_id
                group by shipment_id
            )
            update shipment s set first_scan_at = told.first_scan_at, shipped_at = told.shipped_at,
                status_code = told.status_code, status_at = told.status_at,
                delivered_at = case when told.status_code = 'delivered' then told.status_at end,
                updated_at = case when s.status_code <> told.status_code then clock else s.updated_at end
              from told where s.company_id = company and s.id = told.shipment_id
                and (s.first_scan_at, s.shipped_at, s.status_code, s.status_at)
                  is distinct from (told.first_scan_at, told.shipped_at, told.status_code, told.status_at);

            insert into tracking_poll (company_id, shipment_id, carrier_connection_id, due_at)
              select s.company_id, s.id, c.id, clock from shipment s
                join carrier_connection c on c.company_id = company and c.id = s.carrier_connection_id
                where s.company_id = company and s.id > after_id and s.id <= last_id and s.updated_at = clock
                  and s.status_code not in ('delivered', 'returned', 'lost', 'cancelled')
                  and least(s.shipment_date, s.created_at) > clock - interval '60 days'
                  and c.credentials is not null and c.is_active and c.disconnected_at is null
              on conflict do nothing;
            commit;
            after_id := last_id;
          end loop;
        end loop;
      end $$`);
  }
}
