/**
 * The rights that a key can have. The graph enforces them on every root field (`src/graphql/builder.ts`); the REST
 * table repeats them, and a test compares the two.
 */
export const SCOPES = {
  'health:read': 'Read the company, the scopes and the label of the key itself.',
  'shipments:quote': 'Request quotes.',
  'shipments:tracking': 'Read orders, shipments and their tracking.',
  'warehouses:read': 'Read warehouses.',
  'warehouses:create': 'Create warehouses.',
  'warehouses:update': 'Change warehouses.',
  'warehouses:delete': 'Delete warehouses permanently.',
  'addresses:check': 'Check delivery addresses with a carrier.',
  'webhooks:manage': 'Create, list and delete webhook endpoints.',
  'carriers:read': 'List carrier connections.',
  'marketplaces:read': 'List the marketplaces that orders came from.',
  'orders:write': 'Create and update orders (GraphQL).',
  'shipments:write': 'Create and update shipments (GraphQL).',
  'tracking:write': 'Record tracking events (GraphQL).',
  'carriers:manage': 'Connect, change and disconnect carriers, and manage their tariffs (GraphQL).',
  'keys:manage': 'Issue and revoke API keys.',
  'audit:read': 'Read who changed keys, carriers, tariffs and webhook endpoints (GraphQL).',
} as const satisfies Record<string, string>;

export type Scope = keyof typeof SCOPES;

export const ALL_SCOPES = Object.keys(SCOPES) as readonly Scope[];

export function isScope(value: string): value is Scope {
  return Object.hasOwn(SCOPES, value);
}
