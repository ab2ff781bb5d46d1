import {
  type ASTVisitor,
  type DocumentNode,
  FieldsOnCorrectTypeRule,
  GraphQLError,
  type GraphQLField,
  type GraphQLObjectType,
  GraphQLSchema,
  Kind,
  OperationTypeNode,
  parse,
  specifiedRules,
  type ValidationContext,
  validate,
} from 'graphql';
import type { SelectedData, SelectedEvent, SelectionSource } from '../domain/exchange/webhooks/events/event.port.ts';
import { SharedCache } from '../platform/caches/shared-cache.ts';
import { Fault, type Issue } from '../platform/fault.ts';
import { type Allowance, Work } from '../platform/limits/work.ts';
import { asFault, faultDetail, reasonOf } from '../platform/problem.ts';
import type { Scope } from '../platform/scopes.ts';
import { logRepeated } from '../platform/telemetry/failure-log.ts';
import type { SelectionFailure } from '../platform/telemetry/metrics.ts';
import type { RequestContext } from './context.ts';
import { faultOf } from './errors.ts';
import { Limits } from './limits.ts';
import { compileOperation, type Operation } from './operation.ts';
import { schema } from './schema.ts';
import { scopeOf } from './selected-fields.ts';

/**
 * Selections of webhook endpoints: GraphQL documents on `WebhookEvent`, whose result is the payload. A worker runs one
 * before the first attempt of a delivery. Its cost is bounded when it is saved, its work when it runs. Its length is
 * bounded only when it is saved: an upgrade that renames fields makes it longer.
 */

export const MAX_SELECTION_DEPTH = 6;
export const MAX_SELECTION_COST = 500;
const MAX_TOKENS = 500;

/** The limit of a payload in JSON. */
const MAX_CHARACTERS = 262_144;

/** The limit of one rendering. Characters are counted while they are read, and cost units too. */
const ALLOWANCE: Allowance = { units: 20_000, characters: MAX_CHARACTERS };
const TIME_MS = 5_000;

/** A selection sees only what a key with this scope sees. */
const SCOPES: ReadonlySet<Scope> = new Set(['shipments:tracking']);

type Wrong = Omit<Issue, 'path'>;

const eventType = schema.getType('WebhookEvent') as GraphQLObjectType;
const onEvent = new GraphQLSchema({ query: eventType });
const limits = new Limits(onEvent, MAX_SELECTION_COST, MAX_SELECTION_DEPTH);

/** The part of a request's context that the resolvers of a selection read. */
type SelectionContext = Pick<RequestContext, 'work' | 'publicUrl' | 'promises' | 'tenant'> & {
  readonly principal: { readonly scopes: ReadonlySet<Scope> };
};

/** All errors of a selection, each with the allowed values. */
export function issuesOfSelection(selection: string, options: { readonly isStored: boolean }): readonly Wrong[] {
  const read = readSelection(selection, options.isStored ? undefined : MAX_TOKENS);
  return 'wrong' in read ? read.wrong : [];
}

function readSelection(
  selection: string,
  maxTokens?: number,
): { readonly document: DocumentNode } | { readonly wrong: readonly Wrong[] } {
  let document: DocumentNode;
  try {
    document = parse(selection, { maxTokens });
  } catch (error) {
    return { wrong: [wrongAt(error as GraphQLError)] };
  }
  const [operation, another] = document.definitions.filter(({ kind }) => kind === Kind.OPERATION_DEFINITION);
  const isSelection = operation?.kind === Kind.OPERATION_DEFINITION && operation.operation === OperationTypeNode.QUERY;
  if (!isSelection || another || operation.variableDefinitions?.length) {
    const message = 'must be one selection without variables, such as { shipment { trackingNumber } }';
    return { wrong: [{ code: 'invalid_selection', message }] };
  }
  const errors = validate(onEvent, document, RULES);
  if (errors.length > 0) return { wrong: errors.map(wrongAt) };
  const { rejection } = limits.of(document, undefined)({});
  if (rejection === undefined) return { document };
  const { depth, cost, limit } = rejection.options.members ?? {};
  return {
    wrong: [
      rejection.code === 'graphql_too_deep'
        ? { code: 'too_deep', message: `must nest fields at most ${limit} levels deep, but nests them ${depth}` }
        : {
            code: 'too_complex',
            message: `must cost at most ${limit} units, but costs ${cost}: give lists a smaller \`first\` or \`last\`, or select fewer fields`,
          },
    ],
  };
}

function wrongAt({ message, locations = [] }: GraphQLError): Wrong {
  const [place] = locations;
  const where = place ? ` (line ${place.line}, column ${place.column})` : '';
  const what = message.replace(/\.$/, '');
  return { code: 'invalid_selection', message: `must be a selection on WebhookEvent: ${what}${where}`, ...place };
}

const RULES = [...specifiedRules.filter(rule => rule !== FieldsOnCorrectTypeRule), knownFields];

