import { describe, expect, test } from 'vitest';
import { expireCursors } from '../../src/domain/shipping/tracking/changes/change-retention.service.ts';
import type { CompanyId } from '../../src/platform/database/tenancy/company-id.ts';
import { ask, recordEvents, shipment, times, upsertShipments } from '../support/platform-side.ts';
import { useSharedWorld } from '../support/world.ts';
import { errorsOf, event, FROM_START, numbersOf, useReaders } from './live-readers.ts';

// The change log as a stream of server-sent events, and one shipment as it changes.

const world = useSharedWorld();
const { watch, company } = useReaders(world);

const SHIPMENT = `subscription ($number: String!) {
  trackingByNumber(trackingNumber: $number) { trackingNumber statusCode timeline { nodes { statusCode } } }
}`;

describe('A stream of changes', () => {
  test('sends earlier changes, and then each change as it happens', async () => {
    const { caller, connection } = await company();
    await upsertShipments(caller, [shipment(connection, 'A')]);
    const reader = await watch(caller, { variables: FROM_START });
    const { status, headers } = reader.response;
    expect([
      status,
      headers.get('content-type'),
      headers.get('cache-control'),
      headers.get('x-accel-buffering'),
    ]).toEqual([200, 'text/event-stream; charset=utf-8', 'no-store', 'no']);
    await reader.until(() => numbersOf(reader).length === 1);
    await recordEvents(caller, [event('A', 10, 'shipped')]);
    await reader.until(() => numbersOf(reader).length === 2);
    await recordEvents(caller, [event('A', 20, 'in_transit')]);
    const events = await reader.until(() => numbersOf(reader).length === 3);
    expect(events.map(({ event: name }) => name)).toEqual(['next', 'next', 'next']);
    expect(events[2]?.data).toEqual({
      data: {
        changes: {
          nodes: [
            {
              __typename: 'ShipmentStatusChanged',
              number: 3,
              shipment: { trackingNumber: 'A', statusCode: 'IN_TRANSIT' },
            },
          ],
          cursor: events[2]?.id,
          hasGap: false,
        },
      },
    });
  });

  test('continues after `Last-Event-ID`, or else after `after`', async () => {
    const { caller, connection } = await company();
    await upsertShipments(
      caller,
      times(5, i => shipment(connection, `N${i}`)),
    );
    const all = await watch(caller, { variables: { ...FROM_START, first: 1 } });
    const ids = (await all.until(() => numbersOf(all).length === 5)).map(({ id }) => id);
    const later = await watch(caller, { variables: { after: ids[1] } });
    await later.until(() => numbersOf(later).length > 0);
    expect(numbersOf(later)).toEqual([3, 4, 5]);
    const resumed = await watch(caller, { variables: { after: ids[0] }, lastEventId: ids[3] });
    await resumed.until(() => numbersOf(resumed).length > 0);
    expect(numbersOf(resumed)).toEqual([5]);
  });

  test('sends the changes that its filter selects, like the query', async () => {
    const { caller, connection } = await company();
    const reader = await watch(caller, { variables: { filter: { kinds: ['STATUS'] } } });
    await reader.until(({ length }) => length === 1);
    await upsertShipments(caller, [shipment(connection, 'A'), shipment(connection, 'B')]);
    await recordEvents(caller, [event('B', 10, 'shipped')]);
    await reader.until(() => numbersOf(reader).length === 1);
    expect(numbersOf(reader)).toEqual([3]);
  });

  test('sends nothing of another company, not even an event when its log changes', async () => {
    const [one, other] = [await company(), await company()];
    const reader = await watch(other.caller);
    await reader.until(({ length }) => length === 1);
    await upsertShipments(
      one.caller,
      times(3, i => shipment(one.connection, `N${i}`)),
    );
    await upsertShipments(other.caller, [shipment(other.connection, 'B')]);
    await reader.until(({ length }) => length === 2);
    expect(reader.events.map(({ data }) => data.data.changes.nodes)).toEqual([
      [],
      [{ __typename: 'ShipmentCreated', number: 1, shipment: { trackingNumber: 'B', statusCode: 'CREATED' } }],
    ]);
  });

  test('needs the tracking scope, and a valid cursor', async () => {
    const { caller } = await company();
    const quotesOnly = await world.key(caller.companyId, ['shipments:quote']);
    const refused = [
      await watch(quotesOnly),
      await watch(caller, { variables: { after: 'x' } }),
      await watch(caller, { lastEventId: 'x' }),
      await watch(caller, { variables: { first: 0 } }),
      await watch(caller, { variables: { first: 'many' } }),
      await watch(caller, { query: 'subscription { nothing }' }),
    ];
    for (const reader of refused) await reader.ended();
    expect(refused.map(errorsOf)).toEqual([
      ['insufficient_scope'],
      ...times(4, () => ['validation_failed']),
      ['graphql_invalid'],
    ]);
    expect(refused.map(({ events }) => events.at(-1)?.event)).toEqual(times(6, () => 'complete'));
  });

  test('begins at the end of the log without a cursor', async () => {
    const { caller, connection } = await company();
    await upsertShipments(caller, [shipment(connection, 'A'), shipment(connection, 'B')]);
    const { cursor } = await ask<{ cursor: string }>(caller, '{ changeLog { cursor } }');
    const reader = await watch(caller);
    const [first] = await reader.until(({ length }) => length === 1);
    expect(first).toMatchObject({ id: cursor, data: { data: { changes: { nodes: [], cursor, hasGap: false } } } });
    await recordEvents(caller, [event('A', 10, 'shipped')]);
    await reader.until(() => numbersOf(reader).length === 1);
    expect(numbersOf(reader)).toEqual([3]);
  });

  test('reports that the changes after a cursor are no longer kept, and continues from the end of the log', async () => {
    const { caller, connection } = await company();
    const { cursor } = await ask<{ cursor: string }>(caller, '{ changeLog { cursor } }');
    await upsertShipments(caller, [shipment(connection, 'A'), shipment(connection, 'B')]);
    await world.app.database.pool.query('update tracking_change_count set forgotten = 1 where company_id = $1', [
      caller.companyId,
    ]);
    const reader = await watch(caller, { variables: { after: cursor } });
    const [gap] = await reader.until(({ length }) => length === 1);
    const { cursor: end } = await ask<{ cursor: string }>(caller, '{ changeLog { cursor } }');
    expect(gap).toMatchObject({ id: end, data: { data: { changes: { nodes: [], cursor: end, hasGap: true } } } });
    await recordEvents(caller, [event('A', 10, 'shipped')]);
    await reader.until(() => numbersOf(reader).length === 1);
    expect(numbersOf(reader)).toEqual([3]);
  });

  test('reports a gap as soon as the operator makes its cursor expire, even if nothing changes', async () => {
    const { caller, connection } = await company();
    const reader = await watch(caller);
    await reader.until(({ length }) => length === 1);
    await upsertShipments(caller, [shipment(connection, 'A')]);
    await reader.until(() => numbersOf(reader).length === 1);
    await expireCursors(world.app.database, [caller.companyId as CompanyId], new Date());
    const events = await reader.until(({ length }) => length === 3);
    expect(events[2]?.data.data.changes).toMatchObject({ nodes: [], hasGap: true });
  });
});

