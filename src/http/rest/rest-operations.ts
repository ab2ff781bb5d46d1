import { type DocumentNode, type GraphQLSchema, parse, validate } from 'graphql';
import { createExecutor, type Executor } from '../../graphql/executor.ts';
import { compileRestOperation, type Operation } from '../../graphql/operation.ts';

const ofSchemas = new WeakMap<GraphQLSchema, RestOperations>();

/** The operations behind the endpoints: valid, compiled at the start, within all limits, found by their text. */
export class RestOperations {
  readonly run: Executor['run'];
  readonly #schema: GraphQLSchema;
  readonly #documents = new Map<string, DocumentNode>();
  readonly #operations = new Map<DocumentNode, Operation['run']>();

  private constructor(schema: GraphQLSchema) {
    this.#schema = schema;
    const { run } = createExecutor(schema, {
      parse: query => known(this.#documents, query),
      validate: () => [],
      execute: ({ document, variables }, context) => known(this.#operations, document)(context, variables),
    });
    this.run = run;
  }

  /** The operations of a schema, which all services of a process share: each is compiled once. */
  static of(schema: GraphQLSchema): RestOperations {
    const operations = ofSchemas.get(schema) ?? new RestOperations(schema);
    ofSchemas.set(schema, operations);
    return operations;
  }

  /** Prepares an operation to be run. */
  add(query: string): DocumentNode {
    const added = this.#documents.get(query);
    if (added) return added;
    const document = parse(query);
    const [error] = validate(this.#schema, document);
    if (error) throw error;
    this.#operations.set(document, compileRestOperation(this.#schema, document));
    this.#documents.set(query, document);
    return document;
  }
}

function known<Key, Value>(values: ReadonlyMap<Key, Value>, key: Key): Value {
  const value = values.get(key);
  if (value === undefined) throw new Error('No endpoint has this operation');
  return value;
}
