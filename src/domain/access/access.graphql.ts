import { builder } from '../../graphql/builder.ts';
import type { RequestContext } from '../../graphql/context.ts';
import { uuidKey } from '../../graphql/node-id.ts';
import { nodeType } from '../../graphql/nodes.ts';
import { ALL_SCOPES, SCOPES } from '../../platform/scopes.ts';
import { currentKey } from './access.service.ts';

const ApiKey = builder.objectRef<RequestContext>('ApiKey').implement({
  description: 'The API key of this request and what it may do.',
  fields: t => ({
    ok: t.boolean({ description: 'Always true: the key was accepted.', resolve: () => true }),
    companyId: t.field({
      type: 'UUID',
      description: 'UUID of the company the key acts for.',
      resolve: ({ principal }) => principal.companyId,
    }),
    uuid: t.field({
      type: 'UUID',
      description: 'UUID of the key.',
      resolve: ({ principal }) => principal.apiKeyId,
    }),
    label: t.string({
      description: 'What the key is named.',
      resolve: ({ principal }) => principal.label,
    }),
    scopes: t.stringList({
      description: `What the key may do: ${ALL_SCOPES.map(scope => `\`${scope}\` ${SCOPES[scope]}`).join(' ')}`,
      resolve: ({ principal }) => ALL_SCOPES.filter(scope => principal.scopes.has(scope)),
    }),
    // Not a GraphQL enum, whose values can't have a hyphen.
    authScheme: t.string({
      description: 'How the key was sent: `bearer` or `x-api-key`.',
      extensions: { openapi: { enum: ['bearer', 'x-api-key'] } },
      resolve: ({ authScheme }) => authScheme,
    }),
    expiresAt: t.field({
      type: 'DateTime',
      nullable: true,
      description: 'When the key stops working, if ever.',
      resolve: async ({ tenant, principal }) => (await currentKey(tenant, principal)).expiresAt,
    }),
    lastUsedAt: t.field({
      type: 'DateTime',
      nullable: true,
      description: 'When the key was last used; written at most once a minute.',
      resolve: async ({ tenant, principal }) => (await currentKey(tenant, principal)).lastUsedAt,
    }),
  }),
});

nodeType(ApiKey, {
  scope: 'health:read',
  keyOf: ({ principal }) => principal.apiKeyId,
  readKey: uuidKey,
  find: (id, context) => (id === context.principal.apiKeyId ? context : null),
});

builder.queryField('apiKey', t =>
  t.field({
    type: ApiKey,
    description: 'The API key of this request.',
    authScopes: { scope: 'health:read' },
    resolve: (_root, _args, context) => context,
  }),
);
