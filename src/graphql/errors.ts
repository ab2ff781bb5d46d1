import { GraphQLError } from 'graphql';
import { Fault } from '../platform/fault.ts';
import type { Log } from '../platform/log.ts';
import { asFault, faultDetail, faultReport, reasonOf } from '../platform/problem.ts';

/** The fault behind an error of the graph: what a resolver threw, or the document's own fault. */
export function faultOf(error: GraphQLError): Fault {
  const thrown = error.originalError;
  if (thrown instanceof GraphQLError) return faultOf(thrown);
  if (thrown) return asFault(thrown);
  return new Fault('graphql_invalid', { detail: error.message });
}

/** An error as GraphQL consumers see it: the same code, status, requestId and errors that REST callers get of a problem. */
export function publicError(error: GraphQLError, { requestId, log }: { requestId: string; log: Log }): GraphQLError {
  const fault = faultOf(error);
  if (fault.status >= 500) log.error({ requestId, code: fault.code, ...reasonOf(fault) }, 'request failed');
  const { http } = error.extensions;
  return new GraphQLError(faultDetail(fault), {
    nodes: error.nodes,
    source: error.source,
    positions: error.positions,
    path: error.path,
    // `http` is Yoga's own note of status and headers, which it takes off before it answers.
    extensions: { ...faultReport(fault, requestId), ...(http !== undefined && { http }) },
  });
}
