import { getOperationAST, type OperationDefinitionNode } from 'graphql';
import type { Context } from 'koa';
import type { RequestContext } from '../../graphql/context.ts';
import { faultOf } from '../../graphql/errors.ts';
import type { Variables } from '../../graphql/operation.ts';
import { bodyOf, inputTypeOf, type RestBody } from '../../graphql/rest-bodies.ts';
import { Fault, type Issue, invalid } from '../../platform/fault.ts';
import { asRead, checkInput } from '../../platform/input.ts';
import { authenticate, type Gate } from '../gate.ts';
import { Admission } from '../guards/admission.ts';
import { readBody } from '../guards/body.ts';
import { answerOnce, readIdempotencyKey } from '../guards/idempotency-key.ts';
import { rateClassOf } from '../guards/rate-class.ts';
import { showRates } from '../guards/rate-limit.ts';
import { jsonText } from '../json-text.ts';
import type { Endpoint } from './endpoints.ts';
import { OPERATIONS } from './operations.ts';
import type { RestOperations } from './rest-operations.ts';

/**
 * Makes a Koa handler from a row of the table: credentials, scope, rate, body, variables, one operation of the graph,
 * shape. It has no branch on any endpoint.
 */
export function endpointHandler(endpoint: Endpoint, operations: RestOperations, gate: Gate) {
  const { limits, idempotent } = gate;
  const query = OPERATIONS[endpoint.operation];
  const operation = getOperationAST(operations.add(query)) as OperationDefinitionNode;
  const declared = new Set(operation.variableDefinitions?.map(({ variable }) => variable.name.value));
  const body = endpoint.body ? bodyOf(inputTypeOf(operation)) : undefined;
  const parameters = Object.entries(endpoint.parameters);
  const rateClass = rateClassOf(endpoint);
  const isRead = endpoint.method === 'GET';

  const answer = async (ctx: Context, context: RequestContext, variables: Variables): Promise<void> => {
    const { data, errors } = await context.work.within(operations.run({ query, variables }, context));
    if (errors?.[0]) throw inBody(faultOf(errors[0]), body);
    const [value] = Object.values(data ?? {});
    if (value === null && context.missing) throw context.missing;
    const shown = endpoint.shape.project(value);
    ctx.status = endpoint.status;
    if (shown === undefined) return;
    // Set directly, because Koa would look it up among all media types.
    ctx.set('content-type', 'application/json; charset=utf-8');
    // Stored only by its caller, and revalidated with its ETag.
    if (isRead) ctx.set('cache-control', 'private, no-cache');
    // Not a validator: a second is too coarse, and an order or a related shipment may change separately. The ETag is
    // one.
    if (endpoint.isDated && context.lastModified !== undefined) {
      ctx.set('last-modified', new Date(context.lastModified).toUTCString());
    }
    const text = jsonText(shown, context.work);
    ctx.body = typeof text === 'string' ? text : await text;
  };

  const answerWithin = async (ctx: Context, context: RequestContext): Promise<void> => {
    const idempotencyKey = endpoint.method === 'POST' ? readIdempotencyKey(ctx) : undefined;
    const variables: Record<string, unknown> = {};
    // Path parameters without a variable of their own become fields of the input, beside the fields of the body.
    const known: Record<string, unknown> = {};
    for (const [name, parameter] of parameters) {
      (declared.has(name) ? variables : known)[name] = parameter.read(ctx.params[name] ?? '');
    }
    let keyed = variables;
    let issues: readonly Issue[] = [];
    if (body) {
      const sent = await readBody(ctx, context, gate.bodies);
      keyed = { ...variables, input: { ...sent, ...known } };
      const read = checkInput(body.schema, sent);
      issues = read.issues;
      if (read.data) variables.input = asRead({ ...(body.toInput?.(read.data) ?? read.data), ...known });
      else if (body.isReadByService && !issues.some(isUnknown)) variables.input = sent;
      // `detail` states the first error: a misspelt name explains the required field that is missing.
      else throw invalid(issues.toSorted((a, b) => Number(isUnknown(b)) - Number(isUnknown(a))));
    }
    // A request that changes nothing can simply be repeated.
    if (idempotencyKey === undefined || rateClass !== 'writes') return answer(ctx, context, variables);
    const request = { idempotencyKey, route: endpoint.operation, input: keyed, issues };
    await answerOnce(ctx, idempotent, context, request, once => answer(ctx, once, variables));
  };

  return async (ctx: Context): Promise<void> => {
    const context = await authenticate(ctx, gate, rateClass);
    if (!context.principal.scopes.has(endpoint.scope)) {
      showRates(ctx, limits, context.principal, rateClass);
      throw new Fault('insufficient_scope', { members: { requiredScope: endpoint.scope } });
    }
    const admission = new Admission(gate, context);
    await admission.request(ctx, rateClass, () => answerWithin(ctx, Object.assign(context, { place: admission })));
  };
}

const isUnknown = ({ code }: Issue) => code === 'unknown_field';

/** A fault whose issues name places in the input, with the places in the body. */
function inBody(fault: Fault, body: RestBody | undefined): Fault {
  const { issues } = fault.options;
  const placeOf = body?.placeOf;
  return placeOf && issues ? invalid(issues.map(issue => ({ ...issue, path: placeOf(issue.path) }))) : fault;
}
