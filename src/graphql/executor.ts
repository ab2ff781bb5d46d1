import { type DocumentNode, GraphQLError, type GraphQLSchema, getOperationAST, OperationTypeNode } from 'graphql';
import { createYoga, type Plugin } from 'graphql-yoga';
import { invalid, NOTHING_STORED } from '../platform/fault.ts';
import { asFault } from '../platform/problem.ts';
import type { Metrics } from '../platform/telemetry/metrics.ts';
import type { RequestContext } from './context.ts';
import { Documents, type LimitedOperation, type Outline } from './documents.ts';
import { publicError } from './errors.ts';
import { type Estimate, Limits } from './limits.ts';
import type { Variables } from './operation.ts';
import { prepareSubscription } from './subscription.ts';

export interface GraphQLServer {
  /** Answers any request, as Yoga does. */
  readonly yoga: ReturnType<typeof createGraphQLYoga>;
  /** Whether a document was read before. */
  isKnown(query: string): boolean;
  /** What an operation of a document does first. */
  outline(query: string, operationName: string | undefined, owner: string): Outline;
  /** An operation that is ready to run; undefined where something is wrong with it, which Yoga says. */
  ready(query: string, operationName: string | undefined, owner: string): LimitedOperation | undefined;
  /** A subscription that is ready to be watched, or what is wrong with it. */
  subscription(
    query: string,
    operationName: string | undefined,
    variables: Variables,
    owner: string,
  ): ReturnType<typeof prepareSubscription>;
  /** How long a response may take, or an event of a subscription. */
  readonly timeoutMs: number;
  /** Counts a response that took longer. */
  countTimeout(): void;
}

export interface GraphQLSettings {
  /** What a document may cost, at most. */
  readonly maxCost: number;
  readonly timeoutMs: number;
}

/** GraphQL over the service's schema: documents that are known and ready to run, and Yoga for everything else. */
export function createGraphQLServer(
  schema: GraphQLSchema,
  { maxCost, timeoutMs }: GraphQLSettings,
  metrics: Metrics,
): GraphQLServer {
  const documents = new Documents(schema, new Limits(schema, maxCost));
  metrics.watchCache('graphql_documents', documents.counts);
  return {
    timeoutMs,
    countTimeout: () => metrics.graphqlRejected('time'),
    subscription: (query, operationName, variables, owner) =>
      prepareSubscription(schema, documents, query, operationName, variables, owner, estimate =>
        count(metrics, estimate),
      ),
    yoga: createGraphQLYoga(schema, documents, metrics),
    isKnown: query => documents.isKnown(query),
    outline: (query, operationName, owner) => documents.outline(query, operationName, owner),
    ready: (query, operationName, owner) => documents.ready(query, operationName, owner),
  };
}

function createGraphQLYoga(schema: GraphQLSchema, documents: Documents, metrics: Metrics) {
  return createYoga<RequestContext>({
    schema,
    graphqlEndpoint: '/graphql',
    plugins: [ownExecution(documents, metrics), publicErrors],
    // It is one of the pages of the documentation.
    graphiql: false,
    // Errors are made public by `publicErrors`, which knows the request's id.
    maskedErrors: false,
    batching: false,
    multipart: false,
    landingPage: false,
    cors: false,
    logging: false,
    // Documents keep what is known of them.
    parserAndValidationCache: false,
  });
}

/** The status of a document that was not run, where GraphQL's own media type is asked for; in plain JSON it is 200. */
const REJECTED = { extensions: { http: { spec: true, status: 400 } } };

/** Runs operations as the REST face does, with variables checked and the paths of what is wrong in them. */
function ownExecution(documents: Documents, metrics: Metrics): Plugin<RequestContext> {
  return {
    onParse({ setParseFn, context }) {
      setParseFn((text: string) => documents.parse(text, ownerOf(context)));
    },
    onValidate({ setValidationFn }) {
      setValidationFn((_schema, document) => documents.validate(document));
    },
    onExecute({ setExecuteFn }) {
      setExecuteFn(async ({ document, operationName, variableValues, contextValue }) => {
        const operation = documents.operation(document, operationName ?? undefined, ownerOf(contextValue));
        const variables = variableValues ?? {};
        const issues = operation.check(variables);
        const estimate: Estimate = issues.length > 0 ? { cost: 0, load: 0 } : operation.limit(variables);
        const { load, rejection: limit } = estimate;
        count(metrics, estimate);
        const rejection = issues.length > 0 ? invalid(issues, consequence(document, operationName)) : limit;
        if (rejection)
          return { errors: [new GraphQLError(rejection.message, { originalError: rejection, ...REJECTED })] };
        const context = contextValue as RequestContext;
        try {
          await context.place.reserve(load, operation.kind);
        } catch (thrown) {
          // The request is rejected as a whole, and not by an error among its data.
          context.work.end(asFault(thrown));
          return context.work.never;
        }
        return operation.run(context, variables);
      });
    },
  };
}

function count(metrics: Metrics, { rejection }: Estimate): void {
  if (rejection) metrics.graphqlRejected(rejection.code === 'graphql_too_deep' ? 'depth' : 'cost');
}

/** What a rejected operation says at its end: items of a batch may be right, and are not stored without the others. */
function consequence(document: DocumentNode, operationName: string | null | undefined): string | undefined {
  const isMutation = getOperationAST(document, operationName)?.operation === OperationTypeNode.MUTATION;
  return isMutation ? NOTHING_STORED : undefined;
}

/** Whose share of what is kept of documents a request uses. */
function ownerOf(context: unknown): string {
  return (context as RequestContext).principal.companyId;
}

const publicErrors: Plugin<RequestContext> = {
  onExecutionResult({ result, setResult, context }) {
    if (!result || Array.isArray(result) || !('errors' in result) || !result.errors) return;
    const request = context as unknown as RequestContext;
    const { errors, ...rest } = result;
    setResult({ errors: errors.map(error => publicError(error, request)), ...rest });
  },
};
