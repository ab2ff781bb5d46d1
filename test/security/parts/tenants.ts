import { randomBytes } from 'node:crypto';
import { isObjectType } from 'graphql';
import { readGlobalId } from '../../../src/graphql/node-id.ts';
import { ENDPOINTS } from '../../../src/http/rest/endpoints.ts';
import { nameOf, requestFor, type Things } from '../../rest/examples.ts';
import { unnamed } from '../../rest/raw-http.ts';
import { EventReader, type ReadEvent } from '../../support/event-reader.ts';
import type { GraphQLAnswer } from '../../support/graphql-client.ts';
import { feedEvents, WAREHOUSE } from '../../support/platform-side.ts';
import type { Caller } from '../../support/world.ts';
import type { Report } from '../report.ts';
import { Cases } from '../support/cases.ts';
import { checksums } from '../support/checksums.ts';
import { Coverage } from '../support/coverage.ts';
import { furnishAll } from '../support/furnish.ts';
import { literalArguments } from '../support/literals.ts';
import { startReceiver } from '../support/receiver.ts';
import {
  isUuid,
  NODE_TYPES,
  nodeIds,
  type References,
  referencesTo,
  type Slot,
  slotsOf,
} from '../support/references.ts';
import {
  argumentsForOne,
  documentOf,
  type Field,
  type Ids,
  type Kind,
  ROOTS,
  rootFields,
  SDL,
  selectionOf,
  validArguments,
} from '../support/sdl.ts';
import type { Service } from '../support/service.ts';
import { firstEvent } from '../support/streams.ts';
import { documentAlong, wayTo } from '../support/way.ts';
import { callerOf, type Key, type SecurityWorld, UNLIMITED } from '../support/world.ts';

const PART = 'tenants';
const SILENT = 'nothing is sent, nothing charged; own changes are seen with own numbers';
const BOUND = 'equal to the answer for what never existed, and nothing of the other company in it';

/** In every text of the other company that nobody can know. */
const MARK = `Zanzibar${randomBytes(6).toString('hex')}`;

/** Ids of the other company are of one kind each, and none of the asking company's: every table counts from elsewhere. */
const APART = `select setval(pg_get_serial_sequence(quote_ident(table_name), 'id'), 10_000_000 * row_number() over (order by table_name))
  from information_schema.columns where table_schema = 'public' and column_name = 'id' and is_identity = 'YES'`;

/** A call to a carrier of a live connection. It is not made, since nobody is to be asked outside of this machine. */
const CALL = `insert into carrier_call
    (company_id, carrier_connection_id, at, purpose, is_token_request, method, address, outcome, duration_ms, request_headers)
  values ($1, $2, now(), 'tracking_poll', false, 'GET', 'https://carrier.example/', 'unavailable', 1, '{}')`;

/** A company asks for everything of another, and a sandbox for everything of its company. */
export async function run(world: SecurityWorld, report: Report): Promise<void> {
  await attack(world, report, '', await world.company('Asking'), await world.company(MARK));
  const live = await world.live(`${MARK}2`);
  await attack(world, report, 'a sandbox: ', await world.key(live.companyId, ['all'], 'sandbox'), live);
}

/** A company asks for everything of another, by every reference that the API takes. */
async function attack(world: SecurityWorld, report: Report, who: string, asking: Key, asked: Key): Promise<void> {
  const receiver = await startReceiver();
  const furnishing = await world.start(UNLIMITED);
  const { own, theirs, nodes } = await (async () => {
    try {
      const ofAsking = await furnishAll(world, callerOf(asking, furnishing), receiver.url, 'Proprio');
      await world.database.pool.query(APART);
      const ofAsked = await furnishAll(world, callerOf(asked, furnishing), receiver.url, MARK);
      await world.database.pool.query(CALL, [asked.companyId, ofAsked.connection]);
      return { own: ofAsking, theirs: ofAsked, nodes: await nodeIds(callerOf(asked, furnishing), ofAsked) };
    } finally {
      await furnishing.stop();
    }
  })();
  // Without workers: nothing of the other company changes by itself from here on.
  const service = await world.start({ ...UNLIMITED, ...UNCAPPED, ROLE: 'api' });
  try {
    const before = await checksums(world.database, asked.companyId);
    const secrets = [MARK, asked.companyId, asked.apiKeyId, asked.apiKey];
    const walk = new Walk(service, callerOf(asking, service), own, theirs, referencesTo(theirs, nodes), secrets);
    const add = (name: string, { count, failed, failures }: Cases, bound = BOUND) =>
      report.add({ part: PART, name: who + name, figures: `${count} cases, ${failed} failed`, bound, failures });
    add('things with a global id', ofEveryType(nodes), 'the other company has one of each type');
    add('REST rows', await walk.restRows());
    add('everything of its own', await walk.own());
    add('references inside', await walk.nested());
    add('references of queries', await walk.roots('query'));
    add('references of subscriptions', await walk.roots('subscription'));
    add('positions of streams', await walk.positions());
    add('references of mutations', await walk.roots('mutation'));
    add('results of mutations', await walk.payloads());
    add('fields of the SDL', walk.everyField(), 'a document of this part has asked for each');
    const changed = new Cases();
    const after = await checksums(world.database, asked.companyId);
    for (const [table, sum] of before) changed.check(table, after.get(table) === sum, () => [sum, after.get(table)]);
    add("the other company's rows", changed, 'checksums of every table are as before');
    add('streams while the other company changes', await walk.streams(callerOf(asked, service)), SILENT);
  } finally {
    await service.stop();
    receiver.close();
  }
}

