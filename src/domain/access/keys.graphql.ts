import { builder } from '../../graphql/builder.ts';
import { ALL_SCOPES } from '../../platform/scopes.ts';
import {
  companyKeys,
  DEFAULT_OVERLAP_HOURS,
  type IssuedKey,
  issueKey,
  type KeySummary,
  MAX_OVERLAP_HOURS,
  type RotatedKey,
  revokeKey,
  rotateKey,
} from './keys.service.ts';

const authScopes = { scope: 'keys:manage' } as const;

const CompanyApiKey = builder.objectRef<KeySummary>('CompanyApiKey').implement({
  description: 'An API key of the company as those see it who manage keys; the key itself is never shown again.',
  fields: t => ({
    apiKeyId: t.exposeID('apiKeyId', { description: 'UUID of the key.' }),
    label: t.exposeString('label', { description: 'What it was named when it was issued.' }),
    last4: t.exposeString('last4', { description: 'Its last four characters.' }),
    scopes: t.exposeStringList('scopes', { description: 'What it may do.' }),
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

const NewApiKey = builder.objectRef<IssuedKey>('NewApiKey').implement({
  description: 'A key that was just issued.',
  fields: t => ({
    apiKey: t.exposeString('apiKey', { description: 'The key itself, told this once.' }),
    key: t.expose('key', { type: CompanyApiKey, description: 'What is kept of it.' }),
  }),
});

const RotatedApiKey = builder.objectRef<RotatedKey>('RotatedApiKey').implement({
  description: 'A key that follows another.',
  fields: t => ({
    apiKey: t.exposeString('apiKey', { description: 'The new key itself, told this once.' }),
    key: t.expose('key', { type: CompanyApiKey, description: 'What is kept of the new key.' }),
    oldKey: t.expose('oldKey', { type: CompanyApiKey, description: 'The old key, with the time it stops working.' }),
  }),
});

const CreateApiKeyInput = builder.inputType('CreateApiKeyInput', {
  description: 'A new API key.',
  fields: t => ({
    label: t.string({ required: true, description: 'What the key is for, 1–200 characters.' }),
    scopes: t.stringList({
      required: true,
      description: `What it may do: \`all\` that the asking key may, or some of ${ALL_SCOPES.join(', ')}.`,
    }),
    expiresAt: t.field({ type: 'DateTime', description: 'When it stops working; never if left out.' }),
  }),
});

builder.queryField('apiKeys', t =>
  t.field({
    type: [CompanyApiKey],
    description: "The company's API keys, oldest first, those that no longer work too.",
    authScopes,
    resolve: (_root, _args, { tenant }) => companyKeys(tenant),
  }),
);

builder.mutationFields(t => {
  const apiKeyId = t.arg.id({ required: true, description: 'UUID of the key.' });
  return {
    createApiKey: t.field({
      type: NewApiKey,
      description: 'Issues an API key, told this once. It can be granted no scope that the asking key lacks.',
      authScopes,
      args: { input: t.arg({ type: CreateApiKeyInput, required: true, description: 'The key.' }) },
      resolve: (_root, { input }, { tenant, principal }) => issueKey(tenant, input, principal),
    }),
    rotateApiKey: t.field({
      type: RotatedApiKey,
      description:
        'Issues a key with the label and scopes of another, and for as long, told this once. The old one works for `overlapHours` more, unless it expires before. The asking key must have all its scopes.',
      authScopes,
      args: {
        apiKeyId,
        overlapHours: t.arg.int({
          defaultValue: DEFAULT_OVERLAP_HOURS,
          description: `How long the old key still works, in hours, 0 to ${MAX_OVERLAP_HOURS}.`,
        }),
      },
      resolve: (_root, args, { tenant, principal }) => rotateKey(tenant, args, principal),
    }),
    revokeApiKey: t.field({
      type: CompanyApiKey,
      description:
        'Revokes a key for good: every process refuses it within a second. Revoking it again changes nothing.',
      authScopes,
      args: { apiKeyId },
      resolve: (_root, args, { tenant }) => revokeKey(tenant, args.apiKeyId),
    }),
  };
});
