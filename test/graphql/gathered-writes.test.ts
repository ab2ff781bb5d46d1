import pg from 'pg';
import { beforeAll, describe, expect, test } from 'vitest';
import { readGlobalId } from '../../src/graphql/node-id.ts';
import {
  ask,
  connectCarrier,
  order,
  outcomes,
  RECORD_EVENTS,
  shipment,
  times,
  UPSERT_ORDERS,
  UPSERT_SHIPMENTS,
  upsertShipments,
} from '../support/platform-side.ts';
import { statementsOf } from '../support/statements.ts';
import { type Caller, useWorld } from '../support/world.ts';
import { type Answer, type Call, send, useHeldLocks } from './gathered-writes.ts';
import { track } from './shipment-calls.ts';

// Calls of one kind and company that arrive together share a transaction. Nobody notices.

const world = useWorld({ ROLE: 'api' });
const { client, holding, until, waiting, sendTogether, answersOf } = useHeldLocks(world);
const CALLS = 12;

let caller: Caller;
let connection: number;
let shipments = 0;

beforeAll(async () => {
  caller = await world.company();
  connection = await connectCarrier(caller);
  // A fault that PostgreSQL finds: marked records are not stored.
  await client().query(`
    create function refuse() returns trigger language plpgsql as $$ begin raise exception 'refused'; end $$;
    create trigger refuse before insert on tracking_event for each row when (new.note = 'refuse') execute function refuse();
    create trigger refuse before insert on shipment for each row when (new.reference = 'refuse') execute function refuse();
    create trigger refuse before insert on customer_order for each row when (new.marketplace = 'refuse') execute function refuse();`);
});

/** New shipments of the company; their numbers. */
async function ship(count: number): Promise<string[]> {
  const numbers = times(count, () => `G${++shipments}`);
  const { created } = await upsertShipments(
    caller,
    numbers.map(number => shipment(connection, number)),
  );
  expect(created).toBe(count);
  return numbers;
}

const at = (minute: number) => new Date(Date.UTC(2026, 10, 20, 8, minute)).toISOString();
const event = (trackingNumber: string, minute: number, fields: object = {}) => ({
  trackingNumber,
  occurredAt: at(minute),
  statusCode: 'in_transit',
  ...fields,
});
const STEPS = ['in_transit', 'out_for_delivery'];
const CREATE_ENDPOINT = `mutation ($input: CreateWebhookEndpointInput!) {
  createWebhookEndpoint(input: $input) { webhookEndpoint { id } userErrors { code pointer message } }
}`;
const recordCall = (...input: object[]): Call => ({ document: RECORD_EVENTS, input: input as Call['input'] });

interface Kind {
  readonly kind: 'events' | 'shipments' | 'orders';
  readonly calls: () => Promise<Call[]>;
  /** A call that PostgreSQL refuses. */
  readonly refused: () => Promise<Call>;
}

/** Call `i` has `i % 3 + 1` items, the second of which is rejected. */
const KINDS: Kind[] = [
  {
    kind: 'events',
    calls: async () =>
      (await ship(CALLS)).map((number, i) =>
        recordCall(...times((i % 3) + 1, n => event(n === 1 ? 'nowhere' : number, n))),
      ),
    refused: async () => recordCall(event((await ship(1))[0] ?? '', 0, { note: 'refuse' })),
  },
  {
    kind: 'shipments',
    calls: async () =>
      times(CALLS, i => ({
        document: UPSERT_SHIPMENTS,
        input: times((i % 3) + 1, n => shipment(n === 1 ? 2_147_483_647 : connection, `G${++shipments}`)),
      })),
    refused: async () => ({
      document: UPSERT_SHIPMENTS,
      input: [shipment(connection, `G${++shipments}`, { reference: 'refuse' })],
    }),
  },
  {
    kind: 'orders',
    calls: async () =>
      times(CALLS, i => ({
        document: UPSERT_ORDERS,
        input: times((i % 3) + 1, n => order(`O${++shipments}`, n === 1 ? { warehouseId: 2_147_483_647 } : {})),
      })),
    refused: async () => ({ document: UPSERT_ORDERS, input: [order(`O${++shipments}`, { marketplace: 'refuse' })] }),
  },
];

