import {
  type DocumentNode,
  type FragmentDefinitionNode,
  GraphQLError,
  type GraphQLSchema,
  Kind,
  type ParseOptions,
  parse,
  type SelectionSetNode,
} from 'graphql';
import { createYoga, type Plugin } from 'graphql-yoga';
import { invalid } from '../platform/fault.ts';
import type { Metrics } from '../platform/metrics.ts';
import type { RequestContext } from './context.ts';
import { boundedByText, MAX_TOKENS, operationKey } from './documents.ts';
import { publicError } from './errors.ts';
import { type Limit, Limits } from './limits.ts';
import { compileOperation, interpretedOperation, type Operation } from './operation.ts';

/** How often a document is seen before compiling it pays. */
const COMPILE_AFTER = 3;

/** Fields of a document, its fragments written out, beyond which it stays interpreted. */
const MAX_COMPILED_FIELDS = 500;

export interface GraphQLServer {
  /** Answers any request, as Yoga does. */
  readonly yoga: ReturnType<typeof createGraphQLYoga>;
  /** The operation of a document that was found valid and came back often enough to be compiled. */
  compiled(query: string, operationName: string | undefined): LimitedOperation | undefined;
  /** How long an answer may take. */
  readonly timeoutMs: number;
  /** Counts an answer that took longer. */
  countTimeout(): void;
}

export interface GraphQLSettings {
  /** What a document may cost, at most. */
  readonly maxCost: number;
  readonly timeoutMs: number;
}

/** An operation of a consumer's: to be run only where neither its variables nor its limit are against it. */
export interface LimitedOperation extends Operation {
  readonly limit: Limit;
}

/** GraphQL over the service's schema: Yoga for everything that can be asked, and what is asked again and again compiled. */
export function createGraphQLServer(
  schema: GraphQLSchema,
  { maxCost, timeoutMs }: GraphQLSettings,
  metrics: Metrics,
): GraphQLServer {
  const operations = new Operations(schema, new Limits(schema, maxCost));
  return {
    timeoutMs,
    countTimeout: () => metrics.graphqlRefused('time'),
    yoga: createGraphQLYoga(schema, operations, metrics),
    compiled: (query, operationName) => operations.compiled(query, operationName),
  };
}

function createGraphQLYoga(schema: GraphQLSchema, operations: Operations, metrics: Metrics) {
  return createYoga<RequestContext>({
    schema,
    graphqlEndpoint: '/graphql',
    plugins: [ownExecution(operations, metrics), publicErrors],
    // The page is served apart: see graphiql.ts.
    graphiql: false,
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

interface KnownDocument {
  seen: number;
  readonly interpreted: LimitedOperation;
  compiled?: LimitedOperation;
}

/** The operations of consumers' documents, by text: interpreted at first, compiled for the next time once they come back. */
class Operations {
  readonly #schema: GraphQLSchema;
  readonly #limits: Limits;
  readonly #known = boundedByText<KnownDocument>();

  constructor(schema: GraphQLSchema, limits: Limits) {
    this.#schema = schema;
    this.#limits = limits;
  }

  compiled(query: string, operationName: string | undefined): LimitedOperation | undefined {
    return this.#known.get(operationKey(query, operationName))?.compiled;
  }

  /** @throws Fault `graphql_invalid` where the document has several operations and none of them is named */
  of(document: DocumentNode, query: string, operationName: string | undefined): LimitedOperation {
    const key = operationKey(query, operationName);
    const known = this.#known.get(key) ?? {
      seen: 0,
      interpreted: {
        ...interpretedOperation(this.#schema, document, operationName),
        limit: this.#limits.of(document, operationName),
      },
    };
    if (++known.seen === 1) this.#known.set(key, known);
    if (known.seen === COMPILE_AFTER && isCompilable(document)) {
      const { limit } = known.interpreted;
      known.compiled = { ...compileOperation(this.#schema, document, operationName), limit };
    }
    return known.interpreted;
  }
}

/** graphql-jit writes every fragment out where it is spread, so that few of them can become very much code. */
function isCompilable(document: DocumentNode): boolean {
  const fragments = new Map<string, FragmentDefinitionNode>(
    document.definitions.flatMap(node => (node.kind === Kind.FRAGMENT_DEFINITION ? [[node.name.value, node]] : [])),
  );
  let left = MAX_COMPILED_FIELDS;
  const count = (set: SelectionSetNode | undefined): void => {
    for (const selection of set?.selections ?? []) {
      if (--left < 0) return;
      count(
        selection.kind === Kind.FRAGMENT_SPREAD
          ? fragments.get(selection.name.value)?.selectionSet
          : selection.selectionSet,
      );
    }
  };
  for (const node of document.definitions) if (node.kind === Kind.OPERATION_DEFINITION) count(node.selectionSet);
  return left >= 0;
}

/** Says so where a document is nested so deep that reading it overflows the stack. */
function whileShallow<Args extends unknown[], Result>(read: (...args: Args) => Result): (...args: Args) => Result {
  return (...args) => {
    try {
      return read(...args);
    } catch (error) {
      throw error instanceof RangeError ? new GraphQLError('The document is nested too deeply.') : error;
    }
  };
}

/** The status of a document that was not run, where GraphQL's own media type is asked for; in plain JSON it is 200. */
const REFUSED = { extensions: { http: { spec: true, status: 400 } } };

/** Runs operations as the REST face does, with variables checked and their paths told. */
function ownExecution(operations: Operations, metrics: Metrics): Plugin<RequestContext> {
  return {
    onParse({ setParseFn }) {
      setParseFn(
        whileShallow((source: string, options: ParseOptions) => parse(source, { ...options, maxTokens: MAX_TOKENS })),
      );
    },
    onValidate({ validateFn, setValidationFn }) {
      setValidationFn(whileShallow(validateFn));
    },
    onExecute({ setExecuteFn }) {
      setExecuteFn(({ document, operationName, variableValues, contextValue }) => {
        const { params } = contextValue as { params: { query?: string } };
        const operation = operations.of(document, params.query ?? '', operationName ?? undefined);
        const variables = variableValues ?? {};
        const issues = operation.check(variables);
        const limit = issues.length > 0 ? undefined : operation.limit(variables);
        if (limit) metrics.graphqlRefused(limit.code === 'graphql_too_deep' ? 'depth' : 'cost');
        const refusal = issues.length > 0 ? invalid(issues) : limit;
        if (refusal) return { errors: [new GraphQLError(refusal.message, { originalError: refusal, ...REFUSED })] };
        return operation.run(contextValue as RequestContext, variables);
      });
    },
  };
}

const publicErrors: Plugin<RequestContext> = {
  onExecutionResult({ result, setResult, context }) {
    if (!result || Array.isArray(result) || !('errors' in result) || !result.errors) return;
    const request = context as unknown as RequestContext;
    const { errors, ...rest } = result;
    setResult({ errors: errors.map(error => publicError(error, request)), ...rest });
  },
};
