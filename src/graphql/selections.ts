import { setImmediate as nextTurn } from 'node:timers/promises';
import {
  type ASTVisitor,
  type DocumentNode,
  FieldsOnCorrectTypeRule,
  GraphQLError,
  type GraphQLField,
  GraphQLList,
  GraphQLNonNull,
  GraphQLObjectType,
  GraphQLSchema,
  Kind,
  type OperationDefinitionNode,
  OperationTypeNode,
  parse,
  specifiedRules,
  type ValidationContext,
  validate,
} from 'graphql';
import type { SelectedData, SelectedEvent, SelectionSource } from '../domain/webhooks/events/selections.port.ts';
import { SharedCache } from '../platform/caches/shared-cache.ts';
import { TransactionReads } from '../platform/database/transaction-reads.ts';
import { Fault, type Issue } from '../platform/fault.ts';
import { Work } from '../platform/limits/work.ts';
import { faultDetail, reasonOf } from '../platform/problem.ts';
import type { Scope } from '../platform/scopes.ts';
import { logRepeated } from '../platform/telemetry/failure-log.ts';
import type { SelectionFailure } from '../platform/telemetry/metrics.ts';
import type { RequestContext } from './context.ts';
import { faultOf } from './errors.ts';
import { Limits } from './limits.ts';
import { compileOperation, type Operation } from './operation.ts';
import { schema } from './schema.ts';

/**
 * Selections of webhook endpoints: GraphQL documents on `WebhookEvent`, whose result is the payload. They are run within the
 * transaction that records the events, so that what they may read and cost is bounded when they are saved.
 */

export const MAX_SELECTION_DEPTH = 6;
export const MAX_SELECTION_COST = 500;
const MAX_TOKENS = 500;

/** What a payload of a selection may have, as JSON. */
const MAX_CHARACTERS = 262_144;

/** Events that are shown in one turn of the event loop, and whose reads go together. */
const AT_ONCE = 100;

/** A selection sees what the key sees that may track shipments, and no more. */
const SCOPES: ReadonlySet<Scope> = new Set(['shipments:tracking']);

type Wrong = Omit<Issue, 'path'>;

const eventType = schema.getType('WebhookEvent') as GraphQLObjectType;
const onEvent = new GraphQLSchema({ query: eventType });
const limits = new Limits(onEvent, MAX_SELECTION_COST, MAX_SELECTION_DEPTH);

/** What the resolvers that a selection reaches read of a request's context. */
type SelectionContext = Pick<RequestContext, 'work' | 'publicUrl' | 'promises'> & {
  readonly principal: { readonly scopes: ReadonlySet<Scope> };
  readonly tenant: TransactionReads;
  readonly events: readonly SelectedEvent[];
};

const onEvents = new GraphQLSchema({
  query: new GraphQLObjectType<unknown, SelectionContext>({
    name: 'SelectedEvents',
    fields: {
      // Nullable each: an event that cannot be shown keeps no other from being shown.
      events: {
        type: new GraphQLNonNull(new GraphQLList(eventType)),
        resolve: (_root, _args, context) => context.events,
      },
    },
  }),
});

/** Everything that is wrong with a selection, with what is allowed. */
export function issuesOfSelection(selection: string): readonly Wrong[] {
  const read = readSelection(selection);
  return 'wrong' in read ? read.wrong : [];
}

