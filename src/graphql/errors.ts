import { type ExecutionResult, GraphQLError } from 'graphql';
import { Fault } from '../platform/fault.ts';
import { asFault, faultDetail, faultReport } from '../platform/problem.ts';
import { logFailure } from '../platform/telemetry/failure-log.ts';
import type { Log } from '../platform/telemetry/log.ts';

/** The fault behind an error of the graph: a fault that a resolver threw, or one of the document. */
export function faultOf(error: GraphQLError): Fault {
  let thrown: Error | null | undefined = error.originalError;
  while (thrown instanceof GraphQLError) thrown = thrown.originalError;
  if (thrown) return asFault(thrown);
  // An error with a path arose during execution, such as null for a non-null field: a fault of the service.
  if (error.path !== undefined) return new Fault('internal_error', { cause: error });
  return new Fault('graphql_invalid', { detail: error.message.replace(LITERAL, '$1.') });
}

/** graphql-js repeats a literal of the wrong type, which may be a password, and callers log responses. */
const LITERAL = /(cannot represent [\w\s-]{0,60}value|^Expected value of type "[^"]*")(?::|, found) .*$/s;

/** A result as GraphQL consumers see it, with the errors first. */
export function publicResult(
  { data, errors }: ExecutionResult,
  caller: { requestId: string; log: Log },
): ExecutionResult {
  return errors ? { errors: errors.map(error => publicError(error, caller)), data } : { data };
}

/** An error as GraphQL consumers see it, with the members of the problem that a REST caller would get. */
function publicError(error: GraphQLError, { requestId, log }: { requestId: string; log: Log }): GraphQLError {
  const fault = faultOf(error);
  if (fault.status >= 500) logFailure(log, requestId, fault);
  const extensions = { ...faultReport(fault, requestId) };
  const shown = new GraphQLError(faultDetail(fault), {
    nodes: error.nodes,
    source: error.source,
    positions: error.positions,
    path: error.path,
    extensions,
  });
  // Errors of a compiled operation have no nodes; they bring their location ready-made.
  if (!shown.locations && error.locations) Object.defineProperty(shown, 'locations', { value: error.locations });
  return shown;
}
