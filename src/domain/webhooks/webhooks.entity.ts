import { defineEntity, type InferEntity, p } from '@mikro-orm/core';
import { asCreated, ofCompany, ofEnvironment } from '../../platform/database/company-entity.ts';
import type { Environment } from '../../platform/environment.ts';

import type { EndpointFilter } from './endpoints/endpoint-filter.rules.ts';
import type { Topic } from './endpoints/endpoint-topic.rules.ts';

export const WebhookEndpointEntity = defineEntity({
  name: 'WebhookEndpoint',
  tableName: 'webhook_endpoint',
  filters: { ...ofCompany.filters, ...ofEnvironment },
  properties: {
    companyId: p.uuid().primary(),
    id: p.uuid().primary(),
    label: p.text(),
    url: p.text(),
    topic: p.text().$type<Topic>(),
    allCompanies: p.boolean(),
    events: p.array(),
    /** That of the key that made it: one of the sandbox gets events of the sandbox alone. */
    environment: p.text().$type<Environment>(),
    filter: p.json<EndpointFilter>().nullable(),
    selection: p.text().nullable(),
    secretLast4: p.text(),
    isActive: p.boolean(),
    pausedAt: p.datetime(3).nullable(),
    disabledAt: p.datetime(3).nullable(),
    disabledReason: p.text().nullable(),
    failures: p.integer(),
    failingSince: p.datetime(3).nullable(),
    breaker: p.text().nullable(),
    probeAfter: p.datetime(3).nullable(),
    probes: p.integer(),
    failingTold: p.smallint().nullable(),
    createdAt: p.datetime(3).onCreate(() => new Date()),
    updatedAt: p.datetime(3).onCreate(asCreated),
  },
});
export type WebhookEndpointRecord = InferEntity<typeof WebhookEndpointEntity>;

/** A sealed secret of an endpoint; the one that does not expire is the current one. */
export const WebhookSecretEntity = defineEntity({
  name: 'WebhookSecret',
  tableName: 'webhook_secret',
  ...ofCompany,
  properties: {
    companyId: p.uuid().primary(),
    endpointId: p.uuid().primary(),
    id: p.integer().primary().autoincrement().generated('by default as identity'),
    box: p.blob(),
    createdAt: p.datetime(3).onCreate(() => new Date()),
    expiresAt: p.datetime(3).nullable(),
  },
});
