import type { DocumentNode, GraphQLSchema } from 'graphql';
import { createExecutor, type Executor } from '../../graphql/executor.ts';
import type { Operation } from '../../graphql/operation.ts';

/** The operations behind the endpoints: valid, compiled at the start, within all limits, found by their text. */
export class RestOperations {
  readonly run: Executor['run'];
  readonly #documents = new Map<string, DocumentNode>();
  readonly #operations = new Map<DocumentNode, Operation['run']>();

  constructor(schema: GraphQLSchema) {
    const { run } = createExecutor(schema, {
      parse: query => known(this.#documents, query),
      validate: () => [],
      execute: ({ document, variables }, context) => known(this.#operations, document)(context, variables),
    });
    this.run = run;
  }

  add(query: string, document: DocumentNode, run: Operation['run']): void {
    this.#documents.set(query, document);
    this.#operations.set(document, run);
  }
}

function known<Key, Value>(values: ReadonlyMap<Key, Value>, key: Key): Value {
  const value = values.get(key);
  if (value === undefined) throw new Error('No endpoint has this operation');
  return value;
}
