import SchemaBuilder from '@pothos/core';
import ComplexityPlugin from '@pothos/plugin-complexity';
import RelayPlugin from '@pothos/plugin-relay';
import ScopeAuthPlugin, { type AuthFailure } from '@pothos/plugin-scope-auth';
import ValidationPlugin from '@pothos/plugin-validation';
import { GraphQLError, Kind, type ValueNode, valueFromASTUntyped } from 'graphql';
import type { z } from 'zod';
import { Fault, type Issue, invalid } from '../platform/fault.ts';
import { issuesOf } from '../platform/input.ts';
import { isoTime } from '../platform/iso-time.ts';
import type { RecordId } from '../platform/record-id.ts';
import type { Scope } from '../platform/scopes.ts';
import type { RequestContext } from './context.ts';
import './rights-first-plugin.ts';
import './short-fields.ts';
import './work-plugin.ts';
import { MAX_JSON_DEPTH, mustBe } from './scalars.ts';
import { isBesideInput } from './variable-places.ts';

/** The missing scope that a failure is about; scope-auth wraps it if several could apply. */
function scopeOf(failure: AuthFailure): string {
  if ('parameter' in failure) return String(failure.parameter);
  return 'failures' in failure ? failure.failures.map(scopeOf).join(' ') : '';
}

/** An issue of an argument that is an object, with the path inside that object. */
function withinInput(issue: Issue, args: Readonly<Record<string, unknown>>): Issue {
  const [argument, ...path] = issue.path;
  const value = argument === undefined ? undefined : args[argument];
  if (isBesideInput(String(argument), Object.keys(args))) return issue;
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...issue, path } : issue;
}

/** The frame of the graph: root types, scalars and the check of rights. It defines no domain type. */
export const builder = new SchemaBuilder<{
  Context: RequestContext;
  AuthScopes: { scope: Scope };
  DefaultFieldNullability: false;
  Scalars: {
    ID: { Input: string; Output: string | RecordId };
    Date: { Input: string; Output: string };
    DateTime: { Input: string; Output: Date | number };
    Decimal: { Input: string; Output: string | number };
    JSON: { Input: unknown; Output: unknown };
    Long: { Input: number; Output: number };
    Money: { Input: string; Output: string | number };
    URL: { Input: string; Output: string };
    UUID: { Input: string; Output: string | RecordId };
  };
}>({
  // The work plugin stands first, because it must see a field's value after all other plugins.
  plugins: ['work', 'rightsFirst', ScopeAuthPlugin, RelayPlugin, ComplexityPlugin, ValidationPlugin],
  defaultFieldNullability: false,
  scopeAuth: {
    authorizeOnSubscribe: true,
    authScopes: ({ principal }) => ({ scope: scope => principal.scopes.has(scope) }),
    unauthorizedError: (_parent, _context, _info, { failure }) =>
      new Fault('insufficient_scope', { members: { requiredScope: scopeOf(failure) } }),
  },
  // A pointer starts inside the input, as in a REST body, so the name of the argument is left out.
  validation: {
    validationError: ({ issues }, args) =>
      invalid(issuesOf(issues as z.core.$ZodIssue[], args).map(issue => withinInput(issue, args))),
  },
  // Documents are weighed as a whole before they run (`limits.ts`), not by root field.
  complexity: { disabled: true, defaultListMultiplier: 10 },
  // Only the plugin's connections are used: its `id` is a promise for each record, and its `node` caches (`nodes.ts`).
  relay: {
    nodeQueryOptions: false,
    nodesQueryOptions: false,
    pageInfoTypeOptions: { description: 'Position of a page in a list.' },
    pageInfoFieldOptions: { description: 'Position of this page in the list.' },
    hasNextPageFieldOptions: { description: 'Whether there is a page after this one.' },
    hasPreviousPageFieldOptions: { description: 'Whether there is a page before this one.' },
    startCursorFieldOptions: { description: 'Cursor of the first record of the page.' },
    endCursorFieldOptions: { description: 'Cursor of the last record of the page.' },
    // The connection counts them already.
    edgesFieldOptions: { description: 'The records of the page, each with its cursor.', complexity: { multiplier: 1 } },
    nodeFieldOptions: { description: 'The record.' },
    cursorFieldOptions: { description: 'Position of the record, for `after` and `before`.' },
    defaultConnectionTypeOptions: { description: 'A page of records.' },
    defaultEdgeTypeOptions: { description: 'A record and its cursor.' },
  },
});

/** The types that Pothos derives from the frame: scopes, scalars and the context. */
export type SchemaTypes = typeof builder extends PothosSchemaTypes.SchemaBuilder<infer Types> ? Types : never;

