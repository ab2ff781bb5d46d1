import { builder } from '../../graphql/builder.ts';
import { enumType } from '../../graphql/enum-type.ts';
import { connectionOf, LIST_ARGS, listCost, listPage } from '../../graphql/lists.ts';
import { mutation, uuidId } from '../../graphql/mutation.ts';
import { uuidKey } from '../../graphql/node-id.ts';
import { nodeType } from '../../graphql/nodes.ts';
import type { Rates } from '../../platform/limits/rates.ts';
import { SCOPE_VALUES, ScopeRef } from './access.graphql.ts';
import { createApiKeyInput, rotateApiKeyInput, updateApiKeyInput } from './keys.input.ts';
import {
  countKeys,
  grantorOf,
  issueKey,
  type KeySummary,
  keyById,
  listKeys,
  revokeKey,
  rotateKey,
  updateKey,
} from './keys.service.ts';

const scope = 'keys:manage';

const described = {
  reads: 'Reads a minute.',
  quotes: 'Quotes and address checks a minute.',
  writes: 'Writes a minute.',
  cost: 'Units of cost a minute.',
} satisfies Record<keyof Rates, string>;

enumType('ApiKeyScopeGrant', {
  description: 'A right to give to a key, or all that the asking key has.',
  values: {
    all: { description: 'All that the asking key may.' },
    ...SCOPE_VALUES,
  },
});

const ApiKeyRates = builder.objectRef<Partial<Rates>>('ApiKeyRates').implement({
  description: "What a key may ask for a minute, where that is its own; null is the service's.",
  fields: t => ({
    reads: t.exposeInt('reads', { nullable: true, description: described.reads }),
    quotes: t.exposeInt('quotes', { nullable: true, description: described.quotes }),
    writes: t.exposeInt('writes', { nullable: true, description: described.writes }),
    cost: t.exposeInt('cost', { nullable: true, description: described.cost }),
  }),
});

const CompanyApiKey = builder.objectRef<KeySummary>('CompanyApiKey').implement({
  description: 'An API key of the company as those see it who manage keys; the key itself is never shown again.',
  fields: t => ({
    uuid: t.expose('apiKeyId', { type: 'UUID', description: 'UUID of the key.' }),
    label: t.exposeString('label', { description: 'What it is named.' }),
    last4: t.exposeString('last4', { description: 'Its last four characters.' }),
    scopes: t.expose('scopes', { type: [ScopeRef], description: 'What it may do.' }),
    rates: t.expose('rates', { type: ApiKeyRates, description: 'How often it may do it.' }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When it was issued.' }),
    expiresAt: t.expose('expiresAt', {
      type: 'DateTime',
      nullable: true,
      description: 'When it stops working, if ever.',
    }),
    revokedAt: t.expose('revokedAt', {
      type: 'DateTime',
      nullable: true,
      description: 'When it was revoked, if ever.',
    }),
    lastUsedAt: t.expose('lastUsedAt', {
      type: 'DateTime',
      nullable: true,
      description: 'When it was last used; written at most once a minute.',
    }),
  }),
});

nodeType(CompanyApiKey, {
  scope,
  keyOf: ({ apiKeyId }) => apiKeyId,
  readKey: uuidKey,
  find: (id, { tenant }) => keyById(tenant, id),
});

const Connection = connectionOf(CompanyApiKey);

builder.queryField('apiKeys', t =>
  t.field({
    type: Connection,
    description: "The company's API keys, oldest first, the last of those that no longer work too.",
    authScopes: { scope },
    args: LIST_ARGS,
    complexity: listCost,
    resolve: (_root, args, { tenant }) => {
      const rows = { keyOf: ({ apiKeyId }: KeySummary) => apiKeyId, count: () => countKeys(tenant) };
      return listPage(args, uuidKey, rows, page => listKeys(tenant, page));
    },
  }),
);

const ids = { id: uuidId('CompanyApiKey', 'The key.', 'apiKeyId') };

mutation('createApiKey', {
  description:
    "Issues an API key, shown this once. It has no scope that the asking key lacks, expires no later, and shares that key's rates where they are below the service's. `api_key_limit_reached` while the company has as many as it may have.",
  scope,
  rawFields: createApiKeyInput,
  payload: {
    apiKey: { type: 'String', description: 'The key itself, shown this once.' },
    key: { type: CompanyApiKey, description: 'What is kept of it.' },
  },
  resolve: async (fields, { tenant, principal, serviceRates, caps }) =>
    issueKey(tenant, fields, grantorOf(principal, serviceRates, caps)),
});

mutation('rotateApiKey', {
  description:
    'Issues a key with the label, scopes and rates of another, and for as long, shown this once; it expires no later than the asking key. The old one works for `overlapHours` more, unless it expires before. The asking key must have all its scopes, no lower rate, and expire no earlier.',
  scope,
  ids,
  fields: rotateApiKeyInput,
  payload: {
    apiKey: { type: 'String', description: 'The new key itself, shown this once.' },
    key: { type: CompanyApiKey, description: 'What is kept of the new key.' },
    oldKey: { type: CompanyApiKey, description: 'The old key, with the time it stops working.' },
  },
  resolve: async ({ id: apiKeyId, overlapHours }, { tenant, principal, serviceRates, caps }) =>
    rotateKey(tenant, { apiKeyId, overlapHours }, grantorOf(principal, serviceRates, caps)),
});

mutation('updateApiKey', {
  description:
    "Changes the fields that are sent: every process goes by them within a second. A rate can be lowered, or raised up to the service's own or, where that is lower, the asking key's; more is the operator's to give. The key must be neither revoked nor expired, and have nothing that the asking key lacks.",
  scope,
  ids,
  fields: updateApiKeyInput,
  payload: { key: { type: CompanyApiKey, description: 'The key as it is now.' } },
  resolve: async ({ id, ...fields }, { tenant, principal, serviceRates, caps }) => ({
    key: await updateKey(tenant, id, fields, grantorOf(principal, serviceRates, caps)),
  }),
});

mutation('revokeApiKey', {
  description:
    'Revokes a key for good: every process rejects it within a second. Revoking it again changes nothing. The key must have nothing that the asking key lacks.',
  scope,
  ids,
  payload: { key: { type: CompanyApiKey, description: 'The key, with the time since when it is revoked.' } },
  resolve: async ({ id }, { tenant, principal, serviceRates, caps }) => ({
    key: await revokeKey(tenant, id, grantorOf(principal, serviceRates, caps)),
  }),
});
