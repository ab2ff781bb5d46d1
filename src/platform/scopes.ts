/**
 * The vocabulary of rights: what a key can be allowed, and nothing else. The graph enforces it on every root field
 * (`src/graphql/builder.ts`); the REST table restates it, and a test proves both equal.
 */
export const SCOPES = {
  'health:read': 'Read what the key itself is: company, scopes, label.',
  'shipments:quote': 'Ask for quotes.',
  'shipments:tracking': 'Read orders, shipments and their tracking.',
  'warehouses:read': 'Read warehouses.',
  'warehouses:create': 'Create warehouses.',
  'warehouses:update': 'Change warehouses.',
  'warehouses:delete': 'Delete warehouses for good.',
  'addresses:check': 'Have delivery addresses checked by a carrier.',
  'webhooks:manage': 'Create, list and delete webhook endpoints.',
  'carriers:read': 'List carrier connections.',
  'marketplaces:read': 'List the marketplaces orders came from.',
  'orders:write': 'Send orders in (GraphQL).',
  'shipments:write': 'Send shipments in (GraphQL).',
  'tracking:write': 'Record tracking events (GraphQL).',
  'carriers:manage': 'Connect carriers (GraphQL).',
  'keys:manage': 'Issue and revoke API keys.',
} as const satisfies Record<string, string>;

export type Scope = keyof typeof SCOPES;

export const ALL_SCOPES = Object.keys(SCOPES) as readonly Scope[];

export function isScope(value: string): value is Scope {
  return Object.hasOwn(SCOPES, value);
}
