import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { isScalarType } from 'graphql';
import { credentialNames } from '../../../src/domain/shipping/carriers/account.rules.ts';
import { CARRIERS } from '../../../src/domain/shipping/carriers/carriers.catalog.ts';
import { until } from '../../bench/until.ts';
import type { GraphQLAnswer, UserError } from '../../support/graphql-client.ts';
import { disguised, HOSTS, UNUSABLE } from '../../support/hostile-addresses.ts';
import { portOf } from '../../support/ports.ts';
import type { Caller } from '../../support/world.ts';
import type { Report } from '../report.ts';
import { type Canary, startCanary } from '../support/canary.ts';
import { Cases } from '../support/cases.ts';
import { furnishAll } from '../support/furnish.ts';
import { leavesOf, put } from '../support/inputs.ts';
import { type NameServer, startNameServer } from '../support/name-server.ts';
import { startReceiver } from '../support/receiver.ts';
import { documentOf, type Field, type Ids, rootFields, selectionOf, validArguments } from '../support/sdl.ts';
import type { Service } from '../support/service.ts';
import { callerOf, type SecurityWorld, UNLIMITED } from '../support/world.ts';

const PART = 'addresses';
const LEAST_FORMS = 120;
const UNTOUCHED = 'the canary is not touched';
const PUBLIC = '93.184.216.34';

const CONNECT = `mutation ($input: ConnectCarrierInput!) { connectCarrier(input: $input) {
  carrierConnection { databaseId } userErrors { code pointer message } } }`;

/** Addresses that are kept and shown, and that the service never asks. */
const LINKS = new Set(['upsertShipments input.shipments.trackingUrl']);

/** Where a name may lead once it is asked for again. */
const REBOUND: readonly (readonly string[])[] = [
  ...[['127.0.0.1'], ['::1'], [PUBLIC, '127.0.0.1'], ['127.0.0.1', PUBLIC], ['169.254.169.254'], ['10.0.0.1']],
  ...[['0.0.0.0'], ['::'], ['192.168.1.1'], ['64:ff9b::7f00:1'], ['fd00::1'], ['2002:7f00:1::']],
];

/** An input that takes an address. */
interface Place {
  readonly name: string;
  readonly field: Field;
  readonly path: readonly string[];
}

const PLACES: readonly Place[] = rootFields('mutation').flatMap(field =>
  field.args
    .flatMap(({ name, type }) => leavesOf(type, [name]))
    .filter(
      ({ path, type }) => isScalarType(type) && (type.name === 'URL' || /url$|uri$|^host$/i.test(path.at(-1) ?? '')),
    )
    .map(({ path }) => ({ name: `${field.name} ${path.join('.')}`, field, path })),
);

/** Every input that takes an address, with addresses of this machine, its network and its cloud in every disguise. */
export async function run(world: SecurityWorld, report: Report): Promise<void> {
  const canary = await startCanary();
  const names = await startNameServer();
  const receiver = await startReceiver();
  const furnishing = await world.start(UNLIMITED);
  const key = await world.live('Addresses');
  const ids = await furnishAll(world, callerOf(key, furnishing), receiver.url).finally(() => furnishing.stop());
  // Only public addresses are allowed. Plain HTTP is allowed, so that no form is rejected for that alone.
  const service = await world.start({
    ...UNLIMITED,
    WEBHOOK_ALLOW_PRIVATE: '',
    WEBHOOK_ALLOW_HTTP: 'true',
    HOSTILE_NAME_SERVER: names.address,
    MAX_CARRIER_CONNECTIONS: '10000',
    MAX_WEBHOOK_ENDPOINTS: '10000',
  });
  try {
    const caller = callerOf(key, service);
    const { data } = await caller.graphql<{ connectCarrier: { carrierConnection: { databaseId: number } } }>(CONNECT, {
      input: { carrierCode: 'BRT', label: 'Live' },
    });
    // An account of the sandbox has no address of its own.
    const live = { ...ids, connection: data.connectCarrier.carrierConnection.databaseId };
    const attack = new Attack(caller, live, canary, names);
    const add = (name: string, cases: Cases, bound: string) => {
      const touched = canary.touched > 0 ? [`the canary was touched ${canary.touched} times`] : [];
      const figures = `${cases.count} cases, ${cases.failed} failed, ${canary.touched} connections to the canary`;
      report.add({ part: PART, name, figures, bound, failures: [...touched, ...cases.failures] });
    };
    const forms = formsOf(canary.port);
    for (const place of PLACES) {
      const bound = LINKS.has(place.name) ? UNTOUCHED : `each of at least ${LEAST_FORMS} is rejected; ${UNTOUCHED}`;
      add(`${place.name}, ${forms.length} forms`, await attack.forms(place, forms), bound);
    }
    add('names that lead home', await attack.namesThatLeadHome(), `rejected or blocked; ${UNTOUCHED}`);
    add('names that are rebound, for webhooks', await attack.reboundWebhooks(service), `blocked; ${UNTOUCHED}`);
    add('names that are rebound, for carriers', await attack.reboundCarriers(), `no answer; ${UNTOUCHED}`);
    // Its worker would take the jobs of the next.
    await service.stop();
    add('redirects of a receiver', await redirects(world, canary), `not followed; ${UNTOUCHED}`);
  } finally {
    await service.kill();
    receiver.close();
    names.close();
    canary.close();
  }
}

