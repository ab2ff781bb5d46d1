import { getNamedType, isLeafType, isObjectType } from 'graphql';
import { schema } from '../../../src/graphql/schema.ts';
import { ENDPOINTS } from '../../../src/http/rest/endpoints.ts';
import { ALL_SCOPES } from '../../../src/platform/scopes.ts';
import { NOTHING, requestFor } from '../../rest/examples.ts';
import type { GraphQLAnswer } from '../../support/graphql-client.ts';
import type { Caller } from '../../support/world.ts';
import type { Report } from '../report.ts';
import { Cases } from '../support/cases.ts';
import { furnishAll } from '../support/furnish.ts';
import { startReceiver } from '../support/receiver.ts';
import {
  documentOf,
  type Ids,
  KINDS,
  NOBODYS,
  ROOTS,
  rootFields,
  SDL,
  selectionOf,
  validArguments,
} from '../support/sdl.ts';
import type { Service } from '../support/service.ts';
import { firstEvent } from '../support/streams.ts';
import { documentAlong, wayTo } from '../support/way.ts';
import { callerOf, type SecurityWorld, UNLIMITED } from '../support/world.ts';

const PART = 'scopes';
const BOUND = 'allowed exactly with the scope; otherwise 403 insufficient_scope with requiredScope';
/** A document is compiled when it comes back the third time: the fourth answer is a compiled one. */
const TIMES = 4;

/** Where Pothos keeps what a field asks of its caller. */
function scopeOf(typeName: string, fieldName: string): string | undefined {
  const type = schema.getType(typeName);
  if (!isObjectType(type)) return undefined;
  const { pothosOptions } = (type.getFields()[fieldName]?.extensions ?? {}) as {
    pothosOptions?: { authScopes?: { scope?: string } };
  };
  return pothosOptions?.authScopes?.scope;
}

/** Keys of one scope each, and one of none, against every row and every field that asks for a scope. */
export async function run(world: SecurityWorld, report: Report): Promise<void> {
  const receiver = await startReceiver();
  const service = await world.start(UNLIMITED);
  try {
    const owner = callerOf(await world.company('Scopes'), service);
    const ids = await furnishAll(world, owner, receiver.url);
    const callers = new Map<string, Caller>();
    for (const scope of ALL_SCOPES) callers.set(scope, callerOf(await world.key(owner.companyId, [scope]), service));
    callers.set('none', await withoutScopes(world, owner, service));
    const add = (name: string, { count, failed, failures }: Cases) =>
      report.add({ part: PART, name, figures: `${count} cases, ${failed} failed`, bound: BOUND, failures });
    add('REST rows', await restRows(callers));
    add('root fields', await roots(callers, service, receiver.url));
    add('guarded fields inside', await nested(world, service, owner, ids));
  } finally {
    await service.stop();
    receiver.close();
  }
}

async function withoutScopes(world: SecurityWorld, owner: Caller, service: Service): Promise<Caller> {
  const key = await world.key(owner.companyId, ['health:read']);
  await world.database.pool.query(`update api_key set scopes = '{}' where id = $1`, [key.apiKeyId]);
  return callerOf(key, service);
}

async function restRows(callers: ReadonlyMap<string, Caller>): Promise<Cases> {
  const cases = new Cases();
  for (const [held, caller] of callers) {
    for (const endpoint of ENDPOINTS) {
      const { method, path, body } = requestFor(endpoint, NOTHING);
      const answer = await caller.rest(method, path, body);
      const isDenied = answer.status === 403 && answer.body.code === 'insufficient_scope';
      const isRight =
        held === endpoint.scope
          ? ![401, 403].includes(answer.status)
          : isDenied && answer.body.requiredScope === endpoint.scope;
      cases.check(`${method} ${endpoint.path} with ${held}`, isRight, () => answer.body);
      if (method !== 'GET') continue;
      const { status } = await caller.rest('HEAD', path);
      cases.check(`HEAD ${endpoint.path} with ${held}`, (status === 403) === (held !== endpoint.scope), () => status);
    }
  }
  return cases;
}

