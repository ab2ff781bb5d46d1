import { type DocumentNode, type ExecutionArgs, type ExecutionResult, GraphQLError, type GraphQLSchema } from 'graphql';
import { createYoga, type Plugin } from 'graphql-yoga';
import type { RequestContext } from './context.ts';
import type { Parsed, Variables } from './operation.ts';
import type { Subscription } from './subscription.ts';

/**
 * The one executor of the graph, for GraphQL, its subscriptions and REST, valid or not. Parsing, validation, execution
 * and subscription are functions of Yoga, which a plugin replaces with the functions of a library of documents. Koa has
 * read the request before, and writes the response afterwards, so nothing is read or written twice.
 *
 * CPU of Yoga's part for each operation, measured alone: `yoga.getEnveloped` 1.5 µs, `yoga.getResultForParams` 2.7,
 * `yoga.fetch` 80 to 110.
 */

/** The parameters of a GraphQL request. */
interface Params {
  readonly query: string;
  readonly operationName?: string | undefined;
  readonly variables: Variables;
}

export interface Executed extends ExecutionResult {
  /** The whole response, if it is known from an earlier request. */
  readonly text?: string;
  /** The price of the document; absent if it is not valid. */
  readonly cost?: number;
  /** Stores the whole response of an operation that always has the same one. */
  readonly keep?: (text: string) => void;
}

/** Documents, and how their operations run. */
export interface Library {
  /** @throws GraphQLError if the text does not parse */
  parse(query: string, context: RequestContext): DocumentNode;
  validate(document: DocumentNode): readonly GraphQLError[];
  execute(parsed: Parsed, context: RequestContext): Promise<Executed> | Executed;
  subscribe?(parsed: Parsed, context: RequestContext): Subscription | ExecutionResult;
}

/** Errors of an operation are never thrown, but returned as `errors`. */
export interface Executor {
  /** Runs a query or a mutation. */
  run(params: Params, context: RequestContext): Promise<Executed>;
  subscribe(params: Params, context: RequestContext): Promise<Subscription | ExecutionResult>;
}

/** Yoga's context refers to the request's context and is another object, since Yoga adds to its own. */
interface YogaContext {
  readonly caller: RequestContext;
}

export function createExecutor(schema: GraphQLSchema, library: Library): Executor {
  const yoga = createYoga<YogaContext>({
    schema,
    plugins: [runsFrom(library)],
    // Errors are masked where the response is written.
    maskedErrors: false,
    logging: false,
    // The library caches documents.
    parserAndValidationCache: false,
  });
  const through = async (method: 'execute' | 'subscribe', params: Params, caller: RequestContext) => {
    const yogas = yoga.getEnveloped({ caller });
    try {
      const document: DocumentNode = yogas.parse(params.query);
      const errors: readonly GraphQLError[] = yogas.validate(schema, document);
      if (errors.length > 0) return { errors };
      const contextValue = await yogas.contextFactory();
      const { operationName, variables: variableValues } = params;
      return await yogas[method]({ schema, document, operationName, variableValues, contextValue });
    } catch (thrown) {
      return { errors: [asGraphQLError(thrown)] };
    }
  };
  return {
    run: (params, context) => through('execute', params, context),
    subscribe: (params, context) => through('subscribe', params, context),
  };
}

function runsFrom(library: Library): Plugin<YogaContext> {
  const execute = (args: ExecutionArgs) => library.execute(parsedOf(args), callerOf(args));
  const subscribe = (args: ExecutionArgs) => library.subscribe?.(parsedOf(args), callerOf(args));
  const validate = (_schema: GraphQLSchema, document: DocumentNode) => library.validate(document);
  return {
    onParse({ setParseFn, context }) {
      setParseFn((query: string) => library.parse(query, context.caller));
    },
    onValidate({ setValidationFn }) {
      setValidationFn(validate);
    },
    onExecute({ setExecuteFn }) {
      setExecuteFn(execute);
    },
    onSubscribe({ setSubscribeFn }) {
      setSubscribeFn(subscribe);
    },
  };
}

function parsedOf({ document, operationName, variableValues }: ExecutionArgs): Parsed {
  return { document, operationName: operationName ?? undefined, variables: variableValues ?? {} };
}

function callerOf({ contextValue }: ExecutionArgs): RequestContext {
  return (contextValue as YogaContext).caller;
}

function asGraphQLError(thrown: unknown): GraphQLError {
  if (thrown instanceof GraphQLError) return thrown;
  const originalError = thrown instanceof Error ? thrown : new Error(String(thrown));
  return new GraphQLError(originalError.message, { originalError });
}