/** Replaces the rule of graphql-js: it lists the known fields, and reports fields that need another scope. */
function knownFields(context: ValidationContext): ASTVisitor {
  return {
    Field(node) {
      const type = context.getParentType();
      if (!type) return;
      const fields = 'getFields' in type ? Object.values(type.getFields()).filter(isReadable) : [];
      const { value: name } = node.name;
      if (name === '__typename' || fields.some(field => field.name === name)) return;
      const allowed = fields.length > 0 ? `; allowed are ${fields.map(field => field.name).join(', ')}` : '';
      const needed = 'getFields' in type ? scopeOf(type.getFields()[name]) : undefined;
      const why = needed === undefined ? 'has no field' : `shows only to keys with ${needed} its field`;
      context.reportError(new GraphQLError(`${type.name} ${why} ${name}${allowed}`, { nodes: node }));
    },
  };
}

function isReadable(field: GraphQLField<unknown, unknown>): boolean {
  const scope = scopeOf(field);
  return scope === undefined || SCOPES.has(scope);
}

/** Compiled selections, or their errors. The memory is the measured size of their code, with a margin. */
const known = new SharedCache<Operation | readonly Wrong[]>({ maxWeight: 32_000_000, ownerShare: 1 / 8 });
const BYTES_PER_CHARACTER = 1_000;

function operationOf(selection: string, owner: string): Operation | readonly Wrong[] {
  const before = known.get(selection);
  if (before !== undefined) return before;
  const read = readSelection(selection);
  const operation = 'wrong' in read ? read.wrong : compileOperation(onEvent, read.document);
  known.set(selection, operation, { owner, weight: selection.length * BYTES_PER_CHARACTER });
  return operation;
}

/** Makes the payload of an event. @throws Fault `unavailable` while the database is away */
export async function showSelected(
  selection: string,
  event: SelectedEvent,
  source: SelectionSource,
): Promise<SelectedData> {
  const { companyId, tenantFor, promisesOf, publicUrl } = source;
  const work = new Work(companyId, ALLOWANCE, () => tooLong());
  const tenant = tenantFor(work);
  const failed = (failure: SelectionFailure, fault: Omit<ShownError, 'path'>): SelectedData => {
    noteFailure(source, companyId, failure, { reason: fault.message });
    return { data: null, errors: [{ ...fault, path: [] }] };
  };
  const operation = operationOf(selection, companyId);
  if (!('run' in operation)) {
    const errors = operation.map(({ message }) => ({ code: 'invalid_selection', message: `It ${message}.`, path: [] }));
    noteFailure(source, companyId, 'invalid', { reason: errors[0]?.message });
    return { data: null, errors };
  }
  const context: SelectionContext = {
    work,
    tenant,
    publicUrl,
    promises: promisesOf(tenant),
    principal: { scopes: SCOPES },
  };
  const overdue = setTimeout(() => work.end(tooLate()), TIME_MS);
  try {
    const running = operation.run(context as unknown as RequestContext, {}, event);
    const { data = null, errors = [] } = await work.within(running);
    const away = errors.map(faultOf).find(({ code }) => code === 'unavailable');
    if (away) throw away;
    const { length } = JSON.stringify(data);
    if (length > MAX_CHARACTERS) return failed('too_long', shownFault(tooLong()));
    const [first] = errors;
    if (first === undefined) return { data };
    noteFailure(source, companyId, 'unreadable', causeOf(first));
    return { data, errors: errors.map(shownError) };
  } catch (thrown) {
    const fault = asFault(thrown);
    if (fault.code === 'unavailable') throw fault;
    return failed(fault.code === 'request_too_expensive' ? 'too_long' : 'unreadable', shownFault(fault));
  } finally {
    clearTimeout(overdue);
  }
}

type ShownError = NonNullable<SelectedData['errors']>[number];

function tooLong(): Fault {
  const detail = `The selected data is larger than the limit of ${MAX_CHARACTERS} characters. Select fewer fields, or shorter lists.`;
  return new Fault('request_too_expensive', { detail });
}

function tooLate(): Fault {
  return new Fault('graphql_timeout', {
    detail: `The selection took longer than ${TIME_MS / 1000} s and was stopped.`,
  });
}

function shownFault(fault: Fault): Omit<ShownError, 'path'> {
  const code = fault.code === 'request_too_expensive' ? 'too_long' : fault.code;
  return { code, message: faultDetail(fault) };
}

/** Reports each payload, because its receiver may have to fetch it in another way. */
function noteFailure(
  { endpointId, log, metrics }: SelectionSource,
  companyId: string,
  failure: SelectionFailure,
  cause: object,
): void {
  metrics.selectionFailed(failure);
  const kind = { companyId, endpointId, failure };
  logRepeated(log, { level: 'warn', message: 'webhook selection failed', fields: { ...kind, ...cause }, kind });
}

function causeOf(error: GraphQLError) {
  const { code, path } = shownError(error);
  return { code, path, ...reasonOf(faultOf(error)) };
}

function shownError(error: GraphQLError): ShownError {
  const fault = faultOf(error);
  return { code: fault.code, message: faultDetail(fault), path: error.path ?? [] };
}
