import {
  type DocumentNode,
  GraphQLID,
  type GraphQLInputType,
  type GraphQLOutputType,
  GraphQLString,
  getNamedType,
  getNullableType,
  isCompositeType,
  isEnumType,
  isInputObjectType,
  isListType,
  Kind,
  parse,
  type SelectionSetNode,
  typeFromAST,
} from 'graphql';
import { schema } from '../../src/graphql/schema.ts';
import { isUuid } from '../../src/platform/uuid.ts';
import { keyOf } from './global-id.ts';
import { quoteInput } from './quote-input.ts';

/**
 * A client with the platform's own words. Enums have equal values in the database, REST, webhooks and files; the graph
 * has names for it. Tests are about what happens, on whatever face: they write and read `in_transit`, as clients do
 * that map enums to values of their own. In the same way they read the number of a record that another one names, an
 * `id` under another name, and the UUID that is the id of an endpoint or a key in REST. A quote
 * may have the form of REST. `enums.test.ts` and `ids.test.ts` show the values on the wire.
 */

/** A document that parses; undefined for any other text, which is sent as it is. */
export function documentOf(query: string): DocumentNode | undefined {
  try {
    return parse(query);
  } catch {
    return undefined;
  }
}

type Fields = Readonly<Record<string, unknown>>;

/** Variables with the names of enums in place of what they stand for. */
export function inNames(document: DocumentNode, variables: Fields): Fields {
  const types = new Map(
    document.definitions.flatMap(definition =>
      definition.kind === Kind.OPERATION_DEFINITION
        ? (definition.variableDefinitions ?? []).map(
            one => [one.variable.name.value, typeFromAST(schema, one.type) as GraphQLInputType | undefined] as const,
          )
        : [],
    ),
  );
  return mapped(variables, (name, value) => named(types.get(name), value));
}

function named(type: GraphQLInputType | undefined, value: unknown): unknown {
  const inner = type && getNullableType(type);
  if (inner === undefined || value == null) return value;
  if (isListType(inner)) {
    return Array.isArray(value) ? value.map(one => named(inner.ofType, one)) : named(inner.ofType, value);
  }
  if (isEnumType(inner)) return inner.getValues().find(one => one.value === value)?.name ?? value;
  if (!isInputObjectType(inner) || typeof value !== 'object' || Array.isArray(value)) return value;
  const fields = inner.getFields();
  const sent = inner.name === 'QuoteInput' ? quoteInput(value as Fields) : (value as Fields);
  return mapped(sent, (name, one) => named(Object.hasOwn(fields, name) ? fields[name]?.type : undefined, one));
}

/** The data of a response with what enums stand for in place of their names. */
export function inOwnValues(document: DocumentNode, data: unknown): unknown {
  const operation = document.definitions.find(({ kind }) => kind === Kind.OPERATION_DEFINITION);
  if (operation?.kind !== Kind.OPERATION_DEFINITION) return data;
  const root = schema.getRootType(operation.operation);
  return root ? valued(document, root, operation.selectionSet, data) : data;
}

function valued(
  document: DocumentNode,
  type: GraphQLOutputType,
  selections: SelectionSetNode | undefined,
  value: unknown,
): unknown {
  if (Array.isArray(value)) return value.map(one => valued(document, type, selections, one));
  const inner = getNamedType(type);
  if (isEnumType(inner)) return inner.getValue(String(value))?.value ?? value;
  if (!isCompositeType(inner) || typeof value !== 'object' || value === null) return value;
  const selected = fieldsOf(document, inner.name, selections);
  return mapped(value as Fields, (key, one) => {
    const field = selected.get(key);
    if (field === undefined) return one;
    if (getNamedType(field.type) === GraphQLID) return field.name === 'id' && key === 'id' ? uuidIn(one) : keysIn(one);
    return valued(document, field.type, field.selections, one);
  });
}

/** The UUID in a global id; any other id as it is. */
function uuidIn(id: unknown): unknown {
  const key = typeof id === 'string' ? keyOf(id) : '';
  return isUuid(key) ? key : id;
}

/** The keys of global ids: numbers, where they are. */
function keysIn(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(keysIn);
  if (typeof value !== 'string') return value;
  const key = keyOf(value);
  return /^\d+$/.test(key) ? Number(key) : key;
}

interface Selected {
  readonly name: string;
  readonly type: GraphQLOutputType;
  readonly selections: SelectionSetNode | undefined;
}

/** The selected fields of a type, by the keys of the response. */
function fieldsOf(
  document: DocumentNode,
  typeName: string,
  { selections }: Pick<SelectionSetNode, 'selections'> = { selections: [] },
  found = new Map<string, Selected>(),
): ReadonlyMap<string, Selected> {
  const type = schema.getType(typeName);
  for (const one of selections) {
    if (one.kind === Kind.FIELD) {
      const fields = type && 'getFields' in type ? type.getFields() : {};
      const name = one.name.value;
      const of = name === '__typename' ? GraphQLString : (fields[name]?.type as GraphQLOutputType | undefined);
      const key = (one.alias ?? one.name).value;
      const before = found.get(key)?.selections?.selections ?? [];
      // A field that stands twice is selected with all of both.
      const both = one.selectionSet && { ...one.selectionSet, selections: [...before, ...one.selectionSet.selections] };
      if (of) found.set(key, { name, type: of, selections: both });
    } else if (one.kind === Kind.INLINE_FRAGMENT) {
      fieldsOf(document, one.typeCondition?.name.value ?? typeName, one.selectionSet, found);
    } else {
      const fragment = document.definitions.find(
        definition => definition.kind === Kind.FRAGMENT_DEFINITION && definition.name.value === one.name.value,
      );
      if (fragment?.kind === Kind.FRAGMENT_DEFINITION)
        fieldsOf(document, fragment.typeCondition.name.value, fragment.selectionSet, found);
    }
  }
  return found;
}

function mapped(fields: Fields, value: (name: string, value: unknown) => unknown): Fields {
  return Object.fromEntries(Object.entries(fields).map(([name, one]) => [name, value(name, one)]));
}
