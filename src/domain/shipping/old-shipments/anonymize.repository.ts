import { isPast, scanStatement } from './old-shipment-scan.repository.ts';

/**
 * Removes personal data from shipments and orders. Data for estimates, prices and statistics stay: country, province,
 * postal code, weights, times and statuses. `updated_at` stays too, because nothing has happened to the shipment.
 */

/** A destination without the person. Street and city are not nullable in the API, so they are empty. */
const anonymous = (recipient: string) => `jsonb_build_object('companyName', null, 'address', '', 'city', '',
  'postalCode', ${recipient} -> 'postalCode', 'province', ${recipient} -> 'province',
  'countryCode', ${recipient} -> 'countryCode', 'type', ${recipient} -> 'type')`;

/** The orders of `orders_due`, which are locked. */
const ORDERS = `
    orders as (
      update customer_order o set recipient = ${anonymous('o.recipient')}
        where o.company_id = $1 and o.id = any(array(select id from orders_due)) and o.recipient ->> 'address' <> ''
        returning o.id
    ),
    order_contacts as (delete from order_contact where company_id = $1 and order_id = any(array(select id from orders_due)))`;
const noShipmentIsUnderWay = (order: string) =>
  `not exists (select from shipment o where o.company_id = $1 and o.order_id = ${order}.id and not (${isPast('o')}) offset 0)`;

// An order is anonymized with the last of its shipments. Texts of carriers name who signed, and notes may name people.
// Remaining webhook events contain the recipient, and are as old.
export const SHIPMENTS = scanStatement('anonymize-shipments', {
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

// Orders without shipments, and orders that were changed after the last of their shipments.
export const ORDERS_ALONE = scanStatement('anonymize-orders', {
  table: 'customer_order',
  condition: `r.updated_at < $3::timestamptz and ${noShipmentIsUnderWay('r')}`,
  changes: `
    orders_due as (select id from due),
    ${ORDERS}`,
  count: 'select count(*) from orders',
});
