import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import {
  ask,
  connectCarrier,
  createWarehouse,
  type Item,
  order,
  outcomes,
  refusal,
  shipment,
  upsertOrders,
  upsertShipments,
} from '../support/platform-side.ts';
import { runs } from '../support/property-runs.ts';
import type { Caller } from '../support/world.ts';
import {
  CREATE,
  deliveries,
  idOf,
  REDELIVER,
  REPLAY,
  record,
  settled,
  told,
  UPDATE,
  useWebhooks,
} from './webhook-calls.ts';

// Which events an endpoint with a filter receives.

const { world, endpoint } = useWebhooks();

/** A company with two of everything that filters look at. */
interface Shop {
  readonly by: Caller;
  readonly connections: Readonly<Record<string, number>>;
  readonly warehouses: readonly number[];
}

async function shop(): Promise<Shop> {
  const by = await world.company();
  const [BRT = 0, GLS = 0] = await Promise.all(['BRT', 'GLS'].map(code => connectCarrier(by, code)));
  const warehouses = await Promise.all(['Uno', 'Due'].map(name => createWarehouse(by, { name })));
  return { by, connections: { BRT, GLS }, warehouses };
}

/** A shipment, and its order if it has one, in the words of filters; warehouses by their place. */
interface Parcel {
  readonly carrier: 'BRT' | 'GLS';
  readonly warehouse?: 0 | 1 | undefined;
  readonly metadata?: Readonly<Record<string, string>> | undefined;
  readonly order?:
    | {
        readonly marketplace?: string | undefined;
        readonly warehouse?: 0 | 1 | undefined;
        readonly metadata?: Readonly<Record<string, string>> | undefined;
      }
    | undefined;
}

let parcels = 0;

/** Creates a shipment; returns its number. */
async function create({ by, connections, warehouses }: Shop, parcel: Parcel): Promise<string> {
  const number = `p${++parcels}`;
  const { carrier, warehouse, metadata, order: of } = parcel;
  const idOfWarehouse = (at: number | undefined) => (at === undefined ? null : warehouses[at]);
  if (of) {
    const fields = { marketplace: of.marketplace ?? null, warehouseId: idOfWarehouse(of.warehouse) };
    await upsertOrders(by, [order(number, { ...fields, metadata: of.metadata ?? {} })]);
  }
  const fields = {
    warehouseId: idOfWarehouse(warehouse),
    metadata: metadata ?? {},
    ...(of && { orderNumber: number }),
  };
  expect(outcomes(await upsertShipments(by, [shipment(connections[carrier] ?? 0, number, fields)]))).toEqual([
    'created',
  ]);
  return number;
}

