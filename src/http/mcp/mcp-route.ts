import type Router from '@koa/router';
import { type GraphQLSchema, parse } from 'graphql';
import type { Context, Next } from 'koa';
import type { Api } from '../../feature.ts';
import type { RequestContext } from '../../graphql/context.ts';
import { faultOf } from '../../graphql/errors.ts';
import type { GraphQLServer } from '../../graphql/graphql-server.ts';
import { Fault, invalid } from '../../platform/fault.ts';
import { asFault } from '../../platform/problem.ts';
import { authenticate, type Gate } from '../gate.ts';
import { inTime } from '../graphql-time.ts';
import { Admission } from '../guards/admission.ts';
import { readJson } from '../guards/body.ts';
import { classAtFirst, countOf } from '../guards/rate-class.ts';
import { jsonText } from '../json-text.ts';
import type { RequestState } from '../request-state.ts';
import { named } from '../rest/router.ts';
import { problemBody } from '../send-problem.ts';
import { argumentSchema } from './argument-schema.ts';
import { offeredTools, type Tool } from './tools.ts';

const PATH = '/mcp';

/**
 * The Model Context Protocol at `/mcp`, for assistants. Each request has one message, and each call of a tool runs one
 * operation of the graph with the key, the limits and the errors of a GraphQL request. No session is kept, so a process
 * sends nothing by itself, and a GET is rejected.
 */
export function addMcp(router: Router, { schema, graphql: server, gate, mayCall }: Api): void {
  let tools: ReadonlyMap<string, ReadyTool> | undefined;
  // Made by the first request, since most processes never get one.
  const toolsOnce = () =>
    (tools ??= new Map(offeredTools(schema).map(tool => [tool.name, { ...tool, shown: shown(tool, schema) }])));
  // The protocol demands the check: a page could reach a server in the network of its reader by another name for it.
  const checkOrigin = (ctx: Context, next: Next) => {
    const { origin } = ctx.req.headers;
    if (origin !== undefined && !mayCall(origin)) throw new Fault('origin_not_allowed');
    return next();
  };
  router.register(PATH, ['POST'], [named(PATH), checkOrigin, (ctx: Context) => answer(ctx, toolsOnce(), server, gate)]);
}

/** A tool as an assistant sees it. */
function shown({ name, description, operation }: Tool, schema: GraphQLSchema) {
  const annotations = { readOnlyHint: operation.startsWith('query'), destructiveHint: false };
  return { name, description, inputSchema: argumentSchema(schema, parse(operation)), annotations };
}

interface ReadyTool extends Tool {
  readonly shown: ReturnType<typeof shown>;
}

async function answer(
  ctx: Context,
  tools: ReadonlyMap<string, ReadyTool>,
  server: GraphQLServer,
  gate: Gate,
): Promise<void> {
  const opened = await authenticate(ctx, gate, 'reads');
  const { scopes } = opened.principal;
  const admission = new Admission(gate, opened);
  await admission.request(ctx, classAtFirst(gate.limits, opened.principal), async () => {
    const message = await readJson(ctx, opened, gate.bodies);
    const context = Object.assign(opened, { place: admission });
    let failure: Fault | undefined;
    const call = async (tool: ReadyTool, given: Record<string, unknown>) => {
      try {
        return textResult(await run(tool, given, server, context, admission));
      } catch (thrown) {
        failure = asFault(thrown);
        // For the log: the status of the response does not show the failure.
        Object.assign(context, { userErrors: [failure.code] });
        const problem = problemBody(failure, context.requestId, PATH, context.publicUrl);
        return textResult(JSON.stringify(problem), true);
      }
    };
    const { answerMessage } = await import('./protocol.ts');
    const response = await answerMessage(requestOf(ctx), message, {
      tools: [...tools.values()].filter(({ scope }) => scopes.has(scope)).map(tool => tool.shown),
      call: (name, given) => {
        const tool = tools.get(name);
        return tool && call(tool, given);
      },
    });
    const body = await response.text();
    const send = () => {
      ctx.body = body || null;
      ctx.status = response.status;
      if (body) ctx.set('content-type', 'application/json; charset=utf-8');
    };
    if (failure === undefined) return send();
    // Thrown after all, so that it is logged, traced and delayed as any failure; the caller gets it as a result.
    (ctx.state as RequestState).sendFault = send;
    throw failure;
  });
}

/** The text of a tool's result. @throws Fault */
async function run(
  { operation: query, scope, shown: { inputSchema } }: ReadyTool,
  variables: Record<string, unknown>,
  server: GraphQLServer,
  context: RequestContext,
  admission: Admission,
): Promise<string> {
  const { principal, work } = context;
  if (!principal.scopes.has(scope)) throw new Fault('insufficient_scope', { members: { requiredScope: scope } });
  const { rateClass, count } = countOf(server.outline(query, undefined, principal.companyId), variables);
  await admission.count(rateClass, count);
  // The graph ignores variables that an operation does not declare.
  const unknown = Object.keys(variables).filter(name => !Object.hasOwn(inputSchema.properties, name));
  if (unknown.length > 0) {
    const message = `is not a known field; allowed are ${Object.keys(inputSchema.properties).join(', ')}`;
    throw invalid(unknown.map(name => ({ path: [name], code: 'unknown_field', message })));
  }
  return inTime(server, work, async () => {
    const { data, errors } = await server.run({ query, variables }, context);
    if (errors?.[0]) throw faultOf(errors[0]);
    if (context.missing) throw context.missing;
    return jsonText(data, work);
  });
}

function textResult(text: string, isError = false) {
  return { content: [{ type: 'text' as const, text }], isError };
}

/** The headers of a request, which the protocol checks. Its body is read already. */
function requestOf(ctx: Context): Request {
  // The SDK requires both types by name, but clients such as curl accept anything, and every response is JSON.
  const headers = new Headers({ accept: ctx.accepts('application/json') ? 'application/json, text/event-stream' : '' });
  for (const name of ['content-type', 'mcp-protocol-version']) if (ctx.get(name)) headers.set(name, ctx.get(name));
  return new Request(`http://localhost${PATH}`, { method: 'POST', headers });
}
