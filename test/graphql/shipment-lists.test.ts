import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import { STATUS_CODES } from '../../src/domain/shipping/tracking/status.rules.ts';
import {
  ask,
  connectCarrier,
  type Item,
  order,
  RECIPIENT,
  refusal,
  shipment,
  times,
  upsertOrders,
  upsertShipments,
} from '../support/platform-side.ts';
import { runs } from '../support/property-runs.ts';
import { type Caller, useSharedWorld } from '../support/world.ts';
import { daysAgo, idsIn, type ListPage, PAGE_FIELDS, pagesBackOf, pagesOf, REFUSED, someOf } from './list-filters.ts';
import { listed, type ModelShipment, modelShipments } from './shipment-list-model.ts';

const world = useSharedWorld();
const ROWS = 120;

let caller: Caller;
let all: ModelShipment[];
let connections: number[];

const PLACES = [
  RECIPIENT,
  { ...RECIPIENT, postalCode: '20122' },
  { ...RECIPIENT, postalCode: '37121', city: 'Verona', province: 'Verona' },
];

/** Shipments in all states and of all ages, whose times are few: of many pages the end lies among equal ones. */
async function furnished(): Promise<Caller> {
  const own = await world.company();
  const carriers = [
    await connectCarrier(own, 'BRT'),
    await connectCarrier(own, 'GLS'),
    await connectCarrier(own, 'BRT'),
  ];
  await upsertOrders(
    own,
    times(12, i =>
      order(`o-${i}`, {
        ...(i % 3 > 0 && { marketplace: `m-${i % 3}`, marketplaceOrderNumber: `N${i % 4}` }),
        recipient: { ...PLACES[i % 3], companyName: `Rossi ${i}` },
      }),
    ),
  );
  await upsertShipments(
    own,
    times(ROWS, i =>
      shipment(carriers[i % 3] ?? 0, `T${i % 90}`, {
        recipient: { ...PLACES[i % 3], companyName: i % 5 === 0 ? 'Bianchi & C. 100%' : `Rossi ${i % 7}` },
        ...(i % 2 === 0 && { orderNumber: `o-${i % 12}`, ...(i % 4 === 0 && { recipient: null }) }),
        ...(i % 6 === 0 && { reference: `T${i % 9}`, labels: [`L${i % 5}`] }),
      }),
    ),
  );
  const at = (column: string, salt: number, isKept: string) =>
    `${column} = case when ${isKept} then $2::timestamptz - make_interval(days => (id * ${salt}) % 60) end`;
  await world.app.database.pool.query(
    `update shipment set status_code = ($3::text[])[1 + (id * 7) % cardinality($3::text[])],
        created_at = $2::timestamptz - make_interval(days => (id * 13) % 60), updated_at = $2::timestamptz - make_interval(days => (id * 17) % 60),
        ${at('status_at', 11, 'id % 5 > 0')}, ${at('shipment_date', 3, 'id % 3 > 0')}, ${at('expected_delivery_date', 19, 'id % 4 > 0')},
        ${at('carrier_expected_at', 23, 'id % 7 = 0')}, ${at('delay_told_at', 1, 'id % 2 = 0')}, ${at('stall_told_at', 1, 'id % 3 = 0')}
      where company_id = $1`,
    [own.companyId, daysAgo(-5), STATUS_CODES],
  );
  await world.app.database.pool.query(
    `update shipment set delivered_at = $2::timestamptz - make_interval(days => id % 40) where company_id = $1 and status_code = 'delivered'`,
    [own.companyId, daysAgo(0)],
  );
  return own;
}

beforeAll(async () => {
  caller = await furnished();
  await furnished();
  all = await modelShipments(world, caller.companyId);
  connections = [...new Set(all.map(({ connectionId }) => connectionId))];
});

const LIST = `query ($filter: ShipmentFilter, $orderBy: ShipmentOrder, $first: Int, $after: String, $last: Int, $before: String) {
  shipments(filter: $filter, orderBy: $orderBy, first: $first, after: $after, last: $last, before: $before) { ${PAGE_FIELDS} } }`;

async function pages(filter: Item, orderBy: string | null, size: number, isBack: boolean): Promise<number[]> {
  const read = (place: Item) => ask<ListPage>(caller, LIST, { filter, orderBy, ...place });
  return idsIn(await (isBack ? pagesBackOf(read, size) : pagesOf(read, size)));
}