describe('An event', () => {
  let own: Shop;
  beforeAll(async () => {
    own = await shop();
  });

  const SHIPPED = 'shipped';
  const OF_AMAZON = { marketplace: 'Amazon', warehouse: 0, metadata: { channel: 'b2c', team: 'n' } } as const;
  const cases: [what: string, filter: (shop: Shop) => Item, parcel: Parcel, passes: boolean][] = [
    ['of another carrier', () => ({ carriers: ['GLS'] }), { carrier: 'BRT' }, false],
    ['of the status', () => ({ statusCodes: [SHIPPED] }), { carrier: 'BRT' }, true],
    ['of another status', () => ({ statusCodes: ['delivered'] }), { carrier: 'BRT' }, false],
    ['from the warehouse', ({ warehouses: [a] }) => ({ warehouseIds: [a] }), { carrier: 'BRT', warehouse: 0 }, true],
    ['from another', ({ warehouses: [, b] }) => ({ warehouseIds: [b] }), { carrier: 'BRT', warehouse: 0 }, false],
    ["from its order's", ({ warehouses: [a] }) => ({ warehouseIds: [a] }), { carrier: 'BRT', order: OF_AMAZON }, true],
    [
      "from its own, and not its order's",
      ({ warehouses: [a] }) => ({ warehouseIds: [a] }),
      { carrier: 'BRT', warehouse: 1, order: OF_AMAZON },
      false,
    ],
    ['of the marketplace', () => ({ marketplaces: ['Amazon'] }), { carrier: 'BRT', order: OF_AMAZON }, true],
    ['of it in another case', () => ({ marketplaces: ['amazon'] }), { carrier: 'BRT', order: OF_AMAZON }, false],
    ['of no order', () => ({ marketplaces: ['Amazon'] }), { carrier: 'BRT' }, false],
    [
      'with the metadata',
      () => ({ metadata: [{ key: 'channel', values: ['b2b', 'x'] }] }),
      { carrier: 'BRT', metadata: { channel: 'b2b' } },
      true,
    ],
    [
      'with a key of every object',
      () => ({ metadata: [{ key: 'constructor', values: ['function Object() { [native code] }'] }] }),
      { carrier: 'BRT' },
      false,
    ],
    [
      'with the metadata of its order',
      () => ({ metadata: [{ key: 'channel', values: ['b2c'] }] }),
      { carrier: 'BRT', order: OF_AMAZON },
      true,
    ],
    [
      "with its own of a key, and not its order's",
      () => ({ metadata: [{ key: 'channel', values: ['b2c'] }] }),
      { carrier: 'BRT', metadata: { channel: 'b2b' }, order: OF_AMAZON },
      false,
    ],
    [
      'with both keys, of its own and of its order',
      () => ({
        metadata: [
          { key: 'channel', values: ['b2b'] },
          { key: 'team', values: ['n'] },
        ],
      }),
      { carrier: 'BRT', metadata: { channel: 'b2b' }, order: OF_AMAZON },
      true,
    ],
    [
      'that meets all but one',
      ({ warehouses }) => ({
        carriers: ['GLS'],
        warehouseIds: warehouses,
        marketplaces: ['Amazon'],
        statusCodes: [SHIPPED],
      }),
      { carrier: 'BRT', order: OF_AMAZON },
      false,
    ],
    ['where a condition is null', () => ({ carriers: ['BRT'], statusCodes: null }), { carrier: 'BRT' }, true],
  ];
  test.each(cases)(
    '%s is delivered if the filter matches it, and otherwise has no delivery',
    async (_what, filter, parcel, passes) => {
      const filtered = await endpoint(own.by, { filter: filter(own) });
      const number = await create(own, parcel);
      await record(own.by, told(number, 0, SHIPPED));
      const made = await deliveries(own.by, filtered.id);
      expect(made.map(({ number: place }) => place)).toEqual(passes ? [1] : []);
      if (passes) {
        const [request] = await filtered.sent(1);
        expect(request?.headers['webhook-delivery-number']).toBe('1');
        expect(request?.json.data.trackingNumber).toBe(number);
      }
      await ask(own.by, 'mutation ($id: ID!) { deleteWebhookEndpoint(input: { id: $id }) { userErrors { code } } }', {
        id: filtered.id,
      });
    },
  );

  test('reaches endpoints without a filter too, without a number', async () => {
    const own = await shop();
    const [all, none] = [await endpoint(own.by), await endpoint(own.by, { filter: { carriers: ['GLS'] } })];
    await record(own.by, told(await create(own, { carrier: 'BRT' }), 0, SHIPPED));
    const [request] = await all.sent(1);
    expect(request?.headers).not.toHaveProperty('webhook-delivery-number');
    expect((await deliveries(own.by, all.id)).map(({ number }) => number)).toEqual([null]);
    expect(await deliveries(own.by, none.id)).toEqual([]);
  });

  test('has consecutive numbers, even if several are recorded at once', async () => {
    const own = await shop();
    const { id } = await endpoint(own.by, { filter: { carriers: ['BRT'] } });
    const [one, other] = [await create(own, { carrier: 'BRT' }), await create(own, { carrier: 'GLS' })];
    await record(own.by, told(one, 0, SHIPPED), told(other, 0, SHIPPED), told(one, 1, 'in_transit'));
    await record(own.by, told(one, 2, 'delivered'));
    expect((await deliveries(own.by, id)).map(({ number }) => number)).toEqual([1, 2, 3]);
  });

  test('is delivered only if its kind is subscribed to', async () => {
    const own = await shop();
    const fields = { events: ['tracking.delivered'], filter: { carriers: ['BRT'] } };
    const { id } = await endpoint(own.by, fields);
    const number = await create(own, { carrier: 'BRT' });
    await record(own.by, told(number, 0, SHIPPED));
    await record(own.by, told(number, 1, 'delivered'));
    expect((await deliveries(own.by, id)).map(({ eventType }) => eventType)).toEqual(['tracking.delivered']);
  });
});

