import type Router from '@koa/router';
import type { Context, Middleware, Next } from 'koa';
import type { RequestContext } from '../graphql/context.ts';
import { publicResult } from '../graphql/errors.ts';
import type { Executed } from '../graphql/executor.ts';
import type { GraphQLServer } from '../graphql/graphql-server.ts';
import { Fault } from '../platform/fault.ts';
import type { RateLimits } from '../platform/limits/rate-limits.ts';
import { CHARACTERS_PER_UNIT, type Work } from '../platform/limits/work.ts';
import { faultDetail, faultReport } from '../platform/problem.ts';
import { authenticate, type Gate } from './gate.ts';
import { inTime } from './graphql-time.ts';
import { Admission } from './guards/admission.ts';
import { type Bodies, readText, requireJson } from './guards/body.ts';
import { answerOnce, readIdempotencyKey } from './guards/idempotency-key.ts';
import { parseJson } from './guards/json.ts';
import { classAtFirst, countOf } from './guards/rate-class.ts';
import { jsonText } from './json-text.ts';
import type { OpenedContext, RequestState } from './request-state.ts';
import { named } from './rest/router.ts';
import { onlyEvent } from './streams/event-stream.ts';
import { EVENTS, openSubscription } from './streams/subscription-stream.ts';

/** Batches of 1,000 records need more room than the bodies of REST. */
export const MAX_BODY_BYTES = 4 * 1024 * 1024;

const PATH = '/graphql';

/**
 * Reports every error of a request for the graph in GraphQL's form, even before the request reaches it: a GraphQL
 * client would only say that it cannot read a problem.
 */
export const graphQLFaults: Middleware = (ctx, next) => {
  if (ctx.path === PATH) (ctx.state as RequestState).sendFault = sendErrors;
  return next();
};

/** GraphQL over HTTP at `/graphql`. A browser gets GraphiQL there, which is a page and needs no key. */
export function addGraphQL(router: Router, server: GraphQLServer, gate: Gate): void {
  router.register(
    PATH,
    ['GET', 'POST'],
    [named(PATH), (ctx: Context, next: Next) => (isForPage(ctx) ? next() : answer(ctx, server, gate))],
  );
}

/** Whether a page is preferred, even with a document in the address, because GraphiQL links so. */
function isForPage(ctx: Context): boolean {
  return ctx.method !== 'POST' && ctx.accepts('json', 'html') === 'html';
}

async function answer(ctx: Context, server: GraphQLServer, gate: Gate): Promise<void> {
  const isPost = ctx.method === 'POST';
  const context = await authenticate(ctx, gate, 'reads');
  const admission = new Admission(gate, context);
  await admission.request(ctx, classAtFirst(gate.limits, context.principal), async () => {
    const { body, params } = await (isPost ? readRequest(ctx, context, gate.bodies) : readQuery(ctx));
    if (body) context.work.spend(body.length / CHARACTERS_PER_UNIT);
    if (params === undefined) return sendNotPersisted(ctx);
    if (!server.isKnown(params.query)) await admission.reserve(params.query.length);
    const outline = server.outline(params.query, params.operationName, context.principal.companyId);
    const { rateClass, count } = countOf(outline, params.variables);
    requireCountable(
      count,
      outline.isMutation ? 'mutations' : 'quotes',
      gate.limits.limit(context.principal, rateClass),
    );
    await admission.count(rateClass, count);
    if (!isPost && outline.isMutation) throw new Fault('method_not_allowed', MUTATION_BY_GET);
    const within = Object.assign(context, { place: admission, userErrors: [] });
    if (outline.isSubscription) {
      await answerSubscription(ctx, server, gate, within, params);
      admission.release();
      return;
    }
    const idempotencyKey = isPost ? readIdempotencyKey(ctx) : undefined;
    // A request that changes nothing can simply be repeated.
    if (idempotencyKey === undefined || !outline.changes) {
      await answerOperation(ctx, server, gate, within, params);
    } else {
      const isFailure = (text: string) => within.userErrors.length > 0 || hasErrors(text);
      const request = { idempotencyKey, route: PATH, input: params, isFailure, isInterrupted };
      await answerOnce(ctx, gate.idempotent, within, request, once => answerOperation(ctx, server, gate, once, params));
    }
    if (answerType(ctx) === false) sendAsEvent(ctx);
  });
}

