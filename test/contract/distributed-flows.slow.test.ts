import { randomUUID } from 'node:crypto';
import type { EntityManager } from '@mikro-orm/postgresql';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { POLL_SCHEDULES } from '../../src/domain/polling/poll.jobs.ts';
import { WEBHOOK_SCHEDULES } from '../../src/domain/webhooks/webhooks.jobs.ts';
import { deliveries as deliveryQueue } from '../../src/domain/webhooks/webhooks.queues.ts';
import { gls } from '../../src/sandbox/gls-stand-in.ts';
import { startSandbox } from '../../src/sandbox/stand-ins.ts';
import { createWebhook, deliveries, eventually } from '../jobs/webhooks.ts';
import { importTariff, TARIFF } from '../rest/feed.ts';
import { merchantsOf } from '../rest/tariffs.ts';
import { connectSandbox } from '../support/carriers.ts';
import { partitionByCompany } from '../support/partitions.ts';
import {
  ask,
  askNodes,
  connectCarrier,
  feedEvents,
  feedOrders,
  feedShipments,
  WAREHOUSE,
} from '../support/platform-side.ts';
import { REACHABLE, startReceiver } from '../support/receiver.ts';
import { RETENTION } from '../support/retention.ts';
import { statementsOf } from '../support/statements.ts';
import { passTime } from '../support/time.ts';
import { type Caller, useWorld } from '../support/world.ts';

/**
 * What the service does over tables that are partitioned by company, as if they were distributed: every statement is of one
 * company then. With TEST_DATABASE=partitioned the other tests run over such tables too.
 */

const COMPANIES = 3;
/** The numbers that the carrier was asked about. */
const asked: string[] = [];
const counted: typeof gls = {
  ...gls,
  answer: request =>
    gls.answer({
      ...request,
      journey: number => {
        asked.push(number);
        return request.journey(number);
      },
    }),
};
const sandbox = await startSandbox({ carriers: [counted] });
const world = useWorld({ ...REACHABLE, CARRIER_SANDBOX_URL: sandbox.url }, partitionByCompany);
const newMerchant = merchantsOf(world);
let companies: { caller: Caller; brt: number }[];

beforeAll(async () => {
  companies = [];
  for (let i = 0; i < COMPANIES; i++) {
    const caller = await world.sandbox();
    companies.push({ caller, brt: await connectCarrier(caller) });
  }
});
afterAll(async () => {
  await sandbox.close();
});

const MINUTE = 60_000;
const at = (minute: number) => new Date(Date.UTC(2026, 10, 20, 9, minute)).toISOString();
const tracking = (caller: Caller, number: string, by = 'tracking-number') =>
  caller.rest('GET', `/shipments/tracking/by-${by}/${number}`);

describe('Companies that ask at once', () => {
  const NUMBER = 'SHARED1';
  const nameOf = (i: number) => `Company ${i}`;

  beforeAll(async () => {
    for (const [i, { caller, brt }] of companies.entries()) {
      await feedOrders(caller, { orderNumber: 'O-1', marketplaceOrderNumber: 'M-1', recipient: recipientOf(i) });
      await feedShipments(caller, brt, { trackingNumber: NUMBER, orderNumber: 'O-1', reference: 'R-1' });
      await feedEvents(caller, { trackingNumber: NUMBER, timestamp: at(i), statusCode: 'in_transit' });
    }
  });
  const recipientOf = (i: number) => ({
    companyName: nameOf(i),
    address: 'Via Po 1',
    postalCode: '10121',
    city: 'Torino',
    province: 'TO',
    countryCode: 'IT',
  });

  test('are each read by a statement of their own, and find what is theirs', async () => {
    const names: string[] = [];
    const statements = await statementsOf(world, async () => {
      const answers = await Promise.all(companies.map(({ caller }) => tracking(caller, NUMBER)));
      names.push(...answers.map(({ body }) => body.recipient.companyName));
    });
    expect(names).toEqual(companies.map((_, i) => nameOf(i)));
    const reads = statements.filter(name => name.startsWith('tracking'));
    expect(reads).toEqual(companies.map(() => 'tracking-by-main-number'));
  });

  test.each([
    ['by another number', 'R-1', 'tracking-number'],
    ['by the number of an order', 'M-1', 'order-number'],
  ])('find their shipments %s', async (_, number, by) => {
    const answers = await Promise.all(companies.map(({ caller }) => tracking(caller, number, by)));
    const records = answers.map(({ body }) => (Array.isArray(body) ? body[0] : body));
    expect(records.map(({ recipient }) => recipient.companyName)).toEqual(companies.map((_, i) => nameOf(i)));
  });
});

test('Events of several companies are recorded, and delivered in one batch to the receivers of each', async () => {
  const receiver = await startReceiver();
  try {
    for (const [i, { caller, brt }] of companies.entries()) {
      await createWebhook(caller, `${receiver.url}/${i}`);
      await feedShipments(caller, brt, { trackingNumber: `HOOK${i}` });
    }
    await Promise.all(
      companies.map(({ caller }, i) =>
        feedEvents(
          caller,
          { trackingNumber: `HOOK${i}`, timestamp: at(1), statusCode: 'shipped' },
          { trackingNumber: `HOOK${i}`, timestamp: at(2), statusCode: 'delivered' },
        ),
      ),
    );
    const requests = await receiver.waitFor(2 * COMPANIES);
    const arrived = requests.map(({ path, json }) => [path, json.data.trackingNumber, json.type]);
    expect(arrived.toSorted()).toEqual(
      companies.flatMap((_, i) =>
        ['tracking.delivered', 'tracking.order_shipped'].map(type => [`/${i}`, `HOOK${i}`, type]),
      ),
    );
    const query = '{ webhookEndpoints { nodes { deliveries(first: 5) { edges { node { status attemptCount } } } } } }';
    for (const { caller } of companies) {
      const statuses = async () => {
        const [endpoint] = await askNodes<{ deliveries: { edges: { node: object }[] } }>(caller, query);
        return endpoint?.deliveries.edges.map(({ node }) => node) ?? [];
      };
      await eventually(statuses, Array(2).fill({ status: 'success', attemptCount: 1 }));
    }
  } finally {
    await receiver.close();
  }
});

