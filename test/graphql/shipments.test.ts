import { describe, expect, test } from 'vitest';
import {
  ask,
  connectCarrier,
  type Item,
  order,
  recordEvents,
  shipment,
  times,
  unseen,
  upsertOrders,
  upsertShipments,
} from '../support/platform-side.ts';
import type { Caller } from '../support/world.ts';
import { useShipper } from './shipment-calls.ts';

const { shipper, world } = useShipper();

interface Page {
  edges: { cursor: string; node: { trackingNumber: string } }[];
  pageInfo: { hasNextPage: boolean; hasPreviousPage: boolean; startCursor: string | null; endCursor: string | null };
}

const PAGE = `query ($first: Int, $after: String, $last: Int, $before: String, $filter: ShipmentFilter) {
  shipments(first: $first, after: $after, last: $last, before: $before, filter: $filter) {
    edges { cursor node { trackingNumber } } pageInfo { hasNextPage hasPreviousPage startCursor endCursor }
  }
}`;

const numbersOf = ({ edges }: Page) => edges.map(({ node }) => node.trackingNumber);

describe('The list of shipments', () => {
  const newestFirst = times(60, i => `n${59 - i}`);

  async function shelf(): Promise<Caller> {
    const { caller, brt } = await shipper();
    await upsertShipments(
      caller,
      times(60, i => shipment(brt, `n${i}`)),
    );
    return caller;
  }

  test.each([1, 7, 20, 60, 250])('of 60 is walked forwards by %i without gaps or repeats', async first => {
    const caller = await shelf();
    const seen: string[] = [];
    for (let after: string | null = null, more = true; more; ) {
      const page: Page = await ask(caller, PAGE, { first, after });
      seen.push(...numbersOf(page));
      after = page.pageInfo.endCursor;
      more = page.pageInfo.hasNextPage;
      expect(more).toBe(seen.length < 60);
    }
    expect(seen).toEqual(newestFirst);
  });

  test.each([7, 20, 60])('of 60 is walked backwards by %i without gaps or repeats', async last => {
    const caller = await shelf();
    let seen: string[] = [];
    for (let before: string | null = null, more = true; more; ) {
      const page: Page = await ask(caller, PAGE, { last, before });
      seen = [...numbersOf(page), ...seen];
      before = page.pageInfo.startCursor;
      more = page.pageInfo.hasPreviousPage;
      expect(more).toBe(seen.length < 60);
    }
    expect(seen).toEqual(newestFirst);
  });

  test('shows 50 unless the call says how many', async () => {
    expect(numbersOf(await ask<Page>(await shelf(), PAGE))).toEqual(newestFirst.slice(0, 50));
  });

  test.each([{ first: 0 }, { first: 251 }, { last: -1 }, { after: 'x' }, { before: '' }])(
    'refuses the page %j',
    async args => {
      const { graphql } = await world.company();
      const [name = ''] = Object.keys(args);
      for (const document of [unseen(PAGE), ...times(4, () => PAGE)]) {
        expect((await graphql(document, args)).errors).toMatchObject([
          { extensions: { code: 'validation_failed', status: 422, errors: [{ pointer: `/${name}` }] } },
        ]);
      }
    },
  );

  test('is filtered by all its conditions', async () => {
    const { caller, brt } = await shipper();
    const gls = await connectCarrier(caller, 'GLS');
    const other = await shipper();
    await upsertOrders(caller, [order('o-1'), order('o-2')]);
    const statuses = {
      a: 'in_transit',
      b: 'delivered',
      c: 'returned',
      d: 'lost',
      e: 'cancelled',
      f: 'held',
      h: 'unknown',
    };
    await upsertShipments(
      caller,
      [...'abcdefgh'].map((number, i) => shipment(i < 4 ? brt : gls, number, { orderNumber: i % 2 ? 'o-1' : 'o-2' })),
    );
    await upsertShipments(other.caller, [shipment(other.brt, 'a')]);
    await recordEvents(
      caller,
      Object.entries(statuses).map(([trackingNumber, statusCode]) => ({
        trackingNumber,
        statusCode,
        occurredAt: '2026-11-21T09:00:00Z',
      })),
    );
    const found = async (filter: Item | null) => numbersOf(await ask<Page>(caller, PAGE, { filter })).join('');
    expect(await found(null)).toBe('hgfedcba');
    expect(await found({})).toBe('hgfedcba');
    expect(await found({ statusCodes: ['in_transit'] })).toBe('a');
    expect(await found({ statusCodes: ['in_transit', 'created'] })).toBe('ga');
    expect(await found({ statusCodes: [] })).toBe('');
    expect(await found({ carrierConnectionId: gls })).toBe('hgfe');
    expect(await found({ carrierConnectionId: other.brt })).toBe('');
    expect(await found({ orderNumber: 'o-1' })).toBe('hfdb');
    expect(await found({ orderNumber: 'nowhere' })).toBe('');
    expect(await found({ isOpen: true })).toBe('hgfa');
    expect(await found({ isOpen: false })).toBe('edcb');
    expect(await found({ isOpen: null })).toBe('hgfedcba');
    expect(await found({ isOpen: true, carrierConnectionId: gls, orderNumber: 'o-1', statusCodes: ['held'] })).toBe(
      'f',
    );
  });

  test('takes only known states for a filter', async () => {
    const { graphql } = await world.company();
    const { errors } = await graphql(unseen(PAGE), { filter: { statusCodes: ['delivered', 'lost in space'] } });
    expect(errors).toMatchObject([
      { extensions: { code: 'validation_failed', errors: [{ pointer: '/statusCodes/1', code: 'not_allowed' }] } },
    ]);
  });
});
