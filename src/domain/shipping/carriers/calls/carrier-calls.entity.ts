import { defineEntity, p } from '@mikro-orm/core';
import { foreignKeys, ofCompany } from '../../../../platform/database/tenancy/company-entity.ts';

/** A request to a carrier, and its response, without credentials and persons. */
export const CarrierCallEntity = defineEntity({
  name: 'CarrierCall',
  tableName: 'carrier_call',
  ...ofCompany,
  properties: {
    id: p.bigint('number').primary().autoincrement().generated('by default as identity'),
    companyId: p.uuid().primary(),
    carrierConnectionId: p.integer(),
    at: p.datetime(3),
    purpose: p.text(),
    isTokenRequest: p.boolean(),
    requestId: p.text().nullable(),
    method: p.text(),
    address: p.text(),
    outcome: p.text(),
    status: p.smallint().nullable(),
    failure: p.text().nullable(),
    durationMs: p.integer(),
    requestHeaders: p.json<Record<string, string>>().columnType('json'),
    requestBody: p.text().nullable(),
    responseHeaders: p.json<Record<string, string>>().columnType('json').nullable(),
    responseBody: p.text().nullable(),
  },
  indexes: [
    { name: 'carrier_call_by_age', properties: ['at'] },
    { name: 'carrier_call_by_connection', properties: ['companyId', 'carrierConnectionId', 'at', 'id'] },
    { name: 'carrier_call_by_outcome', properties: ['companyId', 'outcome', 'at', 'id'] },
    { name: 'carrier_call_by_request', properties: ['companyId', 'requestId', 'id'], where: 'request_id is not null' },
    { name: 'carrier_call_by_time', properties: ['companyId', 'at', 'id'] },
  ],
  ...foreignKeys({ columns: ['company_id', 'carrier_connection_id'], references: 'carrier_connection' }),
});