const TABLES = { events: 'tracking_event', shipments: 'shipment', orders: 'customer_order' };

/** The stored records with the ids in a response, in their order; each must be there once. */
async function storedBy(kind: Kind['kind'], { result }: Answer): Promise<string[]> {
  const ids = (result?.results ?? []).flatMap(({ id }) => readGlobalId(id ?? '')?.key ?? []);
  const column = { events: 's.tracking_number', shipments: 't.tracking_number', orders: 't.order_number' }[kind];
  const join = kind === 'events' ? 'join shipment s on s.company_id = t.company_id and s.id = t.shipment_id' : '';
  const { rows } = await client().query<{ number: string }>(
    `select ${column} as number from ${TABLES[kind]} t ${join} join unnest($2::bigint[]) with ordinality wanted(id, n) on wanted.id = t.id
      where t.company_id = $1 order by n`,
    [caller.companyId, ids],
  );
  return rows.map(({ number }) => number);
}

/** The numbers that a call's items are about, without those rejected. */
const numbersOf = ({ input }: Call) =>
  input.filter((_, n) => n !== 1).map(item => String(item.orderNumber ?? item.trackingNumber));

const expected = (_: unknown, i: number) => ['created', 'rejected', 'created'].slice(0, (i % 3) + 1);

describe.each(KINDS)('Calls that send $kind at the same time', ({ kind, calls, refused }) => {
  test('share transactions, and each has its own results and its own response for its key', async () => {
    const sent = await calls();
    let answers: Answer[] = [];
    const statements = await statementsOf(world, async () => {
      answers = await answersOf(caller, kind, sent);
    });
    expect(answers.map(({ result }) => result && outcomes(result))).toEqual(sent.map(expected));
    for (const [i, answer] of answers.entries()) {
      expect(await storedBy(kind, answer)).toEqual(numbersOf(sent[i] as Call));
      expect(await send(world, caller, { ...(sent[i] as Call), key: answer.key })).toEqual({
        ...answer,
        isReplayed: true,
      });
    }
    expect(statements.filter(name => name === 'transaction').length).toBeLessThanOrEqual(3);
    // Where the process dies before it keeps an answer, the call is not carried out again.
    const { rows } = await client().query(
      'select 1 from idempotent_request where company_id = $1 and not took_effect',
      [caller.companyId],
    );
    expect(rows).toEqual([]);
  });

  test('fail alone: a call that PostgreSQL rejects does not affect the others, which are stored once', async () => {
    const sent = [...(await calls())];
    sent.splice(CALLS / 2, 0, await refused());
    const before = await count(kind);
    const answers = await answersOf(caller, kind, sent);
    expect(answers.map(({ code }) => code).filter(code => code !== undefined)).toEqual(['internal_error']);
    expect(answers[CALLS / 2]?.code).toBe('internal_error');
    const [others, theirs] = [answers, sent].map((all: readonly unknown[]) => all.filter((_, i) => i !== CALLS / 2));
    expect((others as Answer[]).map(({ result }) => result && outcomes(result))).toEqual(theirs?.map(expected));
    for (const [i, answer] of (others as Answer[]).entries()) {
      expect(await storedBy(kind, answer)).toEqual(numbersOf(theirs?.[i] as Call));
    }
    const created = (theirs as Call[]).flatMap(numbersOf).length;
    // The refused event's shipment is none of the events.
    expect((await count(kind)) - before).toBe(created);
    // A failed call may be sent again under its key; a successful one is not repeated.
    for (const [i, { key, text }] of answers.entries()) {
      const again = await send(world, caller, { ...(sent[i] as Call), key });
      expect([again.isReplayed, again.text === text]).toEqual(i === CALLS / 2 ? [false, false] : [true, true]);
    }
    expect((await count(kind)) - before).toBe(created);
  });

  test('fail together if their connection is lost, and each is done once when it is sent again', async () => {
    const sent = await calls();
    const before = await count(kind);
    const failed = await sendTogether(caller, kind, sent, async () => {
      // The first of them that wait for the lock, whose others wait for it in turn.
      await client().query(`select pg_terminate_backend(pid) from pg_stat_activity
        where wait_event_type = 'Lock' and datname = current_database()`);
      await until(async () => (await waiting()) > 0);
    });
    const answers = failed.map(one => (one.status === 'fulfilled' ? one.value : undefined));
    expect(answers.some(answer => answer?.code === 'unavailable')).toBe(true);
    for (const [i, answer] of answers.entries()) {
      const again = await send(world, caller, { ...(sent[i] as Call), key: answer?.key ?? '' });
      expect(again.result && outcomes(again.result)).toEqual(expected(undefined, i));
      expect(again.isReplayed).toBe(answer?.code === undefined);
    }
    expect((await count(kind)) - before).toBe(sent.flatMap(numbersOf).length);
  });
});