describe('Random events and filters', () => {
  const STATUSES = ['shipped', 'in_transit', 'delivered'] as const;
  const option = <Value>(value: fc.Arbitrary<Value>) => fc.option(value, { nil: undefined });
  const place = fc.constantFrom(0 as const, 1 as const);
  const metadata = option(
    fc.dictionary(fc.constantFrom('a', 'b'), fc.constantFrom('1', '2'), { noNullPrototype: true }),
  );
  const marketplace = option(fc.constantFrom('Amazon', 'eBay'));
  const parcel: fc.Arbitrary<Parcel> = fc.record({
    carrier: fc.constantFrom('BRT' as const, 'GLS' as const),
    warehouse: option(place),
    metadata,
    order: option(fc.record({ marketplace, warehouse: option(place), metadata })),
  });
  const some = <Value>(...values: Value[]) => option(fc.subarray(values, { minLength: 1 }));
  const filter = fc
    .record({
      carriers: some('BRT', 'GLS'),
      warehouses: some(0 as const, 1 as const),
      marketplaces: some('Amazon', 'eBay'),
      statusCodes: some(...STATUSES),
      metadata: option(
        fc.array(fc.record({ key: fc.constantFrom('a', 'b'), values: fc.subarray(['1', '2'], { minLength: 1 }) }), {
          minLength: 1,
          maxLength: 2,
        }),
      ),
    })
    .filter(conditions => Object.values(conditions).some(value => value !== undefined));
  type Filter = typeof filter extends fc.Arbitrary<infer Value> ? Value : never;

  /** The text of the guide, word by word. */
  function isToPass(of: Filter, { carrier, warehouse, order: from, metadata: own }: Parcel, status: string): boolean {
    const leaves = warehouse ?? from?.warehouse;
    const together: Record<string, string> = { ...from?.metadata, ...own };
    const tests = [
      of.carriers === undefined || of.carriers.some(one => one === carrier),
      of.warehouses === undefined || of.warehouses.some(one => one === leaves),
      of.marketplaces === undefined || of.marketplaces.some(one => one === from?.marketplace),
      of.statusCodes === undefined || of.statusCodes.some(one => one === status),
      (of.metadata ?? []).every(({ key, values }) => values.some(value => value === together[key])),
    ];
    return tests.every(Boolean);
  }

  test('reach a receiver exactly as a simple model predicts, numbered without a gap', async () => {
    let passed = 0;
    let held = 0;
    await fc.assert(
      fc.asyncProperty(
        fc.array(filter, { minLength: 2, maxLength: 4 }),
        fc.array(fc.record({ parcel, steps: fc.integer({ min: 1, max: 3 }) }), { minLength: 2, maxLength: 6 }),
        async (filters, sent) => {
          const own = await shop();
          const placed = ({ warehouses, ...others }: Filter) => {
            return { ...others, ...(warehouses && { warehouseIds: warehouses.map(at => own.warehouses[at]) }) };
          };
          const ends = [];
          for (const one of filters) ends.push(await endpoint(own.by, { filter: placed(one) }));
          const numbers: string[] = [];
          for (const { parcel: one } of sent) numbers.push(await create(own, one));
          // All in one batch, and then each by itself, so that steps of one transaction are distinguished too.
          const events = sent.flatMap(({ steps }, i) =>
            STATUSES.slice(0, steps).map((status, minute) => told(numbers[i] as string, minute, status)),
          );
          const [first, ...others] = events;
          await record(own.by, ...(first ? [first] : []));
          if (others.length > 0) await record(own.by, ...others);
          for (const [i, one] of filters.entries()) {
            const expected = sent.flatMap(({ parcel: of, steps }, at) =>
              STATUSES.slice(0, steps).flatMap(status =>
                isToPass(one, of, status) ? [`${numbers[at]} ${status}`] : [],
              ),
            );
            const { id, sent: received } = ends[i] as (typeof ends)[number];
            const made = await deliveries(own.by, id);
            expect(made).toHaveLength(expected.length);
            const requests = await received(expected.length);
            const got = requests.map(({ json }) => `${json.data.trackingNumber} ${json.data.statusCode}`);
            expect(got.toSorted()).toEqual(expected.toSorted());
            const places = requests.map(({ headers }) => Number(headers['webhook-delivery-number']));
            expect(places.toSorted((a, b) => a - b)).toEqual(expected.map((_, n) => n + 1));
            passed += expected.length;
            held += events.length - expected.length;
          }
        },
      ),
      { numRuns: runs(4), endOnFailure: true },
    );
    expect(passed).toBeGreaterThan(0);
    expect(held).toBeGreaterThan(0);
  }, 120_000);
});

