import type { Context } from 'koa';
import type { AuthScheme } from '../graphql/context.ts';
import { Fault } from '../platform/fault.ts';
import type { IdempotentRequests } from '../platform/idempotency.ts';
import type { RequestClass } from '../platform/limits/rates.ts';
import type { Connections } from './connections.ts';
import type { Limiters } from './guards/admission.ts';
import type { Bodies } from './guards/body.ts';
import { readCredentials } from './guards/credentials.ts';
import { showRates } from './guards/rate-limit.ts';
import type { OpenedContext, RequestState } from './request-state.ts';
import type { Streams } from './streams/open-streams.ts';

/** Recognises a key and opens its company; given by the composition root. */
export type OpenContext = (key: string, authScheme: AuthScheme, requestId: string) => Promise<OpenedContext>;

/** The parts that requests pass on their way to the graph; given by the composition root. */
export interface Gate extends Limiters {
  readonly open: OpenContext;
  readonly idempotent: IdempotentRequests;
  readonly connections: Connections;
  readonly bodies: Bodies;
  readonly streams: Streams;
}

/**
 * Shows the rates of the key of a rejected request. Routes are checked before keys, so a request without a route, or with
 * a wrong method, is rejected without them.
 */
export function ratesOfRejected({ open, limits }: Pick<Gate, 'open' | 'limits'>) {
  return async (ctx: Context): Promise<void> => {
    const state = ctx.state as RequestState;
    try {
      const { key, authScheme } = readCredentials(ctx.req.headers);
      const { principal } = state.context ?? (await open(key, authScheme, state.requestId));
      showRates(ctx, limits, principal, ctx.method === 'GET' || ctx.method === 'HEAD' ? 'reads' : 'writes');
    } catch {
      // Nobody's key has no rates, and the rejection itself is what the caller must see.
    }
  };
}

/** Recognises the key of a request, and counts its connection for it. @throws Fault `rate_limited` */
export async function authenticate(
  ctx: Context,
  { open, connections, limits }: Gate,
  rateClass: RequestClass,
): Promise<OpenedContext> {
  const state = ctx.state as RequestState;
  const { key, authScheme } = readCredentials(ctx.req.headers);
  const context = await open(key, authScheme, state.requestId);
  state.context = context;
  if (!connections.admit(ctx.req.socket, context.principal.apiKeyId)) {
    showRates(ctx, limits, context.principal, rateClass);
    throw new Fault('rate_limited', {
      detail: 'The key has reached its limit of open connections. Close some, or use each for several requests.',
      headers: { 'retry-after': '5', connection: 'close' },
    });
  }
  return context;
}