async function count(kind: Kind['kind']): Promise<number> {
  const { rows } = await client().query(
    `select count(*)::integer as count from ${TABLES[kind]} where company_id = $1`,
    [caller.companyId],
  );
  return rows[0].count;
}

describe('A call whose caller disconnects stores nothing and does not affect others', () => {
  const sendAndLeave = async (
    numbers: readonly string[],
    meanwhile: (leave: () => Promise<unknown>) => Promise<unknown>,
  ) => {
    const gone = new AbortController();
    const calls = numbers.map((number, i) => ({
      ...recordCall(event(number, 0)),
      // Without a key, which would be released when its caller is gone.
      ...(i === 2 && { key: null, signal: gone.signal }),
    }));
    const leave = async () => {
      gone.abort();
      // By the time that this is answered, the service has heard of it.
      await caller.rest('GET', '/warehouses');
    };
    const answers = await sendTogether(caller, 'events', calls, () => meanwhile(leave));
    expect(answers.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'rejected', 'fulfilled']);
    const timelines = await Promise.all(numbers.map(async number => (await track(caller, number)).timeline));
    expect(timelines.map(timeline => (timeline as object[]).length)).toEqual([1, 1, 0, 1]);
  };

  test('while it waits', async () => {
    await sendAndLeave(await ship(4), leave => leave());
  });

  test('while it is carried out with them', async () => {
    const numbers = await ship(4);
    const other = new pg.Client({ connectionString: world.ownerUrl });
    await other.connect();
    try {
      // The second call comes no further than its shipment, and those that share its transaction neither.
      await other.query('begin');
      await other.query('select 1 from shipment where company_id = $1 and tracking_number = $2 for update', [
        caller.companyId,
        numbers[1],
      ]);
      let left: Promise<unknown> | undefined;
      await sendAndLeave(numbers, async leave => {
        left = until(waitsForRow)
          .then(leave)
          .finally(() => other.query('rollback'));
      });
      await left;
    } finally {
      await other.end();
    }
  });
});

const waitsForRow = async () => {
  const { rows } = await client().query("select 1 from pg_locks where locktype = 'transactionid' and not granted");
  return rows.length > 0;
};

test('A call that waits for a row does not delay a call of another company', async () => {
  const [number = ''] = await ship(1);
  const others: [Caller, Call][] = [];
  for (let i = 0; i < 3; i++) {
    const other = await world.company();
    await upsertShipments(other, [shipment(await connectCarrier(other), number)]);
    others.push([other, recordCall(event(number, 0))]);
  }
  const holder = new pg.Client({ connectionString: world.ownerUrl });
  await holder.connect();
  try {
    await holder.query('begin');
    await holder.query('select 1 from shipment where company_id = $1 and tracking_number = $2 for update', [
      caller.companyId,
      number,
    ]);
    const held = send(world, caller, recordCall(event(number, 0)));
    await until(waitsForRow);
    for (let round = 0; round < 2; round++) {
      const answers = await Promise.all(others.map(([other, call]) => send(world, other, call)));
      expect(answers.map(({ result }) => result && outcomes(result))).toEqual(
        times(3, () => [round === 0 ? 'created' : 'unchanged']),
      );
    }
    await holder.query('rollback');
    expect((await held).result?.created).toBe(1);
  } finally {
    await holder.end();
  }
});

