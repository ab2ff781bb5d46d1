import { createSourceEventStream, type ExecutionResult, type GraphQLSchema } from 'graphql';
import type { LiveRead } from '../platform/live-read.ts';
import type { RequestContext } from './context.ts';
import type { LimitedOperation } from './documents.ts';
import type { Parsed } from './operation.ts';

/** A subscription that nothing is wrong with. */
export interface Subscription {
  /** What an event is expected to cost. */
  readonly load: number;
  /** Where its events come from, or why there is nothing to watch. */
  source(context: RequestContext): Promise<AsyncIterator<LiveRead, void> | ExecutionResult>;
  /** The event that is made of what the source has found. */
  event(context: RequestContext, read: LiveRead): Promise<ExecutionResult> | ExecutionResult;
}

/** A subscription to an operation that nothing is wrong with. */
export function subscriptionOf(
  schema: GraphQLSchema,
  { run }: LimitedOperation,
  load: number,
  { document, operationName, variables }: Parsed,
): Subscription {
  return {
    load,
    async source(contextValue) {
      const args = { schema, document, operationName, contextValue, variableValues: variables };
      const source = await createSourceEventStream(args);
      if (!(Symbol.asyncIterator in source)) return source;
      return (source as AsyncIterable<LiveRead, void>)[Symbol.asyncIterator]();
    },
    event: (context, read) => run(context, variables, read),
  };
}
