import { Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import type Router from '@koa/router';
import type { Context } from 'koa';
import type { RequestContext } from '../graphql/context.ts';
import { publicError } from '../graphql/errors.ts';
import { type GraphQLServer, graphiQLPage } from '../graphql/yoga.ts';
import { Fault } from '../platform/fault.ts';
import { asFault, faultDetail, faultReport } from '../platform/problem.ts';
import { isJson, parseJson, readText } from './body.ts';
import { authenticate, type OpenContext, type RequestState } from './handler.ts';
import { named } from './router.ts';

/** Batches of 1,000 records need more room than the bodies of REST. */
const MAX_BODY_BYTES = 4 * 1024 * 1024;

/** GraphQL over HTTP at `/graphql`: GraphiQL for a browser, which needs no key to be shown, and operations for keys. */
export function addGraphQL(router: Router, server: GraphQLServer, open: OpenContext): void {
  const handler = async (ctx: Context): Promise<void> => {
    try {
      await answer(ctx, server, open);
    } catch (thrown) {
      refuse(ctx, asFault(thrown));
    }
  };
  router.register('/graphql', ['GET', 'POST'], [named('/graphql'), handler]);
}

async function answer(ctx: Context, server: GraphQLServer, open: OpenContext): Promise<void> {
  if (ctx.method !== 'POST') {
    const isPage = ctx.accepts('json', 'html') === 'html' && !('query' in ctx.query);
    if (isPage) return answerPage(ctx);
    const context = await authenticate(ctx, open);
    if (typeof ctx.query.variables === 'string') parseJson(ctx.query.variables);
    return answerByYoga(ctx, server, context);
  }
  const context = await authenticate(ctx, open);
  if (!isJson(ctx.req)) throw new Fault('unsupported_media_type');
  const body = await readText(ctx.req, MAX_BODY_BYTES);
  const params = readParams(parseJson(body));
  if (!(await answerCompiled(ctx, server, context, params))) await answerByYoga(ctx, server, context, body);
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
async function answerByYoga(
  ctx: Context,
  { yoga }: GraphQLServer,
  context?: RequestContext,
  body?: string,
): Promise<void> {
  const headers = { ...(ctx.headers as Record<string, string>) };
  // Said plainly, so that an answer has the same type whichever way it comes.
  const type = answerType(ctx);
  if (context && type) headers.accept = type;
  // Not the caller's own address, which need not be one: Host may hold anything.
  const url = `http://localhost${ctx.path}${ctx.search}`;
  const response = await yoga.fetch(url, { method: ctx.method, headers, body }, { ...context } as RequestContext);
  ctx.status = response.status;
  for (const [name, value] of response.headers) ctx.set(name, value);
  ctx.body = await response.text();
}

/**
 * The short way for what consumers ask again and again: a document that Yoga found valid and that is compiled by now.
 * It answers what Yoga would, at half the cost; what would be refused is left to Yoga.
 *
 * @returns whether it answered
 */
async function answerCompiled(
  ctx: Context,
  server: GraphQLServer,
  context: RequestContext,
  params: Params,
): Promise<boolean> {
  const type = answerType(ctx);
  const operation = type && server.compiled(params.query, params.operationName);
  if (!operation || operation.check(params.variables).length > 0) return false;
  const { data, errors } = await operation.run(context, params.variables);
  ctx.status = 200;
  ctx.set('content-type', `${type}; charset=utf-8`);
  ctx.body = JSON.stringify(errors ? { errors: errors.map(error => publicError(error, context)), data } : { data });
  return true;
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