test('A lock that one company waits for fails no read of another company whose event shares the transaction', async () => {
  // Each with an endpoint, so that recording reads the table of promises.
  const [read, locked, first] = await Promise.all(
    times(3, async i => {
      const other = await world.company();
      await upsertShipments(other, [shipment(await connectCarrier(other), `L${i}`)]);
      const input = { label: 'None', url: 'https://hooks.example.com/', events: ['tracking.*'] };
      await ask(other, CREATE_ENDPOINT, { input });
      const record = (minute: number) =>
        send(world, other, recordCall(event(`L${i}`, minute, { statusCode: STEPS[minute] })));
      await record(0);
      return { other, record };
    }),
  );
  if (!read || !locked || !first) throw new Error('no companies');
  const holder = new pg.Client({ connectionString: world.ownerUrl });
  await holder.connect();
  try {
    // The calls that are to share a transaction wait for the transaction before it.
    const sent = await holding(first.other, 'events', async () => {
      const held = first.record(1);
      await until(async () => (await waiting()) > 0);
      await holder.query("select pg_notify('promises_changed', $1)", [read.other.companyId]);
      await holder.query('begin');
      await holder.query('select from tracking_change_count where company_id = $1 for update', [
        locked.other.companyId,
      ]);
      return [held, locked.record(1), read.record(1)];
    });
    await until(waitsForRow);
    const reads = times(5, () => read.other.rest('GET', '/shipments/tracking/by-tracking-number/L0'));
    expect((await Promise.all(reads)).map(({ status }) => status)).toEqual(times(5, () => 200));
    await holder.query('rollback');
    const answers = await Promise.all(sent);
    expect(answers.map(({ result }) => result?.created)).toEqual([1, 1, 1]);
  } finally {
    await holder.end();
  }
});

test('A large call that waits for a row does not delay another large call of its company', async () => {
  const numbers = await ship(40);
  const large = (some: readonly string[]) => recordCall(...times(20, i => event(some[i] as string, 0)));
  const holder = new pg.Client({ connectionString: world.databaseUrl });
  await holder.connect();
  try {
    await holder.query('begin');
    await holder.query('select from shipment where company_id = $1 and tracking_number = $2 for update', [
      caller.companyId,
      numbers[0],
    ]);
    const held = send(world, caller, large(numbers.slice(0, 20)));
    await until(waitsForRow);
    expect((await send(world, caller, large(numbers.slice(20)))).result?.created).toBe(20);
    await holder.query('rollback');
    expect((await held).result?.created).toBe(20);
  } finally {
    await holder.end();
  }
});

test('A call with the maximum number of items does not share a transaction with small calls, and neither waits for the other', async () => {
  const numbers = await ship(40);
  const large = recordCall(...times(1_000, i => event(numbers[i % 40] as string, i)));
  const small = numbers.map(number => recordCall(event(number, 2_000)));
  let answers: Answer[] = [];
  const statements = await statementsOf(world, async () => {
    answers = await answersOf(caller, 'events', [...small.slice(0, 5), large, ...small.slice(5, 10)]);
  });
  expect(answers.map(({ result }) => result?.created)).toEqual([1, 1, 1, 1, 1, 1_000, 1, 1, 1, 1, 1]);
  // The one that waited for its shipment, which is repeated after a moment, those before the large one, itself, and those
  // after it.
  expect(statements.filter(name => name === 'transaction').length).toBeLessThanOrEqual(5);
});
