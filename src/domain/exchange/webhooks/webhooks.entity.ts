import { defineEntity, type InferEntity, p } from '@mikro-orm/core';
import {
  asCreated,
  creationTime,
  foreignKeys,
  ofCompany,
  ofUnitOfWork,
} from '../../../platform/database/tenancy/company-entity.ts';
import type { Topic } from './endpoints/endpoint.rules.ts';
import type { EndpointFilter } from './endpoints/endpoint-filter.rules.ts';

export const WebhookEndpointEntity = defineEntity({
  name: 'WebhookEndpoint',
  tableName: 'webhook_endpoint',
  ...ofCompany,
  properties: {
    companyId: p.uuid().primary().onCreate(ofUnitOfWork),
    id: p.uuid().primary(),
    label: p.text().check('char_length(label) >= 1 and char_length(label) <= 200'),
    url: p.text().check('char_length(url) >= 1 and char_length(url) <= 2048'),
    topic: p.text().$type<Topic>().default('tracking'),
    allCompanies: p.boolean().default(false),
    events: p.array().check('cardinality(events) > 0'),
    filter: p.json<EndpointFilter>().nullable(),
    selection: p.text().nullable(),
    secretLast4: p.text(),
    isActive: p.boolean().default(true),
    pausedAt: p.datetime(3).nullable(),
    disabledAt: p.datetime(3).nullable(),
    disabledReason: p.enum(['deleted', 'gone', 'failing']).nullable(),
    failures: p.integer().default(0).check('failures >= 0'),
    failingSince: p.datetime(3).nullable(),
    breaker: p.enum(['open', 'draining']).nullable(),
    probeAfter: p.datetime(3).nullable(),
    probes: p.integer().default(0).check('probes >= 0'),
    notifiedPercent: p.smallint().nullable().name('failing_told'),
    createdAt: creationTime(),
    updatedAt: p.datetime(3).defaultRaw('now()').onCreate(asCreated),
  },
  checks: [
    { name: 'webhook_endpoint_check', expression: 'is_active = disabled_at is null' },
    { name: 'webhook_endpoint_check1', expression: '(disabled_at is null) = (disabled_reason is null)' },
    {
      name: 'webhook_endpoint_check2',
      expression: "(probe_after is not null) = ((breaker is not null) and (breaker = 'open'))",
    },
    { name: 'webhook_endpoint_failing_told', expression: 'failing_told >= 0 and failing_told <= 100' },
    {
      name: 'webhook_endpoint_topic',
      expression: "topic in ('tracking', 'notices') and (topic = 'notices' or (not all_companies))",
    },
  ],
  indexes: [
    { name: 'webhook_endpoint_active', properties: ['companyId'], where: 'is_active' },
    { name: 'webhook_endpoint_of_all_companies', properties: ['companyId'], where: 'all_companies and is_active' },
  ],
  ...foreignKeys({ columns: ['company_id'], references: 'company' }),
});
export type WebhookEndpointRecord = InferEntity<typeof WebhookEndpointEntity>;

/** A sealed secret of an endpoint; the one that does not expire is the current one. */
export const WebhookSecretEntity = defineEntity({
  name: 'WebhookSecret',
  tableName: 'webhook_secret',
  ...ofCompany,
  properties: {
    id: p.integer().primary().autoincrement().generated('by default as identity'),
    companyId: p.uuid().primary().onCreate(ofUnitOfWork),
    endpointId: p.uuid().primary(),
    box: p.blob(),
    createdAt: creationTime(),
    expiresAt: p.datetime(3).nullable(),
  },
  indexes: [{ name: 'webhook_secret_expiry', properties: ['expiresAt'], where: 'expires_at is not null' }],
  uniques: [{ name: 'webhook_secret_current', properties: ['companyId', 'endpointId'], where: 'expires_at is null' }],
  ...foreignKeys({ columns: ['company_id', 'endpoint_id'], references: 'webhook_endpoint', onDelete: 'cascade' }),
});

/** The number of events that an endpoint was sent, from which the next ones are numbered. */
export const WebhookEndpointCountEntity = defineEntity({
  name: 'WebhookEndpointCount',
  tableName: 'webhook_endpoint_count',
  ...ofCompany,
  properties: {
    companyId: p.uuid().primary(),
    endpointId: p.uuid().primary(),
    last: p.bigint('number'),
  },
  ...foreignKeys({
    columns: ['company_id', 'endpoint_id'],
    references: 'webhook_endpoint',
    onDelete: 'cascade',
    name: 'webhook_endpoint_count_endpoint',
  }),
});
