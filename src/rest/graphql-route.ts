import type Router from '@koa/router';
import type { Context } from 'koa';
import type { RequestContext } from '../graphql/context.ts';
import { publicError } from '../graphql/errors.ts';
import type { GraphQLServer } from '../graphql/yoga.ts';
import { isJson, readText } from './body.ts';
import { authenticate, type OpenContext } from './handler.ts';
import { named } from './router.ts';

/** Batches of 1,000 records need more room than the bodies of REST. */
const MAX_BODY_BYTES = 4 * 1024 * 1024;

/** GraphQL over HTTP at `/graphql`: GraphiQL for a browser, which needs no key to be shown, and operations for keys. */
export function addGraphQL(router: Router, server: GraphQLServer, open: OpenContext): void {
  router.register(
    '/graphql',
    ['GET', 'POST'],
    [
      named('/graphql'),
      async (ctx: Context) => {
        if (ctx.method !== 'POST') {
          const isPage = ctx.accepts('json', 'html') === 'html' && !('query' in ctx.query);
          return answerByYoga(ctx, server, isPage ? undefined : await authenticate(ctx, open));
        }
        const context = await authenticate(ctx, open);
        const body = await readText(ctx.req, MAX_BODY_BYTES);
        if (!(await answerCompiled(ctx, server, context, body))) await answerByYoga(ctx, server, context, body);
      },
    ],
  );
}

/** Yoga's way, for everything: any document, any media type, every refusal. */
async function answerByYoga(
  ctx: Context,
  { yoga }: GraphQLServer,
  context?: RequestContext,
  body?: string,
): Promise<void> {
  const headers = ctx.headers as Record<string, string>;
  // Not the caller's own address, which need not be one: Host may hold anything.
  const url = `http://localhost${ctx.path}${ctx.search}`;
  const response = await yoga.fetch(url, { method: ctx.method, headers, body }, { ...context } as RequestContext);
  ctx.status = response.status;
  for (const [name, value] of response.headers) ctx.set(name, value);
  ctx.body = await response.text();
}

/**
 * The short way for what consumers ask again and again: a plain JSON request for a document that Yoga found valid and
 * that is compiled by now. It answers what Yoga would, at half the cost; whatever is not plain is left to Yoga.
 *
 * @returns whether it answered
 */
async function answerCompiled(
  ctx: Context,
  server: GraphQLServer,
  context: RequestContext,
  body: string,
): Promise<boolean> {
  const contentType = plainAnswerType(ctx.req.headers.accept);
  if (contentType === undefined || !isJson(ctx.req)) return false;
  const params = plainParams(body);
  const operation = params && server.compiled(params.query, params.operationName);
  if (!operation || operation.check(params.variables).length > 0) return false;
  const result = await operation.run(context, params.variables);
  const { data, errors } = result;
  ctx.status = 200;
  ctx.set('content-type', contentType);
  ctx.body = JSON.stringify(errors ? { errors: errors.map(error => publicError(error, context)), data } : { data });
  return true;
}

function plainAnswerType(accept: string | undefined): string | undefined {
  if (accept === undefined || accept === '*/*' || accept === 'application/json')
    return 'application/json; charset=utf-8';
  return accept === 'application/graphql-response+json'
    ? 'application/graphql-response+json; charset=utf-8'
    : undefined;
}

interface Params {
  readonly query: string;
  readonly operationName: string | undefined;
  readonly variables: Record<string, unknown>;
}

const PARAMS = new Set(['query', 'operationName', 'variables']);

function plainParams(body: string): Params | undefined {
  let params: unknown;
  try {
    params = JSON.parse(body);
  } catch {
    return undefined;
  }
  if (typeof params !== 'object' || params === null || Array.isArray(params)) return undefined;
  const { query, operationName = null, variables = null } = params as Record<string, unknown>;
  const isPlain =
    typeof query === 'string' &&
    (operationName === null || typeof operationName === 'string') &&
    typeof variables === 'object' &&
    !Array.isArray(variables) &&
    Object.keys(params).every(name => PARAMS.has(name));
  if (!isPlain) return undefined;
  return { query, operationName: operationName ?? undefined, variables: (variables ?? {}) as Record<string, unknown> };
}
