import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import type { Retention } from '../../src/platform/jobs/job-kinds.ts';
import {
  ask,
  connectCarrier,
  type Item,
  listed,
  order,
  recordEvents,
  shipment,
  times,
  upsertOrders,
  upsertShipments,
} from '../support/platform-side.ts';
import { REACHABLE, type Receiver, startReceiver } from '../support/receiver.ts';
import { removeOld } from '../support/retention.ts';
import { type Caller, useWorld } from '../support/world.ts';
import { eventually } from './webhooks.ts';

const world = useWorld(REACHABLE);
let receiver: Receiver;
beforeAll(async () => {
  receiver = await startReceiver();
  receiver.answer(({ body }) => ({ body }));
});
afterAll(() => receiver?.close());

const PERSON = {
  companyName: 'Xaver Unterberger',
  address: 'Geheimgasse 7',
  postalCode: '39100',
  city: 'Bozenbrunn',
  province: 'BZ',
  countryCode: 'IT',
  email: 'xaver@privat.example',
  telephone: '0471 999 888',
};
const PERSONAL = 'unterberger|geheimgasse|bozenbrunn|privat\\.example|0471 999';
const ANONYMOUS = {
  companyName: null,
  address: '',
  city: '',
  postalCode: '39100',
  province: 'BZ',
  countryCode: 'IT',
  isAnonymized: true,
};
const at = (hour: number) => new Date(Date.UTC(2026, 9, 20, hour)).toISOString();

/** A company with an order of one shipment that was delivered, and that everybody has spoken about. */
async function delivered(number = 'N1') {
  const caller = await world.company();
  const brt = await connectCarrier(caller);
  await ask(
    caller,
    `mutation ($input: CreateWebhookEndpointInput!) {
      createWebhookEndpoint(input: $input) { webhookEndpoint { id } userErrors { code pointer message } } }`,
    {
      input: {
        label: 'All',
        url: receiver.url,
        events: ['tracking.*'],
        selection: '{ shipment { recipient { companyName address } } }',
      },
    },
  );
  await upsertOrders(caller, [order('O1', { recipient: PERSON })]);
  const fields = { orderNumber: 'O1', recipient: PERSON, trackingUrl: 'https://t.example.com/?to=Unterberger' };
  await upsertShipments(caller, [shipment(brt, number, fields)]);
  await recordEvents(caller, [
    { trackingNumber: number, occurredAt: at(8), statusCode: 'out_for_delivery', location: 'Bolzano' },
    {
      trackingNumber: number,
      occurredAt: at(10),
      statusCode: 'delivered',
      location: 'Bolzano',
      description: 'CONSEGNATA A UNTERBERGER',
      note: 'Firma: Unterberger',
    },
  ]);
  return { caller, brt };
}

const inDays = (days: number) => new Date(Date.now() + days * 24 * 3_600_000);

/** Has a row of a company count as changed in so many days from now. */
async function changedIn({ companyId }: Caller, days: number, table: 'shipment' | 'customer_order'): Promise<void> {
  const statement = `update ${table} set updated_at = now() + make_interval(days => $2) where company_id = $1`;
  await world.pool.query(statement, [companyId, days]);
}

/** In which tables of the database the company's person is found. */
async function tablesWithPerson({ companyId }: Caller): Promise<string[]> {
  const { rows } = await world.pool.query<{ name: string }>(
    `select format('%I.%I', n.nspname, c.relname) as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
      where n.nspname in ('public', 'pgboss') and c.relkind in ('r', 'p') and not c.relispartition order by c.relname`,
  );
  const found: string[] = [];
  for (const { name } of rows) {
    const rowsOf = `select from ${name} r where r::text ~* $1 and r::text like '%' || $2 || '%' limit 1`;
    if ((await world.pool.query(rowsOf, [PERSONAL, companyId])).rowCount) found.push(name.replace('public.', ''));
  }
  return found;
}

/** As it will be done in so many days, for all companies. */
const anonymizeIn = (days: number, retention: Partial<Retention> = {}, signal?: AbortSignal) =>
  removeOld(world, { table: 'shipment', now: inDays(days), ...(signal && { signal }), ...retention });

const SHOWN = `query ($n: String!) { trackingByNumber(trackingNumber: $n) {
  statusCode weight trackingUrl deliveredAt updatedAt
  recipient { companyName address postalCode city province countryCode isAnonymized }
  order { updatedAt recipient { companyName address isAnonymized } }
  timeline { nodes { occurredAt statusCode description location note } } } }`;
