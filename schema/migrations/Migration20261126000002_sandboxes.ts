import { Migration } from '@mikro-orm/migrations';

const DEMO = 'de300000-0000-4000-8000-000000000001';
const LIVE_DEMO = 'de300000-0000-4000-8000-000000000000';

const IN_SANDBOX = `t.environment = 'sandbox'`;
const CONNECTIONS = `(select id from carrier_connection where company_id = $1 and environment = 'sandbox')`;
const OF_CONNECTION = `t.carrier_connection_id in ${CONNECTIONS}`;
const ofThose = (column: string, table: string) =>
  `t.${column} in (select id from ${table} where company_id = $1 and carrier_connection_id in ${CONNECTIONS})`;
const OF_SHIPMENT = ofThose('shipment_id', 'shipment');
const OF_TARIFF = ofThose('tariff_id', 'tariff');
const OF_INVOICE = ofThose('invoice_id', 'carrier_invoice');
const ENDPOINTS = `(select id from webhook_endpoint where company_id = $1 and environment = 'sandbox')`;
const OF_ENDPOINT = `t.endpoint_id in ${ENDPOINTS}`;
const OF_DELIVERY = `t.delivery_id in (select id from webhook_delivery where company_id = $1 and endpoint_id in ${ENDPOINTS})`;
const IS_DELIVERED = `t.id in (select event_id from webhook_delivery where company_id = $1 and endpoint_id in ${ENDPOINTS})`;
const OF_SIMULATION = `t.simulation_id in (select id from tariff_simulation where company_id = $1 and environment = 'sandbox')`;
const ORDERS = `(select order_id from shipment where company_id = $1 and carrier_connection_id in ${CONNECTIONS})`;

/** What the sandbox gets, each table after those that it refers to. */
const COPIED: readonly (readonly [table: string, condition: string])[] = [
  ['carrier_connection', IN_SANDBOX],
  [
    'carrier_reference',
    `t.carrier_code in (select carrier_code from carrier_connection where company_id = $1 and environment = 'sandbox')`,
  ],
  ['carrier_call', OF_CONNECTION],
  ['carrier_tariff_revision', OF_CONNECTION],
  ['saved_quote', OF_CONNECTION],
  ['tariff', OF_CONNECTION],
  ...(['tariff_version', 'tariff_zone', 'tariff_place', 'tariff_band'] as const).map(
    table => [table, OF_TARIFF] as const,
  ),
  ['carrier_invoice', OF_CONNECTION],
  ['carrier_invoice_line', OF_INVOICE],
  ['carrier_invoice_finding', OF_INVOICE],
  ['promise_accuracy', OF_CONNECTION],
  ['promise', `exists (select from promise_cell where company_id = $1 and carrier_connection_id in ${CONNECTIONS})`],
  [
    'warehouse',
    `t.id in (select warehouse_id from shipment where company_id = $1 and carrier_connection_id in ${CONNECTIONS}
      union select warehouse_id from customer_order where company_id = $1 and id in ${ORDERS})`,
  ],
  ['customer_order', `t.id in ${ORDERS}`],
  ['order_contact', `t.order_id in ${ORDERS}`],
  ['shipment', OF_CONNECTION],
  ...(
    [
      ...['shipment_contact', 'shipment_estimate', 'shipment_label', 'shipment_promise', 'shipment_relation'],
      ...['tracking_event', 'tracking_poll'],
    ] as const
  ).map(table => [table, OF_SHIPMENT] as const),
  ['webhook_endpoint', IN_SANDBOX],
  ['webhook_secret', OF_ENDPOINT],
  ['webhook_endpoint_count', OF_ENDPOINT],
  ['webhook_event', `(${OF_SHIPMENT} or t.shipment_id is null and ${IS_DELIVERED})`],
  ['webhook_delivery', OF_ENDPOINT],
  ['webhook_attempt', OF_DELIVERY],
  ['tariff_simulation', IN_SANDBOX],
  ['tariff_simulation_page', OF_SIMULATION],
];

/** What the company loses, each table before those that it refers to; the rest goes with what it belongs to. */
const DELETED: readonly (readonly [table: string, condition: string])[] = [
  ['webhook_event', OF_SHIPMENT],
  ['webhook_delivery', OF_ENDPOINT],
  ['webhook_endpoint', IN_SANDBOX],
  ['tracking_poll', OF_CONNECTION],
  ['shipment', OF_CONNECTION],
  ['carrier_invoice', OF_CONNECTION],
  ['promise_accuracy', OF_CONNECTION],
  ['promise_cell', OF_CONNECTION],
  ['carrier_call', OF_CONNECTION],
  ['saved_quote', OF_CONNECTION],
  ['tariff', OF_CONNECTION],
  ['carrier_tariff_revision', OF_CONNECTION],
  ['carrier_connection', IN_SANDBOX],
  ['tariff_simulation', IN_SANDBOX],
];

/** Moves the keys of an environment. A key is there once, by its id alone, so it leaves before it arrives. */
const moveKeys = (environment: string, from: string, to: string) => `
  create temporary table moved_key on commit drop as
    select * from api_key where company_id = ${from} and environment = '${environment}';
  create temporary table moved_request on commit drop as
    select * from idempotent_request where company_id = ${from} and api_key_id in (select id from moved_key);
  delete from api_key where company_id = ${from} and environment = '${environment}';
  update moved_key set company_id = ${to};
  update moved_request set company_id = ${to};
  insert into api_key select * from moved_key;
  insert into idempotent_request select * from moved_request;`;

