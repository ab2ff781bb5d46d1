import { complexityFromQuery } from '@pothos/plugin-complexity';
import {
  type DocumentNode,
  type GraphQLField,
  type GraphQLFieldConfigArgumentMap,
  type GraphQLFieldConfigMap,
  GraphQLObjectType,
  GraphQLSchema,
  getOperationAST,
  Kind,
  type OperationDefinitionNode,
  SchemaMetaFieldDef,
  TypeMetaFieldDef,
  visit,
} from 'graphql';
import { Fault } from '../platform/fault.ts';
import type { Variables } from './operation.ts';
import { rootFields } from './outline.ts';

export const MAX_DEPTH = 10;

/** Arguments that determine how much a field returns. */
const SIZES = new Set(['first', 'last', 'ids', 'numbers', 'inputs', 'from', 'to']);

/** The cost of an operation with these variables, and the reason if it may not run. */
interface Estimate {
  readonly cost: number;
  /** The part that the service itself does, without the wait for carriers. */
  readonly load: number;
  readonly rejection?: Fault;
}
export type Limit = (variables: Variables) => Estimate;

/** Weighs consumers' documents before they run, by the costs of their fields at the requested page sizes. */
export class Limits {
  readonly #schema: GraphQLSchema;
  readonly #withMetaFields: GraphQLSchema;
  readonly #maxCost: number;
  readonly #maxDepth: number;

  constructor(schema: GraphQLSchema, maxCost: number, maxDepth = MAX_DEPTH) {
    this.#schema = forWeighing(schema);
    this.#withMetaFields = withMetaFields(this.#schema);
    this.#maxCost = maxCost;
    this.#maxDepth = maxDepth;
  }

  /** The limit of an operation of a valid document; calculated once if no page size is a variable. */
  of(document: DocumentNode, operationName: string | undefined): Limit {
    const operation = getOperationAST(document, operationName);
    if (!operation) return () => ({ cost: 0, load: 0 });
    const sizes = sizesOnly(document, operation);
    const root = this.#schema.getRootType(operation.operation)?.getFields() ?? {};
    const waiting = rootFields(operation, document.definitions).reduce((sum, name) => sum + waitingIn(root[name]), 0);
    if (sizes.hasVariables) return variables => this.#estimate(sizes.document, waiting, variables);
    const estimate = this.#estimate(sizes.document, waiting, {});
    return () => estimate;
  }

  #estimate(document: DocumentNode, waiting: number, variables: Variables): Estimate {
    // Introspection may be deeper than other responses; here its fields do not count.
    const { depth } = complexityFromQuery(document, { schema: this.#schema, variables });
    const { complexity: cost } = complexityFromQuery(document, { schema: this.#withMetaFields, variables });
    const load = Math.max(0, cost - waiting);
    const maxDepth = this.#maxDepth;
    if (depth > maxDepth) {
      const detail = `The document nests fields ${depth} levels deep. The limit is ${maxDepth}. Split it into several requests.`;
      return { cost, load, rejection: new Fault('graphql_too_deep', { detail, members: { depth, limit: maxDepth } }) };
    }
    const limit = this.#maxCost;
    if (cost <= limit) return { cost, load };
    const remedy = 'Ask for smaller pages, fewer fields or fewer calls to carriers.';
    const detail = `The document costs ${cost} units. The limit is ${limit}. ${remedy}`;
    return { cost, load, rejection: new Fault('graphql_too_complex', { detail, members: { cost, limit } }) };
  }
}

/** The part of a field's price that is not work of the service. */
function waitingIn(field: GraphQLField<unknown, unknown> | undefined): number {
  const { complexity, work } = field?.extensions ?? {};
  return typeof complexity === 'number' && typeof work === 'number' ? complexity - work : 0;
}

/**
 * One operation and the fragments, with only the arguments that state a size: the others are not coerced a second time,
 * which would be slow for a batch of a thousand records.
 */
function sizesOnly(document: DocumentNode, operation: OperationDefinitionNode) {
  const variables = new Set<string>();
  const isOther = (node: DocumentNode['definitions'][number]) =>
    node.kind === Kind.OPERATION_DEFINITION && node !== operation;
  const sizes = visit(
    { ...document, definitions: document.definitions.filter(node => !isOther(node)) },
    {
      Directive: () => null,
      Argument({ name, value }) {
        if (!SIZES.has(name.value)) return null;
        // Also removes variables within a list or an object, whose length is known but which could not be coerced.
        visit(value, { Variable: variable => void variables.add(variable.name.value) });
        return false;
      },
    },
  );
  const declared = visit(sizes, {
    VariableDefinition: ({ variable }) => (variables.has(variable.name.value) ? false : null),
  });
  return { document: declared, hasVariables: variables.size > 0 };
}

/** The schema whose root fields have only size arguments, so that none of the removed ones is required. */
function forWeighing(schema: GraphQLSchema): GraphQLSchema {
  const sizes = (args: GraphQLFieldConfigArgumentMap = {}) =>
    Object.fromEntries(Object.entries(args).filter(([name]) => SIZES.has(name)));
  return withRootFields(schema, fields =>
    Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, { ...field, args: sizes(field.args) }])),
  );
}

/** The cost of `__schema` and `__type` beside their fields: they have more types than other lists have records. */
const META_FIELDS = [
  [SchemaMetaFieldDef, 50_000],
  [TypeMetaFieldDef, 500],
] as const;

/** The schema with `__schema` and `__type` as ordinary fields, which have a cost. */
function withMetaFields(schema: GraphQLSchema): GraphQLSchema {
  const meta = META_FIELDS.map(([{ name, type }, complexity]) => [name, { type, extensions: { complexity } }] as const);
  return withRootFields(schema, fields => ({ ...fields, ...Object.fromEntries(meta) }));
}

type RootFields = GraphQLFieldConfigMap<unknown, unknown>;

/** The schema with changed root fields of queries. */
function withRootFields(schema: GraphQLSchema, change: (fields: RootFields) => RootFields): GraphQLSchema {
  const config = schema.toConfig();
  const query = schema.getQueryType()?.toConfig();
  if (!query) return schema;
  return new GraphQLSchema({
    ...config,
    query: new GraphQLObjectType({ ...query, fields: change(query.fields) }),
    types: config.types.filter(({ name }) => name !== query.name),
  });
}
