import { builder } from '../../../graphql/builder.ts';
import type { AuthScheme, RequestContext } from '../../../graphql/context.ts';
import { enumType } from '../../../graphql/enum-type.ts';
import { uuidKey } from '../../../graphql/node-id.ts';
import { nodeType } from '../../../graphql/nodes.ts';
import { query } from '../../../graphql/query.ts';
import type { Environment } from '../../../platform/environment.ts';
import { ALL_SCOPES, SCOPES } from '../../../platform/scopes.ts';
import { currentKey } from './access.service.ts';

/** Stored scopes are strings, which were checked when the key was issued. */
export const ScopeRef = enumType<string>('ApiKeyScope', 'A right of an API key. More may be added.', SCOPES);

const AuthSchemeRef = enumType<AuthScheme>('AuthScheme', 'How a key was sent.', {
  bearer: 'As `Authorization: Bearer KEY`.',
  'x-api-key': 'As `x-api-key: KEY`.',
});

export const ApiKeyEnvironmentRef = enumType<Environment>('ApiKeyEnvironment', 'What a key opens.', {
  live: 'The company.',
  sandbox: 'The sandbox of the company: a company of its own, whose carriers are stand-ins.',
});

const ApiKey = builder.objectRef<RequestContext>('ApiKey').implement({
  description: 'The API key of this request and what it may do.',
  fields: t => ({
    ok: t.boolean({ description: 'Always true: the key was accepted.', resolve: () => true }),
    companyId: t.field({
      type: 'UUID',
      description: 'UUID of the company the key acts for, or of its sandbox.',
      resolve: ({ principal }) => principal.companyId,
    }),
    label: t.value('String', 'Name of the key.', ({ principal }) => principal.label),
    scopes: t.field({
      type: [ScopeRef],
      description: `What the key may do: ${ALL_SCOPES.map(scope => `\`${scope}\` ${SCOPES[scope]}`).join(' ')}`,
      resolve: ({ principal }) => ALL_SCOPES.filter(scope => principal.scopes.has(scope)),
    }),
    environment: t.field({
      type: ApiKeyEnvironmentRef,
      description: 'What the key opens: the company, or its sandbox.',
      resolve: ({ principal }) => principal.environment,
    }),
    authScheme: t.field({
      type: AuthSchemeRef,
      description: 'How the key was sent: `bearer` or `x-api-key`.',
      // The list is complete.
      extensions: { openapi: { enum: ['bearer', 'x-api-key'], 'x-extensible-enum': undefined } },
      resolve: ({ authScheme }) => authScheme,
    }),
    expiresAt: t.nullable(
      'DateTime',
      'When the key stops working, if ever.',
      async ({ tenant, principal }) => (await currentKey(tenant, principal)).expiresAt,
    ),
    lastUsedAt: t.nullable(
      'DateTime',
      'When the key was last used, to the minute.',
      async ({ tenant, principal }) => (await currentKey(tenant, principal)).lastUsedAt,
    ),
  }),
});

nodeType(ApiKey, {
  scope: 'health:read',
  keyOf: ({ principal }) => principal.apiKeyId,
  openapi: { format: 'uuid', description: 'UUID of the key.' },
  readKey: uuidKey,
  find: (id, context) => (id === context.principal.apiKeyId ? context : null),
});

query('apiKey', {
  type: ApiKey,
  description: 'The API key of this request.',
  authScopes: { scope: 'health:read' },
  resolve: (_root, _args, context) => context,
});
