import { defineEntity, p } from '@mikro-orm/core';
import { foreignKeys, ofCompany } from '../../../../platform/database/tenancy/company-entity.ts';

/** A change of a shipment, numbered within its company. */
export const TrackingChangeEntity = defineEntity({
  name: 'TrackingChange',
  tableName: 'tracking_change',
  ...ofCompany,
  properties: {
    companyId: p.uuid().primary(),
    number: p.bigint('number').primary(),
    kind: p.enum(['created', 'updated', 'status', 'event', 'estimate', 'related', 'delayed']),
    shipmentId: p.integer(),
    at: p.datetime(3).defaultRaw('now()'),
    eventId: p.bigint('number').nullable(),
    statusCode: p.text().nullable(),
    previousStatusCode: p.text().nullable(),
    detail: p.json<object>().nullable(),
  },
});

/** The number of a company's last change, and of its last deleted one. */
export const TrackingChangeCountEntity = defineEntity({
  name: 'TrackingChangeCount',
  tableName: 'tracking_change_count',
  ...ofCompany,
  properties: {
    companyId: p.uuid().primary(),
    last: p.bigint('number'),
    forgotten: p.bigint('number').defaultRaw('0'),
    epoch: p.bigint('number').defaultRaw('0'),
  },
  ...foreignKeys({ columns: ['company_id'], references: 'company' }),
});
