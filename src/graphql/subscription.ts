import { createSourceEventStream, type ExecutionResult, type GraphQLSchema } from 'graphql';
import type { LiveRead } from '../platform/live-read.ts';
import type { RequestContext } from './context.ts';
import type { LimitedOperation } from './documents.ts';
import type { Parsed } from './operation.ts';

export interface Subscription {
  /** The expected cost of an event. */
  readonly load: number;
  /** The source of its events, or the reason why there is nothing to watch. */
  source(context: RequestContext): Promise<AsyncIterator<LiveRead, void> | ExecutionResult>;
  event(context: RequestContext, read: LiveRead): Promise<ExecutionResult> | ExecutionResult;
}

/** A subscription to a valid operation. */
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
