import { randomUUID } from 'node:crypto';
import type { Context } from 'koa';
import type { RequestContext } from '../graphql/context.ts';
import type { Fault } from '../platform/fault.ts';

/** The context of a request that has no place among its company's requests yet. */
export type OpenedContext = Omit<RequestContext, 'place'>;

/** The notes of the HTTP face on a request, for the log. */
export interface RequestState {
  requestId: string;
  /** The route's pattern, never the address itself. */
  route: string;
  context?: OpenedContext;
  /** The user of a page for operators. */
  operator?: string;
  /** Why the request failed. */
  fault?: Fault;
  /** How faults are sent, if not as problems. */
  sendFault?: (ctx: Context, fault: Fault) => void;
}

const REQUEST_ID = /^[A-Za-z0-9._-]{1,200}$/;

/** The id that a caller gives its request in `X-Request-Id`; a new one if it is missing or not allowed. */
export function requestIdOf(given: string | string[] | undefined): string {
  return typeof given === 'string' && REQUEST_ID.test(given) ? given : randomUUID();
}
