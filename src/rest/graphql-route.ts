import { Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import type Router from '@koa/router';
import type { Context } from 'koa';
import type { RequestContext } from '../graphql/context.ts';
import { publicError } from '../graphql/errors.ts';
import { graphiQLPage } from '../graphql/graphiql.ts';
import type { Operation } from '../graphql/operation.ts';
import type { GraphQLServer } from '../graphql/yoga.ts';
import { Fault } from '../platform/fault.ts';
import { asFault, faultDetail, faultReport } from '../platform/problem.ts';
import type { Work } from '../platform/work.ts';
import { isJson, parseJson, readText } from './body.ts';
import { authenticate, type Gate, type RequestState } from './handler.ts';
import { answerOnce, readIdempotencyKey } from './idempotency.ts';
import { Passage } from './passage.ts';
import { countOf } from './rate-class.ts';
import { named } from './router.ts';

/** Batches of 1,000 records need more room than the bodies of REST. */
const MAX_BODY_BYTES = 4 * 1024 * 1024;

/** GraphQL over HTTP at `/graphql`: GraphiQL for a browser, which needs no key to be shown, and operations for keys. */
export function addGraphQL(router: Router, server: GraphQLServer, gate: Gate): void {
  const handler = async (ctx: Context): Promise<void> => {
    try {
      await answer(ctx, server, gate);
    } catch (thrown) {
      refuse(ctx, asFault(thrown));
    }
  };
  router.register('/graphql', ['GET', 'POST'], [named('/graphql'), handler]);
}

async function answer(ctx: Context, server: GraphQLServer, gate: Gate): Promise<void> {
  const isPost = ctx.method === 'POST';
  const isPage = !isPost && ctx.accepts('json', 'html') === 'html' && !('query' in ctx.query);
  if (isPage) return answerPage(ctx);
  const context = await authenticate(ctx, gate.open);
  const passage = new Passage(ctx, gate, context);
  // Counted before its body is read, as a class that has room; what it is shows only then.
  const atFirst = COUNTED_FIRST.find(rateClass => gate.limits.hasRoom(context.principal, rateClass));
  await passage.through(atFirst ?? 'reads', async () => {
    const { body, params } = await (isPost ? readRequest(ctx) : readQuery(ctx));
    if (body) context.work.spend(body.length / CHARACTERS_PER_UNIT);
    const outline = server.outline(params.query, params.operationName, context.principal.companyId);
    const { rateClass, count } = countOf(outline);
    requireCountable(count, gate.limits.limit(context.principal, rateClass));
    await passage.count(rateClass, count);
    const within = { ...context, place: passage };
    if (rateClass === 'writes' && isPost) await answerWrite(ctx, server, gate, within, params, body);
    else await answerOperation(ctx, server, within, params, body);
  });
}

/** Classes whose room lets a GraphQL request in. */
const COUNTED_FIRST = ['reads', 'writes', 'quotes'] as const;

/** Characters of a request that cost a unit: they are parsed and checked. */
const CHARACTERS_PER_UNIT = 32;

/** @throws Fault `graphql_too_complex` for what no minute has room for */
function requireCountable(count: number, limit: number): void {
  if (count <= limit) return;
  const detail = `The document has ${count} mutations, and the key may make ${limit} writes a minute.`;
  throw new Fault('graphql_too_complex', { detail, members: { cost: count, limit } });
}

/** A mutation is carried out once under its `Idempotency-Key`; what only reads can be done again. */
async function answerWrite(
  ctx: Context,
  server: GraphQLServer,
  { idempotent }: Gate,
  context: RequestContext,
  params: Params,
  body?: string,
): Promise<void> {
  const idempotencyKey = readIdempotencyKey(ctx);
  if (idempotencyKey === undefined) return answerOperation(ctx, server, context, params, body);
  const request = { idempotencyKey, route: '/graphql', input: params, isRefusal: hasErrors };
  await answerOnce(ctx, idempotent, context, request, once => answerOperation(ctx, server, once, params, body));
}

async function answerOperation(
  ctx: Context,
  server: GraphQLServer,
  context: RequestContext,
  params: Params,
  body?: string,
): Promise<void> {
  const compiled = ctx.method === 'POST' ? compiledOperation(ctx, server, params) : undefined;
  const answering = () => (compiled ? byCompiled(context, compiled, params) : byYoga(ctx, server, context, body));
  send(ctx, await inTime(server, context.work, answering));
}

/**
 * Whether an answer has errors, which stand first, or may have them, not being JSON: where nothing took effect, what was
 * wrong may be corrected and sent again.
 */
function hasErrors(body: string): boolean {
  return !body.startsWith('{"data":');
}

interface Answer {
  readonly status: number;
  readonly headers: Iterable<readonly [string, string]>;
  readonly body: string;
}

function send(ctx: Context, { status, headers, body }: Answer): void {
  ctx.status = status;
  for (const [name, value] of headers) ctx.set(name, value);
  ctx.body = body;
}

/** Ends the work of what takes too long. */
async function inTime(
  { timeoutMs, countTimeout }: GraphQLServer,
  work: Work,
  answering: () => Promise<Answer>,
): Promise<Answer> {
  const timer = setTimeout(() => {
    countTimeout();
    work.end(timedOut(timeoutMs));
  }, timeoutMs);
  try {
    return await work.within(answering());
  } finally {
    clearTimeout(timer);
  }
}

function timedOut(timeoutMs: number): Fault {
  return new Fault('graphql_timeout', {
    detail: `The document took longer than ${timeoutMs / 1000} s and was stopped. Ask for less at once. Of a mutation, the fields before the one that was running may have been carried out.`,
    headers: { 'retry-after': '10' },
  });
}

interface GraphQLRequest {
  readonly body?: string;
  readonly params: Params;
}

async function readRequest(ctx: Context): Promise<GraphQLRequest> {
  if (!isJson(ctx.req)) throw new Fault('unsupported_media_type');
  const body = await readText(ctx.req, MAX_BODY_BYTES);
  return { body, params: readParams(parseJson(body)) };
}

/** The same in the address, of which Yoga looks at the rest. Of a parameter given twice it would take one. */
async function readQuery(ctx: Context): Promise<GraphQLRequest> {
  const [repeated] = Object.entries(ctx.query).find(([name, value]) => PARAMS.has(name) && Array.isArray(value)) ?? [];
  if (repeated !== undefined) {
    throw new Fault('malformed_request', { detail: `The parameter \`${repeated}\` must be given once.` });
  }
  const { query = '', operationName, variables } = ctx.query as Record<string, string | undefined>;
  if (variables !== undefined) parseJson(variables);
  return { params: { query, operationName, variables: {} } };
}

async function answerPage(ctx: Context): Promise<void> {
  const page = await graphiQLPage();
  ctx.type = 'text/html';
  ctx.set('cache-control', 'public, max-age=3600');
  ctx.vary('accept-encoding');
  if (ctx.acceptsEncodings('gzip') === 'gzip') {
    ctx.set('content-encoding', 'gzip');
    ctx.body = page;
  } else {
    ctx.body = Readable.from([page]).pipe(createGunzip());
  }
}

/** What is refused before the graph is asked, in the form GraphQL clients read; the status is that of REST. */
function refuse(ctx: Context, fault: Fault): void {
  // The server's own faults are logged and answered as everywhere.
  if (fault.status >= 500) throw fault;
  const { requestId } = ctx.state as RequestState;
  ctx.status = fault.status;
  for (const [name, value] of Object.entries(fault.options.headers ?? {})) ctx.set(name, value);
  ctx.type = 'application/json';
  ctx.body = JSON.stringify({ errors: [{ message: faultDetail(fault), extensions: faultReport(fault, requestId) }] });
}

/** Yoga's way, for everything: any document, any media type of the answer, every refusal of the graph. */
async function byYoga(ctx: Context, { yoga }: GraphQLServer, context: RequestContext, body?: string): Promise<Answer> {
  const headers = { ...(ctx.headers as Record<string, string>) };
  // Said plainly, so that an answer has the same type whichever way it comes.
  const type = answerType(ctx);
  if (type) headers.accept = type;
  // Not the caller's own address, which need not be one: Host may hold anything.
  const url = `http://localhost${ctx.path}${ctx.search}`;
  const response = await yoga.fetch(url, { method: ctx.method, headers, body }, { ...context } as RequestContext);
  return { status: response.status, headers: response.headers, body: await response.text() };
}

interface Compiled {
  readonly operation: Operation;
  readonly type: string;
  readonly load: number;
}

/**
 * The short way for what consumers ask again and again: a document that Yoga found valid and that is compiled by now.
 * It answers what Yoga would, at half the cost; what would be refused is left to Yoga.
 */
function compiledOperation(ctx: Context, server: GraphQLServer, params: Params): Compiled | undefined {
  const type = answerType(ctx);
  const operation = type && server.compiled(params.query, params.operationName);
  if (!operation || operation.check(params.variables).length > 0) return undefined;
  const { load, refusal } = operation.limit(params.variables);
  return refusal ? undefined : { operation, type, load };
}

async function byCompiled(
  context: RequestContext,
  { operation, type, load }: Compiled,
  params: Params,
): Promise<Answer> {
  await context.place.reserve(load);
  const { data, errors } = await operation.run(context, params.variables);
  const result = errors ? { errors: errors.map(error => publicError(error, context)), data } : { data };
  return { status: 200, headers: [['content-type', `${type}; charset=utf-8`]], body: JSON.stringify(result) };
}

const ANSWER_TYPES = ['application/json', 'application/graphql-response+json'];

/** The type a caller prefers; false where it takes neither. */
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

/** @throws Fault `malformed_request` for what is no GraphQL request; batches are none */
function readParams(value: unknown): Params {
  const isObject = (candidate: unknown) =>
    typeof candidate === 'object' && candidate !== null && !Array.isArray(candidate);
  const {
    query,
    operationName = null,
    variables = null,
    extensions = null,
  } = (isObject(value) ? value : {}) as Record<string, unknown>;
  const isRequest =
    isObject(value) &&
    typeof query === 'string' &&
    (operationName === null || typeof operationName === 'string') &&
    (variables === null || isObject(variables)) &&
    (extensions === null || isObject(extensions)) &&
    Object.keys(value as object).every(name => PARAMS.has(name));
  if (!isRequest) {
    throw new Fault('malformed_request', {
      detail:
        'The body must be one JSON object with the string `query`, and optionally the string `operationName` and the objects `variables` and `extensions`.',
    });
  }
  return { query, operationName: operationName ?? undefined, variables: (variables ?? {}) as Record<string, unknown> };
}