interface Shown {
  readonly updatedAt: string;
  readonly trackingUrl: string;
  readonly recipient: { readonly address: string; readonly isAnonymized: boolean };
  readonly order: { readonly updatedAt: string; readonly recipient: { readonly isAnonymized: boolean } };
  readonly [field: string]: unknown;
}
const show = (caller: Caller, n = 'N1') => ask(caller, SHOWN, { n }).then(listed<Shown>);
const isAnonymized = async (caller: Caller, n = 'N1') => (await show(caller, n)).recipient.isAnonymized;
const isOrderAnonymized = async (caller: Caller) =>
  ask<{ nodes: { recipient: { isAnonymized: boolean } }[] }>(
    caller,
    '{ orders { nodes { recipient { isAnonymized } } } }',
  ).then(({ nodes }) => nodes.map(({ recipient }) => recipient.isAnonymized));

describe('The recipient of a shipment that has ended', () => {
  test('is removed from every table after 730 days, while the data for estimates stay', async () => {
    const { caller } = await delivered();
    const path = '/shipments/tracking/by-tracking-number/N1';
    const etagBefore = (await caller.rest('GET', path)).headers.get('etag');
    await anonymizeIn(729);
    const { updatedAt, order, recipient } = await show(caller);
    expect(recipient).toMatchObject({ address: 'Geheimgasse 7', isAnonymized: false });
    const tables = ['customer_order', 'order_contact', 'shipment', 'shipment_contact', 'tracking_event'];
    // The receiver has answered with what it was sent.
    const ofWebhooks = ['webhook_attempt', 'webhook_delivery', 'webhook_event'];
    await eventually(() => tablesWithPerson(caller), [...tables, ...ofWebhooks]);

    expect(await anonymizeIn(731)).toEqual({ shipment: 2 });
    expect(await tablesWithPerson(caller)).toEqual([]);
    expect(await show(caller)).toMatchObject({
      statusCode: 'delivered',
      deliveredAt: at(10),
      recipient: ANONYMOUS,
      updatedAt,
      order: { updatedAt: order.updatedAt, recipient: { companyName: null, address: '', isAnonymized: true } },
      trackingUrl: expect.stringMatching(/brt/i),
      timeline: [
        { occurredAt: at(8), statusCode: 'out_for_delivery', description: null, location: 'Bolzano', note: null },
        { occurredAt: at(10), statusCode: 'delivered', description: null, location: 'Bolzano', note: null },
      ],
    });
    const { status, headers, body } = await caller.rest('GET', path);
    expect([status, body.recipient.address, body.recipient.postalCode]).toEqual([200, '', '39100']);
    expect(headers.get('etag')).not.toBe(etagBefore);
  });

  test('is removed without a change in the change log', async () => {
    const { caller } = await delivered();
    const latest = () => ask<{ latest: number }>(caller, '{ changeLog { latest } }');
    const before = await latest();
    await anonymizeIn(731);
    expect(await isAnonymized(caller)).toBe(true);
    expect(await latest()).toEqual(before);
  });

  test('is never removed if the retention is 0 days', async () => {
    const { caller } = await delivered();
    expect(await anonymizeIn(5000, { recipientDays: 0 })).toEqual({ shipment: 0 });
    expect(await isAnonymized(caller)).toBe(false);
  });

  test('is removed again if it is sent again, and no row is written twice', async () => {
    const { caller, brt } = await delivered();
    await anonymizeIn(731);
    const written = async () => {
      const statement = 'select xmin::text, id from shipment where company_id = $1';
      return (await world.pool.query(statement, [caller.companyId])).rows;
    };
    const before = await written();
    expect(await anonymizeIn(732)).toEqual({ shipment: 0 });
    expect(await written()).toEqual(before);
    await upsertShipments(caller, [shipment(brt, 'N1', { recipient: PERSON })]);
    await changedIn(caller, 732, 'shipment');
    await anonymizeIn(1461);
    expect(await isAnonymized(caller)).toBe(false);
    await anonymizeIn(1463);
    expect(await tablesWithPerson(caller)).toEqual([]);
  });
});

test('The text of an event that comes after the recipient was removed is removed after the same time, whatever the status', async () => {
  const { caller } = await delivered();
  await changedIn(caller, -1000, 'shipment');
  await changedIn(caller, -1000, 'customer_order');
  await anonymizeIn(0);
  expect(await tablesWithPerson(caller)).toEqual([]);
  const late = {
    occurredAt: at(9),
    statusCode: 'in_transit',
    description: 'CITOFONO UNTERBERGER',
    note: 'Unterberger',
  };
  await recordEvents(caller, [{ trackingNumber: 'N1', ...late }]);
  await anonymizeIn(729);
  expect(await tablesWithPerson(caller)).toEqual(['tracking_event']);
  await anonymizeIn(731);
  expect(await tablesWithPerson(caller)).toEqual([]);
});