/** Jobs of what moves, by what their data name. */
const JOBS: readonly (readonly [member: string, ids: string])[] = [
  ['endpointId', ENDPOINTS],
  ['carrierCompanyId', CONNECTIONS],
  ['invoiceId', `(select id from carrier_invoice where company_id = $1 and carrier_connection_id in ${CONNECTIONS})`],
  ['simulationId', `(select id from tariff_simulation where company_id = $1 and environment = 'sandbox')`],
];

const listed = (parts: readonly (readonly [string, string])[]) =>
  parts.map(([name, condition]) => `['${name}', $of$${condition}$of$]`).join(', ');

/**
 * Makes the sandbox of each company that has something of it: what belongs to keys, connections and endpoints of the sandbox
 * moves there with its ids, and what shipments and tariffs of the sandbox refer to is copied. The change log and the audit trail
 * stay with the company. The log of the sandbox begins anew, so that its readers list their shipments again.
 *
 * The demo company becomes the sandbox of a live company that has only its live keys.
 *
 * Each company is a transaction of its own. It can be stopped and run again.
 */
export default class Migration20261126000002_sandboxes extends Migration {
  override isTransactional(): boolean {
    return false;
  }

  override up(): void {
    this.addSql(`do $$
      begin
        if exists (select from company where id = '${DEMO}' and sandbox_of is null) then
          insert into company (id, name, created_at, suspended_at)
            select '${LIVE_DEMO}', name, created_at, suspended_at from company where id = '${DEMO}';
          update company set name = left(name, 190) || ' (sandbox)', sandbox_of = '${LIVE_DEMO}' where id = '${DEMO}';
          update carrier_connection set environment = 'sandbox' where company_id = '${DEMO}' and environment = 'live';
          ${moveKeys('live', `'${DEMO}'`, `'${LIVE_DEMO}'`)}
        end if;
      end $$`);
    this.addSql(`do $$
      declare
        company_ids constant uuid[] := array(
          select c.id from company c where c.sandbox_of is null and (
            exists (select from api_key t where t.company_id = c.id and ${IN_SANDBOX})
            or exists (select from carrier_connection t where t.company_id = c.id and ${IN_SANDBOX})
            or exists (select from webhook_endpoint t where t.company_id = c.id and ${IN_SANDBOX})
            or exists (select from tariff_simulation t where t.company_id = c.id and ${IN_SANDBOX})
          ) order by c.id);
        live_id uuid;
        sandbox_id uuid;
        part text[];
        columns text;
        given text;
      begin
        foreach live_id in array company_ids loop
          insert into company (id, name, created_at, suspended_at, sandbox_of, sealed_for)
            select gen_random_uuid(), left(name, 190) || ' (sandbox)', now(), suspended_at, id, id from company where id = live_id
            on conflict (sandbox_of) do nothing;
          select id into sandbox_id from company where sandbox_of = live_id;

          foreach part slice 1 in array array[${listed(COPIED)}] loop
            select string_agg(quote_ident(attname), ', '),
                string_agg(case
                  when attname = 'company_id' then '$2'
                  when attname = 'quote_id' then $of$case when ${ofThose('quote_id', 'saved_quote')} then t.quote_id end$of$
                  else 't.' || quote_ident(attname) end, ', ')
              into columns, given
              from pg_attribute where attrelid = part[1]::regclass and attnum > 0 and not attisdropped and attgenerated = '';
            execute format('insert into %I (%s) select %s from %I t where t.company_id = $1 and (%s)',
              part[1], columns, given, part[1], part[2]) using live_id, sandbox_id;
          end loop;
          insert into tracking_change_count (company_id, last, epoch)
            values (sandbox_id, 0, floor(extract(epoch from now()) * 1000)) on conflict do nothing;

          if to_regclass('pgboss.job') is not null then
            foreach part slice 1 in array array[${listed(JOBS)}] loop
              execute format('update pgboss.job j set data = j.data || jsonb_build_object(''companyId'', $2),
                  group_id = case j.group_id when $1::text then $2::text else j.group_id end
                where j.data ->> ''companyId'' = $1::text and j.state < ''completed'' and j.data ->> %L in (select x.id::text from %s x)',
                part[1], part[2]) using live_id, sandbox_id;
            end loop;
          end if;
          foreach part slice 1 in array array[${listed(JOBS)}] loop
            execute format('update suspended_job j set data = j.data || jsonb_build_object(''companyId'', $2)
              where j.company_id = $1 and j.data ->> %L in (select x.id::text from %s x)', part[1], part[2]) using live_id, sandbox_id;
          end loop;
          execute 'insert into suspended_job (company_id, id, queue, data, group_id, singleton_key)
            select $2, id, queue, data, case group_id when $1::text then $2::text else group_id end, singleton_key from suspended_job
              where company_id = $1 and data ->> ''companyId'' = $2::text' using live_id, sandbox_id;
          execute 'delete from suspended_job where company_id = $1 and data ->> ''companyId'' = $2::text' using live_id, sandbox_id;

          update shipment set quote_id = null where company_id = live_id and quote_id in (
            select q.id from saved_quote q join carrier_connection c on c.company_id = live_id and c.id = q.carrier_connection_id
              where q.company_id = live_id and c.environment = 'sandbox');
          foreach part slice 1 in array array[${listed(DELETED)}] loop
            execute format('delete from %I t where t.company_id = $1 and (%s)', part[1], part[2]) using live_id;
          end loop;
          ${moveKeys('sandbox', 'live_id', 'sandbox_id')}
          commit;
        end loop;
      end $$`);
  }
}
