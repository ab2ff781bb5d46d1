import { defineEntity, p } from '@mikro-orm/core';
import { foreignKeys, ofCompany } from '../../../platform/database/tenancy/company-entity.ts';

/** When a carrier is asked about a shipment next, and the outcome of the last time. */
export const TrackingPollEntity = defineEntity({
  name: 'TrackingPoll',
  tableName: 'tracking_poll',
  ...ofCompany,
  properties: {
    companyId: p.uuid().primary(),
    shipmentId: p.integer().primary(),
    carrierConnectionId: p.integer(),
    dueAt: p.datetime(3).nullable(),
    polledAt: p.datetime(3).nullable(),
    misses: p.smallint().default(0).check('misses >= 0'),
    answer: p.blob().nullable(),
    answeredAt: p.datetime(3).nullable(),
    outcome: p.text().nullable(),
    refreshedAt: p.datetime(3).nullable(),
  },
  indexes: [{ name: 'tracking_poll_due', properties: ['dueAt'] }],
  ...foreignKeys(
    { columns: ['company_id', 'carrier_connection_id'], references: 'carrier_connection' },
    { columns: ['company_id', 'shipment_id'], references: 'shipment', onDelete: 'cascade' },
  ),
});