describe('A recipient is kept', () => {
  const soon = { recipientDays: 30 };

  test('while the shipment is under way, until it has had no event for 180 days', async () => {
    const caller = await world.company();
    const brt = await connectCarrier(caller);
    await upsertShipments(caller, [shipment(brt, 'ENDED'), shipment(brt, 'OPEN')]);
    await recordEvents(caller, [{ trackingNumber: 'ENDED', occurredAt: at(10), statusCode: 'returned' }]);
    await anonymizeIn(31, soon);
    expect([await isAnonymized(caller, 'ENDED'), await isAnonymized(caller, 'OPEN')]).toEqual([true, false]);
    await anonymizeIn(179, soon);
    expect(await isAnonymized(caller, 'OPEN')).toBe(false);
    await anonymizeIn(181, soon);
    expect(await isAnonymized(caller, 'OPEN')).toBe(true);
  });

  test('in the order while another of its shipments is under way', async () => {
    const { caller, brt } = await delivered();
    await upsertShipments(caller, [shipment(brt, 'N2', { orderNumber: 'O1', recipient: PERSON })]);
    await anonymizeIn(31, soon);
    expect([await isAnonymized(caller), await isAnonymized(caller, 'N2')]).toEqual([true, false]);
    expect(await isOrderAnonymized(caller)).toEqual([false]);
    await recordEvents(caller, [{ trackingNumber: 'N2', occurredAt: at(20), statusCode: 'lost' }]);
    await changedIn(caller, 40, 'shipment');
    await anonymizeIn(71, soon);
    expect(await isOrderAnonymized(caller)).toEqual([true]);
    expect(await tablesWithPerson(caller)).toEqual([]);
  });

  test('in an order that has no shipment, until it has not changed for 180 days', async () => {
    const caller = await world.company();
    await upsertOrders(caller, [order('O2', { recipient: PERSON })]);
    await anonymizeIn(179, soon);
    expect(await isOrderAnonymized(caller)).toEqual([false]);
    await anonymizeIn(181, soon);
    expect(await isOrderAnonymized(caller)).toEqual([true]);
    expect(await tablesWithPerson(caller)).toEqual([]);
  });

  test('in an order that was changed after its shipment, until it has not changed for 180 days', async () => {
    const { caller } = await delivered();
    await changedIn(caller, 10, 'customer_order');
    await anonymizeIn(31, soon);
    await anonymizeIn(189, soon);
    expect([await isAnonymized(caller), await isOrderAnonymized(caller)]).toEqual([true, [false]]);
    await anonymizeIn(191, soon);
    expect(await tablesWithPerson(caller)).toEqual([]);
  });

  test('in an order whose last shipment was moved to another order, until it has not changed for 180 days', async () => {
    const caller = await world.company();
    const brt = await connectCarrier(caller);
    await upsertOrders(caller, [order('O1', { recipient: PERSON }), order('O2')]);
    await upsertShipments(caller, [shipment(brt, 'N1', { orderNumber: 'O1', recipient: PERSON })]);
    await changedIn(caller, -400, 'customer_order');
    // The walk along orders comes to this one and leaves it to its shipment.
    await anonymizeIn(0, soon);
    const { recipient, ...moved } = shipment(brt, 'N1', { orderNumber: 'O2' });
    await upsertShipments(caller, [{ ...moved, recipient: null }]);
    await anonymizeIn(179, soon);
    expect(await tablesWithPerson(caller)).toEqual(['customer_order', 'order_contact']);
    await anonymizeIn(181, soon);
    expect(await tablesWithPerson(caller)).toEqual([]);
  });

  test('if only another company has old shipments', async () => {
    const [mine, other] = [await delivered(), await delivered()];
    await changedIn(mine.caller, -731, 'shipment');
    await anonymizeIn(0);
    expect([await isAnonymized(mine.caller), await isAnonymized(other.caller)]).toEqual([true, false]);
  });
});

test('A shipment that another transaction is changing keeps its new data, and is anonymized later', async () => {
  const { caller } = await delivered();
  const client = await world.pool.connect();
  try {
    await client.query('begin');
    const change = `update shipment set updated_at = now() + interval '731 days' where company_id = $1`;
    await client.query(change, [caller.companyId]);
    const done = anonymizeIn(731);
    const waiting = `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'
      and query like '%old_shipment_walk%'`;
    await eventually(async () => ({ waiting: (await world.pool.query(waiting)).rowCount }), { waiting: 1 });
    await client.query('commit');
    await done;
  } finally {
    client.release();
  }
  expect(await isAnonymized(caller)).toBe(false);
  await anonymizeIn(1462);
  expect(await tablesWithPerson(caller)).toEqual([]);
});

