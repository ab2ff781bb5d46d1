import { defineEntity, p } from '@mikro-orm/core';
import { foreignKeys, ofCompany } from '../../../../platform/database/tenancy/company-entity.ts';

/** An event with its posted body. */
export const WebhookEventEntity = defineEntity({
  name: 'WebhookEvent',
  tableName: 'webhook_event',
  ...ofCompany,
  properties: {
    companyId: p.uuid().primary(),
    id: p.uuid().primary(),
    type: p.text(),
    shipmentId: p.integer().nullable(),
    sequence: p.integer().check('sequence >= 0'),
    body: p.text(),
    createdAt: p.datetime(3).defaultRaw('now()'),
    trackingEventId: p.bigint('number').nullable(),
  },
  indexes: [
    { name: 'webhook_event_age', properties: ['createdAt'] },
    { name: 'webhook_event_by_time', properties: ['companyId', 'createdAt'] },
  ],
  uniques: [
    { name: 'webhook_event_company_id_shipment_id_sequence_key', properties: ['companyId', 'shipmentId', 'sequence'] },
  ],
  ...foreignKeys(
    { columns: ['company_id'], references: 'company' },
    { columns: ['company_id', 'shipment_id'], references: 'shipment', name: 'webhook_event_shipment' },
  ),
});
