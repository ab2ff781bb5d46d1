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

/** What is asked for under a key, and by whom. */
export interface KeyedRequest {
  readonly idempotencyKey: string;
  readonly route: string;
  /** What is asked for, as JSON. The order of members does not count. */
  readonly input: object;
  /** Whether an answer says that nothing was carried out, unless something took effect all the same. */
  readonly isFailure?: (body: string) => boolean;
  /** Whether an answer says that the service failed at it: true for a moment, and not for as long as answers are kept. */
  readonly isInterrupted?: (body: string) => boolean;
  /** What is wrong with the input. It is said before that the key is taken, and looked for only then. */
  readonly issues?: () => readonly Issue[];
}

/**
 * Carries a request out once, however often it is sent; further times it is answered with what was answered then. What
 * failed is not kept: it may be corrected, or what was in its way may have passed.
 */
export async function answerOnce(
  ctx: Context,
  requests: IdempotentRequests,
  context: RequestContext,
  {
    idempotencyKey,
    route,
    input,
    isFailure = () => false,
    isInterrupted = () => false,
    issues = () => [],
  }: KeyedRequest,
  answer: (context: RequestContext) => Promise<void>,
): Promise<void> {
  const { apiKeyId } = context.principal;
  const request = {
    ...{ apiKeyId, route, idempotencyKey },
    fingerprint: hash('sha256', await sortedJsonText(input, context.work), 'base64'),
    orderedFingerprint: hash('sha256', JSON.stringify(input), 'base64'),
  };
  const begun = await requests.begin(context.tenant, request).catch((thrown: unknown) => {
    if (thrown instanceof Fault && thrown.status === 409) requireNone(issues());
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
  // Where it took effect, those who send it again are told that it did and that its answer is lost.
  if (isInterrupted(body)) return;
  await begun.keep({ status, contentType: response.get('content-type'), body });
}