/** The position from which a page continues may belong to another company, since it is only compared. */
const POSITIONS = new Set(['after', 'before']);
/** Where half the walk would be refused since there are too many things, it would show nothing. */
const UNCAPPED = { MAX_WAREHOUSES: '10000', MAX_CARRIER_CONNECTIONS: '10000', MAX_API_KEYS: '10000' };
/** How deep a document asks, at most; less where that costs more than a document may. */
const DEPTHS = [3, 2, 1, 0];
/** These differ between any two answers. */
const VARIES =
  /^(requestId|id|uuid|databaseId|\w+At|timestamp|secret|secretLast4|last4|apiKey|apiKeyId|cursor|startCursor|endCursor)$/;

/** Fields that vary in records that a mutation makes: their numbers too. */
const VARIES_OF_NEW = new RegExp(`${VARIES.source}|^(number|carrierCompanyId|carrierConnectionId)$`);

const WATCH_CHANGES = `subscription ($after: String, $filter: ChangeFilter) {
  changes(after: $after, filter: $filter) {
    nodes { __typename number shipment { trackingNumber } } pageInfo { endCursor } hasGap
  }
}`;
const WATCH_SHIPMENT =
  'subscription ($trackingNumber: String!) { trackingByNumber(trackingNumber: $trackingNumber) { trackingNumber statusCode } }';
/** Each is waited for, so that what the first ones cause is there when the last one is. */
const CHANGES_OF_OTHERS = 5;

const numbersIn = (events: readonly ReadEvent[]): number[] =>
  events.flatMap(({ data }) => data?.data?.changes?.nodes ?? []).map(({ number }) => number);

/** Records something of a shipment, which is a change each time. */
function recordEvent(caller: Caller, trackingNumber: string, minute: number): Promise<unknown> {
  const occurredAt = new Date(Date.now() - 3_600_000 + minute * 60_000).toISOString();
  return feedEvents(caller, { trackingNumber, occurredAt, statusCode: 'in_transit', description: `Minuto ${minute}` });
}

/** A caller asks for everything of another; `secrets` are texts that only the other has. */
class Walk {
  readonly #service: Service;
  readonly #caller: Caller;
  readonly #own: Ids;
  readonly #theirs: Ids;
  readonly #secrets: readonly string[];
  readonly #references: References;
  readonly #coverage = new Coverage();

  constructor(
    service: Service,
    caller: Caller,
    own: Ids,
    theirs: Ids,
    references: References,
    secrets: readonly string[],
  ) {
    this.#service = service;
    this.#caller = caller;
    this.#own = own;
    this.#theirs = theirs;
    this.#references = references;
    this.#secrets = secrets;
  }

