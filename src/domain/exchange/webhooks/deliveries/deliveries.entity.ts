import { defineEntity, p } from '@mikro-orm/core';
import { foreignKeys, ofCompany } from '../../../../platform/database/tenancy/company-entity.ts';

/** An event for one endpoint. `parked` means that it is held back. */
export const WebhookDeliveryEntity = defineEntity({
  name: 'WebhookDelivery',
  tableName: 'webhook_delivery',
  ...ofCompany,
  properties: {
    id: p.bigint('number').primary().autoincrement().generated('by default as identity'),
    companyId: p.uuid().primary(),
    eventId: p.uuid(),
    endpointId: p.uuid(),
    status: p.enum(['pending', 'success', 'retrying', 'failed', 'cancelled']).default('pending'),
    attempts: p.integer().default(0),
    tries: p.smallint().default(0),
    ticket: p.integer().default(1),
    parked: p.boolean().default(false),
    nextAttemptAt: p.datetime(3).nullable(),
    deliveredAt: p.datetime(3).nullable(),
    createdAt: p.datetime(3).defaultRaw('now()'),
    updatedAt: p.datetime(3).defaultRaw('now()'),
    body: p.text().nullable(),
    number: p.bigint('number').nullable(),
  },
  checks: [{ name: 'webhook_delivery_check', expression: "(not parked) or status in ('pending', 'retrying')" }],
  indexes: [
    { name: 'webhook_delivery_of_endpoint', properties: ['companyId', 'endpointId', 'id'] },
    { name: 'webhook_delivery_parked', properties: ['companyId', 'endpointId', 'id'], where: 'parked' },
  ],
  uniques: [
    {
      name: 'webhook_delivery_company_id_event_id_endpoint_id_key',
      properties: ['companyId', 'eventId', 'endpointId'],
    },
  ],
  ...foreignKeys(
    { columns: ['company_id', 'endpoint_id'], references: 'webhook_endpoint' },
    { columns: ['company_id', 'event_id'], references: 'webhook_event', onDelete: 'cascade' },
  ),
});

/** A request that posted an event to an endpoint. */
export const WebhookAttemptEntity = defineEntity({
  name: 'WebhookAttempt',
  tableName: 'webhook_attempt',
  ...ofCompany,
  properties: {
    companyId: p.uuid().primary(),
    deliveryId: p.bigint('number').primary(),
    number: p.integer().primary(),
    startedAt: p.datetime(3),
    durationMs: p.integer(),
    outcome: p.text(),
    status: p.smallint().nullable(),
    answer: p.text().nullable(),
    nextAt: p.datetime(3).nullable(),
  },
  indexes: [{ name: 'webhook_attempt_age', properties: ['startedAt'] }],
  ...foreignKeys({ columns: ['company_id', 'delivery_id'], references: 'webhook_delivery', onDelete: 'cascade' }),
});