const MUTATION_BY_GET = { detail: 'A mutation must be sent by POST.', headers: { allow: 'POST' } };

async function answerSubscription(
  ctx: Context,
  server: GraphQLServer,
  gate: Gate,
  context: RequestContext,
  params: Params,
): Promise<void> {
  const result = await server.subscribe(params, context);
  if ('source' in result) return openSubscription(ctx, server, gate, context, result);
  send(ctx, result, JSON.stringify(publicResult(result, context)));
  if (answerType(ctx) === false) sendAsEvent(ctx);
}

/** Sends the response as an event, for a caller that accepts only events. */
function sendAsEvent(ctx: Context): void {
  if (ctx.status !== 200) return;
  ctx.set('content-type', `${EVENTS}; charset=utf-8`);
  ctx.set('cache-control', 'no-store');
  ctx.body = onlyEvent(ctx.body as string);
}

/** @throws Fault `graphql_too_complex` for a count above the limit of a minute */
function requireCountable(count: number, what: 'mutations' | 'quotes', limit: number): void {
  if (count <= limit) return;
  const detail = `The document has ${count} ${what}. The limit of the key is ${limit} ${what === 'quotes' ? what : 'writes'} in a minute. Send fewer at a time.`;
  throw new Fault('graphql_too_complex', { detail, members: { cost: count, limit } });
}

/** A longer text takes a millisecond or more to read or write. */
const LONG_TEXT = 100_000;

/** Yields the event loop between the steps of reading or writing a long text. */
async function restIfLong(work: Work, text: string): Promise<void> {
  if (text.length > LONG_TEXT) await work.nextTurn();
}

async function answerOperation(
  ctx: Context,
  server: GraphQLServer,
  { limits }: Gate,
  context: RequestContext,
  params: Params,
): Promise<void> {
  const { work } = context;
  const [result, text] = await inTime(server, work, async () => {
    const result = await server.run(params, context);
    const text = result.text ?? (await jsonText(publicResult(result, context), work));
    result.keep?.(text);
    await restIfLong(work, text);
    return [result, withCost(text, result.cost ?? 0, context, limits)] as const;
  });
  send(ctx, result, text);
}

/**
 * Whether a response has errors, which come first, or may have them, because it is not JSON: if nothing took effect,
 * the caller may correct the error and send the request again.
 */
function hasErrors(body: string): boolean {
  return !body.startsWith('{"data":');
}

/** Whether the service failed at a part of the document, as it does while its database is down. */
function isInterrupted(body: string): boolean {
  if (!hasErrors(body)) return false;
  const { errors } = JSON.parse(body) as { errors: readonly { extensions: { status: number } }[] };
  return errors.some(({ extensions: { status } }) => status >= 500);
}

function send(ctx: Context, { data, text: known }: Executed, text: string): void {
  const type = bodyType(ctx);
  // In plain JSON, a document that was not run has the status of a response with errors.
  const isRun = data !== undefined || known !== undefined;
  ctx.status = isRun || type === 'application/json' ? 200 : 400;
  ctx.set('content-type', `${type}; charset=utf-8`);
  ctx.body = text;
}

interface GraphQLRequest {
  readonly body?: string;
  /** Undefined if a document is only named. */
  readonly params: Params | undefined;
}

async function readRequest(ctx: Context, context: OpenedContext, bodies: Bodies): Promise<GraphQLRequest> {
  assertAcceptable(ctx);
  await requireJson(ctx.req);
  const body = await readText(ctx, context, bodies, MAX_BODY_BYTES);
  await restIfLong(context.work, body);
  const params = readParams(parseJson(body));
  await restIfLong(context.work, body);
  return { body, params };
}

/** Reads a request from the address. If a parameter is given twice, Yoga would take one. */
async function readQuery(ctx: Context): Promise<GraphQLRequest> {
  assertAcceptable(ctx);
  const [repeated] = Object.entries(ctx.query).find(([name, value]) => PARAMS.has(name) && Array.isArray(value)) ?? [];
  if (repeated !== undefined) {
    throw new Fault('malformed_request', { detail: `The parameter \`${repeated}\` must be given once.` });
  }
  const { query, operationName, variables, extensions } = ctx.query as Record<string, string | undefined>;
  const read = (name: string, text: string | undefined) =>
    text === undefined ? undefined : parseJson(text, `The parameter \`${name}\``);
  return {
    params: readParams({
      query,
      operationName,
      variables: read('variables', variables),
      extensions: read('extensions', extensions),
    }),
  };
}

