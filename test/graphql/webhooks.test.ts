import { readFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import pg from 'pg';
import { Webhook } from 'standardwebhooks';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { ALL_SCOPES } from '../../src/platform/scopes.ts';
import type { Attempt, Delivery as JobsDelivery } from '../jobs/webhooks.ts';
import { REACHABLE, type Received, useReceiver } from '../support/receiver.ts';
import { passTime } from '../support/time.ts';
import { type Caller, useWorld } from '../support/world.ts';
import {
  ask,
  connectCarrier,
  type Item,
  outcomes,
  RECIPIENT,
  recordEvents,
  shipment,
  times,
  upsertOrders,
  upsertShipments,
} from './platform-side.ts';

const world = useWorld(REACHABLE);
const receiver = useReceiver();

/** How long to wait for what comes soon. */
const SOON = { timeout: 20_000 };
/** After it what failed once is due again, whatever it is jittered by. */
const FIRST_RETRY_MS = 10_000;
const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

interface Delivery extends JobsDelivery {
  readonly endpoint: { readonly id: string };
  readonly createdAt: string;
}

interface Endpoint {
  readonly id: string;
  readonly label: string;
  readonly url: string;
  readonly secretLast4: string;
  readonly events: readonly string[];
  readonly isActive: boolean;
  readonly createdAt: string;
  readonly updatedAt: string;
  readonly disabledAt: string | null;
  readonly disabledReason: string | null;
  readonly pausedAt: string | null;
  readonly failingSince: string | null;
  readonly state: string;
  readonly lastDelivery: { readonly status: string } | null;
}

interface WithSecret extends Endpoint {
  readonly secret: string;
}

const DELIVERY = `id endpoint { id } eventId eventType sequence body status attemptCount
  attempts { number startedAt durationMs outcome status answer nextAt }
  isHeldBack nextAttemptAt deliveredAt createdAt`;
const ENDPOINT = `id label url secretLast4 events isActive createdAt updatedAt disabledAt disabledReason pausedAt failingSince
  state lastDelivery { status deliveredAt createdAt }`;

const CREATE = `mutation ($input: CreateWebhookInput!) { createWebhookEndpoint(input: $input) { ${ENDPOINT} secret } }`;
const UPDATE = `mutation ($id: ID!, $input: UpdateWebhookInput!) { updateWebhookEndpoint(id: $id, input: $input) { ${ENDPOINT} } }`;
const DELETE = `mutation ($id: ID!) { deleteWebhookEndpoint(id: $id) { ${ENDPOINT} } }`;
const PAUSE = `mutation ($id: ID!) { pauseWebhookEndpoint(id: $id) { ${ENDPOINT} } }`;
const RESUME = `mutation ($id: ID!) { resumeWebhookEndpoint(id: $id) { ${ENDPOINT} } }`;
const ROTATE = `mutation ($id: ID!) { rotateWebhookSecret(id: $id) { ${ENDPOINT} secret } }`;
const TEST = `mutation ($id: ID!, $type: String) { sendTestEvent(endpointId: $id, type: $type) { ${DELIVERY} } }`;
const TEST_AS_IT_IS = `mutation ($id: ID!) { sendTestEvent(endpointId: $id) { ${DELIVERY} } }`;
const REDELIVER = `mutation ($id: ID!) { redeliver(deliveryId: $id) { ${DELIVERY} } }`;
const REPLAY = `mutation ($id: ID!, $since: DateTime!, $until: DateTime!, $events: [String!]) {
  replayDeliveries(endpointId: $id, since: $since, until: $until, events: $events) { count }
}`;
const ENDPOINTS = `{ webhookEndpoints { ${ENDPOINT} } }`;
const BY_ID = `query ($id: ID!) { webhookEndpoint(id: $id) { ${ENDPOINT} } }`;
const DELIVERY_BY_ID = `query ($id: ID!) { webhookDelivery(id: $id) { ${DELIVERY} } }`;
const DELIVERIES = `query ($id: ID!, $first: Int, $after: String, $last: Int, $before: String,
    $status: [WebhookDeliveryStatus!], $since: DateTime) {
  webhookEndpoint(id: $id) {
    deliveries(first: $first, after: $after, last: $last, before: $before, status: $status, since: $since) {
      edges { cursor node { ${DELIVERY} } }
      pageInfo { hasNextPage hasPreviousPage startCursor endCursor }
    }
  }
}`;

let paths = 0;

/** An endpoint of a company, at a path of its own; told of everything unless `fields` say otherwise. */
async function endpoint(by: Caller, fields: Item = {}) {
  const path = `/${++paths}`;
  const input = { label: 'Gestionale', url: receiver.url + path, events: ['tracking.*'], ...fields };
  const made = await ask<WithSecret>(by, CREATE, { input });
  /** The first `n` requests it was sent, once they are there. */
  const sent = (n: number) => receiver.waitFor(n, request => request.path === path);
  const count = () => receiver.requests.filter(request => request.path === path).length;
  return { ...made, path, sent, count };
}

const byId = (by: Caller, id: string) => ask<Endpoint>(by, BY_ID, { id });
const delivery = (by: Caller, id: string) => ask<Delivery>(by, DELIVERY_BY_ID, { id });

interface Page {
  readonly edges: readonly { readonly cursor: string; readonly node: Delivery }[];
  readonly pageInfo: {
    readonly hasNextPage: boolean;
    readonly hasPreviousPage: boolean;
    readonly startCursor: string | null;
    readonly endCursor: string | null;
  };
}

async function page(by: Caller, id: string, args: Item = {}): Promise<Page> {
  return (await ask<{ deliveries: Page }>(by, DELIVERIES, { id, ...args })).deliveries;
}

/** Deliveries of an endpoint, oldest first. */
async function deliveries(by: Caller, id: string, args: Item = {}): Promise<Delivery[]> {
  return (await page(by, id, { first: 250, ...args })).edges.map(({ node }) => node).toReversed();
}

/** A delivery once it is in a state. */
function settled(by: Caller, id: string, status = 'success'): Promise<Delivery> {
  return vi.waitUntil(async () => {
    const one = await delivery(by, id);
    return one.status === status && one;
  }, SOON);
}

/** The code of a refusal, and what was wrong where. */
async function refusal(by: Caller, query: string, variables: Item = {}) {
  const { data, errors } = await by.graphql(query, variables);
  expect(Object.values(data ?? {}).filter(value => value !== null)).toEqual([]);
  const extensions = errors?.[0]?.extensions;
  const wrong = extensions?.errors?.map(({ pointer, code }) => `${pointer} ${code}`);
  return wrong ? `${extensions?.code}: ${wrong.join(', ')}` : extensions?.code;
}

/** A company with a carrier. */
async function company() {
  const by = await world.company();
  return { by, brt: await connectCarrier(by) };
}

/** Minute `minute` of an hour. */
const at = (minute: number) => new Date(Date.UTC(2026, 10, 21, 9, minute)).toISOString();

const told = (trackingNumber: string, minute: number, statusCode: string, fields: Item = {}): Item => ({
  trackingNumber,
  timestamp: at(minute),
  statusCode,
  ...fields,
});

/** New shipments that are shipped, in one batch. */
async function ship(by: Caller, connection: number, ...numbers: string[]) {
  expect(
    outcomes(
      await upsertShipments(
        by,
        numbers.map(number => shipment(connection, number)),
      ),
    ),
  ).not.toContain('rejected');
  await record(by, ...numbers.map(number => told(number, 0, 'shipped')));
}

async function record(by: Caller, ...events: Item[]) {
  expect(outcomes(await recordEvents(by, events))).toEqual(events.map(() => 'created'));
}

/** A company whose one endpoint is paused, with a delivery that is held back: for what must change nothing. */
const still = {} as { by: Caller; stranger: Caller; id: string; deliveryId: string };
beforeAll(async () => {
  const { by, brt } = await company();
  const { id } = await endpoint(by);
  await ask(by, PAUSE, { id });
  await ship(by, brt, 'n');
  const [made] = await deliveries(by, id);
  Object.assign(still, { by, stranger: await world.company(), id, deliveryId: made?.id });
});

/** All there is of it. */
async function stillness() {
  const { by, id } = still;
  return [await ask<Endpoint[]>(by, ENDPOINTS), await deliveries(by, id)];
}

/** What is left of a delivery's body: its shipment. */
const numberOf = ({ body }: Delivery) => JSON.parse(body).data.trackingNumber as string;
const idOf = ({ headers }: Received) => headers['webhook-id'];
const STRANGERS = ['0', '-1', 'abc', '', '1.5', '９', '9'.repeat(30), '00000000-0000-4000-8000-000000000000'];

/** Whether a request was signed with a secret, by the published library. */
function verifies({ body, headers }: Received, secret: string): boolean {
  try {
    new Webhook(secret).verify(body.toString(), headers as Record<string, string>);
    return true;
  } catch {
    return false;
  }
}

describe('What is sent', () => {
  const schema = JSON.parse(
    readFileSync(new URL('../../schema/events/tracking.schema.json', import.meta.url), 'utf8'),
  ) as object;
  const ajv = new Ajv2020({ strict: false, allErrors: true });
  formats.default(ajv);
  const validate = ajv.compile(schema);

  const FULL = {
    reference: 'RIF-1',
    parcelNumber: 2,
    weight: '10.80',
    volume: 36000,
    trackingUrl: 'https://example.com/track?n=1',
    shipmentDate: '2026-11-20T08:00:00+01:00',
    expectedDeliveryDate: '2026-11-23T18:30:00.5Z',
  };
  const AGAIN = [{ trackingNumber: 'n' }];

  test.each<[string, Item, Item[]]>([
    ['bare', {}, []],
    ['full', FULL, []],
    ['of an order', { ...FULL, orderNumber: 'O1', recipient: undefined }, []],
    ['with one it names', { related: [{ trackingNumber: 'r', type: 'return' }] }, [{ trackingNumber: 'r' }]],
    ['with one that names it', {}, [{ trackingNumber: 'r', related: [{ trackingNumber: 'n', type: 'child' }] }]],
    ['whose number came twice', {}, AGAIN],
    ['in Unicode', { recipient: { ...RECIPIENT, city: 'Forlì \u2028 東京 👩‍👩‍👧' } }, []],
  ])('is the tracking record as REST answers it: %s', async (_what, fields, others) => {
    const { by, brt } = await company();
    const gls = await connectCarrier(by, 'GLS');
    const { id, sent } = await endpoint(by);
    await upsertOrders(by, [
      { orderNumber: 'O1', marketplaceOrderNumber: '405-1', recipient: { ...RECIPIENT, email: 'a@example.com' } },
    ]);
    for (const other of others) await upsertShipments(by, [shipment(gls, String(other.trackingNumber), other)]);
    expect(outcomes(await upsertShipments(by, [shipment(brt, 'n', fields)]))).toEqual(['created']);
    // The newest by its own time is not the last that is told.
    const last = { location: 'PALERMO', description: 'CONSEGNATA', note: 'Firmato' };
    await recordEvents(by, [
      { ...told('n', 30, 'delivered', last), carrierCompanyId: brt },
      { ...told('n', 10, 'shipped'), carrierCompanyId: brt },
    ]);

    const [request] = (await sent(1)) as [Received];
    const { data, ...envelope } = request.json;
    const { statusCode, previousStatusCode, event, ...record } = data;
    const { status, body } = await by.rest('GET', '/shipments/tracking/by-tracking-number/n');
    expect(status).toBe(200);
    expect(record).toEqual(body);
    expect('relatedShipments' in record).toBe('relatedShipments' in body);
    expect([statusCode, previousStatusCode]).toEqual(['delivered', 'created']);
    expect(event).toEqual({ timestamp: at(30), statusCode, label: 'Consegnata', ...last });
    expect(event).toEqual(body.timeline.at(-1));
    expect(envelope).toEqual({
      id: idOf(request),
      type: 'tracking.delivered',
      timestamp: expect.stringMatching(INSTANT),
      sequence: 1,
    });
    expect(validate(request.json), ajv.errorsText(validate.errors)).toBe(true);
    // To the byte what the graph shows.
    const [made] = (await deliveries(by, id)) as [Delivery];
    expect(request.body.toString()).toBe(made.body);
  });

  test.each([
    [200, 200, false],
    [201, 200, true],
  ])('has of %i events the newest %i, and says where it left some out: %s', async (count, kept, isTruncated) => {
    const { by, brt } = await company();
    const { sent } = await endpoint(by);
    await upsertShipments(by, [shipment(brt, 'n')]);
    const events = Array.from({ length: count }, (_, i) => told('n', i, i === count - 1 ? 'delivered' : 'created'));
    await record(by, ...events);
    const [request] = (await sent(1)) as [Received];
    const { timeline, event, ...rest } = request.json.data;
    const { body } = await by.rest('GET', '/shipments/tracking/by-tracking-number/n');
    expect(timeline).toEqual(body.timeline.slice(-kept));
    expect(event).toEqual(timeline.at(-1));
    expect(rest.timelineTruncated).toBe(isTruncated || undefined);
    expect(validate(request.json), ajv.errorsText(validate.errors)).toBe(true);
  });

  test('goes by POST as JSON', async () => {
    const { by, brt } = await company();
    const { sent, secret } = await endpoint(by);
    await ship(by, brt, 'n');
    const [request] = (await sent(1)) as [Received];
    expect(request.method).toBe('POST');
    expect(request.headers['content-type']).toMatch(/^application\/json/);
    expect(verifies(request, secret)).toBe(true);
  });
});

describe('A status fires', () => {
  test.each([
    ['created', null],
    ['shipped', 'tracking.order_shipped'],
    ['in_transit', 'tracking.in_transit'],
    ['at_depot', 'tracking.in_transit'],
    ['customs', 'tracking.in_transit'],
    ['out_for_delivery', 'tracking.out_for_delivery'],
    ['delayed', 'tracking.delay'],
    ['pickup_point', 'tracking.pickup_point'],
    ['delivery_failed', 'tracking.delivery_failed'],
    ['held', 'tracking.delivery_failed'],
    ['refused', 'tracking.delivery_failed'],
    ['delivered', 'tracking.delivered'],
    ['returning', null],
    ['returned', null],
    ['lost', 'tracking.delivery_failed'],
    ['cancelled', null],
    ['unknown', null],
  ])('%s: %s', async (statusCode, eventType) => {
    const { by, brt } = await company();
    const all = await endpoint(by);
    const only = await endpoint(by, { events: [eventType ?? 'tracking.delivered'] });
    const previous = statusCode === 'returned' ? 'cancelled' : 'returned';
    await upsertShipments(by, [shipment(brt, 'n')]);
    await record(by, told('n', 1, previous));
    await record(by, told('n', 2, statusCode));
    const fired = eventType === null ? [] : [{ eventType, sequence: 1 }];
    for (const { id } of [all, only]) {
      const made = await deliveries(by, id);
      expect(made).toMatchObject(fired);
      expect(made).toHaveLength(fired.length);
      for (const { body } of made) {
        expect(JSON.parse(body)).toMatchObject({ type: eventType, data: { statusCode, previousStatusCode: previous } });
      }
    }
    const [first] = fired.length > 0 ? await all.sent(1) : [];
    expect(first?.json.type).toBe(eventType ?? undefined);
  });

  test('only those that are subscribed to', async () => {
    const { by, brt } = await company();
    const { id } = await endpoint(by, { events: ['tracking.delay', 'tracking.delivered'] });
    await ship(by, brt, 'n');
    for (const [i, code] of ['in_transit', 'delayed', 'out_for_delivery', 'delivered'].entries()) {
      await record(by, told('n', i + 1, code));
    }
    expect((await deliveries(by, id)).map(({ eventType }) => eventType)).toEqual([
      'tracking.delay',
      'tracking.delivered',
    ]);
  });

  test('counting up, each with the status before it', async () => {
    const { by, brt } = await company();
    const { id, sent } = await endpoint(by);
    await upsertShipments(by, [shipment(brt, 'n'), shipment(brt, 'other')]);
    const way = ['shipped', 'in_transit', 'at_depot', 'returning', 'delayed', 'out_for_delivery', 'delivered'];
    for (const [i, code] of way.entries()) await record(by, told('n', i, code), told('other', i, code));
    const fired = way.filter(code => code !== 'returning');
    for (const number of ['n', 'other']) {
      const made = (await deliveries(by, id)).filter(one => numberOf(one) === number);
      expect(made.map(({ sequence }) => sequence)).toEqual(fired.map((_, i) => i + 1));
      expect(made.map(({ body }) => JSON.parse(body).data.previousStatusCode)).toEqual([
        'created',
        'shipped',
        'in_transit',
        'returning',
        'delayed',
        'out_for_delivery',
      ]);
    }
    const requests = await sent(12);
    expect(new Set(requests.map(idOf)).size).toBe(12);
  });

  test.each<[string, Item[][], string[]]>([
    ['once, where it stays', [[told('n', 1, 'in_transit')], [told('n', 2, 'in_transit')]], ['in_transit']],
    [
      'again, where it comes back',
      [[told('n', 1, 'delayed')], [told('n', 2, 'in_transit')], [told('n', 3, 'delayed')]],
      ['delayed', 'in_transit', 'delayed'],
    ],
    [
      'for each code, though the event is the same',
      [[told('n', 1, 'held')], [told('n', 2, 'refused')]],
      ['held', 'refused'],
    ],
    [
      'the newest of a batch only',
      [[told('n', 3, 'delivered'), told('n', 1, 'shipped'), told('n', 2, 'in_transit')]],
      ['delivered'],
    ],
    ['nothing, when told late', [[told('n', 5, 'delivered')], [told('n', 4, 'out_for_delivery')]], ['delivered']],
    ['nothing, when told twice', [[told('n', 5, 'held')], [told('n', 5, 'held')]], ['held']],
    ['nothing, when refused', [[told('n', 5, 'arrived'), told('nowhere', 5, 'held')]], []],
  ])('%s', async (_what, batches, codes) => {
    const { by, brt } = await company();
    const { id } = await endpoint(by);
    await upsertShipments(by, [shipment(brt, 'n')]);
    for (const batch of batches) await recordEvents(by, batch);
    expect((await deliveries(by, id)).map(({ body }) => JSON.parse(body).data.statusCode)).toEqual(codes);
  });

  test('to every endpoint of the company, and to none of another', async () => {
    const { by, brt } = await company();
    const { by: stranger } = await company();
    const ours = [await endpoint(by), await endpoint(by)];
    const theirs = await endpoint(stranger);
    await ship(by, brt, 'n');
    const ids = await Promise.all(ours.map(async ({ sent }) => (await sent(1)).map(idOf)));
    expect(ids[0]).toEqual(ids[1]);
    expect(await deliveries(stranger, theirs.id)).toEqual([]);
    expect(theirs.count()).toBe(0);
  });
});

describe('createWebhookEndpoint', () => {
  test('answers the whole endpoint, and its secret this once', async () => {
    const by = await world.company();
    const { path: _, sent: __, count: ___, secret, ...made } = await endpoint(by, { label: ' Uno ' });
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    expect(made).toEqual({
      id: expect.any(String),
      label: 'Uno',
      url: expect.any(String),
      secretLast4: secret.slice(-4),
      events: ['tracking.*'],
      isActive: true,
      createdAt: expect.stringMatching(INSTANT),
      updatedAt: made.createdAt,
      disabledAt: null,
      disabledReason: null,
      pausedAt: null,
      failingSince: null,
      state: 'active',
      lastDelivery: null,
    });
    expect(await byId(by, made.id)).toEqual(made);
    expect(await ask(by, ENDPOINTS)).toEqual([made]);
    const input = { label: '', url: 'https://10.0.0.1/', events: ['x'] };
    expect(await refusal(by, CREATE, { input })).toBe(
      'validation_failed: /label required, /events/0 not_allowed, /url blocked_address',
    );
  });
});

describe('updateWebhookEndpoint', () => {
  test.each<[string, Item, Item]>([
    ['label', { label: ' Nuovo ' }, { label: 'Nuovo' }],
    ['url', { url: 'https://93.184.215.14/new' }, { url: 'https://93.184.215.14/new' }],
    [
      'events',
      { events: ['tracking.delay', 'tracking.delivered', 'tracking.delay'] },
      { events: ['tracking.delay', 'tracking.delivered'] },
    ],
    [
      'all',
      { label: 'N', url: 'https://93.184.215.14/all', events: ['tracking.delay'] },
      { label: 'N', url: 'https://93.184.215.14/all', events: ['tracking.delay'] },
    ],
  ])('changes %s and nothing else', async (_what, input, changed) => {
    const by = await world.company();
    const { id } = await endpoint(by);
    const before = await byId(by, id);
    await expect.poll(() => Date.now(), SOON).toBeGreaterThan(Date.parse(before.updatedAt));
    const after = await ask<Endpoint>(by, UPDATE, { id, input });
    // A new address is tried at once, which takes a moment.
    const state = 'url' in input ? 'catching_up' : 'active';
    expect(after).toEqual({ ...before, ...changed, state, updatedAt: expect.stringMatching(INSTANT) });
    expect(await byId(by, id)).toEqual({ ...after, state: expect.any(String) });
    expect(Date.parse(after.updatedAt)).toBeGreaterThan(Date.parse(before.updatedAt));
  });

  test.each<[string, Item, string]>([
    ['nothing', {}, ' empty'],
    ['label null', { label: null }, '/label required'],
    ['label blank', { label: ' ' }, '/label required'],
    ['url null', { url: null }, '/url required'],
    ['a url that is none', { url: 'x' }, '/url invalid_url'],
    ['a private url', { url: 'https://192.168.0.1/' }, '/url blocked_address'],
    ['events null', { events: null }, '/events required'],
    ['no events', { events: [] }, '/events required'],
    ['unknown events', { events: ['tracking.delay', 'x'] }, '/events/1 not_allowed'],
    [
      'a good and two bad fields',
      { label: 'N', url: 'ftp://x.com', events: [] },
      '/url https_required, /events required',
    ],
    ['a field there is not', { isActive: false }, '/isActive unknown_field'],
  ])('refuses %s, and changes nothing', async (_what, input, wrong) => {
    const before = await stillness();
    expect(await refusal(still.by, UPDATE, { id: still.id, input })).toBe(`validation_failed: ${wrong}`);
    expect(await stillness()).toEqual(before);
  });

  test('sends what comes then to the new address, signed as before', async () => {
    const { by, brt } = await company();
    const { id, count, secret } = await endpoint(by);
    await ask(by, UPDATE, { id, input: { url: `${receiver.url}/moved`, events: ['tracking.order_shipped'] } });
    await ship(by, brt, 'n');
    await record(by, told('n', 1, 'in_transit'));
    const [request] = (await receiver.waitFor(1, ({ path }) => path === '/moved')) as [Received];
    expect(request.json.type).toBe('tracking.order_shipped');
    expect(verifies(request, secret)).toBe(true);
    expect(await deliveries(by, id)).toHaveLength(1);
    expect(count()).toBe(0);
  });
});

describe('pause and resume', () => {
  let database: pg.Client;
  beforeAll(async () => {
    database = new pg.Client({ connectionString: world.databaseUrl });
    await database.connect();
  });
  afterAll(() => database?.end());

  test('hold back what comes, and send it oldest first', async () => {
    const { by, brt } = await company();
    const held = await endpoint(by);
    const open = await endpoint(by);
    const paused = await ask<Endpoint>(by, PAUSE, { id: held.id });
    expect(paused).toMatchObject({ state: 'paused', isActive: true, pausedAt: expect.stringMatching(INSTANT) });
    // Again, it changes nothing.
    expect(await ask(by, PAUSE, { id: held.id })).toEqual(paused);

    const numbers = times(40, i => `n${i}`);
    for (const some of [numbers.slice(0, 20), numbers.slice(20)]) await ship(by, brt, ...some);
    await open.sent(40);
    const waiting = await deliveries(by, held.id);
    expect(waiting).toHaveLength(40);
    for (const one of waiting) {
      expect(one).toMatchObject({ status: 'pending', isHeldBack: true, attemptCount: 0, attempts: [] });
    }
    expect(held.count()).toBe(0);

    expect(await ask(by, RESUME, { id: held.id })).toMatchObject({ state: 'catching_up', pausedAt: null });
    const ages = waiting.map(({ eventId }) => eventId);
    const arrived = (await held.sent(40)).map(request => ages.indexOf(idOf(request) as string));
    expect(new Set(arrived).size).toBe(40);
    // Ten are under way at a time: none comes before more than nine that are older.
    for (const [position, age] of arrived.entries()) expect(age - position, String(arrived)).toBeLessThan(10);
    await expect.poll(async () => (await byId(by, held.id)).state, SOON).toBe('active');
    await expect.poll(() => deliveries(by, held.id, { status: ['success'] }), SOON).toHaveLength(40);
    expect(held.count()).toBe(40);

    // And what comes then goes out as ever.
    await ship(by, brt, 'then');
    await held.sent(41);
  });

  test('take in what waited to be tried again', async () => {
    const by = await world.company();
    const { id, path, sent, count } = await endpoint(by);
    receiver.answer(request => ({ status: request.path === path ? 500 : 200 }));
    const { id: deliveryId } = await ask<Delivery>(by, TEST, { id });
    await sent(1);
    await settled(by, deliveryId, 'retrying');
    await ask(by, PAUSE, { id });
    expect(await delivery(by, deliveryId)).toMatchObject({ status: 'retrying', isHeldBack: true, attemptCount: 1 });
    receiver.answer({});
    expect(count()).toBe(1);
    await ask(by, RESUME, { id });
    await passTime(database, FIRST_RETRY_MS, by.companyId);
    expect(await settled(by, deliveryId)).toMatchObject({ attemptCount: 2, isHeldBack: false });
  });

  test('know an id in upper case', async () => {
    const by = await world.company();
    const { id, path, sent } = await endpoint(by);
    receiver.answer(request => ({ status: request.path === path ? 500 : 200 }));
    const { id: deliveryId } = await ask<Delivery>(by, TEST, { id: id.toUpperCase() });
    await sent(1);
    await settled(by, deliveryId, 'retrying');
    receiver.answer({});
    expect(await ask(by, PAUSE, { id: id.toUpperCase() })).toMatchObject({ id, state: 'paused' });
    expect(await delivery(by, deliveryId)).toMatchObject({ status: 'retrying', isHeldBack: true });
    expect(await ask(by, RESUME, { id: id.toUpperCase() })).toMatchObject({ id, pausedAt: null });
    await passTime(database, FIRST_RETRY_MS, by.companyId);
    await settled(by, deliveryId);
  });

  test('an update of a paused one leaves it paused', async () => {
    const { by, brt } = await company();
    const { id } = await endpoint(by);
    await ask(by, PAUSE, { id });
    const moved = await ask<Endpoint>(by, UPDATE, { id, input: { url: `${receiver.url}/later` } });
    expect(moved.state).toBe('paused');
    await ship(by, brt, 'n');
    expect(await deliveries(by, id)).toMatchObject([{ isHeldBack: true }]);
    await ask(by, RESUME, { id });
    await receiver.waitFor(1, ({ path }) => path === '/later');
  });

  test('resuming one that is active harms nothing', async () => {
    const { by, brt } = await company();
    const { id, sent } = await endpoint(by);
    expect(await ask<Endpoint>(by, RESUME, { id })).toMatchObject({ isActive: true, pausedAt: null });
    await ship(by, brt, 'n');
    await sent(1);
    await expect.poll(async () => (await byId(by, id)).state, SOON).toBe('active');
  });
});

describe('A deleted endpoint', () => {
  test('gets nothing any more, keeps its deliveries, and is refused what would send', async () => {
    const { by, brt } = await company();
    const { id, sent } = await endpoint(by);
    const { id: deliveryId } = await ask<Delivery>(by, TEST, { id });
    await sent(1);
    await settled(by, deliveryId);
    await ask(by, PAUSE, { id });
    await ship(by, brt, 'n');
    const gone = await ask<Endpoint>(by, DELETE, { id });
    expect(gone).toMatchObject({
      isActive: false,
      state: 'disabled',
      disabledReason: 'deleted',
      disabledAt: expect.stringMatching(INSTANT),
      lastDelivery: { status: 'cancelled' },
    });
    expect(await ask(by, DELETE, { id })).toEqual(gone);
    expect((await deliveries(by, id)).map(({ status, isHeldBack }) => [status, isHeldBack])).toEqual([
      ['success', false],
      ['cancelled', false],
    ]);

    const inactive = 'validation_failed: /id webhook_inactive';
    for (const query of [PAUSE, RESUME, ROTATE, TEST]) expect(await refusal(by, query, { id })).toBe(inactive);
    expect(await refusal(by, UPDATE, { id, input: { label: 'N' } })).toBe(inactive);
    expect(await refusal(by, REDELIVER, { id: deliveryId })).toBe(inactive);
    expect(await refusal(by, REPLAY, { id, since: '2020-01-01T00:00:00Z', until: '2099-01-01T00:00:00Z' })).toBe(
      inactive,
    );
    expect(await byId(by, id)).toEqual(gone);
    await record(by, told('n', 1, 'in_transit'));
    expect(await deliveries(by, id)).toHaveLength(2);
  });
});

describe('An endpoint that is gone', () => {
  test('is disabled, and active again once resumed, where there is room', async () => {
    const by = await world.company();
    const { id, path, sent } = await endpoint(by);
    receiver.answer(request => ({ status: request.path === path ? 410 : 200 }));
    const made = await ask<Delivery>(by, TEST, { id });
    await settled(by, made.id, 'failed');
    receiver.answer({});
    expect(await byId(by, id)).toMatchObject({ isActive: false, state: 'disabled', disabledReason: 'gone' });
    expect(await refusal(by, PAUSE, { id })).toBe('validation_failed: /id webhook_inactive');

    const others = await Promise.all(times(10, () => endpoint(by)));
    expect(await refusal(by, RESUME, { id })).toBe('webhook_limit_reached');
    expect((await byId(by, id)).isActive).toBe(false);
    await ask(by, DELETE, { id: others[0]?.id });
    expect(await ask(by, RESUME, { id })).toMatchObject({ isActive: true, disabledAt: null, disabledReason: null });
    await ask(by, REDELIVER, { id: made.id });
    await sent(2);
    await settled(by, made.id);
  });
});

describe('sendTestEvent', () => {
  test.each([
    ['tracking.order_shipped'],
    ['tracking.in_transit'],
    ['tracking.out_for_delivery'],
    ['tracking.delay'],
    ['tracking.pickup_point'],
    ['tracking.delivery_failed'],
    ['tracking.delivered'],
  ])('sends an example of %s, subscribed to or not', async type => {
    const by = await world.company();
    const { id, sent, secret } = await endpoint(by, {
      events: [type === 'tracking.delay' ? 'tracking.delivered' : 'tracking.delay'],
    });
    const made = await ask<Delivery>(by, TEST, { id, type });
    expect(made).toMatchObject({ endpoint: { id }, eventType: type, sequence: 0 });
    const [request] = (await sent(1)) as [Received];
    expect(idOf(request)).toBe(made.eventId);
    expect(request.body.toString()).toBe(made.body);
    expect(request.json).toMatchObject({ id: made.eventId, type, sequence: 0 });
    expect(verifies(request, secret)).toBe(true);
    expect(await settled(by, made.id)).toMatchObject({ attemptCount: 1, sequence: 0 });
  });

  test('is in_transit unless told, also where told null', async () => {
    const by = await world.company();
    const { id } = await endpoint(by);
    expect((await ask<Delivery>(by, TEST_AS_IT_IS, { id })).eventType).toBe('tracking.in_transit');
    expect((await ask<Delivery>(by, TEST, { id, type: null })).eventType).toBe('tracking.in_transit');
  });

  test.each(['', 'tracking.*', 'in_transit', 'Tracking.Delay', 'toString'])('refuses %j', async type => {
    const before = await stillness();
    expect(await refusal(still.by, TEST, { id: still.id, type })).toBe('validation_failed: /type not_allowed');
    expect(await stillness()).toEqual(before);
  });

  test('is held back while paused', async () => {
    const by = await world.company();
    const { id, sent, count } = await endpoint(by);
    await ask(by, PAUSE, { id });
    const made = await ask<Delivery>(by, TEST, { id });
    expect(made).toMatchObject({ status: 'pending', isHeldBack: true });
    expect(count()).toBe(0);
    await ask(by, RESUME, { id });
    expect((await sent(1)).map(idOf)).toEqual([made.eventId]);
  });
});

describe('rotateWebhookSecret', () => {
  test('has the old secrets sign beside the new one, five at most', async () => {
    const by = await world.company();
    const { id, secret, sent } = await endpoint(by);
    const secrets = [secret];
    for (let n = 1; n <= 5; n++) {
      await settled(by, (await ask<Delivery>(by, TEST, { id })).id);
      const request = (await sent(n)).at(-1) as Received;
      expect(String(request.headers['webhook-signature']).split(' ')).toHaveLength(n);
      expect(secrets.map(one => verifies(request, one))).toEqual(secrets.map(() => true));
      if (n === 5) break;
      const rotated = await ask<WithSecret>(by, ROTATE, { id });
      expect(rotated.secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
      expect(rotated.secretLast4).toBe(rotated.secret.slice(-4));
      expect((await byId(by, id)).secretLast4).toBe(rotated.secretLast4);
      // Not yet: it was made after what was sent.
      expect(verifies(request, rotated.secret)).toBe(false);
      secrets.push(rotated.secret);
    }
    expect(new Set(secrets).size).toBe(5);
    const before = await byId(by, id);
    expect(await refusal(by, ROTATE, { id })).toBe('validation_failed: /id too_many_secrets');
    expect(await byId(by, id)).toEqual(before);
  });

  test('knows an id in upper case, and goes on sending', async () => {
    const by = await world.company();
    const { id, secret, sent } = await endpoint(by);
    const rotated = await ask<WithSecret>(by, ROTATE, { id: id.toUpperCase() });
    expect(rotated.id).toBe(id);
    const { id: deliveryId } = await ask<Delivery>(by, TEST, { id });
    await vi.waitUntil(async () => (await delivery(by, deliveryId)).status === 'success', { timeout: 5_000 });
    const [request] = (await sent(1)) as [Received];
    expect([verifies(request, secret), verifies(request, rotated.secret)]).toEqual([true, true]);
  });

  test('at once from all sides leaves five at most', async () => {
    const by = await world.company();
    const { id, sent, secret } = await endpoint(by);
    const answers = await Promise.all(times(8, () => by.graphql<{ rotate: WithSecret }>(ROTATE, { id })));
    expect(answers.filter(({ errors }) => errors === undefined)).toHaveLength(4);
    await ask(by, TEST, { id });
    const [request] = (await sent(1)) as [Received];
    expect(String(request.headers['webhook-signature']).split(' ')).toHaveLength(5);
    expect(verifies(request, secret)).toBe(true);
  });
});

describe('deliveries', () => {
  /** An endpoint with so many deliveries, held back; their ids newest first. */
  async function filled(count: number) {
    const by = await world.company();
    const { id } = await endpoint(by);
    await ask(by, PAUSE, { id });
    const ids: string[] = [];
    for (let n = 0; n < count; n++) ids.unshift((await ask<Delivery>(by, TEST, { id })).id);
    return { by, id, ids };
  }
  const idsOf = ({ edges }: Page) => edges.map(({ node }) => node.id);

  test('are newest first, page by page, forwards and backwards', async () => {
    const { by, id, ids } = await filled(5);
    expect(idsOf(await page(by, id))).toEqual(ids);
    const seen: string[] = [];
    let after: string | null = null;
    for (const size of [2, 2, 1]) {
      const one: Page = await page(by, id, { first: 2, after });
      expect(one.edges).toHaveLength(size);
      expect(one.pageInfo).toMatchObject({
        hasNextPage: size === 2,
        startCursor: one.edges[0]?.cursor,
        endCursor: one.edges.at(-1)?.cursor,
      });
      seen.push(...idsOf(one));
      after = one.pageInfo.endCursor;
    }
    expect(seen).toEqual(ids);
    expect(await page(by, id, { first: 2, after })).toMatchObject({ edges: [], pageInfo: { hasNextPage: false } });
    expect(idsOf(await page(by, id, { last: 2, before: after }))).toEqual(ids.slice(2, 4));
    expect(idsOf(await page(by, id, { last: 2 }))).toEqual(ids.slice(3));
    // What comes meanwhile shifts no page.
    const first = await page(by, id, { first: 2 });
    await ask(by, TEST, { id });
    expect(idsOf(await page(by, id, { first: 2, after: first.pageInfo.endCursor }))).toEqual(ids.slice(2, 4));
  });

  test('are fifty a page unless told', async () => {
    const { by, brt } = await company();
    const { id } = await endpoint(by);
    await ask(by, PAUSE, { id });
    await ship(by, brt, ...times(51, i => `n${i}`));
    expect(await page(by, id)).toMatchObject({ edges: { length: 50 }, pageInfo: { hasNextPage: true } });
    expect(await page(by, id, { first: 51 })).toMatchObject({
      edges: { length: 51 },
      pageInfo: { hasNextPage: false },
    });
  });

  test('since a time, which counts too', async () => {
    const { by, id, ids } = await filled(3);
    const middle = await delivery(by, ids[1] ?? '');
    const since = idsOf(await page(by, id, { since: middle.createdAt }));
    expect(since).toEqual(ids.slice(0, 2));
    expect(idsOf(await page(by, id, { since: '2099-01-01T00:00:00Z' }))).toEqual([]);
    expect(idsOf(await page(by, id, { since: '2020-01-01T01:00:00+02:00' }))).toEqual(ids);
  });

  test('in one of some states', async () => {
    const { by } = await company();
    const { id, path, sent } = await endpoint(by);
    receiver.answer(request => ({
      status: request.path === path && request.json.type === 'tracking.delay' ? 500 : 200,
    }));
    const good = await ask<Delivery>(by, TEST, { id, type: 'tracking.delivered' });
    const bad = await ask<Delivery>(by, TEST, { id, type: 'tracking.delay' });
    await sent(2);
    await settled(by, good.id);
    await settled(by, bad.id, 'retrying');
    await ask(by, PAUSE, { id });
    const waiting = await ask<Delivery>(by, TEST, { id });
    receiver.answer({});
    for (const [status, ids] of [
      [['success'], [good.id]],
      [['retrying'], [bad.id]],
      [['pending'], [waiting.id]],
      [
        ['pending', 'success'],
        [waiting.id, good.id],
      ],
      [['failed', 'cancelled'], []],
      [[], []],
      [null, [waiting.id, bad.id, good.id]],
    ] as const) {
      expect(idsOf(await page(by, id, { status }))).toEqual(ids);
    }
    expect(idsOf(await page(by, id, { status: ['pending', 'success'], first: 1 }))).toEqual([waiting.id]);
  });

  test.each<[string, Item, string]>([
    ['a page of 0', { first: 0 }, '/first out_of_range'],
    ['a page of 251', { first: 251 }, '/first out_of_range'],
    ['a page of -1 from the end', { last: -1 }, '/last out_of_range'],
    ['a cursor that is none', { after: 'x' }, '/after invalid_cursor'],
    ['a time that is none', { since: 'yesterday' }, '/since'],
    ['a day that is none', { since: '2026-02-30T00:00:00Z' }, '/since'],
    ['a state that is none', { status: ['lost'] }, '/status/0 not_allowed'],
  ])('refuse %s', async (_what, args, wrong) => {
    expect(await refusal(still.by, DELIVERIES, { id: still.id, ...args })).toMatch(`validation_failed: ${wrong}`);
  });

  test('tell of every attempt', async () => {
    const by = await world.company();
    const { id, path, sent } = await endpoint(by);
    receiver.answer(request => (request.path === path ? { status: 503, body: 'più tardi' } : {}));
    const before = Date.now();
    const made = await ask<Delivery>(by, TEST, { id });
    const [request] = (await sent(1)) as [Received];
    const failed = await settled(by, made.id, 'retrying');
    expect(failed).toEqual({
      ...made,
      status: 'retrying',
      attemptCount: 1,
      nextAttemptAt: failed.attempts[0]?.nextAt,
      attempts: [
        {
          number: 1,
          startedAt: expect.stringMatching(INSTANT),
          durationMs: expect.any(Number),
          outcome: 'rejected',
          status: 503,
          answer: 'più tardi',
          nextAt: expect.stringMatching(INSTANT),
        },
      ],
    });
    const [first] = failed.attempts as [Attempt];
    expect(Date.parse(first.startedAt)).toBeGreaterThanOrEqual(before);
    expect(Date.parse(first.startedAt)).toBeLessThanOrEqual(request.at);
    expect(first.durationMs).toBeGreaterThanOrEqual(0);
    // In five seconds, a fifth more or less.
    const wait = Date.parse(first.nextAt ?? '') - request.at;
    expect(wait).toBeGreaterThan(3_900);
    expect(wait).toBeLessThan(8_000);

    receiver.answer({ status: 202, body: 'ok' });
    await ask(by, REDELIVER, { id: made.id });
    const delivered = await settled(by, made.id);
    expect(delivered).toMatchObject({ nextAttemptAt: null, deliveredAt: expect.stringMatching(INSTANT) });
    expect(delivered.attempts).toEqual([
      first,
      { ...first, ...delivered.attempts[1], number: 2, outcome: 'delivered', status: 202, answer: 'ok', nextAt: null },
    ]);
    expect(Date.parse(delivered.attempts[1]?.startedAt ?? '')).toBeGreaterThan(Date.parse(first.startedAt));
    receiver.answer({});
  });

  test('tell where a host does not resolve, and where nothing listens', async () => {
    const by = await world.company();
    for (const [url, outcome] of [
      ['http://hooks.nowhere.invalid/', 'unresolvable_host'],
      ['http://127.0.0.1:1/', 'connection_failed'],
    ]) {
      const { id } = await endpoint(by, { url });
      const made = await ask<Delivery>(by, TEST, { id });
      const { attempts } = await settled(by, made.id, 'retrying');
      expect(attempts).toMatchObject([{ number: 1, outcome, status: null, answer: null }]);
    }
  });
});

describe('redeliver', () => {
  test('sends again what succeeded, under the same id and to the byte', async () => {
    const { by, brt } = await company();
    const { id, sent } = await endpoint(by);
    await ship(by, brt, 'n');
    const [first] = (await sent(1)) as [Received];
    const [made] = (await deliveries(by, id)) as [Delivery];
    const before = await settled(by, made.id);
    const again = await ask<Delivery>(by, REDELIVER, { id: made.id });
    expect(again).toMatchObject({ id: made.id, eventId: made.eventId });
    const second = (await sent(2))[1] as Received;
    expect(idOf(second)).toBe(idOf(first));
    expect(second.body).toEqual(first.body);
    const after = await vi.waitUntil(async () => {
      const one = await delivery(by, made.id);
      return one.attemptCount === 2 && one;
    }, SOON);
    expect(after.status).toBe('success');
    expect(after.attempts).toMatchObject([before.attempts[0], { number: 2, outcome: 'delivered', status: 200 }]);
    expect(await deliveries(by, id)).toHaveLength(1);
  });

  test('is held back while paused', async () => {
    const by = await world.company();
    const { id, sent, count } = await endpoint(by);
    const made = await ask<Delivery>(by, TEST, { id });
    await settled(by, made.id);
    await ask(by, PAUSE, { id });
    expect(await ask<Delivery>(by, REDELIVER, { id: made.id })).toMatchObject({ status: 'pending', isHeldBack: true });
    expect(count()).toBe(1);
    await ask(by, RESUME, { id });
    await sent(2);
  });

  test('five times at once, sends it once or more but loses and breaks nothing', async () => {
    const by = await world.company();
    const { id, sent } = await endpoint(by);
    const made = await ask<Delivery>(by, TEST, { id });
    await settled(by, made.id);
    await Promise.all(times(5, () => ask(by, REDELIVER, { id: made.id })));
    await sent(2);
    await settled(by, made.id);
    const { attempts, attemptCount } = await vi.waitUntil(async () => {
      const one = await delivery(by, made.id);
      return one.attemptCount >= 2 && one;
    }, SOON);
    expect(attempts.map(({ number }) => number)).toEqual(times(attemptCount, i => i + 1));
  });
});

describe('replayDeliveries', () => {
  const SINCE = '2020-01-01T00:00:00Z';
  const UNTIL = '2099-01-01T00:00:00Z';
  const replay = async (by: Caller, id: string, args: Item = {}) =>
    (await ask<{ count: number }>(by, REPLAY, { id, since: SINCE, until: UNTIL, ...args })).count;

  test('sends an endpoint what happened before it was there, oldest first, with the same ids', async () => {
    const { by, brt } = await company();
    const first = await endpoint(by);
    for (const number of ['a', 'b', 'c']) await ship(by, brt, number);
    await record(by, told('a', 1, 'in_transit'));
    await ask(by, TEST, { id: first.id });
    const ids = (await deliveries(by, first.id)).slice(0, 4).map(({ eventId }) => eventId);
    const told4 = new Map((await first.sent(5)).map(request => [idOf(request), request.body]));

    const late = await endpoint(by);
    expect(await deliveries(by, late.id)).toEqual([]);
    expect(await replay(by, late.id)).toBe(4);
    const requests = await late.sent(4);
    expect(requests.map(idOf).toSorted()).toEqual(ids.toSorted());
    for (const request of requests) {
      expect(request.body).toEqual(told4.get(idOf(request)));
      expect(verifies(request, late.secret)).toBe(true);
    }
    expect((await deliveries(by, late.id)).map(({ eventId }) => eventId)).toEqual(ids);
    await expect.poll(async () => (await byId(by, late.id)).state, SOON).toBe('active');
    expect(first.count()).toBe(5);
  });

  test('sends again what was delivered, and lets what is on its way go on', async () => {
    const { by, brt } = await company();
    const { id, sent, count } = await endpoint(by);
    await ship(by, brt, 'a', 'b');
    await sent(2);
    for (const one of await deliveries(by, id)) await settled(by, one.id);
    await ask(by, PAUSE, { id });
    await ship(by, brt, 'c');
    expect(await replay(by, id)).toBe(2);
    expect(await replay(by, id)).toBe(0);
    const waiting = await deliveries(by, id);
    expect(waiting.map(({ status, isHeldBack }) => [status, isHeldBack])).toEqual(times(3, () => ['pending', true]));
    expect(count()).toBe(2);
    await ask(by, RESUME, { id });
    const requests = await sent(5);
    expect(requests.slice(2).map(idOf).toSorted()).toEqual(waiting.map(({ eventId }) => eventId).toSorted());
    for (const [i, one] of waiting.entries()) {
      await expect.poll(async () => (await delivery(by, one.id)).attemptCount, SOON).toBe(i < 2 ? 2 : 1);
    }
  });

  test('takes the events of a range, from `since` on and before `until`', async () => {
    const { by, brt } = await company();
    const first = await endpoint(by);
    const instants: string[] = [];
    for (const number of ['a', 'b', 'c']) {
      await ship(by, brt, number);
      const made = (await deliveries(by, first.id)).at(-1) as Delivery;
      instants.push(made.createdAt);
      await expect.poll(() => Date.now(), SOON).toBeGreaterThan(Date.parse(made.createdAt));
    }
    const { id } = await endpoint(by);
    await ask(by, PAUSE, { id });
    const [, b, c] = instants;
    expect(await replay(by, id, { since: b, until: c })).toBe(1);
    expect((await deliveries(by, id)).map(numberOf)).toEqual(['b']);
    expect(await replay(by, id, { since: SINCE, until: b })).toBe(1);
    expect((await deliveries(by, id)).map(numberOf).toSorted()).toEqual(['a', 'b']);
    expect(await replay(by, id, { since: b })).toBe(1);
    expect((await deliveries(by, id)).map(numberOf).toSorted()).toEqual(['a', 'b', 'c']);
    expect(await replay(by, id, { since: '2098-01-01T00:00:00Z' })).toBe(0);
  });

  describe('of the kinds', () => {
    let by: Caller;
    beforeAll(async () => {
      const made = await company();
      by = made.by;
      await endpoint(by);
      await ship(by, made.brt, 'n');
      await record(by, told('n', 1, 'delayed'));
      await record(by, told('n', 2, 'delivered'));
    });

    test.each<[string, string[] | null | undefined, string[]]>([
      ['those it subscribes to, unless told', undefined, ['tracking.delay']],
      ['the same where told null', null, ['tracking.delay']],
      ['others, where told', ['tracking.order_shipped'], ['tracking.order_shipped']],
      [
        'several, told twice',
        ['tracking.order_shipped', 'tracking.delay', 'tracking.delay'],
        ['tracking.order_shipped', 'tracking.delay'],
      ],
      ['all', ['tracking.*'], ['tracking.order_shipped', 'tracking.delay', 'tracking.delivered']],
      ['none', ['tracking.pickup_point'], []],
    ])('%s', async (_what, events, types) => {
      const { id } = await endpoint(by, { events: ['tracking.delay'] });
      await ask(by, PAUSE, { id });
      expect(await replay(by, id, events === undefined ? {} : { events })).toBe(types.length);
      expect((await deliveries(by, id)).map(({ eventType }) => eventType)).toEqual(types);
    });
  });

  test('knows of nothing that happened while the company had no active endpoint', async () => {
    const { by, brt } = await company();
    await ship(by, brt, 'before');
    const first = await endpoint(by);
    await ship(by, brt, 'meanwhile');
    await ask(by, DELETE, { id: first.id });
    await ship(by, brt, 'after');
    const { id, sent } = await endpoint(by);
    expect(await replay(by, id)).toBe(1);
    expect((await sent(1)).map(({ json }) => json.data.trackingNumber)).toEqual(['meanwhile']);
  });

  test.each<[string, Item, RegExp]>([
    ['until before since', { since: UNTIL, until: SINCE }, /^\/until out_of_range$/],
    ['until at since', { since: SINCE, until: SINCE }, /^\/until out_of_range$/],
    ['the same instant in other words', { since: SINCE, until: '2020-01-01T01:00:00+01:00' }, /^\/until out_of_range$/],
    ['a since that is none', { since: 'yesterday' }, /^\/since \w+$/],
    ['a since without an offset', { since: '2026-11-21T09:00:00' }, /^\/since \w+$/],
    ['a day that is none', { until: '2026-02-30T00:00:00Z' }, /^\/until \w+$/],
    ['both', { since: 'x', until: 'y' }, /^\/since \w+, \/until \w+$/],
    ['a since of null', { since: null }, /^\/since required$/],
    ['no events', { events: [] }, /^\/events required$/],
    [
      'unknown events',
      { events: ['tracking.delay', 'x', 'tracking.returned'] },
      /^\/events\/1 not_allowed, \/events\/2 not_allowed$/,
    ],
  ])('refuses %s', async (_what, args, wrong) => {
    const before = await stillness();
    const refused = await refusal(still.by, REPLAY, { id: still.id, since: SINCE, until: UNTIL, ...args });
    const [code, issues] = refused?.split(': ') ?? [];
    expect(code).toBe('validation_failed');
    expect(issues).toMatch(wrong);
    expect(await stillness()).toEqual(before);
  });
});

describe('Every operation', () => {
  const RANGE = { since: '2020-01-01T00:00:00Z', until: '2099-01-01T00:00:00Z' };
  const BY_ENDPOINT: [string, string, Item][] = [
    ['webhookEndpoint', BY_ID, {}],
    ['deliveries', DELIVERIES, {}],
    ['updateWebhookEndpoint', UPDATE, { input: { label: 'N' } }],
    ['deleteWebhookEndpoint', DELETE, {}],
    ['pauseWebhookEndpoint', PAUSE, {}],
    ['resumeWebhookEndpoint', RESUME, {}],
    ['rotateWebhookSecret', ROTATE, {}],
    ['sendTestEvent', TEST, {}],
    ['replayDeliveries', REPLAY, RANGE],
  ];
  const BY_DELIVERY: [string, string, Item][] = [
    ['webhookDelivery', DELIVERY_BY_ID, {}],
    ['redeliver', REDELIVER, {}],
  ];

  test.each([
    ['webhookEndpoints', ENDPOINTS, {}],
    ['createWebhookEndpoint', CREATE, { input: { label: 'x', url: 'https://93.184.215.14', events: ['tracking.*'] } }],
    ...BY_ENDPOINT,
    ...BY_DELIVERY,
  ] as [string, string, Item][])('%s needs webhooks:manage', async (_what, query, variables) => {
    const by = await world.company();
    const { id } = await endpoint(by);
    await ask(by, PAUSE, { id });
    const { id: deliveryId } = await ask<Delivery>(by, TEST, { id });
    const before = await byId(by, id);
    const other = await world.key(
      by.companyId,
      ALL_SCOPES.filter(scope => scope !== 'webhooks:manage'),
    );
    const which = query === REDELIVER || query === DELIVERY_BY_ID ? deliveryId : id;
    const { data, errors } = await other.graphql(query, { id: which, ...variables });
    expect(errors?.[0]?.extensions).toMatchObject({
      code: 'insufficient_scope',
      status: 403,
      requiredScope: 'webhooks:manage',
    });
    expect(Object.values(data ?? {}).filter(value => value !== null)).toEqual([]);
    expect(await byId(by, id)).toEqual(before);
    // And no other.
    const one = await world.key(by.companyId, ['webhooks:manage']);
    expect((await one.graphql(query, { id: which, ...variables })).errors).toBeUndefined();
  });

  test.each(BY_ENDPOINT)(
    '%s knows no endpoint of another company, and none that never was',
    async (_what, query, args) => {
      const { id, stranger } = still;
      const before = await stillness();
      for (const one of [id, id.toUpperCase(), crypto.randomUUID(), ...STRANGERS]) {
        expect([one, await refusal(stranger, query, { ...args, id: one })]).toEqual([one, 'webhook_not_found']);
      }
      expect(await stillness()).toEqual(before);
      expect(await ask(stranger, ENDPOINTS)).toEqual([]);
    },
  );

  test.each(BY_DELIVERY)('%s knows no delivery of another company, and none that never was', async (_what, query) => {
    const { id, deliveryId, stranger } = still;
    const before = await stillness();
    for (const one of [deliveryId, `0${deliveryId}`, ` ${deliveryId}`, '999999999999999', id, ...STRANGERS]) {
      expect([one, await refusal(stranger, query, { id: one })]).toEqual([one, 'webhook_not_found']);
    }
    expect(await stillness()).toEqual(before);
  });

  test('with a cursor of another company shows only its own', async () => {
    const [by, stranger] = [await world.company(), await world.company()];
    const [ours, theirs] = [await endpoint(by), await endpoint(stranger)];
    for (const [caller, { id }] of [
      [by, ours],
      [stranger, theirs],
    ] as const) {
      await ask(caller, PAUSE, { id });
      await ask(caller, TEST, { id });
    }
    const { pageInfo } = await page(stranger, theirs.id);
    const { edges } = await page(by, ours.id, { after: pageInfo.endCursor });
    expect(edges.map(({ node }) => node.endpoint.id)).toEqual([ours.id]);
  });
});