builder.queryType({
  description:
    'Everything that can be read. Each field acts only on the company of the API key. A deprecated field names its replacement and the day from which it may be gone, at least six months ahead.',
});
builder.subscriptionType({
  description:
    'Everything that can be watched, as server-sent events. Each field shows only the company of the API key.',
});
builder.mutationType({
  description: 'Everything that can be changed. Each field acts only on the company of the API key.',
});

/**
 * Reads literals of a scalar. graphql-js wraps an error of another class in one that repeats the literal, which may be
 * a secret, and that looks like a failure of the service.
 */
function literals<Value>(scalar: string, parseValue: (value: unknown) => Value) {
  return (node: ValueNode, variables?: Record<string, unknown> | null): Value => {
    try {
      if (isDeeper(node, MAX_JSON_DEPTH)) throw new RangeError('too many levels');
      return parseValue(valueFromASTUntyped(node, variables));
    } catch {
      throw new GraphQLError(`A value of ${scalar} ${mustBe(scalar)}.`, { nodes: node });
    }
  };
}

function isDeeper(node: ValueNode, levels: number): boolean {
  if (node.kind === Kind.LIST) return levels === 0 || node.values.some(value => isDeeper(value, levels - 1));
  if (node.kind === Kind.OBJECT) return levels === 0 || node.fields.some(({ value }) => isDeeper(value, levels - 1));
  return false;
}

/** Reads a scalar that is a string in JSON. */
function parseText(scalar: string) {
  return (value: unknown): string => {
    if (typeof value !== 'string') throw new TypeError(mustBe(scalar));
    return value;
  };
}

function parseDecimal(value: unknown): string {
  if (typeof value !== 'string' && typeof value !== 'number') throw new TypeError(mustBe('Decimal'));
  return String(value);
}

// Scalars of inputs only check the JSON type. The format of a date or a decimal is checked with the rules of the
// domain, which can reject one item of a batch without the rest.
const parseDateTime = parseText('DateTime');
builder.scalarType('DateTime', {
  description:
    'An ISO 8601 date-time in UTC with milliseconds, such as `2026-11-21T09:30:00.000Z`. Inputs may have any offset, and are in the years 2000 to 2099.',
  specifiedByURL: 'https://scalars.graphql.org/andimarek/date-time.html',
  serialize: value => isoTime(typeof value === 'number' ? value : new Date(value).getTime()),
  parseValue: parseDateTime,
  parseLiteral: literals('DateTime', parseDateTime),
});
builder.scalarType('Decimal', {
  description:
    'An exact decimal in a string, such as `"10.8"`. Inputs may also be numbers. An input that differs from the places of its field by less than 10⁻⁹ is rounded to them.',
  specifiedByURL: 'https://www.w3.org/TR/xmlschema-2/#decimal',
  serialize: value => String(value),
  parseValue: parseDecimal,
  parseLiteral: literals('Decimal', parseDecimal),
});
builder.scalarType('Money', {
  description: 'An exact amount of euros in a string, with two decimals, such as `"10.80"`.',
  specifiedByURL: 'https://www.w3.org/TR/xmlschema-2/#decimal',
  serialize: value => Number(value).toFixed(2),
  parseValue: parseDecimal,
  parseLiteral: literals('Money', parseDecimal),
});
builder.scalarType('Long', {
  description: 'A whole number below 2^53, such as `4294967296`: larger than `Int` allows.',
  specifiedByURL: 'https://ibm.github.io/graphql-specs/custom-scalars/long.html',
  serialize: value => value,
});
builder.scalarType('JSON', {
  description: 'A JSON value as it is.',
  specifiedByURL: 'https://www.rfc-editor.org/rfc/rfc8259',
  serialize: value => value,
  parseValue: value => value,
  parseLiteral: literals('JSON', value => value),
});

const TEXTS = {
  Date: {
    description: 'A calendar day, such as `2026-11-21`. Inputs are in the years 2000 to 2099.',
    specifiedByURL: 'https://scalars.graphql.org/andimarek/local-date.html',
  },
  URL: {
    description: 'An absolute URL, such as `https://example.com/track?n=1`.',
    specifiedByURL: 'https://www.rfc-editor.org/rfc/rfc3986',
  },
  UUID: {
    description: 'A UUID, such as `3f0e9a52-6f0e-4b0c-9a3e-0a5d0d6d8f11`.',
    specifiedByURL: 'https://www.rfc-editor.org/rfc/rfc9562',
  },
} as const;

for (const name of ['Date', 'URL', 'UUID'] as const) {
  const parse = parseText(name);
  builder.scalarType(name, {
    ...TEXTS[name],
    serialize: value => value,
    parseValue: parse,
    parseLiteral: literals(name, parse),
  });
}
