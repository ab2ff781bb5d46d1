import { isPast, walkStatement } from './walk.repository.ts';

/**
 * Takes what is personal out of shipments and orders. What estimates, prices and statistics need stays: country, province,
 * postal code, weights, times and statuses. `updated_at` stays too: nothing has happened to the shipment.
 */

/** Whom a parcel went to, without the person. The street and the city are texts in the API, and so they are empty and not null. */
const anonymous = (recipient: string) => `jsonb_build_object('companyName', null, 'address', '', 'city', '',
  'postalCode', ${recipient} -> 'postalCode', 'province', ${recipient} -> 'province',
  'countryCode', ${recipient} -> 'countryCode')`;

/** The orders of `orders_due`, which are held. */
const ORDERS = `
    orders as (
      update customer_order o set recipient = ${anonymous('o.recipient')}
        where o.company_id = $1 and o.id = any(array(select id from orders_due)) and o.recipient ->> 'address' <> ''
        returning o.id
    ),
    order_contacts as (delete from order_contact where company_id = $1 and order_id = any(array(select id from orders_due)))`;
const noShipmentIsUnderWay = (order: string) =>
  `not exists (select from shipment o where o.company_id = $1 and o.order_id = ${order}.id and not (${isPast('o')}) offset 0)`;

// An order goes with the last of its shipments. Texts of carriers name who signed, and notes whom they spoke to. What is left of
// webhook events has the recipient, and has waited as long.
export const SHIPMENTS = walkStatement('anonymize-shipments', {
  table: 'shipment',
  condition: isPast('r'),
  changes: `
    shipments as (
      update shipment s set recipient = case when s.recipient is not null then ${anonymous('s.recipient')} end, tracking_url = null
        where s.company_id = $1 and s.id = any(array(select id from due)) and (s.recipient ->> 'address' <> '' or s.tracking_url is not null)
        returning s.id
    ),
    contacts as (delete from shipment_contact where company_id = $1 and shipment_id = any(array(select id from due))),
    texts as (
      update tracking_event set description = null, note = null
        where company_id = $1 and shipment_id = any(array(select id from due)) and (description is not null or note is not null)
    ),
    sent as (delete from webhook_event where company_id = $1 and shipment_id = any(array(select id from due))),
    orders_due as materialized (
      select c.id from customer_order c where c.company_id = $1 and c.id = any(array(select order_id from due))
        and c.updated_at < $3::timestamptz and ${noShipmentIsUnderWay('c')}
        order by c.id for no key update of c
    ),
    ${ORDERS}`,
  count: 'select (select count(*) from shipments) + (select count(*) from orders)',
});

// Those that have no shipment, and those that were changed after the last of theirs.
export const ORDERS_ALONE = walkStatement('anonymize-orders', {
  table: 'customer_order',
  condition: `r.updated_at < $3::timestamptz and ${noShipmentIsUnderWay('r')}`,
  changes: `
    orders_due as (select id from due),
    ${ORDERS}`,
  count: 'select count(*) from orders',
});