/** Every form of an address, as a whole URL, with the canary's port where it can have one. */
function formsOf(port: number): string[] {
  const ported = HOSTS.flatMap(host => [`https://${host}:${port}/`, `http://${host}:${port}/`]);
  // Blanks around an address are taken off where that is harmless.
  const unusable = UNUSABLE.filter(url => url === url.trim());
  return [...new Set([...HOSTS.map(host => `https://${host}/`), ...ported, ...unusable, ...disguised(port)])];
}

class Attack {
  readonly #caller: Caller;
  readonly #ids: Ids;
  readonly #canary: Canary;
  readonly #names: NameServer;

  constructor(caller: Caller, ids: Ids, canary: Canary, names: NameServer) {
    this.#caller = caller;
    this.#ids = ids;
    this.#canary = canary;
    this.#names = names;
  }

  /** The code with which an address is rejected; undefined if it is accepted. */
  async #sent({ field, path }: Place, address: string): Promise<string | undefined> {
    const given = validArguments(field, this.#ids, (_owner, name) => path.includes(name));
    put(given, path, address);
    const selection = selectionOf(field.type, 1, () => true);
    const { query, variables } = documentOf('mutation', field, given, selection);
    return failureIn(await this.#caller.graphql(query, variables));
  }

  async forms(place: Place, forms: readonly string[]): Promise<Cases> {
    const cases = new Cases();
    const isLink = LINKS.has(place.name);
    cases.check('forms', forms.length >= LEAST_FORMS, () => forms.length);
    // Otherwise all could be rejected for something else.
    const good = await this.#sent(place, `https://${PUBLIC}/`);
    cases.check('a public address is taken', good === undefined, () => good);
    for (const form of forms) {
      const failure = await this.#sent(place, form);
      cases.check(JSON.stringify(form), isLink || failure !== undefined, () => 'is taken');
      cases.check(`${JSON.stringify(form)}: no internal error`, failure !== 'internal_error', () => failure);
    }
    return cases;
  }

  /** Names that a name server of the attacker says are here: never taken for a webhook, never asked for a carrier. */
  async namesThatLeadHome(): Promise<Cases> {
    const cases = new Cases();
    for (const [i, addresses] of REBOUND.entries()) {
      const name = `home-${i}.attacker.example`;
      this.#names.set(name, addresses);
      for (const place of PLACES.filter(({ path }) => path.at(-1) === 'url')) {
        const failure = await this.#sent(place, `https://${name}:${this.#canary.port}/`);
        cases.check(`${place.name}: ${name} is ${addresses.join(', ')}`, failure !== undefined, () => 'is taken');
      }
      await this.#asked(cases, name);
    }
    return cases;
  }

  /** Public while the endpoint is registered, and somewhere else once it is sent to. */
  async reboundWebhooks({ url }: Service): Promise<Cases> {
    const cases = new Cases();
    for (const [i, addresses] of REBOUND.entries()) {
      const name = `rebound-${i}.attacker.example`;
      this.#names.set(name, [PUBLIC], addresses);
      const { body } = await this.#caller.rest('POST', '/webhooks', {
        label: name,
        url: `https://${name}:${this.#canary.port}/`,
        events: ['tracking.*'],
      });
      cases.check(`${name} is registered at ${url}`, body.id !== undefined, () => body);
      if (body.id === undefined) continue;
      const outcome = await this.#delivered(body.id);
      cases.check(`${name} is ${addresses.join(', ')}`, outcome === 'blocked_address', () => outcome);
      cases.check(`${name} was asked for again`, this.#names.asked(name) > 1, () => this.#names.asked(name));
      await this.#caller.rest('DELETE', `/webhooks/${body.id}`);
    }
    return cases;
  }