test('A tariff is imported, quoted by and replaced', async () => {
  const shop = await newMerchant(TARIFF);
  const price = async () => (await shop.quote()).body[0]?.totalPrice;
  const before = await price();
  const [version] = TARIFF.versions;
  const dearer = {
    ...TARIFF,
    versions: [{ ...version, surcharges: [{ code: 'extra', description: 'Extra', price: { fixed: 1 } }] }],
  };
  await importTariff(shop.caller, shop.ids[0] as number, dearer);
  expect(await price()).toBeGreaterThan(before);
});

test('A request with an Idempotency-Key is carried out once', async () => {
  const { caller } = companies[1] as (typeof companies)[number];
  const post = () => caller.rest('POST', '/warehouses', WAREHOUSE, { 'idempotency-key': 'once' });
  const [first, again] = [await post(), await post()];
  expect([first.status, again.status, again.headers.get('idempotent-replayed')]).toEqual([201, 201, 'true']);
  expect(again.body).toEqual(first.body);
  expect((await caller.rest('GET', '/warehouses')).body).toHaveLength(1);
});

test('Shipments of several companies are polled, each once', async () => {
  const NUMBER = 'POLL1 IN_TRANSIT';
  for (const { caller } of companies) {
    await feedShipments(caller, await connectSandbox(caller, 'GLS'), { trackingNumber: NUMBER });
  }
  await passTime(world.pool, 2 * MINUTE);
  const { jobs, log, metrics, url, database: ofService } = world.app;
  const housekeeping = {
    database: ofService,
    jobs,
    log,
    metrics,
    publicUrl: url,
    retention: RETENTION,
  };
  for (const { work } of POLL_SCHEDULES) await work(housekeeping);
  const query = 'query ($n: String!) { trackingByNumber(trackingNumber: $n) { statusCode } }';
  for (const { caller } of companies) {
    await eventually(() => ask(caller, query, { n: NUMBER }), { statusCode: 'in_transit' });
  }
  expect(asked.filter(number => number === 'POLL1IN_TRANSIT')).toHaveLength(COMPANIES);
});

test('Late and stalled shipments of several companies are announced to each', async () => {
  const DAY = 24 * 60 * MINUTE;
  const { jobs, log, metrics, url, database: ofService } = world.app;
  const endpoints: string[] = [];
  for (const [i, { caller, brt }] of companies.entries()) {
    endpoints.push((await createWebhook(caller, 'http://127.0.0.1:9/')).id);
    const expectedDeliveryDate = new Date(Date.now() - DAY).toISOString();
    await feedShipments(
      caller,
      brt,
      { trackingNumber: `LATE${i}`, expectedDeliveryDate },
      { trackingNumber: `STALL${i}` },
    );
    const { companyId } = caller;
    await world.pool.query(`update shipment set created_at = $3 where company_id = $1 and tracking_number = $2`, [
      companyId,
      `STALL${i}`,
      new Date(Date.now() - 15 * DAY),
    ]);
  }
  const schedule = WEBHOOK_SCHEDULES.find(({ queue }) => queue === 'webhooks.delays');
  await schedule?.work({
    database: ofService,
    jobs,
    log,
    metrics,
    publicUrl: url,
    retention: RETENTION,
  });
  for (const [i, { caller }] of companies.entries()) {
    const announced = (await deliveries(caller, endpoints[i] ?? '')).map(({ body }) => JSON.parse(body));
    const delays = announced.filter(({ type }) => type === 'tracking.delay');
    expect(delays.map(({ data }) => data.trackingNumber).toSorted()).toEqual([`LATE${i}`, `STALL${i}`]);
  }
});

describe('A transaction commits with the coordinator, where jobs are, if it', () => {
  const job = { data: { companyId: '' as never, endpointId: '', deliveryId: '', ticket: 1 } };
  const changes: [what: string, change: (em: EntityManager) => Promise<unknown>][] = [
    [
      'inserts jobs',
      em => world.app.jobs.insert(em, deliveryQueue, [{ ...job, startAfter: new Date(Date.now() + MINUTE) }]),
    ],
    ['withdraws jobs', em => world.app.jobs.withdraw(em, deliveryQueue, 'nobody', 1, {})],
    ['completes jobs', em => world.app.jobs.complete(em, deliveryQueue, [{ ...job, id: randomUUID(), retryCount: 0 }])],
  ];
  test.each(changes)('%s', async (_, change) => {
    // What a transaction does to have that: it deletes a row that is never there otherwise.
    await world.pool.query('insert into commit_point values (0)');
    await world.app.database.transaction(change);
    expect((await world.pool.query('select from commit_point')).rowCount).toBe(0);
  });
});
