import { renderGraphiQL } from '@graphql-yoga/render-graphiql';
import { type DocumentNode, GraphQLError, type GraphQLSchema } from 'graphql';
import { createYoga, type Plugin } from 'graphql-yoga';
import { invalid } from '../platform/fault.ts';
import type { RequestContext } from './context.ts';
import { publicError } from './errors.ts';
import { compileOperation, interpretedOperation, type Operation } from './operation.ts';

/** How often a document is seen before compiling it pays. */
const COMPILE_AFTER = 3;

/** Most documents kept parsed, validated and perhaps compiled; the least recently used go first. */
export const MAX_DOCUMENTS = 1000;

const GRAPHIQL_START = `# Set the header {"x-api-key": "sk_live_…"} below, then run.
{
  apiKey { label scopes }
  shipments(first: 5) {
    nodes: edges { node { trackingNumber status carrier { name } timeline { timestamp label location } } }
  }
}
`;

/** Yoga over the graph: GraphQL over HTTP and GraphiQL, with the service's own execution and errors. */
export type GraphQLServer = ReturnType<typeof createGraphQLServer>;

/** Batches of 1,000 records need room. */
const MAX_BODY_BYTES = 4 * 1024 * 1024;

export function createGraphQLServer(schema: GraphQLSchema) {
  return createYoga<RequestContext>({
    schema,
    graphqlEndpoint: '/graphql',
    plugins: [compiledExecution(schema), publicErrors],
    graphiql: { title: 'Shipping Integrations API', defaultQuery: GRAPHIQL_START },
    renderGraphiQL,
    // Errors are made public by `publicErrors`, which knows the request's id.
    maskedErrors: false,
    batching: false,
    multipart: false,
    landingPage: false,
    cors: false,
    logging: false,
    parserAndValidationCache: true,
    maxRequestBodySize: MAX_BODY_BYTES,
  });
}

/** Runs operations as the REST face does: variables checked with paths, documents compiled once they come back. */
function compiledExecution(schema: GraphQLSchema): Plugin<RequestContext> {
  // By document: Yoga's own bounded cache hands out the same object for the same text.
  const known = new WeakMap<DocumentNode, Map<string, { seen: number; operation: Operation }>>();

  function operationOf(document: DocumentNode, name: string | undefined): Operation {
    const byName = known.get(document) ?? new Map<string, { seen: number; operation: Operation }>();
    known.set(document, byName);
    const entry = byName.get(name ?? '');
    if (!entry) {
      const operation = interpretedOperation(schema, document, name);
      byName.set(name ?? '', { seen: 1, operation });
      return operation;
    }
    entry.seen++;
    if (entry.seen === COMPILE_AFTER) entry.operation = compileOperation(schema, document, name);
    return entry.operation;
  }

  return {
    onExecute({ setExecuteFn }) {
      setExecuteFn(({ document, operationName, variableValues, contextValue }) => {
        const operation = operationOf(document, operationName ?? undefined);
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