const ORDERS = ['CREATED', 'UPDATED', 'DELIVERED', 'EXPECTED', 'STATUS_CHANGED'].flatMap(by => [
  `${by}_ASC`,
  `${by}_DESC`,
]);
const among = (texts: readonly string[]) => fc.uniqueArray(fc.constantFrom(...texts), { minLength: 1, maxLength: 4 });
const days = fc.integer({ min: -4, max: 62 });
const range = fc.record({ from: days.map(daysAgo), to: days.map(daysAgo) }, { requiredKeys: [] });
const EMPTY_RANGES = ['createdAt', 'shippedAt', 'deliveredAt', 'expectedDeliveryAt'].map(
  (name): Item => ({ [name]: {} }),
);
const someFilter = someOf(
  {
    statusCodes: among(STATUS_CODES.map(code => code.toUpperCase())),
    isOpen: fc.boolean(),
    carrierConnectionId: fc.nat(2).map(i => connections[i] ?? 0),
    carriers: among(['BRT', 'GLS']),
    trackingNumbers: among(times(95, i => `T${i}`)),
    orderNumber: fc.nat(12).map(i => `o-${i}`),
    text: fc.constantFrom('T1', 'T3', 'L2', 'o-4', 'N1', 'none'),
    marketplaces: among(['m-1', 'm-2']),
    recipient: fc.constantFrom('rossi', 'BIANCHI', '100%', '_'),
    provinces: among(['MI', 'Verona', 'vr', 'XX']),
    postalCodes: among(['20121', '20122', '37121']),
    updatedSince: days.map(daysAgo),
    updatedAt: range,
    createdAt: range,
    shippedAt: range,
    deliveredAt: range,
    expectedDeliveryAt: range,
    isLate: fc.boolean(),
    stalledForDays: fc.integer({ min: 1, max: 60 }),
    wasLate: fc.boolean(),
  },
  4,
).chain(filter =>
  'wasLate' in filter
    ? fc
        .constantFrom(undefined, 'CARRIER', 'PLATFORM')
        .map(wasLateAgainst => ({ ...filter, ...(wasLateAgainst && { wasLateAgainst }) }))
    : fc.constant(filter),
);

describe('A list of shipments', () => {
  test('has all matching shipments in its order, page by page in both directions, or is rejected', async () => {
    let allowed = 0;
    let found = 0;
    await fc.assert(
      fc.asyncProperty(
        someFilter,
        fc.option(fc.constantFrom(...ORDERS)),
        fc.integer({ min: 11, max: 60 }),
        fc.boolean(),
        async (filter, orderBy, size, isBack) => {
          const refused = await refusal(caller, LIST, { filter, orderBy, first: 1 });
          if (refused !== undefined) {
            expect(refused).toMatch(REFUSED);
            return;
          }
          const wanted = listed(all, filter, orderBy);
          allowed++;
          found += wanted.length;
          expect(await pages(filter, orderBy, size, isBack)).toEqual(isBack ? wanted.toReversed() : wanted);
          const { totalCount, isTotalCountExact }: ListPage = await ask(caller, LIST, { filter, orderBy, first: 1 });
          expect([totalCount, isTotalCountExact]).toEqual([wanted.length, true]);
        },
      ),
      {
        numRuns: runs(50),
        examples: EMPTY_RANGES.map((empty): [Item, null, number, boolean] => [empty, null, 60, false]),
      },
    );
    expect(allowed).toBeGreaterThan(runs(15));
    expect(found).toBeGreaterThan(runs(150));
  });
});

test('The field `isLate` matches the filter of the same name', async () => {
  const LATE = 'query ($isLate: Boolean) { shipments(filter: { isLate: $isLate }, first: 250) { nodes { isLate } } }';
  for (const isLate of [true, false]) {
    const { nodes }: { nodes: { isLate: boolean }[] } = await ask(caller, LATE, { isLate });
    expect(new Set(nodes.map(node => node.isLate))).toEqual(new Set([isLate]));
  }
});

interface Counted {
  readonly statusCode: string | null;
  readonly carrier: { readonly code: string } | null;
  readonly province: string | null;
  readonly count: number;
  readonly isExact: boolean;
}

const COUNTS = `query ($by: ShipmentGroup!, $filter: ShipmentFilter) {
  shipmentCounts(by: $by, filter: $filter) { statusCode carrier { code } province count isExact } }`;
const groupOf = ({ statusCode, carrier, province }: Counted) => statusCode ?? carrier?.code ?? province;

const GROUPS: Readonly<Record<string, (of: ModelShipment) => string | null>> = {
  STATUS: ({ statusCode }) => statusCode,
  CARRIER: ({ carrierCode }) => carrierCode,
  PROVINCE: ({ recipient: { province } }) => (province === 'Verona' ? 'VR' : province),
};

describe('The count of shipments', () => {
  test('by state, carrier or province accepts every filter of the lists', async () => {
    let groups = 0;
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...Object.keys(GROUPS)), someFilter, async (by, filter) => {
        const refused = await refusal(caller, COUNTS, { by, filter });
        if (refused !== undefined) {
          expect(refused).toMatch(/^validation_failed: (\/\w+ too_costly(, )?)+$/);
          return;
        }
        const counts = await ask<Counted[]>(caller, COUNTS, { by, filter });
        const wanted = new Set(listed(all, filter, 'CREATED_DESC'));
        const byGroup = Map.groupBy(
          all.filter(({ id }) => wanted.has(id)),
          one => GROUPS[by]?.(one) ?? null,
        );
        expect(new Map(counts.map(one => [groupOf(one), one.count]))).toEqual(
          new Map([...byGroup].map(([group, of]) => [group, of.length])),
        );
        expect(counts.every(({ isExact }) => isExact)).toBe(true);
        groups += counts.length;
      }),
      { numRuns: runs(40) },
    );
    expect(groups).toBeGreaterThan(runs(40));
  });

  test('by province is rejected unless a filter leaves few shipments', async () => {
    expect(await refusal(caller, COUNTS, { by: 'PROVINCE' })).toBe('validation_failed: /by too_costly');
    expect(await ask<Counted[]>(caller, COUNTS, { by: 'PROVINCE', filter: { isOpen: true } })).not.toEqual([]);
  });
});

