import {
  type FieldNode,
  type GraphQLOutputType,
  type GraphQLSchema,
  getNamedType,
  isAbstractType,
  isEnumType,
  isListType,
  isNonNullType,
  isObjectType,
  Kind,
  type OperationDefinitionNode,
  parse,
  type SelectionNode,
} from 'graphql';

/** The JSON of a scalar's value. JSON itself may be anything. */
const SCALARS: Readonly<Record<string, (value: unknown) => boolean>> = {
  String: value => typeof value === 'string',
  ID: value => typeof value === 'string',
  Boolean: value => typeof value === 'boolean',
  Int: value => Number.isInteger(value) && Math.abs(Number(value)) <= 2 ** 31,
  Float: value => typeof value === 'number',
  Long: value => Number.isSafeInteger(value),
  Decimal: value => /^-?\d+(\.\d+)?$/.test(String(value)) && typeof value === 'string',
  Money: value => /^-?\d+\.\d{2}$/.test(String(value)) && typeof value === 'string',
  Date: value => /^\d{4}-\d\d-\d\d$/.test(String(value)),
  DateTime: value => /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/.test(String(value)),
  URL: value => typeof value === 'string' && URL.canParse(value),
  UUID: value => /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(String(value)),
  JSON: () => true,
};

/** A deviation of the data of a response from the SDL; undefined if there is none. */
export function dataFaultOf(schema: GraphQLSchema, query: string, data: unknown, name?: string): string | undefined {
  if (data === null || data === undefined) return undefined;
  try {
    new Check(schema, query).operation(data, name);
    return undefined;
  } catch (error) {
    return (error as Error).message;
  }
}

class Check {
  readonly #schema: GraphQLSchema;
  readonly #operations: readonly OperationDefinitionNode[];
  readonly #fragments: ReadonlyMap<string, { on: string; selections: readonly SelectionNode[] }>;

  constructor(schema: GraphQLSchema, query: string) {
    const { definitions } = parse(query);
    this.#schema = schema;
    this.#operations = definitions.filter(one => one.kind === Kind.OPERATION_DEFINITION);
    this.#fragments = new Map(
      definitions
        .filter(one => one.kind === Kind.FRAGMENT_DEFINITION)
        .map(({ name, typeCondition, selectionSet }) => [
          name.value,
          { on: typeCondition.name.value, selections: selectionSet.selections },
        ]),
    );
  }

  operation(data: unknown, name?: string): void {
    const operation = this.#operations.find(one => !name || one.name?.value === name);
    const root = operation && this.#schema.getRootType(operation.operation);
    if (!root) throw new Error('has data, but the document has no operation');
    this.#object(data, root.name, operation.selectionSet.selections, 'data');
  }

  /** The fields of a type by the names that they have in the answer. */
  #fields(type: string, selections: readonly SelectionNode[], into = new Map<string, FieldNode[]>()) {
    for (const one of selections) {
      if (one.kind === Kind.FIELD) {
        const key = one.alias?.value ?? one.name.value;
        into.set(key, [...(into.get(key) ?? []), one]);
        continue;
      }
      const fragment =
        one.kind === Kind.INLINE_FRAGMENT
          ? { on: one.typeCondition?.name.value ?? type, selections: one.selectionSet.selections }
          : this.#fragments.get(one.name.value);
      if (fragment && this.#isOf(type, fragment.on)) this.#fields(type, fragment.selections, into);
    }
    return into;
  }

  #isOf(type: string, condition: string): boolean {
    const other = this.#schema.getType(condition);
    const own = this.#schema.getType(type);
    return type === condition || (isAbstractType(other) && isObjectType(own) && this.#schema.isSubType(other, own));
  }

  #object(value: unknown, type: string, selections: readonly SelectionNode[], at: string): void {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) throw new Error(`${at} is no object`);
    const own = this.#schema.getType(type);
    const fields = this.#fields(type, selections);
    for (const [key, inner] of Object.entries(value)) {
      const nodes = fields.get(key);
      const name = nodes?.[0]?.name.value;
      if (!nodes || name === undefined) throw new Error(`${at}.${key} was not asked for`);
      if (name === '__typename' && inner !== type) throw new Error(`${at} is a ${inner}, not a ${type}`);
      if (name.startsWith('__')) continue;
      const field = isObjectType(own) ? own.getFields()[name] : undefined;
      if (!field) throw new Error(`${type} has no ${name}`);
      const wanted = nodes.flatMap(({ selectionSet }) => selectionSet?.selections ?? []);
      this.#value(inner, field.type, wanted, `${at}.${key}`);
    }
    for (const [key, nodes] of fields) {
      // One with a directive may be left out.
      const isOptional = nodes.every(({ directives }) => (directives?.length ?? 0) > 0);
      if (!(key in value) && !isOptional) throw new Error(`${at}.${key} is missing`);
    }
  }

  #value(value: unknown, type: GraphQLOutputType, selections: readonly SelectionNode[], at: string): void {
    if (isNonNullType(type)) {
      if (value === null) throw new Error(`${at} is null`);
      this.#value(value, type.ofType, selections, at);
      return;
    }
    if (value === null) return;
    if (isListType(type)) {
      if (!Array.isArray(value)) throw new Error(`${at} is no list`);
      value.forEach((one, i) => {
        this.#value(one, type.ofType, selections, `${at}.${i}`);
      });
      return;
    }
    const named = getNamedType(type);
    if (isObjectType(named)) {
      this.#object(value, named.name, selections, at);
      return;
    }
    if (isAbstractType(named)) {
      const actual = String((value as { __typename?: unknown }).__typename);
      if (!this.#isOf(actual, named.name)) throw new Error(`${at} is ${actual}, which is no ${named.name}`);
      this.#object(value, actual, selections, at);
      return;
    }
    const isRight = isEnumType(named)
      ? named.getValues().some(({ name }) => name === value)
      : SCALARS[named.name]?.(value);
    if (!isRight) throw new Error(`${at} is no ${named.name}: ${JSON.stringify(value)?.slice(0, 100)}`);
  }
}
