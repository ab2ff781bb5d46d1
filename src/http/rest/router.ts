import type Router from '@koa/router';
import type { GraphQLSchema } from 'graphql';
import type { Context, Next } from 'koa';
import { Fault } from '../../platform/fault.ts';
import type { Gate } from '../gate.ts';
import type { RequestState } from '../request-state.ts';
import { BASE_PATH, ENDPOINTS } from './endpoints.ts';
import { endpointHandler } from './handler.ts';
import { RestOperations } from './rest-operations.ts';

/** Records the pattern of the matched route, so that logs and metrics never hold a tracking number. */
export function named(route: string) {
  return (ctx: Context, next: Next) => {
    (ctx.state as RequestState).route = route;
    return next();
  };
}

/** A route for each row of the table. */
export function addEndpoints(router: Router, schema: GraphQLSchema, gate: Gate): void {
  const operations = RestOperations.of(schema);
  for (const endpoint of ENDPOINTS) {
    const path = BASE_PATH + endpoint.path;
    const pattern = path.replaceAll(/\{(\w+)\}/g, ':$1');
    router.register(pattern, [endpoint.method], [named(path), endpointHandler(endpoint, operations, gate)]);
  }
}

const WORKER_DETAIL = 'Nothing lives at this path. This process works on jobs and serves no API.';

/** Rejects unmatched requests: a path that exists with another method, or an unknown one. */
export function rejectUnrouted(router: Router) {
  const isWorker = !router.match('/docs', 'GET').route;
  return (ctx: Context): void => {
    const methods = new Set(router.match(ctx.path, ctx.method).path.flatMap(layer => layer.methods));
    // A process that only works on jobs has no documentation, to which the usual text refers.
    if (methods.size === 0) throw new Fault('route_not_found', isWorker ? { detail: WORKER_DETAIL } : {});
    throw new Fault('method_not_allowed', { headers: { allow: [...methods].toSorted().join(', ') } });
  };
}
