import { defineEntity, p } from '@mikro-orm/core';
import { foreignKeys, ofCompany } from '../../../../platform/database/tenancy/company-entity.ts';

/** A carrier's estimate of a delivery, and when it was received. */
export const ShipmentEstimateEntity = defineEntity({
  name: 'ShipmentEstimate',
  tableName: 'shipment_estimate',
  ...ofCompany,
  properties: {
    companyId: p.uuid().primary(),
    shipmentId: p.integer().primary(),
    toldAt: p.datetime(3).primary(),
    expectedAt: p.datetime(3),
  },
  ...foreignKeys({
    columns: ['company_id', 'shipment_id'],
    references: 'shipment',
    onDelete: 'cascade',
    name: 'shipment_estimate_shipment',
  }),
});
