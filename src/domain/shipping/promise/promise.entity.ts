import { defineEntity, p } from '@mikro-orm/core';
import { foreignKeys, ofCompany } from '../../../platform/database/tenancy/company-entity.ts';

/** The service's own estimate of a shipment, in working minutes from its first scan, and how long it took. */
export const ShipmentPromiseEntity = defineEntity({
  name: 'ShipmentPromise',
  tableName: 'shipment_promise',
  ...ofCompany,
  properties: {
    companyId: p.uuid().primary(),
    shipmentId: p.integer().primary(),
    carrierConnectionId: p.integer(),
    scanned: p.double(),
    level: p.smallint().nullable(),
    earliest: p.integer().nullable(),
    expected: p.integer().nullable(),
    latest: p.integer().nullable(),
    took: p.double().nullable(),
  },
  indexes: [{ name: 'shipment_promise_open', properties: ['companyId', 'shipmentId'], where: 'took is null' }],
  ...foreignKeys({ columns: ['company_id', 'shipment_id'], references: 'shipment', onDelete: 'cascade' }),
});

/** When a company's estimates were last computed, and from which deliveries on. */
export const PromiseEntity = defineEntity({
  name: 'Promise',
  tableName: 'promise',
  ...ofCompany,
  properties: {
    companyId: p.uuid().primary(),
    beganAt: p.datetime(3),
    computedAt: p.datetime(3),
  },
  ...foreignKeys({ columns: ['company_id'], references: 'company' }),
});

/** How long deliveries of one kind took to one destination. */
export const PromiseCellEntity = defineEntity({
  name: 'PromiseCell',
  tableName: 'promise_cell',
  ...ofCompany,
  properties: {
    companyId: p.uuid().primary(),
    carrierConnectionId: p.integer().primary(),
    level: p.smallint().primary().check('level >= 0 and level <= 3'),
    destination: p.text().primary(),
    kind: p.text().primary(),
    deliveries: p.integer(),
    /** Minutes of the longest one. */
    longest: p.integer(),
    times: p.array().$type<number[]>().columnType('integer[]'),
  },
  ...foreignKeys({ columns: ['company_id', 'carrier_connection_id'], references: 'carrier_connection' }),
});

/** How many deliveries were estimated with a share, and how many came by the date. */
export const PromiseAccuracyEntity = defineEntity({
  name: 'PromiseAccuracy',
  tableName: 'promise_accuracy',
  ...ofCompany,
  properties: {
    companyId: p.uuid().primary(),
    carrierConnectionId: p.integer().primary(),
    level: p.smallint().primary().check('level >= 0 and level <= 3'),
    share: p.double().primary(),
    promised: p.integer(),
    kept: p.integer(),
  },
  ...foreignKeys({ columns: ['company_id', 'carrier_connection_id'], references: 'carrier_connection' }),
});