  everyField(): Cases {
    const cases = new Cases();
    const missing = new Set(this.#coverage.missing);
    for (const name of Coverage.fields) cases.check(name, !missing.has(name), () => `nothing has asked for ${name}`);
    return cases;
  }

  async restRows(): Promise<Cases> {
    const cases = new Cases();
    for (const endpoint of ENDPOINTS) {
      for (const [theirs, nobodys] of this.#things()) {
        const found = requestFor(endpoint, theirs);
        const never = requestFor(endpoint, nobodys);
        const isReference = found.path !== never.path || JSON.stringify(found.body) !== JSON.stringify(never.body);
        const answer = await this.#caller.rest(endpoint.method, found.path, found.body);
        this.#checkSecrets(cases, nameOf(endpoint), answer.text);
        if (!isReference) continue;
        const absent = await this.#caller.rest(endpoint.method, never.path, never.body);
        const isEqual = JSON.stringify(unnamed(answer)) === JSON.stringify(unnamed(absent));
        cases.check(`${endpoint.method} ${found.path}`, isEqual, () => [answer.text, absent.text]);
      }
    }
    const headers = { 'idempotency-key': `key-${this.#theirs.orderNumber.slice(2)}` };
    const again = await this.#caller.rest('POST', '/warehouses', WAREHOUSE, headers);
    const isNew = again.status === 201 && again.headers.get('idempotent-replayed') === null;
    cases.check('POST with an Idempotency-Key of theirs', isNew, () => again.text);
    return cases;
  }

  /** Each parameter by each thing of its type. */
  #things(): [theirs: Things, nobodys: Things][] {
    const { ints, texts } = this.#references;
    const of = (which: 'theirs' | 'nobodys', i: number): Things => {
      const [int, text] = [String(ints[i % ints.length]?.[which]), String(texts[i % texts.length]?.[which])];
      const uuid = String(texts.filter(({ theirs }) => isUuid(theirs))[i % 3]?.[which]);
      return {
        warehouseId: int,
        orderId: int,
        carrierCompanyId: int,
        webhookId: uuid,
        trackingNumber: text,
        orderNumber: text,
      };
    };
    return texts.map((_, i) => [of('theirs', i), of('nobodys', i)]);
  }

  /** The company's own records, as deep as a document may go: none leads to the other company. */
  async own(): Promise<Cases> {
    const cases = new Cases();
    const fields = (['query', 'subscription'] as const).flatMap(kind =>
      rootFields(kind).map(field => ({ kind, field })),
    );
    for (const { kind, field } of fields) {
      const given = argumentsForOne(field, this.#own);
      await this.#affordable(cases, `${kind} ${field.name}`, kind, depth =>
        documentOf(
          kind,
          field,
          given,
          selectionOf(field.type, depth, () => true),
        ),
      );
    }
    // From roots alone some fields are too deep.
    const argumentsOf = (field: Field) => argumentsForOne(field, this.#own);
    for (const type of Object.values(SDL.getTypeMap())) {
      if (!isObjectType(type) || Object.values(ROOTS).includes(type.name)) continue;
      const way = wayTo(type.name, this.#own, { argumentsOf });
      if (!way) continue;
      await this.#affordable(cases, type.name, 'query', depth => {
        // `selectionOf` begins with the braces of the end of the way.
        const selection = selectionOf(type, Math.min(depth, 1), () => true);
        return { query: documentAlong(way, selection.slice(1, -1)), variables: {} };
      });
    }
    return cases;
  }

