import { type DocumentNode, GraphQLError, type GraphQLSchema } from 'graphql';
import { createYoga, type Plugin } from 'graphql-yoga';
import { LRUCache } from 'lru-cache';
import { invalid } from '../platform/fault.ts';
import type { RequestContext } from './context.ts';
import { publicError } from './errors.ts';
import { compileOperation, interpretedOperation, type Operation } from './operation.ts';

/** How often a document is seen before compiling it pays. */
const COMPILE_AFTER = 3;

/** Bounds of what is kept of consumers' documents; the least recently used go first. */
const MAX_DOCUMENTS = 1000;
const MAX_CHARACTERS = 4_000_000;

const GRAPHIQL_START = `# Set the header {"x-api-key": "sk_live_…"} below, then run.
{
  apiKey { label scopes }
  shipments(first: 5) {
    edges { node { trackingNumber status carrier { name } timeline { timestamp label location } } }
  }
}
`;

export interface GraphQLServer {
  /** Answers any request, as Yoga does. */
  readonly yoga: ReturnType<typeof createGraphQLYoga>;
  /** The operation of a document that was found valid and came back often enough to be compiled. */
  compiled(query: string, operationName: string | undefined): Operation | undefined;
}

/** GraphQL over the service's schema: Yoga for everything that can be asked, and what is asked again and again compiled. */
export function createGraphQLServer(schema: GraphQLSchema): GraphQLServer {
  const operations = new Operations(schema);
  return {
    yoga: createGraphQLYoga(schema, operations),
    compiled: (query, operationName) => operations.compiled(query, operationName),
  };
}

function createGraphQLYoga(schema: GraphQLSchema, operations: Operations) {
  return createYoga<RequestContext>({
    schema,
    graphqlEndpoint: '/graphql',
    plugins: [ownExecution(operations), publicErrors],
    graphiql: { title: 'Shipping Integrations API', defaultQuery: GRAPHIQL_START },
    // Its page is several megabytes of script, which a process that nobody opens it on need not hold.
    renderGraphiQL: async options => (await import('@graphql-yoga/render-graphiql')).renderGraphiQL(options),
    // Errors are made public by `publicErrors`, which knows the request's id.
    maskedErrors: false,
    batching: false,
    multipart: false,
    landingPage: false,
    cors: false,
    logging: false,
    parserAndValidationCache: { documentCache: boundedByText(), errorCache: boundedByText() },
  });
}

function boundedByText<Value extends object>(): LRUCache<string, Value> {
  return new LRUCache<string, Value>({
    max: MAX_DOCUMENTS,
    maxSize: MAX_CHARACTERS,
    sizeCalculation: (_value, text) => text.length + 1,
  });
}

/** The operations of consumers' documents, by text: interpreted at first, compiled once they come back. */
class Operations {
  readonly #schema: GraphQLSchema;
  readonly #known = boundedByText<{ seen: number; operation: Operation }>();

  constructor(schema: GraphQLSchema) {
    this.#schema = schema;
  }

  compiled(query: string, operationName: string | undefined): Operation | undefined {
    const entry = this.#known.get(keyOf(query, operationName));
    return entry && entry.seen >= COMPILE_AFTER ? entry.operation : undefined;
  }

  /** @throws Fault `graphql_invalid` where the document has several operations and none of them is named */
  of(document: DocumentNode, query: string, operationName: string | undefined): Operation {
    const key = keyOf(query, operationName);
    const entry = this.#known.get(key);
    if (!entry) {
      const operation = interpretedOperation(this.#schema, document, operationName);
      this.#known.set(key, { seen: 1, operation });
      return operation;
    }
    entry.seen++;
    if (entry.seen === COMPILE_AFTER) entry.operation = compileOperation(this.#schema, document, operationName);
    return entry.operation;
  }
}

function keyOf(query: string, operationName: string | undefined): string {
  return `${operationName ?? ''}\n${query}`;
}

/** Runs operations as the REST face does: variables are checked with their paths, documents compiled. */
function ownExecution(operations: Operations): Plugin<RequestContext> {
  return {
    onExecute({ setExecuteFn }) {
      setExecuteFn(({ document, operationName, variableValues, contextValue }) => {
        const { params } = contextValue as { params: { query?: string } };
        const operation = operations.of(document, params.query ?? '', operationName ?? undefined);
        const variables = variableValues ?? {};
        const issues = operation.check(variables);
        if (issues.length > 0) {
          return { errors: [new GraphQLError('Invalid variables', { originalError: invalid(issues) })] };
        }
        return operation.run(contextValue as RequestContext, variables);
      });
    },
  };
}

const publicErrors: Plugin<RequestContext> = {
  onExecutionResult({ result, setResult, context }) {
    if (!result || Array.isArray(result) || !('errors' in result) || !result.errors) return;
    const request = context as unknown as RequestContext;
    setResult({ ...result, errors: result.errors.map(error => publicError(error, request)) });
  },
};
