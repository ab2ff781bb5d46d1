import { createSourceEventStream, type ExecutionResult, GraphQLError, type GraphQLSchema } from 'graphql';
import { invalid } from '../platform/fault.ts';
import type { LiveRead } from '../platform/live-read.ts';
import type { RequestContext } from './context.ts';
import type { Documents } from './documents.ts';
import type { Estimate } from './limits.ts';
import type { Variables } from './operation.ts';

/** A subscription that nothing is wrong with. */
export interface Subscription {
  /** What its events have in common: a short name of the operation. */
  readonly kind: string;
  /** What an event is expected to cost. */
  readonly load: number;
  /** Where its events come from, or why there is nothing to watch. */
  source(context: RequestContext): Promise<AsyncIterator<LiveRead, void> | ExecutionResult>;
  /** The event that is made of what the source has found. */
  event(context: RequestContext, read: LiveRead): Promise<ExecutionResult> | ExecutionResult;
}

/** Makes a subscription ready; the errors where something is wrong with it. @throws GraphQLError where it does not parse */
export function prepareSubscription(
  schema: GraphQLSchema,
  documents: Documents,
  query: string,
  operationName: string | undefined,
  variables: Variables,
  owner: string,
  onRejected: (estimate: Estimate) => void,
): Subscription | { readonly errors: readonly GraphQLError[] } {
  const document = documents.parse(query, owner);
  const errors = documents.validate(document);
  if (errors.length > 0) return { errors };
  const operation = documents.operation(document, operationName, owner);
  const issues = operation.check(variables);
  const estimate: Estimate = issues.length > 0 ? { cost: 0, load: 0 } : operation.limit(variables);
  onRejected(estimate);
  const rejection = issues.length > 0 ? invalid(issues) : estimate.rejection;
  if (rejection) return { errors: [new GraphQLError(rejection.message, { originalError: rejection })] };
  return {
    kind: operation.kind,
    load: estimate.load,
    async source(contextValue) {
      const args = { schema, document, operationName, contextValue, variableValues: variables };
      const source = await createSourceEventStream(args);
      if (!(Symbol.asyncIterator in source)) return source;
      return (source as AsyncIterable<LiveRead, void>)[Symbol.asyncIterator]();
    },
    event: (context, read) => operation.run(context, variables, read),
  };
}
