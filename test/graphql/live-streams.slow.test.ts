import { describe, expect, test, vi } from 'vitest';
import { PATIENTLY } from '../support/time.ts';
import { useWorld } from '../support/world.ts';
import { errorsOf, locks, opened, useOtherProcesses, useReaders } from './live-readers.ts';

// How streams begin, continue and end: limits, keys, slow readers, processes and connections that come and go.

const world = useWorld({ ROLE: 'api', MAX_STREAMS_PER_KEY: '3' });
const { watch, company } = useReaders(world);
const start = useOtherProcesses(world);

describe('The streams of a key', () => {
  test('end when it expires', async () => {
    const { caller } = await company();
    const key = await world.key(caller.companyId, ['all'], new Date(Date.now() + 1_500).toISOString());
    const reader = await watch(key);
    await opened(reader);
    await reader.ended();
    expect(errorsOf(reader)).toEqual(['invalid_api_key']);
  });
});

describe('While nothing changes', () => {
  test('a comment is sent periodically, and the database is not queried', async () => {
    const app = await start({ ROLE: 'api' }, { keepAliveStreamMs: 100 });
    const { caller } = await company();
    const reader = await watch(caller, { url: app.url });
    await opened(reader);
    await vi.waitFor(async () => expect(await locks(world)).toBe(1), PATIENTLY);
    // Rates that no stream uses are left out: processes count requests together.
    const statements = async () =>
      (await app.metrics.text())
        .split('\n')
        .filter(
          line => /^shipping_database_statement_duration_seconds_count/.test(line) && !line.includes('rate-use-add'),
        );
    const silence = (comments: number) =>
      vi.waitFor(() => expect(reader.comments).toBeGreaterThan(comments), { timeout: 10_000 });
    // Once the lock is there, the stream has looked again.
    await silence(reader.comments + 3);
    const asked = await statements();
    await silence(reader.comments + 5);
    expect(reader.events).toHaveLength(1);
    expect(await statements()).toEqual(asked);
  });
});
