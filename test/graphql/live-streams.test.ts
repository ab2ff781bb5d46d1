import { describe, expect, test, vi } from 'vitest';
import { runSchedule } from '../jobs/webhooks.ts';
import { ask, shipment, times, upsertShipments } from '../support/platform-side.ts';
import { cutListeners, startProcess } from '../support/second-process.ts';
import { PATIENTLY } from '../support/time.ts';
import { type Caller, useWorld } from '../support/world.ts';
import { errorsOf, locks, numbersOf, opened, useOtherProcesses, useReaders, WATCH_CHANGES } from './live-readers.ts';

// How streams begin, continue and end: limits, keys, slow readers, processes and connections that come and go.

const world = useWorld({ ROLE: 'api', MAX_STREAMS_PER_KEY: '3' });
const { watch, company } = useReaders(world);
const start = useOtherProcesses(world);

let made = 0;
/** Creates shipments, each of which is a change. */
const change = (caller: Caller, connection: number, count = 1) =>
  upsertShipments(
    caller,
    times(count, () => shipment(connection, `S${++made}`)),
  );

describe('The streams of a key', () => {
  test('are limited in number, and one that ends makes room', async () => {
    const { caller } = await company();
    const readers = await Promise.all(times(3, () => watch(caller)));
    for (const reader of readers) expect(reader.response.status).toBe(200);
    const { response } = await watch(caller);
    expect([response.status, response.headers.get('retry-after')]).toEqual([429, '5']);
    const { errors } = (await response.json()) as { errors: { message: string; extensions: object }[] };
    expect(errors).toMatchObject([{ extensions: { code: 'rate_limited', status: 429 } }]);
    expect(errors[0]?.message).toContain('3 open streams');
    const other = await world.key(caller.companyId);
    expect((await watch(other)).response.status).toBe(200);
    readers[0]?.close();
    await vi.waitFor(async () => expect((await watch(caller)).response.status).toBe(200), { timeout: 5_000 });
  });

  test('end within a second after the key is revoked', async () => {
    const { caller } = await company();
    const key = await world.key(caller.companyId);
    const [reader, other] = [await watch(key), await watch(caller)];
    await Promise.all([opened(reader), opened(other)]);
    const since = performance.now();
    await ask(
      caller,
      'mutation ($id: ID!) { revokeApiKey(input: { id: $id }) { key { id } userErrors { code pointer message } } }',
      { id: key.apiKeyId },
    );
    await reader.ended();
    expect(performance.now() - since).toBeLessThan(1_000);
    expect(errorsOf(reader)).toEqual(['invalid_api_key']);
    expect(reader.events.at(-1)?.event).toBe('complete');
    expect(other.isEnded).toBe(false);
  });

  test('are limited to the number that the process allows', async () => {
    const { url } = await start({ ROLE: 'api', MAX_STREAMS: '1' });
    const { caller } = await company();
    await opened(await watch(caller, { url }));
    const { response } = await watch(await world.key(caller.companyId), { url });
    expect([response.status, response.headers.get('retry-after')]).toEqual([503, '5']);
  });
});

describe('While nothing changes', () => {
  test('a reader is notified how far the log was read for its filter', async () => {
    const { url } = await start({ ROLE: 'api' }, { keepAliveStreamMs: 100 });
    const { caller, connection } = await company();
    const reader = await watch(caller, { url, variables: { filter: { kinds: ['RELATED'] } } });
    await opened(reader);
    await change(caller, connection, 2);
    await reader.until(({ length }) => length === 2);
    const { cursor } = await ask<{ cursor: string }>(caller, '{ changeLog { cursor } }');
    expect(reader.events[1]).toMatchObject({ id: cursor, data: { data: { changes: { nodes: [] } } } });
  });
});

describe('A reader', () => {
  test('receives changes that another process writes', async () => {
    const { url } = await start({ ROLE: 'api' });
    const { caller, connection } = await company();
    const reader = await watch(caller, { url });
    await opened(reader);
    await change(caller, connection);
    await reader.until(() => numbersOf(reader).length === 1);
  });

  test('receives a delay that the service finds', async () => {
    const { caller, connection } = await company();
    const reader = await watch(caller, { variables: { filter: { kinds: ['DELAYED'] } } });
    await opened(reader);
    const expectedDeliveryAt = new Date(Date.now() - 86_400_000).toISOString();
    await upsertShipments(caller, [shipment(connection, 'LATE', { expectedDeliveryAt })]);
    await runSchedule(world, 'webhooks.delays');
    await reader.until(() => numbersOf(reader).length === 1);
    expect(numbersOf(reader)).toEqual([2]);
  });

  test('misses nothing if the connection for notifications is cut', async () => {
    const { caller, connection } = await company();
    const reader = await watch(caller);
    await opened(reader);
    for (let round = 1; round <= 3; round++) {
      expect(await cutListeners(world.pool)).toBeGreaterThan(0);
      await change(caller, connection, 2);
      await reader.until(() => numbersOf(reader).length === 2 * round);
      // Once the lock is there again, a change is heard of by itself.
      await vi.waitFor(async () => expect(await locks(world)).toBe(1), { timeout: 10_000 });
    }
    await change(caller, connection);
    await reader.until(() => numbersOf(reader).length === 7);
    expect(numbersOf(reader)).toEqual(times(7, i => i + 1));
  });

  test('that disconnects leaves no lock behind', async () => {
    const { caller } = await company();
    await vi.waitFor(async () => expect(await locks(world)).toBe(0), PATIENTLY);
    const readers = await Promise.all(times(2, () => watch(caller)));
    await Promise.all(readers.map(opened));
    await vi.waitFor(async () => expect(await locks(world)).toBe(1), PATIENTLY);
    for (const reader of readers) reader.close();
    await vi.waitFor(async () => expect(await locks(world)).toBe(0), { timeout: 5_000 });
  });

  test('is asked to subscribe again by a process that stops', async () => {
    const app = await startProcess(world, { ROLE: 'api' });
    const { caller } = await company();
    const reader = await watch(caller, { url: app.url });
    await opened(reader);
    const since = performance.now();
    await app.stop();
    expect(performance.now() - since).toBeLessThan(3_000);
    await reader.ended();
    expect(errorsOf(reader)).toEqual(['stream_interrupted']);
    expect(reader.events.at(-1)?.event).toBe('complete');
  });
});

test('A request for a subscription must allow events', async () => {
  const { caller } = await company();
  const { response } = await watch(caller, { headers: { accept: 'application/json' } });
  expect(response.status).toBe(406);
  expect(await response.json()).toMatchObject({ errors: [{ extensions: { code: 'not_acceptable' } }] });
});

test('A query is answered by one event if its caller accepts nothing else', async () => {
  const { caller } = await company();
  const reader = await watch(caller, { query: '{ changeLog { latest } }' });
  await reader.ended();
  expect(reader.events.map(({ event, data }) => [event, data])).toEqual([
    ['next', expect.objectContaining({ data: { changeLog: { latest: null } } })],
    ['complete', undefined],
  ]);
});

test('A stream can be opened by GET, as EventSource does', async () => {
  const { caller } = await company();
  const address = new URL(`${world.app.url}/graphql`);
  address.searchParams.set('query', WATCH_CHANGES);
  const abort = new AbortController();
  const headers = { accept: 'text/event-stream', 'x-api-key': caller.apiKey };
  const { status, headers: sent } = await fetch(address, { headers, signal: abort.signal });
  expect([status, sent.get('content-type')]).toEqual([200, 'text/event-stream; charset=utf-8']);
  abort.abort();
});