  /** Sends a test event; returns the outcome of its first attempt. */
  async #delivered(endpointId: string): Promise<string | undefined> {
    const send = 'mutation ($id: ID!) { sendTestEvent(input: { endpointId: $id }) { webhookDelivery { id } } }';
    const { data } = await this.#caller.graphql<{ sendTestEvent: { webhookDelivery: { id: string } } }>(send, {
      id: endpointId,
    });
    const look = 'query ($id: ID!) { webhookDelivery(id: $id) { attempts { nodes { outcome } } } }';
    const { id } = data.sendTestEvent.webhookDelivery;
    return until(
      async () => {
        const found = await this.#caller.graphql<{ webhookDelivery: { attempts: { nodes: { outcome: string }[] } } }>(
          look,
          {
            id,
          },
        );
        return found.data.webhookDelivery.attempts.nodes[0]?.outcome.toLowerCase();
      },
      outcome => outcome !== undefined,
      { timeoutMs: 30_000 },
    );
  }

  /** The address of a carrier's test system is looked up each time that it is asked. */
  async reboundCarriers(): Promise<Cases> {
    const cases = new Cases();
    for (const [i, addresses] of REBOUND.entries()) {
      const name = `carrier-${i}.attacker.example`;
      this.#names.set(name, addresses);
      await this.#asked(cases, name);
    }
    return cases;
  }

  /** Connects each carrier that can be asked to a name, and asks it. */
  async #asked(cases: Cases, name: string): Promise<void> {
    const test = `mutation ($id: ID!) { testCarrierConnection(input: { id: $id }) { outcome userErrors { code message } } }`;
    for (const carrier of CARRIERS.filter(one => credentialNames(one).length > 0)) {
      const { code } = carrier;
      const account = Object.fromEntries(credentialNames(carrier).map(one => [one, 'attacker']));
      const baseUrl = `https://${name}:${this.#canary.port}`;
      const input = { carrierCode: code, label: name, baseUrl, credentials: account };
      const { data } = await this.#caller.graphql<{
        connectCarrier: { carrierConnection?: { databaseId: number } };
      }>(CONNECT, { input });
      const id = data.connectCarrier.carrierConnection?.databaseId;
      cases.check(`${code} at ${name} is connected`, id !== undefined, () => data);
      const tested = await this.#caller.graphql<{ testCarrierConnection: { outcome: string } }>(test, {
        id: String(id),
      });
      const { outcome } = tested.data.testCarrierConnection;
      cases.check(`${code} at ${name}`, outcome?.toLowerCase() === 'unavailable', () => tested);
    }
  }
}

/** A receiver at an allowed address redirects to a forbidden one. */
async function redirects(world: SecurityWorld, canary: Canary): Promise<Cases> {
  const cases = new Cases();
  const statuses = [301, 302, 303, 307, 308, 300, 304, 201];
  let asked = 0;
  const server: Server = createServer((request, response) => {
    asked++;
    const status = Number(request.url?.slice(1));
    const location = `http://127.0.0.1:${canary.port}/`;
    request.resume();
    response.writeHead(status, { location, refresh: `0; url=${location}`, 'alt-svc': `h2="127.0.0.1:${canary.port}"` });
    response.end();
  }).listen(0, '127.0.0.2');
  await once(server, 'listening');
  const service = await world.start({
    ...UNLIMITED,
    WEBHOOK_ALLOW_PRIVATE: '127.0.0.2/32',
    WEBHOOK_ALLOW_HTTP: 'true',
  });
  try {
    const caller = callerOf(await world.company('Redirects'), service);
    for (const status of statuses) {
      const url = `http://127.0.0.2:${portOf(server)}/${status}`;
      const { body } = await caller.rest('POST', '/webhooks', { label: `${status}`, url, events: ['tracking.*'] });
      const before = asked;
      const send = 'mutation ($id: ID!) { sendTestEvent(input: { endpointId: $id }) { webhookDelivery { id } } }';
      const { errors } = await caller.graphql(send, { id: body.id });
      cases.check(`${status}: sent`, errors === undefined, () => errors);
      const hasCome = await until(
        async () => asked > before,
        isAsked => isAsked,
        { timeoutMs: 20_000 },
      ).catch(() => false);
      cases.check(`${status}: delivered`, hasCome, () => body);
    }
    const others = await caller.rest('POST', '/webhooks', {
      label: 'canary',
      url: `http://127.0.0.1:${canary.port}/`,
      events: ['tracking.*'],
    });
    cases.check('what is not allowed', others.status === 422, () => others.body);
  } finally {
    await service.stop();
    server.closeAllConnections();
    server.close();
  }
  return cases;
}

/** Why a mutation failed; undefined where it was carried out. */
function failureIn({ data, errors }: GraphQLAnswer<unknown>): string | undefined {
  if (errors?.[0]) return errors[0].extensions.code;
  for (const value of Object.values((data ?? {}) as Record<string, { userErrors?: readonly UserError[] } | null>)) {
    if (value?.userErrors?.[0]) return value.userErrors[0].code;
  }
  return undefined;
}
