import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import {
  ask,
  connectCarrier,
  type Item,
  order,
  RECORD_EVENTS,
  shipment,
  times,
  UPSERT_ORDERS,
  UPSERT_SHIPMENTS,
  upsertShipments,
} from '../support/platform-side.ts';
import { runs } from '../support/property-runs.ts';
import { statementsOf } from '../support/statements.ts';
import { type Caller, useWorld } from '../support/world.ts';
import { type Answer, type Call, send, useHeldLocks } from './gathered-writes.ts';

// Calls that arrive together have the results, and leave the state, that they would one after the other. The oracle is a
// second company, to which the same calls are sent each after the answer to the one before.

const world = useWorld({
  ROLE: 'api',
  MAX_SHIPMENT_EVENTS: '6',
  WEBHOOK_ALLOW_PRIVATE: '127.0.0.0/8',
  WEBHOOK_ALLOW_HTTP: 'true',
});
const { client, answersOf, answersBehind } = useHeldLocks(world);
const NUMBERS = ['A', 'B', 'C'];
const CREATE_ENDPOINT =
  'mutation ($input: CreateWebhookEndpointInput!) { createWebhookEndpoint(input: $input) { webhookEndpoint { id } userErrors { code pointer message } } }';

interface Company {
  readonly caller: Caller;
  readonly connection: number;
}

async function company(): Promise<Company> {
  const caller = await world.company();
  const connection = await connectCarrier(caller);
  await ask(caller, CREATE_ENDPOINT, { input: { label: 'None', url: 'http://127.0.0.1:9/', events: ['tracking.*'] } });
  await upsertShipments(
    caller,
    // Each is known by two numbers, so that calls that name no number in common may still mean the same shipment.
    NUMBERS.map(number => shipment(connection, number, { labels: [`L${number}`] })),
  );
  return { caller, connection };
}

/** Makes the items of a call of a company. */
type Calls = readonly (readonly ((company: Company) => Item)[])[];

/** Sends calls together to one company and one by one to another, and compares all that can be seen of both. */
async function expectSame(kind: string, document: string, calls: Calls, state: (of: Company) => Promise<unknown>) {
  const [together, alone] = [await company(), await company()];
  const of = (one: Company): Call[] => calls.map(makers => ({ document, input: makers.map(make => make(one)) }));
  const answers = await answersOf(together.caller, kind, of(together));
  const results = answers.map(({ result }) => withoutIds(result));
  const oracle: unknown[] = [];
  for (const call of of(alone)) oracle.push(withoutIds((await send(world, alone.caller, call)).result));
  expect(results).toEqual(oracle);
  expect(await state(together)).toEqual(await state(alone));
}

/** Ids are a company's own; whether there is one is the same. */
function withoutIds(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value ?? null, (key, own) => (/^(id|databaseId)$/.test(key) ? own !== null : own)));
}

async function rowsOf(text: string, { caller }: Company): Promise<object[]> {
  return (await client().query<object>(text, [caller.companyId])).rows;
}

/** Shipments, their timelines in the order of arrival, and every webhook event with its body. */
async function shipmentsAndWebhooks(of: Company): Promise<unknown> {
  const shipments = await rowsOf(
    `select tracking_number, status_code, status_at, delivered_at, event_sequence, reference, weight, parcel_number,
        (select json_agg(json_build_array(e.occurred_at, e.status_code, e.location, e.description) order by e.id)
          from tracking_event e where e.company_id = s.company_id and e.shipment_id = s.id) as events,
        (select json_agg(l.tracking_number order by l.position) from shipment_label l
          where l.company_id = s.company_id and l.shipment_id = s.id) as labels
      from shipment s where company_id = $1 order by tracking_number`,
    of,
  );
  const webhooks = await rowsOf(
    `select s.tracking_number, w.type, w.sequence, w.body::jsonb #> '{data}' as data, count(d.id)::integer as deliveries
      from webhook_event w join shipment s on s.company_id = w.company_id and s.id = w.shipment_id
      left join webhook_delivery d on d.company_id = w.company_id and d.event_id = w.id
      where w.company_id = $1 group by 1, 2, 3, 4 order by 1, 3`,
    of,
  );
  const jobs = await rowsOf(
    `select count(*)::integer as count from pgboss.job where data ->> 'companyId' = $1
      and name like 'webhooks.%'`,
    of,
  );
  return { shipments, webhooks, jobs };
}

