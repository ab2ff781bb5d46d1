import { hash } from 'node:crypto';
import type { Context } from 'koa';
import type { RequestContext } from '../graphql/context.ts';
import { Fault } from '../platform/fault.ts';
import type { IdempotentRequests } from '../platform/idempotency.ts';
import { asFault } from '../platform/problem.ts';
import { sendProblem } from './problem.ts';

const IDEMPOTENCY_KEY = /^[\x21-\x7e]{1,255}$/;

/**
 * Refusals that are kept as answers: what was found out by carrying the request out. A body that is not valid may be
 * corrected and sent with the same key, and what is wrong with us may have passed.
 */
const KEPT_REFUSALS: ReadonlySet<number> = new Set([404, 409]);

/** The `Idempotency-Key` of a request. @throws Fault `invalid_idempotency_key` */
export function readIdempotencyKey(ctx: Context): string | undefined {
  const key = ctx.req.headers['idempotency-key'];
  if (key === undefined) return undefined;
  if (typeof key !== 'string' || !IDEMPOTENCY_KEY.test(key)) throw new Fault('invalid_idempotency_key');
  return key;
}

/** What is asked for under a key, and by whom. */
export interface KeyedRequest {
  readonly idempotencyKey: string;
  readonly route: string;
  /** The same for the same request. */
  readonly input: object;
  /** Whether an answer says that nothing was carried out, unless something took effect all the same. */
  readonly isRefusal?: (body: string) => boolean;
}

/** Carries a request out once, however often it is sent; further times it is answered with what was answered then. */
export async function answerOnce(
  ctx: Context,
  requests: IdempotentRequests,
  context: RequestContext,
  { idempotencyKey, route, input, isRefusal = () => false }: KeyedRequest,
  answer: (context: RequestContext) => Promise<void>,
): Promise<void> {
  const fingerprint = hash('sha256', JSON.stringify(input), 'base64');
  const { apiKeyId } = context.principal;
  const begun = await requests.begin(context.tenant, { apiKeyId, route, idempotencyKey, fingerprint });
  if ('body' in begun) {
    ctx.status = begun.status;
    ctx.set('content-type', begun.contentType);
    ctx.set('idempotent-replayed', 'true');
    ctx.body = begun.body;
    return;
  }
  try {
    await answer({ ...context, tenant: begun.tenant });
  } catch (thrown) {
    const fault = asFault(thrown);
    if (!KEPT_REFUSALS.has(fault.status) || fault.code === 'idempotency_in_progress') {
      await begun.release();
      throw fault;
    }
    sendProblem(ctx, fault, context.publicUrl);
  }
  const { status, response } = ctx;
  const body = ctx.body as string;
  if (isRefusal(body) && (await begun.release())) return;
  await begun.keep({ status, contentType: response.get('content-type'), body });
}
