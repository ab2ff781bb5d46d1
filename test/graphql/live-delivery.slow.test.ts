import { type IncomingMessage, request } from 'node:http';
import { afterEach, expect, test, vi } from 'vitest';
import type { App } from '../../src/app.ts';
import { LOG_START } from '../support/change-consumer.ts';
import { figure } from '../support/metrics.ts';
import { ask, recordEvents, shipment, times, upsertShipments } from '../support/platform-side.ts';
import { cutListeners, startProcess } from '../support/second-process.ts';
import { type Caller, useWorld } from '../support/world.ts';
import { event, numbersOf, useReaders } from './live-readers.ts';

// The promises of a stream: each change once and in order, however it is cut, and no more changes than are read.

const world = useWorld({ ROLE: 'api', MAX_STREAMS_PER_KEY: '20' });
const { watch, company } = useReaders(world);
const others: App[] = [];
afterEach(async () => {
  await Promise.all(others.splice(0).map(app => app.stop()));
});

/** Numbers that look random and are the same each time. */
function dice(seed: number): (sides: number) => number {
  let state = seed;
  return sides => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return Math.floor((state / 2_147_483_648) * sides);
  };
}

test('A reader that is cut off at random, by any process, gets each change once and in order', async () => {
  others.push(await startProcess(world, { ROLE: 'api', MAX_STREAMS_PER_KEY: '20' }));
  const urls = [world.app.url, ...others.map(({ url }) => url)];
  const { caller, connection } = await company();
  const names = times(4, i => `W${i}`);
  await upsertShipments(
    caller,
    names.map(name => shipment(connection, name)),
  );
  const total = names.length * (1 + 15);

  const read = async (seed: number): Promise<number[]> => {
    const roll = dice(seed);
    const seen: number[] = [];
    let lastEventId: string = LOG_START;
    while (seen.length < total) {
      const reader = await watch(caller, {
        url: urls[roll(urls.length)],
        lastEventId,
        variables: { first: 1 + roll(9) },
      });
      const enough = 1 + roll(12);
      await reader.until(() => numbersOf(reader).length >= Math.min(enough, total - seen.length));
      reader.close();
      seen.push(...numbersOf(reader));
      lastEventId = reader.events.findLast(({ id }) => id !== undefined)?.id ?? lastEventId;
    }
    return seen;
  };
  const readers = times(4, read);
  for (let turn = 1; turn <= 15; turn++) {
    await Promise.all(
      names.map(name => recordEvents(caller, [event(name, turn, turn % 2 ? 'in_transit' : 'at_depot')])),
    );
    if (turn % 5 === 0) await cutListeners(world.pool);
  }
  for (const seen of await Promise.all(readers)) expect(seen).toEqual(times(total, i => i + 1));
});

/** Adds changes to the log that take some KB each. */
async function addLargeChanges({ companyId }: Caller, count: number): Promise<void> {
  await world.pool.query(
    `with last as (update tracking_change_count set last = last + $2 where company_id = $1 returning last - $2 as before)
      insert into tracking_change (company_id, number, kind, shipment_id, detail)
        select $1, before + i, 'updated', (select id from shipment where company_id = $1), $3 from last, generate_series(1, $2) i`,
    [companyId, count, { fields: times(10, () => 'x'.repeat(1_000)) }],
  );
}

const LARGE = `subscription ($after: String) { changes(after: $after, first: 20) { nodes { number ... on ShipmentUpdated { fields } } } }`;

/** Opens a stream from a cursor, whose reader takes nothing until it is released. */
async function openUnread({ url }: App, { apiKey }: Caller, after: string): Promise<IncomingMessage> {
  const address = new URL(`${url}/graphql`);
  address.searchParams.set('query', LARGE);
  address.searchParams.set('variables', JSON.stringify({ after }));
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
  request(address, { headers: { accept: 'text/event-stream', 'x-api-key': apiKey } }, resolve)
    .on('error', reject)
    .end();
  return (await promise).pause();
}

test('A reader that stops reading stops the reading of the log, and is asked to resume', async () => {
  const app = await startProcess(world, { ROLE: 'api' }, { unreadStreamMs: 400 });
  others.push(app);
  const { caller, connection } = await company();
  await upsertShipments(caller, [shipment(connection, 'A')]);
  const { cursor } = await ask<{ cursor: string }>(caller, '{ changeLog { cursor } }');
  await addLargeChanges(caller, 4_000);
  const response = await openUnread(app, caller, cursor);
  await vi.waitFor(
    async () => expect(await figure(app.metrics, 'shipping_streams_ended_total{reason="unread"}')).toBe(1),
    {
      timeout: 20_000,
    },
  );
  const sent = await figure(app.metrics, 'shipping_stream_events_total');
  // There are 200 events; the operating system buffers some MB.
  expect(sent).toBeLessThan(100);
  expect(await figure(app.metrics, 'shipping_streams_open')).toBe(0);
  let text = '';
  for await (const part of response.setEncoding('utf8')) text += part;
  const blocks = text.split('\n\n').filter(block => block !== '' && !block.startsWith(':'));
  expect(blocks.at(-1)).toBe('event: complete\ndata:');
  expect(JSON.parse(blocks.at(-2)?.replace('event: next\ndata: ', '') ?? '')).toMatchObject({
    errors: [{ extensions: { code: 'stream_interrupted', status: 503 } }],
  });
  const numbers = [...text.matchAll(/"number":(\d+)/g)].map(([, number]) => Number(number));
  // The stream begins after the creation of the shipment, which is change 1.
  expect(numbers).toEqual(times(numbers.length, i => i + 2));
  expect(numbers.length).toBe(20 * sent);
});