/** The scopes that an answer says are missing. */
function missing({ errors }: GraphQLAnswer<unknown>): (string | undefined)[] {
  return (errors ?? [])
    .filter(({ extensions }) => extensions?.code === 'insufficient_scope' && extensions.status === 403)
    .map(({ extensions }) => extensions.requiredScope);
}

/** Fields that need the scope of what their ids name. */
const BY_ID: Readonly<Record<string, string>> = { node: 'warehouses:read', nodes: 'warehouses:read' };

function isNothing(value: unknown): boolean {
  return value == null || (Array.isArray(value) && value.every(isNothing));
}

async function roots(callers: ReadonlyMap<string, Caller>, service: Service, url: string): Promise<Cases> {
  const cases = new Cases();
  for (const kind of KINDS) {
    for (const field of rootFields(kind)) {
      const scope = BY_ID[field.name] ?? scopeOf(ROOTS[kind], field.name);
      cases.check(`${field.name} asks for a scope`, scope !== undefined, () => scope);
      const selection = isLeafType(getNamedType(field.type)) ? '' : '{ __typename }';
      const { query, variables } = documentOf(kind, field, validArguments(field, { ...NOBODYS, url }), selection);
      for (const [held, caller] of callers) {
        for (let time = 1; time <= TIMES; time++) {
          const answer = await (kind === 'subscription'
            ? firstEvent(service, caller, query, variables)
            : caller.graphql<Record<string, unknown>>(query, variables));
          const isRight =
            held === scope
              ? !isDeniedOrBroken(answer)
              : missing(answer).join() === scope && isNothing(answer.data?.[field.name]);
          cases.check(`${field.name} with ${held}, time ${time}`, isRight, () => answer);
        }
      }
    }
  }
  return cases;
}

/** Denied, or rejected before the scope could be asked for: then the case would show nothing. */
function isDeniedOrBroken({ errors }: GraphQLAnswer<unknown>): boolean {
  const codes = ['insufficient_scope', 'missing_credentials', 'invalid_api_key', 'graphql_invalid', 'internal_error'];
  return (errors ?? []).some(({ extensions }) => codes.includes(extensions?.code ?? 'internal_error'));
}

async function nested(world: SecurityWorld, service: Service, owner: Caller, ids: Ids): Promise<Cases> {
  const cases = new Cases();
  for (const type of Object.values(SDL.getTypeMap())) {
    if (!isObjectType(type) || Object.values(ROOTS).includes(type.name)) continue;
    for (const field of Object.values(type.getFields())) {
      const scope = scopeOf(type.name, field.name);
      if (scope === undefined) continue;
      const name = `${type.name}.${field.name}`;
      const way = wayTo(type.name, ids);
      cases.check(`${name} can be reached`, way !== undefined, () => null);
      if (!way) continue;
      const scopes = [...new Set(way.flatMap(({ owner, name: step }) => scopeOf(owner, step) ?? []))];
      const document = documentAlong(way, `${field.name} ${selectionOf(field.type, 0, () => true)}`);
      const others = ALL_SCOPES.filter(one => one !== scope || scopes.includes(one));
      const without = callerOf(await world.key(owner.companyId, others), service);
      const withIt = callerOf(await world.key(owner.companyId, [...scopes, scope]), service);
      for (let time = 1; time <= TIMES; time++) {
        const denied = await without.graphql(document);
        const isDenied = missing(denied).length > 0 && missing(denied).every(one => one === scope);
        cases.check(`${name} without ${scope}, time ${time}`, isDenied, () => denied);
        const allowed = await withIt.graphql(document);
        cases.check(`${name} with ${scope}, time ${time}`, allowed.errors === undefined, () => allowed);
      }
    }
  }
  return cases;
}