function readSelection(selection: string): { readonly document: DocumentNode } | { readonly wrong: readonly Wrong[] } {
  let document: DocumentNode;
  try {
    document = parse(selection, { maxTokens: MAX_TOKENS });
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

/** In place of the rule of graphql-js: says which fields there are, and knows those that need another scope. */
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

/** The scope that a field asks for, where Pothos keeps it. */
function scopeOf(field: GraphQLField<unknown, unknown> | undefined): Scope | undefined {
  const options = field?.extensions.pothosOptions as { readonly authScopes?: { readonly scope?: Scope } } | undefined;
  return options?.authScopes?.scope;
}

/** Compiled selections, or what is wrong with them; the memory is that of their code, as measured, with room to spare. */
const known = new SharedCache<Operation | readonly Wrong[]>({ maxWeight: 32_000_000, ownerShare: 1 / 8 });
const BYTES_PER_CHARACTER = 1_000;

function operationOf(selection: string, owner: string): Operation | readonly Wrong[] {
  const before = known.get(selection);
  if (before !== undefined) return before;
  const read = readSelection(selection);
  const operation = 'wrong' in read ? read.wrong : compileOperation(onEvents, wrapped(read.document));
  known.set(selection, operation, { owner, weight: selection.length * BYTES_PER_CHARACTER });
  return operation;
}

/** The same selection on each of many events. */
function wrapped({ definitions, ...document }: DocumentNode): DocumentNode {
  const name = { kind: Kind.NAME, value: 'events' } as const;
  const each = ({ selectionSet, ...operation }: OperationDefinitionNode): OperationDefinitionNode => ({
    ...operation,
    selectionSet: { kind: Kind.SELECTION_SET, selections: [{ kind: Kind.FIELD, name, selectionSet }] },
  });
  return {
    ...document,
    definitions: definitions.map(node => (node.kind === Kind.OPERATION_DEFINITION ? each(node) : node)),
  };
}

/** What a selection makes of events, in their order. It never throws what only concerns the selection. */
export async function showSelected(
  selection: string,
  events: readonly SelectedEvent[],
  source: SelectionSource,
): Promise<readonly SelectedData[]> {
  const { tx, publicUrl, promises } = source;
  const operation = operationOf(selection, tx.companyId);
  if (!('run' in operation)) {
    const errors = operation.map(({ message }) => ({ code: 'invalid_selection', message: `It ${message}.`, path: [] }));
    const [first] = errors;
    for (const _ of events) noteFailure(source, 'invalid', { reason: first?.message });
    return events.map(() => ({ data: null, errors }));
  }
  const reads = new TransactionReads(tx);
  const shown: SelectedData[] = [];
  for (let at = 0; at < events.length; at += AT_ONCE) {
    if (at > 0) await nextTurn();
    const part = events.slice(at, at + AT_ONCE);
    const context: SelectionContext = {
      ...{ work: boundlessWork(), publicUrl, promises, principal: { scopes: SCOPES } },
      ...{ tenant: reads, events: part },
    };
    shown.push(...(await run(operation, context, source)));
    await reads.recover();
  }
  return shown;
}

// What a selection costs was weighed when it was saved, and no list is longer than it says.
function boundlessWork(): Work {
  const allowance = { units: Number.POSITIVE_INFINITY, characters: Number.POSITIVE_INFINITY };
  return new Work(
    allowance,
    () => new Fault('internal_error'),
    go => setImmediate(go),
  );
}

async function run(operation: Operation, context: SelectionContext, source: SelectionSource): Promise<SelectedData[]> {
  const { data, errors = [] } = await operation.run(context as unknown as RequestContext, {});
  const list = (data as { events: unknown[] } | null)?.events ?? [];
  const errorsOf = Map.groupBy(errors, ({ path }) => path?.[1]);
  return context.events.map((_, i): SelectedData => {
    const own = [...(errorsOf.get(i) ?? []), ...(errorsOf.get(undefined) ?? [])];
    const value = list[i] ?? null;
    const size = JSON.stringify(value).length;
    if (size > MAX_CHARACTERS) {
      const message = `The selected data has ${size} characters. The limit is ${MAX_CHARACTERS}.`;
      noteFailure(source, 'too_long', { reason: message });
      return { data: null, errors: [{ code: 'too_long', message, path: [] }] };
    }
    const [first] = own;
    if (first === undefined) return { data: value };
    noteFailure(source, 'unreadable', causeOf(first));
    return { data: value, errors: own.map(shownError) };
  });
}

/** For each payload, since each is one that its receiver may have to ask for in another way. */
function noteFailure(
  { tx, endpointId, log, metrics }: SelectionSource,
  failure: SelectionFailure,
  cause: object,
): void {
  metrics.selectionFailed(failure);
  const kind = { companyId: tx.companyId, endpointId, failure };
  logRepeated(log, { level: 'warn', message: 'webhook selection failed', fields: { ...kind, ...cause }, kind });
}

function causeOf(error: GraphQLError) {
  const { code, path } = shownError(error);
  return { code, path, ...reasonOf(faultOf(error)) };
}

function shownError(error: GraphQLError) {
  const fault = faultOf(error);
  return { code: fault.code, message: faultDetail(fault), path: error.path?.slice(2) ?? [] };
}
