import type { ObjectRef } from '@pothos/core';
import { Fault, invalid } from '../platform/fault.ts';
import type { Scope } from '../platform/scopes.ts';
import { builder, type SchemaTypes } from './builder.ts';
import type { RequestContext } from './context.ts';
import { eachByItself } from './lists.ts';
import { integerKey, RecordId, readGlobalId } from './node-id.ts';

/**
 * `Node`: records with a global id, which `node` reads. The relay plugin makes each `id` a promise, and caches loaded
 * records for the rest of the request, even after a mutation has changed them.
 */

interface NodeOptions<Row extends object, Key> {
  /** The scope that a key needs to read the type by id; if it is left out, any key may. */
  readonly scope?: Scope;
  readonly keyOf: (row: Row) => string | number;
  /** The key as REST shows it, where REST shows it as `id`. */
  readonly openapi?: Readonly<Record<string, unknown>>;
  /** The key in an id; undefined for an invalid text. */
  readonly readKey: (key: string) => Key | undefined;
  readonly find: (key: Key, context: RequestContext) => Promise<Row | null | undefined> | Row | null | undefined;
}

type AnyNode = NodeOptions<object, unknown>;

const nodes = new Map<string, AnyNode>();

/** The types of rows that were read by an id. */
const typeNames = new WeakMap<object, string>();

const NodeRef = builder.interfaceRef<object>('Node').implement({
  description: 'A record that can be read by its global id.',
  resolveType: row => typeNames.get(row),
  fields: t => ({
    id: t.value('ID', 'Global id: opaque, and unique among all records.', () => {
      throw new Error('Every type has an id of its own');
    }),
  }),
});

/** Gives a type its `id`, by which `node` reads it. */
export function nodeType<Row extends object, Key>(
  ref: PothosSchemaTypes.ObjectRef<SchemaTypes, Row>,
  options: NodeOptions<Row, Key>,
): void {
  const { name } = ref;
  nodes.set(name, options as unknown as AnyNode);
  (ref as unknown as ObjectRef<SchemaTypes, Row>).addInterfaces([NodeRef]);
  const resolve = (row: Row) => new RecordId(name, options.keyOf(row));
  const extensions = options.openapi && { openapi: options.openapi };
  builder.objectField(ref, 'id', t => t.id({ description: 'Global id, for `node`.', extensions, resolve } as never));
}

/** A type whose key is the number of its row. */
export function numberedNode<Row extends { readonly id: number }>(
  ref: PothosSchemaTypes.ObjectRef<SchemaTypes, Row>,
  scope: Scope,
  find: (tenant: RequestContext['tenant'], id: number) => Promise<Row | null | undefined>,
  readKey = integerKey,
): void {
  nodeType(ref, { scope, keyOf: ({ id }) => id, readKey, find: (id, { tenant }) => find(tenant, id) });
}

const MAX_IDS = 100;

builder.queryFields(t => ({
  node: t.field({
    type: NodeRef,
    nullable: true,
    description:
      'The record with a global id. It needs the scope of its type. Null if there is none, and for an invalid id.',
    args: { id: t.arg.id({ required: true, description: 'Global id.' }) },
    resolve: (_root, { id }, context) => nodeById(id, context),
  }),
  nodes: t.field({
    type: [NodeRef],
    nullable: { list: false, items: true },
    description: `The records with some global ids, at most ${MAX_IDS}, in their order. An entry is null if there is no such record.`,
    args: { ids: t.arg.idList({ required: true, description: 'Global ids.' }) },
    complexity: ({ ids }) => ({ multiplier: ids.length }),
    resolve: (_root, { ids }, context) => {
      requireAtMost(MAX_IDS, 'ids', ids);
      return eachByItself(ids, id => nodeById(id, context));
    },
  }),
}));

/** @throws Fault `validation_failed` */
export function requireAtMost(max: number, name: string, list: readonly unknown[]): void {
  if (list.length <= max) return;
  const message = `must have at most ${max} entries, has ${list.length}`;
  throw invalid([{ path: [name], code: 'too_many', message }]);
}

/** An unreadable id names no record, as an unknown one does. */
async function nodeById(id: string, context: RequestContext): Promise<object | null> {
  const { type = '', key: text = '' } = readGlobalId(id) ?? {};
  const node = nodes.get(type);
  const key = node?.readKey(text);
  if (node === undefined || key === undefined) return null;
  const { scope } = node;
  if (scope !== undefined && !context.principal.scopes.has(scope)) {
    throw new Fault('insufficient_scope', { members: { requiredScope: scope } });
  }
  const row = await node.find(key, context);
  if (row == null) return null;
  typeNames.set(row, type);
  return row;
}