/**
 * The response to an Apollo client that asks for a document by its hash. Documents are not stored, so that a caller
 * never runs one that another caller sent; the client then sends whole documents, also in the future.
 */
function sendNotPersisted(ctx: Context): void {
  const { requestId } = ctx.state as RequestState;
  const extensions = { code: 'PERSISTED_QUERY_NOT_SUPPORTED', requestId };
  ctx.set('content-type', `${bodyType(ctx)}; charset=utf-8`);
  ctx.body = JSON.stringify({ errors: [{ message: 'PersistedQueryNotSupported', extensions }] });
}

/** Sends a fault in the form of GraphQL; the status is the one that REST sends. */
function sendErrors(ctx: Context, fault: Fault): void {
  const { requestId } = ctx.state as RequestState;
  ctx.status = fault.status;
  for (const [name, value] of Object.entries(fault.options.headers ?? {})) ctx.set(name, value);
  ctx.set('content-type', `${bodyType(ctx)}; charset=utf-8`);
  ctx.body = JSON.stringify({ errors: [{ message: faultDetail(fault), extensions: faultReport(fault, requestId) }] });
}

const ANSWER_TYPES = ['application/json', 'application/graphql-response+json'];

/** @throws Fault `not_acceptable` for a caller that accepts none of our types */
function assertAcceptable(ctx: Context): void {
  if (answerType(ctx) === false && !ctx.accepts(EVENTS)) throw new Fault('not_acceptable');
}

/** The type of a response that is not a stream. */
function bodyType(ctx: Context): string {
  return answerType(ctx) || 'application/json';
}

/** The type that a caller prefers; false if it accepts neither. */
function answerType(ctx: Context): string | false {
  const { accept } = ctx.req.headers;
  return accept === undefined || accept === '*/*' ? 'application/json' : ctx.accepts(ANSWER_TYPES);
}

interface Params {
  readonly query: string;
  readonly operationName: string | undefined;
  readonly variables: Record<string, unknown>;
}

const PARAMS = new Set(['query', 'operationName', 'variables', 'extensions']);

/**
 * Undefined if there is only the hash of a document.
 *
 * @throws Fault `malformed_request` for an invalid GraphQL request, such as a batch
 */
function readParams(value: unknown): Params | undefined {
  const isObject = (candidate: unknown) =>
    typeof candidate === 'object' && candidate !== null && !Array.isArray(candidate);
  const {
    query,
    operationName = null,
    variables = null,
    extensions = null,
  } = (isObject(value) ? value : {}) as Record<string, unknown>;
  const isHashOnly =
    query === undefined && isObject((extensions as { persistedQuery?: unknown } | null)?.persistedQuery);
  const isRequest =
    isObject(value) &&
    (isHashOnly || (typeof query === 'string' && query !== '')) &&
    (operationName === null || typeof operationName === 'string') &&
    (variables === null || isObject(variables)) &&
    (extensions === null || isObject(extensions)) &&
    Object.keys(value as object).every(name => PARAMS.has(name));
  if (!isRequest) {
    throw new Fault('malformed_request', {
      detail:
        'A GraphQL request is one JSON object, or the parameters of an address, with the text `query`, and optionally the text `operationName` and the JSON objects `variables` and `extensions`.',
    });
  }
  if (isHashOnly) return undefined;
  return {
    query: query as string,
    operationName: (operationName ?? undefined) as string | undefined,
    variables: (variables ?? {}) as Record<string, unknown>,
  };
}

/**
 * The response with the cost of its operation in `extensions`, because clients of GraphQL seldom show headers. The cost
 * is added to the text, because responses of introspection are kept as texts.
 *
 * @param requested the price of the document, 0 if it was not weighed
 */
function withCost(text: string, requested: number, { principal, work }: RequestContext, limits: RateLimits): string {
  const actual = Math.ceil(work.spent);
  const { remaining, resetAt } = limits.costLeft(principal, actual);
  const cost = `{"requested":${requested},"actual":${actual},"remaining":${remaining},"resetAt":"${resetAt}"}`;
  return `${text.slice(0, -1)},"extensions":{"cost":${cost}}}`;
}
