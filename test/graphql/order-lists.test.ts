import fc from 'fast-check';
import { beforeAll, expect, test } from 'vitest';
import { provinceSpellings } from '../../src/domain/common/places/italy.rules.ts';
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
import { conditionsIn, daysAgo, idsIn, PAGE_FIELDS, pagesOf, REFUSED, someOf } from './list-filters.ts';

const world = useSharedWorld();
const ROWS = 80;

interface ModelOrder {
  readonly id: number;
  readonly orderNumber: string;
  readonly marketplace: string | null;
  readonly marketplaceOrderNumber: string | null;
  readonly marketplaceKeys: readonly string[];
  readonly trackingKeys: readonly string[];
  readonly recipient: {
    readonly companyName: string | null;
    readonly postalCode: string;
    readonly province: string | null;
  };
  readonly created: number;
  readonly updated: number;
}

let caller: Caller;
let all: ModelOrder[];

beforeAll(async () => {
  caller = await furnished();
  await furnished();
  const { rows } = await world.app.database.pool.query(
    `select id, order_number as "orderNumber", marketplace, marketplace_order_number as "marketplaceOrderNumber", recipient,
        array_remove(array[marketplace_order_id_key, marketplace_order_number_key], null) as "marketplaceKeys",
        array(select tracking_key from shipment s where s.company_id = o.company_id and s.order_id = o.id) as "trackingKeys",
        round(extract(epoch from created_at) * 1000)::float8 as created, round(extract(epoch from updated_at) * 1000)::float8 as updated
      from customer_order o where company_id = $1`,
    [caller.companyId],
  );
  all = rows;
});

async function furnished(): Promise<Caller> {
  const own = await world.company();
  const carrier = await connectCarrier(own);
  await upsertOrders(
    own,
    times(ROWS, i =>
      order(`o-${i}`, {
        ...(i % 3 > 0 && {
          marketplace: `m-${i % 3}`,
          marketplaceOrderNumber: `N.${i % 9}`,
          marketplaceOrderId: `I${i % 20}`,
        }),
        recipient: {
          ...RECIPIENT,
          companyName: `Rossi ${i % 5}`,
          ...(i % 4 === 0 && { postalCode: '37121', province: 'Verona' }),
        },
      }),
    ),
  );
  await upsertShipments(
    own,
    times(ROWS, i => shipment(carrier, `T${i}`, { orderNumber: `o-${i % 30}` })),
  );
  await world.app.database.pool.query(
    `update customer_order set created_at = $2::timestamptz - make_interval(days => (id * 13) % 60),
        updated_at = $2::timestamptz - make_interval(days => (id * 17) % 60) where company_id = $1`,
    [own.companyId, daysAgo(0)],
  );
  return own;
}

const days = fc.integer({ min: 0, max: 62 });
const among = (...texts: string[]) => fc.uniqueArray(fc.constantFrom(...texts), { minLength: 1, maxLength: 3 });
const someFilter = someOf(
  {
    orderNumber: fc.nat(ROWS).map(i => `o-${i}`),
    marketplaceOrderNumber: fc.constantFrom('N.1', 'N.5', 'N5'),
    trackingNumbers: among('T1', 'T31', 'T40', 'none'),
    text: fc.constantFrom('T3', 'o-4', 'N5', 'I7', 'none'),
    marketplace: fc.constantFrom('m-1', 'm-2', 'none'),
    marketplaces: among('m-1', 'm-2', 'none'),
    recipient: fc.constantFrom('ROSSI 3', '%'),
    provinces: among('MI', 'vr', 'XX'),
    postalCodes: among('20121', '37121'),
    updatedSince: days.map(daysAgo),
    updatedAt: fc.record({ from: days.map(daysAgo), to: days.map(daysAgo) }, { requiredKeys: [] }),
    createdAt: fc.record({ from: days.map(daysAgo), to: days.map(daysAgo) }, { requiredKeys: [] }),
  },
  3,
);