const orders = (of: Company) =>
  rowsOf(
    `select order_number, marketplace, cod_amount, recipient, parcels, c.email from customer_order o
      left join order_contact c on c.company_id = o.company_id and c.order_id = o.id
      where o.company_id = $1 order by order_number`,
    of,
  );

/** Few numbers, times and values, so that calls meet; no more calls than a company may have under way while another asks. */
const batches = <Make>(item: fc.Arbitrary<Make>) =>
  fc.array(fc.array(item, { minLength: 1, maxLength: 3 }), { minLength: 3, maxLength: 7 });
const optional = <Value>(field: string, ...values: Value[]) =>
  fc
    .option(fc.constantFrom(...values), { nil: undefined })
    .map(value => (value === undefined ? {} : { [field]: value }));

const event = fc
  .tuple(
    fc.constantFrom(...NUMBERS, 'A', 'LA', 'LB', 'nowhere'),
    fc.integer({ min: 0, max: 5 }),
    fc.constantFrom('in_transit', 'out_for_delivery', 'delivered', 'created'),
    optional('location', 'Bologna'),
  )
  .map(([trackingNumber, minute, statusCode, fields]) => () => ({
    trackingNumber,
    statusCode,
    occurredAt: new Date(Date.UTC(2026, 10, 20, 8, minute)).toISOString(),
    ...fields,
  }));

test('Events that arrive together are recorded and announced as if they arrived one after the other', async () => {
  await fc.assert(
    fc.asyncProperty(batches(event), calls => expectSame('events', RECORD_EVENTS, calls, shipmentsAndWebhooks)),
    { numRuns: runs(8, 8), endOnFailure: true },
  );
});

describe('Events of several companies that arrive together', () => {
  let first: Company;
  beforeAll(async () => {
    first = await company();
    // A fault that PostgreSQL finds: marked records are not stored.
    await client().query(`
      create function refuse() returns trigger language plpgsql as $$ begin raise exception 'refused'; end $$;
      create trigger refuse before insert on tracking_event for each row when (new.note = 'refuse') execute function refuse();`);
  });

  /** Sends calls behind one of another company, and counts the transactions that all of them took. */
  async function sendBehind(calls: readonly (Call & { readonly caller: Caller })[]) {
    const call = { document: RECORD_EVENTS, input: [event0('A', 0)] };
    let answers: Answer[] = [];
    const statements = await statementsOf(world, async () => {
      answers = await answersBehind(first.caller, 'events', call, calls);
    });
    return { answers, transactions: statements.filter(name => name === 'transaction').length };
  }

  test('share a transaction', async () => {
    const callers: Caller[] = [];
    for (let i = 0; i < 6; i++) callers.push((await company()).caller);
    const calls = callers.map(caller => ({ caller, document: RECORD_EVENTS, input: [event0('A', 1)] }));
    const { answers, transactions } = await sendBehind(calls);
    expect(answers.map(({ result }) => result?.created)).toEqual(times(6, () => 1));
    // The company before them has one, which may be repeated without them; they share one; late calls have further ones.
    expect(transactions).toBeLessThanOrEqual(5);
  });

  // One of ten calls fails in PostgreSQL; the others are stored as if it had not been there.
  const items = fc.tuple(fc.array(event, { minLength: 1, maxLength: 3 }), fc.integer({ min: 0, max: 9 }));
  const calls = fc.array(fc.tuple(fc.integer({ min: 0, max: 2 }), items), { minLength: 4, maxLength: 9 });

  test('are recorded and announced as if they arrived one after the other, and fail alone', async () => {
    await fc.assert(
      fc.asyncProperty(calls, async sent => {
        const [together, alone] = [await companies(), await companies()];
        const of = (some: readonly Company[]) =>
          sent.map(([i, [makers, chance]]) => ({
            caller: (some[i] as Company).caller,
            document: RECORD_EVENTS,
            input: makers.map(make => ({ ...make(), ...(chance === 0 && { note: 'refuse' }) })),
          }));
        const { answers } = await sendBehind(of(together));
        const oracle: Answer[] = [];
        for (const call of of(alone)) oracle.push(await send(world, call.caller, call));
        const seen = (all: readonly Answer[]) => all.map(({ result, code }) => withoutIds({ result, code }));
        expect(seen(answers)).toEqual(seen(oracle));
        for (const [i, of] of together.entries()) {
          expect(await shipmentsAndWebhooks(of)).toEqual(await shipmentsAndWebhooks(alone[i] as Company));
          expect(await changesOf(of)).toEqual(await changesOf(alone[i] as Company));
        }
      }),
      { numRuns: runs(6, 8), endOnFailure: true },
    );
  });
});

