import { defineEntity, p } from '@mikro-orm/core';
import { foreignKeys, ofCompany } from '../../../platform/database/tenancy/company-entity.ts';

/** Something that happened to a shipment. */
export const TrackingEventEntity = defineEntity({
  name: 'TrackingEvent',
  tableName: 'tracking_event',
  ...ofCompany,
  properties: {
    id: p.bigint('number').primary().autoincrement().generated('by default as identity'),
    companyId: p.uuid().primary(),
    shipmentId: p.integer(),
    occurredAt: p.datetime(3),
    statusCode: p.text(),
    carrierStatusCode: p.text().nullable(),
    description: p.text().nullable(),
    location: p.text().nullable(),
    note: p.text().nullable(),
    recordedAt: p.datetime(3).defaultRaw('now()'),
    // The secondary label that it names.
    label: p.text().nullable(),
    // Whether the carrier says `delivered`, which is `returned` for a parcel on its way back. Null for false.
    isCarrierDelivery: p.boolean().nullable(),
    // Whether its shipment had its status until a late event took that back. Null for false.
    isTakenBack: p.boolean().nullable(),
  },
  uniques: [
    {
      name: 'tracking_event_once',
      expression:
        "create unique index tracking_event_once on tracking_event (company_id, shipment_id, occurred_at, coalesce(carrier_status_code, case when is_carrier_delivery then 'delivered' else status_code end), coalesce(location, ''), coalesce(label, ''))",
    },
  ],
  ...foreignKeys({ columns: ['company_id', 'shipment_id'], references: 'shipment', onDelete: 'cascade' }),
});
