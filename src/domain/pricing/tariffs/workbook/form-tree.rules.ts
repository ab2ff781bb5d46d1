import { tariffJsonSchema } from '../format/tariff.format.rules.ts';

/**
 * The form of a tariff as a tree of fields, from which the columns of a workbook come. A new kind of charge or condition
 * has its columns without a change here.
 */

export interface Leaf {
  readonly kind: 'number' | 'whole' | 'text' | 'day' | 'yes' | 'boolean' | 'choice' | 'range' | 'list';
  readonly description: string;
  /** The values that a choice, or an item of a list, may have. */
  readonly options: readonly string[];
  /** The kind of the items of a list. */
  readonly items?: Leaf['kind'];
}

export interface Group {
  readonly kind: 'group';
  readonly fields: ReadonlyMap<string, Field>;
}

/** Objects one below the other. */
interface Repeated {
  readonly kind: 'repeated';
  readonly item: Group;
}

export type Field = Leaf | Group | Repeated;

interface Schema {
  readonly $ref?: string;
  readonly $defs?: Readonly<Record<string, Schema>>;
  readonly type?: string;
  readonly const?: unknown;
  readonly enum?: readonly string[];
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly description?: string;
  readonly allOf?: readonly { readonly pattern?: string }[];
}

let tree: Group | undefined;

/** The whole form of a tariff. */
function tariffTree(): Group {
  if (tree === undefined) {
    const schema = tariffJsonSchema() as Schema;
    tree = groupOf(schema, schema.$defs ?? {});
  }
  return tree;
}

/** A part of the form: the object, or the item of the list, at the end of a path. */
export function partOf(path: readonly string[]): Group {
  return path.reduce<Group>((group, name) => {
    const field = group.fields.get(name);
    if (field?.kind === 'group') return field;
    if (field?.kind === 'repeated') return field.item;
    throw new Error(`A tariff has no part ${path.join('.')}`);
  }, tariffTree());
}

function groupOf({ properties = {} }: Schema, definitions: Readonly<Record<string, Schema>>): Group {
  const fields = Object.entries(properties).map(([name, schema]) => [name, fieldOf(schema, definitions)] as const);
  return { kind: 'group', fields: new Map(fields) };
}

function fieldOf(stated: Schema, definitions: Readonly<Record<string, Schema>>): Field {
  const name = stated.$ref?.split('/').at(-1);
  const schema = name === undefined ? stated : { ...definitions[name], ...stated };
  const { description = '' } = schema;
  if (name === 'Range') return { kind: 'range', description, options: [] };
  if (schema.type === 'object') return groupOf(schema, definitions);
  if (schema.type !== 'array') return { kind: kindOf(schema), description, options: schema.enum ?? [] };
  const item = fieldOf(schema.items ?? {}, definitions);
  if (item.kind === 'group') return { kind: 'repeated', item };
  if (item.kind === 'repeated') throw new Error('A list of lists has no columns');
  return { kind: 'list', description: description || item.description, options: item.options, items: item.kind };
}

function kindOf(schema: Schema): Leaf['kind'] {
  if (schema.const === true) return 'yes';
  if (schema.type === 'boolean') return 'boolean';
  if (schema.type === 'integer') return 'whole';
  if (schema.type === 'number') return 'number';
  if (schema.enum) return 'choice';
  // Days are the only texts of which a year is demanded.
  return schema.allOf?.some(({ pattern }) => pattern === '^20') ? 'day' : 'text';
}