function isWanted(one: ModelOrder, filter: Item): boolean {
  const {
    createdAt: created = {},
    updatedAt: updated = {},
    provinces,
  } = filter as {
    createdAt?: { from?: string; to?: string };
    updatedAt?: { from?: string; to?: string };
    provinces?: string[];
  };
  const { recipient } = one;
  const has = (name: string, check: (value: never) => boolean) =>
    filter[name] === undefined || check(filter[name] as never);
  return (
    has('orderNumber', (number: string) => one.orderNumber === number) &&
    has('marketplaceOrderNumber', (number: string) => one.marketplaceOrderNumber === number) &&
    has('trackingNumbers', (keys: string[]) => keys.some(key => one.trackingKeys.includes(key))) &&
    has('text', (text: string) => [one.orderNumber, ...one.marketplaceKeys, ...one.trackingKeys].includes(text)) &&
    has('marketplace', (name: string) => one.marketplace === name) &&
    has('marketplaces', (names: string[]) => one.marketplace !== null && names.includes(one.marketplace)) &&
    has('recipient', (name: string) => recipient.companyName?.toLowerCase().includes(name.toLowerCase()) ?? false) &&
    (provinces === undefined ||
      provinces.flatMap(provinceSpellings).includes(recipient.province?.toLowerCase() ?? '-')) &&
    has('postalCodes', (codes: string[]) => codes.includes(recipient.postalCode)) &&
    has('updatedSince', (at: string) => one.updated >= Date.parse(at)) &&
    (updated.from === undefined || one.updated >= Date.parse(updated.from)) &&
    (updated.to === undefined || one.updated < Date.parse(updated.to)) &&
    (created.from === undefined || one.created >= Date.parse(created.from)) &&
    (created.to === undefined || one.created < Date.parse(created.to))
  );
}

const FINDERS = ['orderNumber', 'marketplaceOrderNumber', 'trackingNumbers', 'text'];

function listed(asked: Item, orderBy: string | null): number[] {
  const filter = conditionsIn(asked);
  const isFound = FINDERS.some(name => name in filter);
  const order =
    orderBy ?? (('updatedSince' in filter || 'updatedAt' in filter) && !isFound ? 'UPDATED_DESC' : 'CREATED_DESC');
  const keyOf = (one: ModelOrder) =>
    order.startsWith('UPDATED') ? one.updated : 'createdAt' in filter && !isFound ? one.created : 0;
  const sign = order.endsWith('ASC') ? 1 : -1;
  return all
    .filter(one => isWanted(one, filter))
    .toSorted((one, other) => sign * (keyOf(one) - keyOf(other) || one.id - other.id))
    .map(({ id }) => id);
}

const LIST = `query ($filter: OrderFilter, $orderBy: OrderOrder, $first: Int, $after: String) {
  orders(filter: $filter, orderBy: $orderBy, first: $first, after: $after) { ${PAGE_FIELDS} } }`;

test('A list of orders has all matching orders in its order, page by page, or is rejected', async () => {
  let found = 0;
  const orders = fc.option(fc.constantFrom('CREATED_ASC', 'CREATED_DESC', 'UPDATED_ASC', 'UPDATED_DESC'));
  await fc.assert(
    fc.asyncProperty(someFilter, orders, fc.integer({ min: 9, max: 50 }), async (filter, orderBy, size) => {
      const refused = await refusal(caller, LIST, { filter, orderBy, first: 1 });
      if (refused !== undefined) {
        expect(refused).toMatch(REFUSED);
        return;
      }
      const wanted = listed(filter, orderBy);
      const pages = await pagesOf(place => ask(caller, LIST, { filter, orderBy, ...place }), size);
      for (const { totalCount, isTotalCountExact } of pages) {
        expect([totalCount, isTotalCountExact]).toEqual([wanted.length, true]);
      }
      expect(idsIn(pages)).toEqual(wanted);
      found += wanted.length;
    }),
    { numRuns: runs(50), examples: [[{ createdAt: {} }, null, 50]] },
  );
  expect(found).toBeGreaterThan(runs(100));
});