test('A run of the retention that is stopped is continued by the next run', async () => {
  const caller = await world.company();
  const brt = await connectCarrier(caller);
  const numbers = times(450, i => `S${i}`);
  await upsertShipments(
    caller,
    numbers.map(number => shipment(brt, number, { recipient: PERSON })),
  );
  await recordEvents(
    caller,
    numbers.map(trackingNumber => ({ trackingNumber, occurredAt: at(9), statusCode: 'delivered' })),
  );
  const named = async () => {
    const statement = `select count(*)::integer as n from shipment where company_id = $1 and recipient ->> 'address' <> ''`;
    return (await world.pool.query<{ n: number }>(statement, [caller.companyId])).rows[0]?.n ?? 0;
  };
  const { database } = world.app;
  const stop = new AbortController();
  const transaction = database.transaction.bind(database);
  const spy = vi.spyOn(database, 'transaction').mockImplementation(async (...args) => {
    const result = await transaction(...args);
    if ((await named()) < numbers.length) stop.abort();
    return result;
  });
  await anonymizeIn(731, {}, stop.signal);
  spy.mockRestore();
  const left = await named();
  expect(left).toBeGreaterThan(0);
  expect(left).toBeLessThan(numbers.length);
  expect(await anonymizeIn(731)).toEqual({ shipment: left });
  expect(await tablesWithPerson(caller)).toEqual([]);
});

test('Rows of a table or company that cannot be changed do not stop the removal of others, and fail the run', async () => {
  const [first, second] = [await delivered(), await delivered()]
    .map(({ caller }) => caller)
    .sort((a, b) => (a.companyId < b.companyId ? -1 : 1)) as [Caller, Caller];
  const failing = (table: string, event: string, when: string) =>
    `create trigger failing before ${event} on ${table} for each row when (${when}) execute function failing();`;
  await world.pool.query(
    `create function failing() returns trigger language plpgsql as $$ begin raise 'out of order'; end $$;
    ${failing('idempotent_request', 'delete', 'true')}
    ${failing('shipment', 'update', `old.company_id = '${first.companyId}'`)}`,
  );
  await world.pool.query(
    `insert into idempotent_request (company_id, api_key_id, route, idempotency_key, claim, request)
      values ($1, $2, 'route', 'key', gen_random_uuid(), '')`,
    [second.companyId, second.apiKeyId],
  );
  try {
    const message = '2 of the tables and companies failed, the first in idempotent_request: out of order';
    await expect(removeOld(world, { now: inDays(731) })).rejects.toThrow(message);
  } finally {
    await world.pool.query('drop function failing cascade');
  }
  expect([await isAnonymized(first), await isAnonymized(second)]).toEqual([false, true]);
  await anonymizeIn(731);
  expect(await isAnonymized(first)).toBe(true);
});

describe('The timeline of a shipment', () => {
  const events = async (caller: Caller, n: string) => {
    const { timeline } = await ask<{ timeline: { nodes: Item[] } }>(caller, SHOWN, { n });
    return timeline.nodes.map(({ statusCode }) => statusCode);
  };
  const removeIn = (days: number, retention: Partial<Retention> = {}) =>
    removeOld(world, { table: 'tracking_event', now: inDays(days), ...retention });

  test('is kept by default, and reduced to its last event if the operator configures that', async () => {
    const { caller, brt } = await delivered();
    await upsertShipments(caller, [shipment(brt, 'OPEN')]);
    await recordEvents(caller, [
      { trackingNumber: 'OPEN', occurredAt: at(8), statusCode: 'shipped' },
      { trackingNumber: 'OPEN', occurredAt: at(9), statusCode: 'in_transit' },
      { trackingNumber: 'N1', occurredAt: at(11), carrierStatusCode: 'zzz' },
    ]);
    const all = ['out_for_delivery', 'delivered', 'unknown'];
    await removeIn(5000);
    expect(await events(caller, 'N1')).toEqual(all);
    await removeIn(100, { timelineDays: 101 });
    expect(await events(caller, 'N1')).toEqual(all);
    await removeIn(102, { timelineDays: 101 });
    expect(await events(caller, 'N1')).toEqual(['delivered']);
    expect(await events(caller, 'OPEN')).toEqual(['shipped', 'in_transit']);
  });

  test('is kept as long as a stored change can refer to it', async () => {
    const { caller } = await delivered();
    await removeIn(129, { timelineDays: 100, changeDays: 130 });
    expect(await events(caller, 'N1')).toEqual(['out_for_delivery', 'delivered']);
    await removeIn(131, { timelineDays: 100, changeDays: 130 });
    expect(await events(caller, 'N1')).toEqual(['delivered']);
  });
});