describe('The filter of an endpoint', () => {
  const FILTER = 'filter { carriers warehouseIds marketplaces statusCodes metadata { key values } }';
  const filterOf = async (by: Caller, id: string) =>
    (await ask<Item>(by, `query ($id: ID!) { webhookEndpoint(id: $id) { ${FILTER} } }`, { id })).filter;

  test('is shown, replaced as a whole, and removed', async () => {
    const own = await shop();
    const filter = {
      carriers: ['BRT'],
      warehouseIds: [own.warehouses[0]],
      marketplaces: ['Amazon'],
      statusCodes: ['delivered', 'held'],
      metadata: [{ key: 'a', values: ['1', '2'] }],
    };
    const { id } = await endpoint(own.by, { filter });
    expect(await filterOf(own.by, id)).toEqual(filter);
    await ask(own.by, UPDATE, { input: { id, label: 'Altro' } });
    expect(await filterOf(own.by, id)).toEqual(filter);
    await ask(own.by, UPDATE, { input: { id, filter: { carriers: ['GLS'] } } });
    const nothing = { warehouseIds: null, marketplaces: null, statusCodes: null, metadata: null };
    expect(await filterOf(own.by, id)).toEqual({ ...nothing, carriers: ['GLS'] });
    await ask(own.by, UPDATE, { input: { id, filter: null } });
    expect(await filterOf(own.by, id)).toBeNull();
  });

  const wrong: [what: string, filter: Item, found: string][] = [
    ['nothing in it', {}, '/filter empty'],
    ['only null in it', { carriers: null }, '/filter empty'],
    ['an empty list', { carriers: [] }, '/filter/carriers empty'],
    ['a warehouse that is not there', { warehouseIds: [1_999_999_999] }, 'warehouse_not_found'],
    ['an empty marketplace', { marketplaces: [' '] }, '/filter/marketplaces/0 required'],
    ['another key', { metadata: [{ key: 'a b', values: ['x'] }] }, '/filter/metadata/0/key invalid_key'],
    ['a key without values', { metadata: [{ key: 'a', values: [] }] }, '/filter/metadata/0/values empty'],
    ['too many', { marketplaces: Array.from({ length: 101 }, (_, i) => `m${i}`) }, '/filter/marketplaces too_many'],
  ];
  test.each(wrong)('is rejected with %s, and the error names the field', async (_what, filter, found) => {
    const { by } = await shop();
    const input = { label: 'x', url: 'https://93.184.215.14/', events: ['tracking.*'], filter };
    const expected = found.startsWith('/') ? `validation_failed: ${found}` : found;
    expect(await refusal(by, CREATE, { input })).toBe(expected);
    const { id } = await endpoint(by);
    expect(await refusal(by, UPDATE, { input: { id, filter } })).toBe(expected);
  });

  test('rejects a warehouse of another company', async () => {
    const [own, other] = [await shop(), await shop()];
    const input = { label: 'x', url: 'https://93.184.215.14/', events: ['tracking.*'] };
    const filter = { warehouseIds: other.warehouses };
    const { data } = await own.by.graphql<Record<string, { userErrors: Item[] }>>(CREATE, {
      input: { ...input, filter },
    });
    expect(data.createWebhookEndpoint?.userErrors.map(({ code, pointer }) => `${pointer} ${code}`)).toEqual([
      '/filter/warehouseIds/0 warehouse_not_found',
      '/filter/warehouseIds/1 warehouse_not_found',
    ]);
  });

  test('is absent from REST, which has only the fields of the specification', async () => {
    const { by } = await shop();
    const input = { label: 'x', url: 'https://93.184.215.14/', events: ['tracking.*'] };
    for (const field of ['filter', 'selection']) {
      const { status, body } = await by.rest('POST', '/webhooks', { ...input, [field]: null });
      expect(status).toBe(422);
      expect(body.errors).toMatchObject([
        {
          pointer: `/${field}`,
          code: 'unknown_field',
          message: 'is not a known field; allowed are events, label, url',
        },
      ]);
    }
    await endpoint(by, { filter: { carriers: ['BRT'] } });
    const { body } = await by.rest('GET', '/webhooks');
    expect(body).toHaveLength(1);
    expect(body[0]).not.toHaveProperty('filter');
  });
});

test('A redelivery has the number of its delivery, and a replay sends only earlier deliveries', async () => {
  const own = await shop();
  const { id, sent } = await endpoint(own.by, { filter: { carriers: ['BRT'] } });
  await record(own.by, told(await create(own, { carrier: 'BRT' }), 0, 'shipped'));
  await record(own.by, told(await create(own, { carrier: 'GLS' }), 0, 'shipped'));
  const [first] = await sent(1);
  const [made] = await deliveries(own.by, id);
  await ask(own.by, REDELIVER, { id: made?.id });
  const range = { id, since: '2020-01-01T00:00:00Z', until: '2090-01-01T00:00:00Z' };
  await sent(2);
  await settled(own.by, made?.id ?? '');
  expect(await ask(own.by, REPLAY, range)).toBe(1);
  const requests = await sent(3);
  for (const again of requests) {
    expect([idOf(again), again.headers['webhook-delivery-number'], again.body.toString()]).toEqual([
      idOf(first as NonNullable<typeof first>),
      '1',
      first?.body.toString(),
    ]);
  }
});
