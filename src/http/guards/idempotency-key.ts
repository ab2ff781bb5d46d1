import { hash } from 'node:crypto';
import type { Context } from 'koa';
import type { RequestContext } from '../../graphql/context.ts';
import { Fault, type Issue, requireNone } from '../../platform/fault.ts';
import type { IdempotentRequests } from '../../platform/idempotency.ts';
import { sortedJsonText } from '../json-text.ts';

const IDEMPOTENCY_KEY = /^[\x21-\x7e]{1,255}$/;

/** The `Idempotency-Key` of a request. @throws Fault `invalid_idempotency_key` */
export function readIdempotencyKey(ctx: Context): string | undefined {
  const key = ctx.req.headers['idempotency-key'];
  if (key === undefined) return undefined;
  if (typeof key !== 'string' || !IDEMPOTENCY_KEY.test(key)) throw new Fault('invalid_idempotency_key');
  return key;
}

/** A request under an idempotency key, with its caller. */
interface KeyedRequest {
  readonly idempotencyKey: string;
  readonly route: string;
  /** The input as JSON. The order of members does not count. */
  readonly input: object;
  /** Whether a response means that nothing took effect, unless something did. */
  readonly isFailure?: (body: string) => boolean;
  /** Whether a response reports a failure of the service, which is not stored because it is temporary. */
  readonly isInterrupted?: (body: string) => boolean;
  /** Issues of the input. They are reported only if the key is used again. */
  readonly issues?: readonly Issue[];
}

/**
 * Carries out a request once, however often it is sent; repetitions get the stored response. Failures are not stored,
 * because they may be corrected or temporary.
 */
export async function answerOnce(
  ctx: Context,
  requests: IdempotentRequests,
  context: RequestContext,
  { idempotencyKey, route, input, isFailure = () => false, isInterrupted = () => false, issues = [] }: KeyedRequest,
  answer: (context: RequestContext) => Promise<void>,
): Promise<void> {
  const { apiKeyId } = context.principal;
  const request = {
    apiKeyId,
    route,
    idempotencyKey,
    fingerprint: hash('sha256', await sortedJsonText(input, context.work), 'base64'),
  };
  const begun = await requests.begin(context.tenant, request).catch((thrown: unknown) => {
    if (thrown instanceof Fault && thrown.status === 409) requireNone(issues);
    throw thrown;
  });
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
    await begun.release();
    throw thrown;
  }
  const { status, response } = ctx;
  const body = ctx.body as string;
  if (isFailure(body) && (await begun.release())) return;
  // If it took effect, a repetition is answered with the fact that its response is lost.
  if (isInterrupted(body)) return;
  await begun.keep({ status, contentType: response.get('content-type'), body });
}
