import { GraphQLError, type GraphQLSchema, getOperationAST, OperationTypeNode } from 'graphql';
import { type Fault, invalid, NOTHING_STORED } from '../platform/fault.ts';
import { CHARACTERS_PER_UNIT } from '../platform/limits/work.ts';
import { asFault } from '../platform/problem.ts';
import type { Metrics } from '../platform/telemetry/metrics.ts';
import type { RequestContext } from './context.ts';
import { Documents, type LimitedOperation } from './documents.ts';
import { createExecutor, type Executed, type Executor, type Library } from './executor.ts';
import { Limits } from './limits.ts';
import type { Parsed } from './operation.ts';
import type { Outline } from './outline.ts';
import { subscriptionOf } from './subscription.ts';

/** GraphQL over the service's schema: any document that a consumer sends, within its limits. */
export interface GraphQLServer extends Executor {
  /** Whether a document is cached. */
  isKnown(query: string): boolean;
  /** The root fields of an operation. */
  outline(query: string, operationName: string | undefined, owner: string): Outline;
  /** The time limit of a response, or of an event of a subscription. */
  readonly timeoutMs: number;
  /** Counts a response that exceeded the time limit. */
  countTimeout(): void;
}

interface GraphQLSettings {
  /** The limit on the cost of a document. */
  readonly maxCost: number;
  readonly timeoutMs: number;
}

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
    ...createExecutor(schema, libraryOf(schema, documents, metrics)),
    isKnown: query => documents.isKnown(query),
    outline: (query, operationName, owner) => documents.outline(query, operationName, owner),
  };
}

function libraryOf(schema: GraphQLSchema, documents: Documents, metrics: Metrics): Library {
  const ready = (parsed: Parsed, { principal }: RequestContext) => {
    const operation = documents.operation(parsed.document, parsed.operationName, principal.companyId);
    const issues = operation.check(parsed.variables);
    if (issues.length > 0)
      return { operation, load: 0, cost: 0, errors: rejected(invalid(issues, consequence(parsed))) };
    const { cost, load, rejection } = operation.limit(parsed.variables);
    if (rejection === undefined) return { operation, load, cost };
    metrics.graphqlRejected(rejection.code === 'graphql_too_deep' ? 'depth' : 'cost');
    return { operation, load, cost, errors: rejected(rejection) };
  };
  return {
    parse: (query, { principal }) => documents.parse(query, principal.companyId),
    validate: document => documents.validate(document),
    execute(parsed, context) {
      const { operation, load, cost, errors } = ready(parsed, context);
      return errors ? { errors, cost } : run(operation, load, cost, parsed, context);
    },
    subscribe(parsed, context) {
      const { operation, load, errors } = ready(parsed, context);
      return errors ? { errors } : subscriptionOf(schema, operation, load, parsed);
    },
  };
}

async function run(
  { constant, run }: LimitedOperation,
  load: number,
  cost: number,
  { variables }: Parsed,
  context: RequestContext,
): Promise<Executed> {
  const { place, work } = context;
  const text = constant?.text;
  try {
    // The units spent so far are the length of the request.
    await place.reserve(work.spent + (text === undefined ? load : text.length / CHARACTERS_PER_UNIT));
  } catch (thrown) {
    // The request is rejected as a whole, not by an error beside its data.
    work.end(asFault(thrown));
    return work.never;
  }
  if (text !== undefined) {
    work.spendText(text.length);
    return { text, cost };
  }
  const result = await run(context, variables);
  if (constant === undefined || result.errors) return { ...result, cost };
  // Introspection calls none of our resolvers, so its work is counted here.
  work.spend(load);
  return { ...result, cost, keep: constant.keep };
}

function rejected(fault: Fault): readonly GraphQLError[] {
  return [new GraphQLError(fault.message, { originalError: fault })];
}

/** The final sentence of a rejected batch, whose correct items are not stored either. */
function consequence({ document, operationName }: Parsed): string | undefined {
  const isMutation = getOperationAST(document, operationName)?.operation === OperationTypeNode.MUTATION;
  return isMutation ? NOTHING_STORED : undefined;
}
