import SchemaBuilder from '@pothos/core';
import DataloaderPlugin from '@pothos/plugin-dataloader';
import RelayPlugin from '@pothos/plugin-relay';
import ScopeAuthPlugin from '@pothos/plugin-scope-auth';
import { Fault } from '../platform/fault.ts';
import type { Scope } from '../platform/scopes.ts';
import type { RequestContext } from './context.ts';

/** The frame every domain type is hung in. It defines the root types, the scalars and how rights are asked, and no type of its own. */
export const builder = new SchemaBuilder<{
  Context: RequestContext;
  AuthScopes: { scope: Scope };
  DefaultFieldNullability: false;
  Scalars: {
    ID: { Input: string; Output: string };
    DateTime: { Input: string; Output: Date | number };
    Decimal: { Input: string; Output: string };
  };
}>({
  plugins: [ScopeAuthPlugin, RelayPlugin, DataloaderPlugin],
  defaultFieldNullability: false,
  scopeAuth: {
    authScopes: ({ principal }) => ({ scope: scope => principal.scopes.has(scope) }),
    unauthorizedError: (_parent, _context, _info, { failure }) => {
      const requiredScope = 'parameter' in failure ? String(failure.parameter) : '';
      return new Fault('insufficient_scope', { members: { requiredScope } });
    },
  },
  relay: { nodeQueryOptions: false, nodesQueryOptions: false },
});

builder.queryType({ description: 'Everything that can be read; each field acts only on the company of the API key.' });
builder.mutationType({
  description: 'Everything that can be changed; each field acts only on the company of the API key.',
});

// Scalars of inputs only tell the JSON type here. What a date or a decimal must look like is checked with the other
// rules of the domain, where one wrong item of a batch can be refused without the rest.
builder.scalarType('DateTime', {
  description:
    'An ISO 8601 date-time in UTC with milliseconds, such as `2026-11-21T09:30:00.000Z`. Inputs may have any offset.',
  serialize: value => (value instanceof Date ? value : new Date(value)).toISOString(),
  parseValue: value => {
    if (typeof value !== 'string') throw new TypeError('must be an ISO 8601 date-time in a string');
    return value;
  },
});
builder.scalarType('Decimal', {
  description: 'An exact decimal in a string, such as `"10.8"`. Inputs may also be numbers.',
  serialize: value => value,
  parseValue: value => {
    if (typeof value !== 'string' && typeof value !== 'number')
      throw new TypeError('must be a decimal, as a string or a number');
    return String(value);
  },
});
