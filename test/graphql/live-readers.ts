import { afterEach } from 'vitest';
import type { App } from '../../src/app.ts';
import { LOG_START } from '../support/change-consumer.ts';
import { EventReader, type Subscribe } from '../support/event-reader.ts';
import { connectCarrier, type Item } from '../support/platform-side.ts';
import { startProcess } from '../support/second-process.ts';
import type { Caller, World } from '../support/world.ts';

/** Readers of a company's changes, and what makes some. */

const FIELDS = `nodes { __typename number shipment { trackingNumber statusCode } }
  cursor hasGap`;
export const WATCH_CHANGES = `subscription ($after: String, $first: Int, $filter: ChangeFilter) {
  changes(after: $after, first: $first, filter: $filter) { ${FIELDS} }
}`;

const at = (minute: number) => new Date(Date.UTC(2026, 10, 20) + minute * 60_000).toISOString();

export const event = (trackingNumber: string, minute: number, statusCode: string): Item => ({
  trackingNumber,
  occurredAt: at(minute),
  statusCode,
});

/** Everything from the first change of a new company on. */
export const FROM_START = { after: LOG_START };

/** The numbers of the changes that a reader has got. */
export const numbersOf = ({ events }: Pick<EventReader, 'events'>): number[] =>
  events.flatMap(({ data }) => data?.data?.changes?.nodes ?? []).map(({ number }) => number);

/** The codes of the errors that a reader has got. */
export const errorsOf = ({ events }: EventReader): string[] =>
  events.flatMap(({ data }) => data?.errors ?? []).map(({ extensions }) => extensions.code);

/** Opens streams, which end with their test. */
export function useReaders(world: World) {
  const readers: EventReader[] = [];
  afterEach(() => {
    for (const reader of readers.splice(0)) reader.close();
  });
  return {
    /** Watches changes unless another document is given. */
    async watch({ apiKey }: Pick<Caller, 'apiKey'>, options: Partial<Subscribe> = {}): Promise<EventReader> {
      const reader = await EventReader.open({ url: world.app.url, apiKey, query: WATCH_CHANGES, ...options });
      readers.push(reader);
      return reader;
    },
    /** A company with a carrier, to which shipments can belong. */
    async company() {
      const caller = await world.company();
      return { caller, connection: await connectCarrier(caller) };
    },
  };
}

export const opened = (reader: EventReader) => reader.until(({ length }) => length > 0);

/** Locks that show that a process waits for changes. */
export async function locks({ pool }: Pick<World, 'pool'>): Promise<number> {
  const { rows } = await pool.query(
    `select 1 from pg_locks where locktype = 'advisory' and classid = 1936222577 and granted
      and database = (select oid from pg_database where datname = current_database())`,
  );
  return rows.length;
}

/** Starts other processes of the service, which stop with their test. */
export function useOtherProcesses(world: World) {
  const others: App[] = [];
  afterEach(async () => {
    await Promise.all(others.splice(0).map(app => app.stop()));
  });
  return async (...options: [env?: Record<string, string>, http?: Parameters<typeof startProcess>[2]]) => {
    const app = await startProcess(world, ...options);
    others.push(app);
    return app;
  };
}