describe('A subscription to one shipment', () => {
  test('sends its current state, and sends it again after each of its changes', async () => {
    const { caller, connection } = await company();
    await upsertShipments(caller, [shipment(connection, 'A'), shipment(connection, 'B')]);
    const reader = await watch(caller, { query: SHIPMENT, variables: { number: ' a ' } });
    await reader.until(({ length }) => length === 1);
    await recordEvents(caller, [event('B', 10, 'shipped')]);
    await recordEvents(caller, [event('A', 10, 'shipped')]);
    await reader.until(({ length }) => length === 2);
    expect(reader.events.map(({ data }) => data.data.trackingByNumber)).toEqual([
      { trackingNumber: 'A', statusCode: 'CREATED', timeline: { nodes: [] } },
      { trackingNumber: 'A', statusCode: 'SHIPPED', timeline: { nodes: [{ statusCode: 'SHIPPED' }] } },
    ]);
  });

  test('sends null and ends if the shipment does not exist', async () => {
    const { caller } = await company();
    const reader = await watch(caller, { query: SHIPMENT, variables: { number: 'none' } });
    await reader.ended();
    expect(errorsOf(reader)).toEqual([]);
    expect(reader.events.flatMap(({ data }) => (data ? [data.data] : []))).toEqual([{ trackingByNumber: null }]);
  });
});
