import {
  type GraphQLInputType,
  type GraphQLSchema,
  getNamedType,
  getOperationAST,
  parse,
  typeFromAST,
  validate,
} from 'graphql';
import type { Context } from 'koa';
import type { RequestContext } from '../../graphql/context.ts';
import { faultOf } from '../../graphql/errors.ts';
import { compileOperation, type Variables } from '../../graphql/operation.ts';
import { bodyOf, type RestBody } from '../../graphql/rest-bodies.ts';
import { rulesCheck } from '../../graphql/variables.ts';
import { Fault, invalid, requireNone } from '../../platform/fault.ts';
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
export function endpointHandler(endpoint: Endpoint, schema: GraphQLSchema, operations: RestOperations, gate: Gate) {
  const { limits, idempotent } = gate;
  const query = OPERATIONS[endpoint.operation];
  const document = parse(query);
  const [error] = validate(schema, document);
  if (error) throw error;
  const { variableDefinitions = [] } = getOperationAST(document) ?? {};
  const declared = new Set(variableDefinitions.map(({ variable }) => variable.name.value));
  const input = variableDefinitions.find(({ variable }) => variable.name.value === 'input');
  const ownBody = input && bodyOf(getNamedType(typeFromAST(schema, input.type) as GraphQLInputType).name);
  const parameters = Object.entries(endpoint.parameters);
  // Path parameters without a variable of their own become fields of the input, beside the fields of the body.
  const ofInput = new Set(parameters.map(([name]) => name).filter(name => !declared.has(name)));
  const unknown = new Set([...ofInput, ...(endpoint.graphOnly ?? [])]);
  const operation = compileOperation(schema, document, undefined, 'rest', unknown);
  operations.add(query, document, operation);
  const brokenRules = rulesCheck(schema, getOperationAST(document));
  const rateClass = rateClassOf(endpoint);
  const isRead = endpoint.method === 'GET';

  const answer = async (ctx: Context, context: RequestContext, variables: Variables): Promise<void> => {
    const { data, errors } = await context.work.within(operations.run({ query, variables }, context));
    if (errors?.[0]) throw inBody(faultOf(errors[0]), ownBody);
    const [value] = Object.values(data ?? {});
    if (value === null && context.missing) throw context.missing;
    const body = endpoint.shape.project(value);
    ctx.status = endpoint.status;
    if (body === undefined) return;
    // Set directly, because Koa would look it up among all media types.
    ctx.set('content-type', 'application/json; charset=utf-8');
    // Stored only by its caller, and revalidated with its ETag.
    if (isRead) ctx.set('cache-control', 'private, no-cache');
    // Not a validator: a second is too coarse, and an order or a related shipment may change separately. The ETag is
    // one.
    if (endpoint.isDated && context.lastModified !== undefined) {
      ctx.set('last-modified', new Date(context.lastModified).toUTCString());
    }
    const text = jsonText(body, context.work);
    ctx.body = typeof text === 'string' ? text : await text;
  };

  const answerWithin = async (ctx: Context, context: RequestContext): Promise<void> => {
    const idempotencyKey = endpoint.method === 'POST' ? readIdempotencyKey(ctx) : undefined;
    const variables: Record<string, unknown> = {};
    const known: Record<string, unknown> = {};
    for (const [name, parameter] of parameters) {
      (ofInput.has(name) ? known : variables)[name] = parameter.read(ctx.params[name] ?? '');
    }
    if (endpoint.body) {
      variables.input = await readBody(ctx, context, gate.bodies);
      const issues = operation.check(variables);
      requireNone(issues);
      if (ownBody) variables.input = ownBody.toInput(variables.input as Readonly<Record<string, unknown>>);
      if (ofInput.size > 0) variables.input = { ...(variables.input as object), ...known };
    }
    // A request that changes nothing can simply be repeated.
    if (idempotencyKey === undefined || rateClass !== 'writes') return answer(ctx, context, variables);
    const issues = () => brokenRules(variables);
    const request = { idempotencyKey, route: endpoint.operation, input: variables, issues };
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

/** A fault whose issues name places in the input, with the places in the body. */
function inBody(fault: Fault, body: RestBody | undefined): Fault {
  const { issues } = fault.options;
  if (!body || !issues) return fault;
  return invalid(issues.map(issue => ({ ...issue, path: body.placeOf(issue.path) })));
}