  /** Asks as deep as a document may. */
  async #affordable(
    cases: Cases,
    what: string,
    kind: Kind,
    documentAt: (depth: number) => { query: string; variables: Record<string, unknown> },
  ): Promise<void> {
    for (const depth of DEPTHS) {
      const { query, variables } = documentAt(depth);
      const { data, errors } = await this.#ask(kind, query, variables);
      if (errors?.[0]?.extensions.code === 'graphql_too_complex' && depth > 0) continue;
      cases.check(`${what} of its own`, errors === undefined, () => errors);
      this.#checkSecrets(cases, what, JSON.stringify(data));
      return;
    }
  }

  /** Types in results of mutations that no query leads to. */
  async payloads(): Promise<Cases> {
    const cases = new Cases();
    for (const name of new Set(this.#coverage.missing.map(field => field.split('.')[0] ?? ''))) {
      const way = wayTo(name, this.#own, { kind: 'mutation' });
      const type = SDL.getType(name);
      if (!way || !isObjectType(type)) continue;
      const query = documentAlong(way, selectionOf(type, 1, () => true).slice(1, -1), 'mutation');
      this.#checkSecrets(cases, name, JSON.stringify(await this.#ask('mutation', query, {})));
    }
    return cases;
  }

  async roots(kind: Kind): Promise<Cases> {
    const cases = new Cases();
    for (const field of rootFields(kind)) {
      const selection = selectionOf(field.type, kind === 'mutation' ? 1 : 2, () => true);
      await this.#slots(cases, field, field.name, given => documentOf(kind, field, given, selection), kind);
    }
    return cases;
  }

  async nested(): Promise<Cases> {
    const cases = new Cases();
    for (const type of Object.values(SDL.getTypeMap())) {
      if (!isObjectType(type) || Object.values(ROOTS).includes(type.name)) continue;
      const way = wayTo(type.name, this.#own);
      if (!way) continue;
      for (const field of Object.values(type.getFields())) {
        const selection = selectionOf(field.type, 2, () => true);
        await this.#slots(cases, field, `${type.name}.${field.name}`, given => ({
          query: documentAlong(way, `${field.name}${literalArguments(field, given)} ${selection}`),
          variables: {},
        }));
      }
    }
    return cases;
  }

  async #slots(
    cases: Cases,
    field: Field,
    name: string,
    documentWith: (given: Record<string, unknown>) => { query: string; variables: Record<string, unknown> },
    kind: Kind = 'query',
  ): Promise<void> {
    for (const slot of field.args.flatMap(arg => slotsOf(arg.type, [arg.name]))) {
      const isPosition = POSITIONS.has(slot.path.at(-1) ?? '');
      const isEncoded = slot.path.at(-1) === 'base64';
      const ask = async (value: unknown) => {
        const sent = isEncoded ? Buffer.from(String(value)).toString('base64') : value;
        const { query, variables } = documentWith(this.#argumentsWith(field, slot, sent));
        return this.#ask(kind, query, variables);
      };
      for (const { theirs, nobodys } of slot.isInt ? this.#references.ints : this.#references.texts) {
        const what = `${name} ${slot.path.join('.')} ${theirs}`;
        const compared = async () => {
          const answer = await ask(theirs);
          this.#checkSecrets(cases, what, JSON.stringify(answer), theirs);
          const absent = isPosition ? answer : await ask(nobodys);
          const varies = kind === 'mutation' ? VARIES_OF_NEW : VARIES;
          return [comparable(answer, theirs, nobodys, varies), comparable(absent, theirs, nobodys, varies)] as const;
        };
        let [found, never] = await compared();
        // The second of two may be one too many of something.
        if (found !== never) [found, never] = await compared();
        cases.check(what, found === never, () => difference(found, never));
      }
      if (!isPosition || slot.isInt) continue;
      const { orderCursor, shipmentCursor, deliveryCursor, changeCursor } = this.#theirs;
      for (const cursor of [orderCursor, shipmentCursor, deliveryCursor, changeCursor]) {
        this.#checkSecrets(cases, `${name} ${slot.path.join('.')} ${cursor}`, JSON.stringify(await ask(cursor)));
      }
    }
  }

  /** The result of an operation, or the first event of a subscription. */
  #ask(kind: Kind, query: string, variables: Record<string, unknown>): Promise<GraphQLAnswer<unknown>> {
    this.#coverage.add(query);
    return kind === 'subscription'
      ? firstEvent(this.#service, this.#caller, query, variables)
      : this.#caller.graphql(query, variables);
  }

  /** A stream that continues after an event of the other company, as a browser asks for it. */
  async positions(): Promise<Cases> {
    const cases = new Cases();
    for (const [lastEventId, isReadable] of [
      [this.#theirs.changeCursor, true],
      [this.#theirs.orderCursor, false],
    ] as const) {
      const answer = await firstEvent(this.#service, this.#caller, WATCH_CHANGES, {}, lastEventId);
      this.#checkSecrets(cases, `Last-Event-ID ${lastEventId}`, JSON.stringify(answer));
      cases.check(`Last-Event-ID ${lastEventId}`, (answer.errors === undefined) === isReadable, () => answer);
    }
    return cases;
  }

  /** Streams of the asking company: they neither say nor cost anything while the other company changes. */
  async streams(other: Caller): Promise<Cases> {
    const cases = new Cases();
    const watch = (caller: Caller, query: string, variables: Record<string, unknown>) =>
      EventReader.open({ url: this.#service.url, apiKey: caller.apiKey, query, variables });
    const shipmentIds = [this.#theirs.shipment];
    const theirs = await watch(other, WATCH_CHANGES, { after: this.#theirs.changeCursor });
    const own = {
      changes: await watch(this.#caller, WATCH_CHANGES, { after: (await this.#log()).cursor }),
      theirShipment: await watch(this.#caller, WATCH_CHANGES, { filter: { shipmentIds } }),
      shipment: await watch(this.#caller, WATCH_SHIPMENT, { trackingNumber: this.#own.trackingNumber }),
    };
    const readers = [theirs, ...Object.values(own)];
    try {
      await Promise.all(readers.map(reader => reader.until(({ length }) => length === 1)));
      const charged = await this.#leftOfMinute();
      for (let change = 1; change <= CHANGES_OF_OTHERS; change++) {
        await recordEvent(other, this.#theirs.trackingNumber, change);
        await theirs.until(events => numbersIn(events).length === change);
      }
      const after = await this.#leftOfMinute();
      for (const [name, { events, isEnded }] of Object.entries(own)) {
        const isSilent = events.length === 1 && !isEnded;
        cases.check(`${name} while the other company changes`, isSilent, () => events);
      }
      // Rates of two windows cannot be compared.
      const isUncharged = charged.resetsAtMs !== after.resetsAtMs || charged.left - after.left === 2 * charged.cost;
      cases.check('what streams are charged for changes of the other company', isUncharged, () => [charged, after]);
      await recordEvent(this.#caller, this.#own.trackingNumber, 1);
      await own.changes.until(events => numbersIn(events).length > 0);
      await own.shipment.until(({ length }) => length > 1);
      const { latest, cursor } = await this.#log();
      const isOwnNumber = numbersIn(own.changes.events).join() === String(latest);
      cases.check('the number of an own change', isOwnNumber, () => [own.changes.events, latest]);
      const place = own.changes.events.at(-1);
      cases.check('the cursor of an own change', place?.id === cursor, () => [place, cursor]);
      for (const [name, { events }] of Object.entries(own)) this.#checkSecrets(cases, name, JSON.stringify(events));
    } finally {
      for (const reader of readers) reader.close();
    }
    return cases;
  }

  /** Where the change log of the asking company ends. */
  async #log() {
    const { data } = await this.#caller.graphql<{ changeLog: { latest: number; cursor: string } }>(
      '{ changeLog { latest cursor } }',
    );
    return data.changeLog;
  }

  /** The remaining cost of the requesting company in the minute, and the cost of a request. */
  async #leftOfMinute() {
    const ask = async () => {
      const { headers } = await this.#caller.rest('GET', '/warehouses');
      const [, left, seconds] = /"cost";r=(\d+);t=(\d+)/.exec(headers.get('ratelimit') ?? '') ?? [];
      return { left: Number(left), resetsAtMs: Math.round((Date.now() + Number(seconds) * 1000) / 60_000) };
    };
    const [before, after] = [await ask(), await ask()];
    return { ...after, cost: before.left - after.left };
  }

  /** Everything is of the asking company but the one reference. */
  #argumentsWith(field: Field, { path }: Slot, value: unknown): Record<string, unknown> {
    const given = validArguments(field, this.#own, (_owner, name) => path.includes(name));
    let at = given;
    for (const step of path.slice(0, -1)) {
      const next = at[step];
      at = (Array.isArray(next) ? next[0] : next) as Record<string, unknown>;
    }
    const last = path.at(-1) ?? '';
    at[last] = Array.isArray(at[last]) ? [value] : value;
    return given;
  }

  /** @param sent the reference that was sent, which the response may repeat */
  #checkSecrets(cases: Cases, what: string, text: string | undefined, sent?: unknown): void {
    const known = `${sent} ${readGlobalId(String(sent))?.key}`;
    const found = this.#secrets.find(secret => !known.includes(secret) && text?.includes(secret));
    cases.check(`${what} shows something of the other company's`, found === undefined, () => text);
  }
}

/** A type without an id is not attacked. */
function ofEveryType(nodes: ReadonlyMap<string, string>): Cases {
  const cases = new Cases();
  for (const name of NODE_TYPES) cases.check(name, nodes.has(name), () => 'the other company has none');
  return cases;
}

/**
 * An answer without what differs between any two, and with what nobody has in the place of what the other company has.
 */
function comparable(answer: object, theirs: unknown, nobodys: unknown, varies: RegExp): string {
  const text = JSON.stringify(answer, (key, inner) => (varies.test(key) && inner !== null ? '…' : inner));
  return text.replaceAll(String(theirs), String(nobodys)).replaceAll(nameIn(theirs), nameIn(nobodys));
}

/** The last part of what a global id says, which messages name. */
function nameIn(value: unknown): string {
  return readGlobalId(String(value))?.key.split('.').at(-1) ?? String(value);
}

/** Both from a little before the place where they begin to differ. */
function difference(one: string, other: string): string[] {
  let at = 0;
  while (at < one.length && one[at] === other[at]) at++;
  return [one, other].map(text => text.slice(Math.max(0, at - 120), at + 80));
}
