import fc from 'fast-check';
import { expect, test } from 'vitest';
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
import { type Caller, useWorld } from '../support/world.ts';
import { type Call, send, useHeldLocks } from './gathered-writes.ts';

// Calls that arrive together have the results, and leave the state, that they would one after the other. The oracle is a
// second company, to which the same calls are sent each after the answer to the one before.

const world = useWorld({
  ROLE: 'api',
  MAX_SHIPMENT_EVENTS: '6',
  WEBHOOK_ALLOW_PRIVATE: '127.0.0.0/8',
  WEBHOOK_ALLOW_HTTP: 'true',
});
const { client, answersOf } = useHeldLocks(world);
const NUMBERS = ['A', 'B', 'C'];
const CREATE_ENDPOINT =
  'mutation ($input: CreateWebhookEndpointInput!) { createWebhookEndpoint(input: $input) { webhookEndpoint { id: uuid } userErrors { code pointer message } } }';

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
    timestamp: new Date(Date.UTC(2026, 10, 20, 8, minute)).toISOString(),
    ...fields,
  }));

test('Events are recorded and announced as one call after the other would have it', async () => {
  await fc.assert(
    fc.asyncProperty(batches(event), calls => expectSame('events', RECORD_EVENTS, calls, shipmentsAndWebhooks)),
    { numRuns: runs(8), endOnFailure: true },
  );
});

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

test('Shipments are created and updated as one call after the other would have it', async () => {
  await fc.assert(
    fc.asyncProperty(batches(changedShipment), calls =>
      expectSame('shipments', UPSERT_SHIPMENTS, calls, shipmentsAndWebhooks),
    ),
    { numRuns: runs(5), endOnFailure: true },
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

test('Orders are created and updated as one call after the other would have it', async () => {
  await fc.assert(
    fc.asyncProperty(batches(changedOrder), calls => expectSame('orders', UPSERT_ORDERS, calls, orders)),
    { numRuns: runs(5), endOnFailure: true },
  );
});

test('A shipment whose status five calls at once change has five events, each of what it was then', async () => {
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
          timestamp: new Date(Date.UTC(2026, 10, 20, 8, i)).toISOString(),
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
