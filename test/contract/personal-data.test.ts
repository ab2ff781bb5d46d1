import { expect, inject, test } from 'vitest';
import { urlOf, withClient } from '../support/databases.ts';

/**
 * Every column that can hold a text, by whether it can hold personal data of a recipient. An added column must be
 * listed, with the way in which its personal data are deleted, which `test/jobs/old-shipments.test.ts` tries.
 */

/** How it leaves. */
const PERSONAL: Readonly<Record<string, string>> = {
  'carrier_call.address': 'deleted after 7 days, and recorded without what is not known to be harmless',
  'carrier_call.request_body': 'the same',
  'carrier_call.request_headers': 'the same',
  'carrier_call.response_body': 'the same',
  'carrier_call.response_headers': 'the same',
  'customer_order.recipient': 'anonymized with the last shipment of the order',
  'idempotent_request.answer': 'deleted after 24 hours',
  'idempotent_request.request': 'deleted after 24 hours',
  'order_contact.email': 'deleted with the last shipment of the order',
  'order_contact.telephone': 'deleted with the last shipment of the order',
  'shipment.recipient': 'anonymized',
  'shipment.tracking_url': 'removed: addresses of tracking pages can have the recipient',
  'shipment_contact.email': 'deleted',
  'shipment_contact.telephone': 'deleted',
  'tracking_event.description': 'removed: carriers write who signed',
  'tracking_event.note': 'removed',
  'webhook_attempt.answer': 'deleted with its event: receivers repeat what they receive',
  'webhook_delivery.body': 'deleted with its event',
  'webhook_event.body': 'deleted with its shipment, if it is still kept',
};

/** Columns of each table that say nothing of a recipient's person, with the reason where the name does not say it. */
const OTHER: Readonly<Record<string, string>> = {
  api_key: 'secret_hash last4 label scopes rates',
  // An act never has a person: see `Act`.
  audit_entry: 'content action hash',
  audit_head: 'hash',
  carrier_call: 'purpose request_id method outcome failure',
  carrier_connection:
    'carrier_code label environment base_url credentials credentials_state tracking_credentials_state questions',
  carrier_invoice: 'number mapping covers state terms totals',
  carrier_invoice_finding: 'code rule explanation explanation_it',
  // Numbers, weights and amounts (`BilledLine`); the file itself is not kept.
  carrier_invoice_line: 'number billed state reason',
  carrier_reference: 'carrier_code kind name content',
  carrier_tariff_revision: 'name document author api_key_label problem',
  company: 'name',
  // Numbers of the order, sizes of parcels, and what the company keeps for itself.
  customer_order:
    'order_number marketplace marketplace_order_id marketplace_order_id_key marketplace_order_number marketplace_order_number_key parcels service metadata',
  // The proof that a company was erased.
  erased_company: 'erased_by counts audit_hash',
  idempotent_request: 'route idempotency_key',
  migrated_version: 'version oldest_beside',
  // As a carrier forms its codes, of at most 30 characters.
  new_carrier_code: 'code',
  old_shipment_walk: 'walk',
  promise_cell: 'destination kind',
  rate_use: 'rate_class',
  // A place without a name or a street.
  saved_quote: 'request shipment price',
  // Numbers of the shipment, and what the company keeps for itself.
  // The hash of a random key, in part.
  secrets_key: 'id',
  shipment: 'tracking_number tracking_key reference reference_key parcel_id parcel_id_key status_code metadata',
  shipment_label: 'tracking_number tracking_key',
  shipment_relation: 'related_key type',
  // The references in jobs: companies, deliveries and shipments by their ids.
  suspended_job: 'queue data group_id singleton_key',
  tariff: 'name versions',
  tariff_simulation: 'state problem about plan tally',
  // Numbers, postal codes and prices, for 30 days.
  tariff_simulation_page: 'csv',
  // Names of fields that changed, and numbers.
  tracking_change: 'kind status_code previous_status_code detail',
  // Where something happened: a depot or a town.
  tracking_event: 'status_code carrier_status_code location label',
  tracking_poll: 'answer outcome',
  // Where the company ships from.
  warehouse: 'name address postal_code city state country',
  webhook_attempt: 'outcome',
  webhook_delivery: 'status',
  webhook_endpoint: 'label url events secret_last4 disabled_reason breaker filter selection topic',
  webhook_event: 'type',
  webhook_secret: 'box',
};

const COLUMNS = `select c.relname || '.' || a.attname as name from pg_attribute a join pg_class c on c.oid = a.attrelid
  where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
    and c.relname <> 'mikro_orm_migrations' and a.attnum > 0 and not a.attisdropped
    and format_type(a.atttypid, null) ~ '^(text|json|jsonb|bytea|character|xml|hstore|tsvector|inet)'
  order by 1`;

test('Each column that can hold a text is listed as personal or as not personal', async () => {
  const url = urlOf(inject('serverUrl'), inject('template'));
  const { rows } = await withClient(url, client => client.query<{ name: string }>(COLUMNS));
  const others = Object.entries(OTHER).flatMap(([table, columns]) => columns.split(' ').map(one => `${table}.${one}`));
  expect(rows.map(({ name }) => name).toSorted()).toEqual([...Object.keys(PERSONAL), ...others].toSorted());
});
