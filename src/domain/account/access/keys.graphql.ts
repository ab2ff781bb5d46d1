import { builder } from '../../../graphql/builder.ts';
import { enumType } from '../../../graphql/enum-type.ts';
import { connectionOf, LIST_ARGS, listCost, listPage } from '../../../graphql/lists.ts';
import { mutation, uuidId } from '../../../graphql/mutation.ts';
import { keyIn, uuidKey } from '../../../graphql/node-id.ts';
import { nodeType } from '../../../graphql/nodes.ts';
import { query } from '../../../graphql/query.ts';
import type { Rates } from '../../../platform/limits/rates.ts';
import { SCOPES } from '../../../platform/scopes.ts';
import { ApiKeyEnvironmentRef, ScopeRef } from './access.graphql.ts';
import { countKeys, type KeySummary, listKeys } from './access.repository.ts';
import { createApiKeyInput, rotateApiKeyInput, updateApiKeyInput } from './keys.input.ts';
import { findKey, grantorOf, issueKey, keysOf, revokeKey, rotateKey, updateKey } from './keys.service.ts';

const scope = 'keys:manage';

const described = {
  reads: 'Reads in a minute.',
  quotes: 'Quotes and address checks in a minute.',
  writes: 'Writes in a minute.',
  cost: 'Units of cost in a minute.',
} satisfies Record<keyof Rates, string>;

enumType('ApiKeyScopeGrant', 'A right to give to a key, or all rights of the key that makes the request.', {
  all: 'All rights of the key that makes the request.',
  ...SCOPES,
});

const ApiKeyRates = builder.objectRef<Partial<Rates>>('ApiKeyRates').implement({
  description: "The rates of a key, in each minute. Null stands for the service's own rate.",
  fields: t => ({
    reads: t.exposeInt('reads', { nullable: true, description: described.reads }),
    quotes: t.exposeInt('quotes', { nullable: true, description: described.quotes }),
    writes: t.exposeInt('writes', { nullable: true, description: described.writes }),
    cost: t.exposeInt('cost', { nullable: true, description: described.cost }),
  }),
});

const CompanyApiKey = builder.objectRef<KeySummary>('CompanyApiKey').implement({
  description: 'An API key of the company, as keys that manage keys see it. The key itself is never shown again.',
  fields: t => ({
    ...t.columns('String', { label: 'Name of the key.', last4: 'Its last four characters.' }),
    scopes: t.expose('scopes', { type: [ScopeRef], description: 'The scopes of the key.' }),
    ...t.columns(ApiKeyEnvironmentRef, { environment: 'Whether it opens the company or its sandbox.' }),
    rates: t.expose('rates', { type: ApiKeyRates, description: 'How many requests it may make.' }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When it was issued.' }),
    ...t.nullableColumns('DateTime', {
      expiresAt: 'When it stops working, if ever.',
      revokedAt: 'When it was revoked, if ever.',
      lastUsedAt: 'When it was last used, to the minute.',
    }),
  }),
});

nodeType(CompanyApiKey, {
  scope,
  keyOf: ({ apiKeyId }) => apiKeyId,
  readKey: uuidKey,
  find: (id, { tenant }) => findKey(tenant, id),
});

const Connection = connectionOf(CompanyApiKey);

query('apiKeys', {
  type: Connection,
  description: "The company's API keys, oldest first. The latest ones that no longer work are included.",
  authScopes: { scope },
  args: builder.args(t => ({
    ...LIST_ARGS,
    environment: t.field({
      type: ApiKeyEnvironmentRef,
      description:
        "`SANDBOX` lists the keys of the company's sandbox. If left out, the keys of the company of your key are listed.",
    }),
  })),
  complexity: listCost,
  resolve: async (_root, { environment, ...args }, { tenant, principal }) => {
    const holder = await keysOf(tenant, principal.environment, environment);
    const rows = {
      keyOf: ({ apiKeyId }: KeySummary) => apiKeyId,
      count: async () => (holder ? countKeys(holder) : 0),
    };
    return listPage(args, uuidKey, rows, async page => (holder ? listKeys(holder, page) : []));
  },
});

const keyId = uuidId(
  'CompanyApiKey',
  'The key: `id` of a `CompanyApiKey`, or of the `ApiKey` of the request.',
  'apiKeyId',
);
const ids = {
  id: {
    ...keyId,
    read: (id: string, path: readonly string[]) => keyId.read(keyIn('ApiKey', id, uuidKey) ?? id, path),
  },
};

mutation('createApiKey', {
  description:
    "Creates an API key, which is shown only this once. It can have only scopes that your key has, expires no later than your key, and shares the rates of your key if these are below the service's. `API_KEY_LIMIT_REACHED` if the company has as many keys as it may have.",
  scope,
  rawFields: createApiKeyInput,
  payload: {
    apiKey: { type: 'String', description: 'The key itself. It is shown only this once.' },
    key: { type: CompanyApiKey, description: 'The record of the key.' },
  },
  resolve: async (fields, { tenant, principal, serviceRates, caps }) =>
    issueKey(tenant, fields, grantorOf(principal, serviceRates, caps)),
});

mutation('rotateApiKey', {
  description:
    'Creates a key with the label, scopes, rates and lifetime of another. The new key is shown only this once, and expires no later than your key. The old key works for `overlapHours` more, unless it expires before. Your key must have all of its scopes, no lower rates, and must not expire earlier.',
  scope,
  ids,
  fields: rotateApiKeyInput,
  payload: {
    apiKey: { type: 'String', description: 'The new key itself. It is shown only this once.' },
    key: { type: CompanyApiKey, description: 'The record of the new key.' },
    oldKey: { type: CompanyApiKey, description: 'The old key, with the time at which it stops working.' },
  },
  resolve: async ({ id: apiKeyId, overlapHours }, { tenant, principal, serviceRates, caps }) =>
    rotateKey(tenant, { apiKeyId, overlapHours }, grantorOf(principal, serviceRates, caps)),
});

mutation('updateApiKey', {
  description:
    "Changes the fields that are sent. Every process uses them within a second. A rate can be lowered, or raised up to the service's own rate or the rate of your key, whichever is lower. Only the operator can give more. The key must be neither revoked nor expired, and must not have more rights than your key.",
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
    'Revokes a key permanently: every process rejects it within a second. Revoking it again changes nothing. The key must not have more rights than your key.',
  scope,
  ids,
  payload: { key: { type: CompanyApiKey, description: 'The key, with the time at which it was revoked.' } },
  resolve: async ({ id }, { tenant, principal, serviceRates, caps }) => ({
    key: await revokeKey(tenant, id, grantorOf(principal, serviceRates, caps)),
  }),
});