const event0 = (trackingNumber: string, minute: number) => ({
  trackingNumber,
  statusCode: 'in_transit',
  occurredAt: new Date(Date.UTC(2026, 10, 20, 9, minute)).toISOString(),
});

/** All of them have shipments of the same numbers. */
const companies = async () => [await company(), await company(), await company()];

/** The change log: its last number, and what it says, since calls that share a round are numbered by their shipments. */
async function changesOf(of: Company): Promise<unknown> {
  const logged = await rowsOf(
    `select t.kind, s.tracking_number, e.occurred_at, e.location, t.status_code, t.previous_status_code
      from tracking_change t join shipment s on s.company_id = t.company_id and s.id = t.shipment_id
      left join tracking_event e on e.company_id = t.company_id and e.id = t.event_id
      where t.company_id = $1 order by 2, 3, 4, 1, 5`,
    of,
  );
  const numbers = await rowsOf(
    'select array_agg(number order by number) from tracking_change where company_id = $1',
    of,
  );
  return { logged, numbers };
}

const changedShipment = fc
  .tuple(
    fc.constantFrom('A', 'N1', 'N2', 'N3'),
    optional('reference', 'R1', 'R2', null),
    optional('weight', '1.5', '2.50'),
    optional('labels', [], ['X'], ['X', 'Y']),
    fc.boolean(),
  )
  .map(
    ([number, reference, weight, labels, isRejected]) =>
      ({ connection }: Company) =>
        shipment(connection, number, {
          ...reference,
          ...weight,
          ...labels,
          ...(isRejected && { orderNumber: 'none such' }),
        }),
  );

test('Shipments that arrive together are created and updated as if they arrived one after the other', async () => {
  await fc.assert(
    fc.asyncProperty(batches(changedShipment), calls =>
      expectSame('shipments', UPSERT_SHIPMENTS, calls, shipmentsAndWebhooks),
    ),
    { numRuns: runs(5, 8), endOnFailure: true },
  );
});

const changedOrder = fc
  .tuple(
    fc.constantFrom('O1', 'O2', 'O3'),
    optional('marketplace', 'eBay', 'Amazon', null),
    optional('codAmount', 10, 12.5),
    fc.constantFrom(null, 'anna@example.com'),
  )
  .map(([number, marketplace, codAmount, email]) => () => {
    const { recipient } = order(number);
    return order(number, { ...marketplace, ...codAmount, recipient: { ...(recipient as Item), email } });
  });

test('Orders that arrive together are created and updated as if they arrived one after the other', async () => {
  await fc.assert(
    fc.asyncProperty(batches(changedOrder), calls => expectSame('orders', UPSERT_ORDERS, calls, orders)),
    { numRuns: runs(5, 8), endOnFailure: true },
  );
});

test('A shipment whose status five calls change at once has five events, each with its status at that time', async () => {
  const { caller, connection: _ } = await company();
  const statuses = ['shipped', 'in_transit', 'out_for_delivery', 'delivery_failed', 'delivered'];
  await answersOf(
    caller,
    'events',
    times(5, i => ({
      document: RECORD_EVENTS,
      input: [
        {
          trackingNumber: 'A',
          statusCode: statuses[i],
          occurredAt: new Date(Date.UTC(2026, 10, 20, 8, i)).toISOString(),
        },
      ],
    })),
  );
  const { rows } = await client().query(
    `select sequence, body::jsonb #>> '{data,statusCode}' as now, body::jsonb #>> '{data,previousStatusCode}' as before,
        jsonb_array_length(body::jsonb #> '{data,timeline}') as timeline
      from webhook_event where company_id = $1 order by sequence`,
    [caller.companyId],
  );
  expect(rows).toEqual(
    times(5, i => ({ sequence: i + 1, now: statuses[i], before: statuses[i - 1] ?? 'created', timeline: i + 1 })),
  );
});