describe('A list of very many shipments', () => {
  const MANY = 7_000;
  let large: Caller;
  let every: ModelShipment[];
  const among = (filter: Item, orderBy: string | null = null) => ({ filter, orderBy });
  beforeAll(async () => {
    large = await world.company();
    const carrier = await connectCarrier(large);
    await world.app.database.pool.query(
      `insert into shipment (company_id, carrier_connection_id, tracking_number, tracking_key, parcel_number, status_code, recipient, status_at)
        select $1, $2, 'X' || n, 'X' || n, 1, case when n % 3500 = 1 then 'held' else 'delivered' end,
          jsonb_build_object('address', 'Via Po', 'postalCode', '1012' || n % 10, 'city', 'Torino', 'countryCode', 'IT',
            'province', case when n % 3000 = 7 then 'AO' else 'TO' end), now()
        from generate_series(1, ${MANY}) n`,
      [large.companyId, carrier],
    );
    every = await modelShipments(world, large.companyId);
  });

  test('reads a limited number for each page, states where the page ended, and continues there', async () => {
    const found = await pagesOf(place => ask(large, LIST, { ...among({ provinces: ['AO'] }), ...place }), 50);
    const sizes = found.map(({ nodes }) => nodes.length);
    const ids = idsIn(found);
    expect(ids).toEqual(listed(every, { provinces: ['AO'] }, null));
    expect(ids).toHaveLength(3);
    expect(sizes).toHaveLength(Math.ceil(MANY / 2_000));
    expect(sizes).toContain(0);
  });

  test('has shipments with equal times once each, even if pages end among them', async () => {
    const filter = { updatedSince: daysAgo(30), postalCodes: ['10121', '10127'] };
    const ids = idsIn(await pagesOf(place => ask(large, LIST, { ...among(filter, 'UPDATED_ASC'), ...place }), 170));
    expect(ids).toHaveLength(MANY / 5);
    expect(new Set(ids).size).toBe(ids.length);
  });

  test('says that there are more if its count ended before all records were examined', async () => {
    await world.app.database.pool.query(
      `insert into shipment (company_id, carrier_connection_id, tracking_number, tracking_key, parcel_number, status_code, recipient)
        select company_id, carrier_connection_id, 'Y' || id, 'Y' || id, 1, status_code, recipient from shipment where company_id = $1`,
      [large.companyId],
    );
    const counted = (filter: Item) =>
      ask<ListPage>(
        large,
        `query ($filter: ShipmentFilter) { shipments(filter: $filter) { totalCount isTotalCountExact } }`,
        { filter },
      );
    expect(await counted({})).toEqual({ totalCount: 10_000, isTotalCountExact: false });
    expect(await counted({ statusCodes: ['HELD'] })).toEqual({ totalCount: 4, isTotalCountExact: true });
    const counts = await ask<Counted[]>(large, COUNTS, { by: 'STATUS' });
    const byStatus = Object.fromEntries(counts.map(one => [one.statusCode, [one.count, one.isExact]]));
    expect(byStatus.held).toEqual([4, true]);
    expect(byStatus.delivered?.[1]).toBe(false);
    const [aosta] = await ask<Counted[]>(large, COUNTS, {
      by: 'STATUS',
      filter: { provinces: ['AO'], statusCodes: ['DELIVERED'] },
    });
    expect(aosta?.isExact).toBe(false);
  });
});

test('A cursor belongs to one order, and to a position in it', async () => {
  const page = async (args: Item) => (await ask<ListPage>(caller, LIST, { first: 2, ...args })).pageInfo.endCursor;
  const cursors = [await page({}), await page({ orderBy: 'UPDATED_ASC' }), await page({ orderBy: 'EXPECTED_ASC' })];
  for (const [i, orderBy] of [null, 'UPDATED_ASC', 'EXPECTED_ASC'].entries()) {
    for (const [j, after] of cursors.entries()) {
      const refused = await refusal(caller, LIST, { orderBy, after, first: 1 });
      expect(refused).toBe(i === j ? undefined : 'validation_failed: /after invalid_cursor');
    }
  }
});

test('The error for a rejected list says which condition to add', async () => {
  const { errors } = await caller.graphql(LIST, { filter: { postalCodes: ['20121'], statusCodes: ['DELIVERED'] } });
  expect(errors?.[0]?.extensions.errors).toEqual([
    {
      pointer: '/postalCodes',
      code: 'too_costly',
      message: expect.stringMatching(
        /^takes too long in a list in the order of creation, newest first\. Add a condition that leaves few shipments: .*`createdAt` with at most 31 days/,
      ),
    },
  ]);
  const filter = { postalCodes: ['20121'], createdAt: { from: daysAgo(20) } };
  expect(await refusal(caller, LIST, { filter })).toBeUndefined();
});
