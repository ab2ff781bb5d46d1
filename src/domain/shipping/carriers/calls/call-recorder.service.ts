import { setImmediate as nextTurn } from 'node:timers/promises';
import { isAway } from '../../../../platform/database/connections/database-errors.ts';
import type { Database } from '../../../../platform/database/database.ts';
import { Tenant } from '../../../../platform/database/tenancy/tenancy.ts';
import type { Retention } from '../../../../platform/jobs/job-kinds.ts';
import type { Log } from '../../../../platform/telemetry/log.ts';
import type { Metrics } from '../../../../platform/telemetry/metrics.ts';
import type { CallRecorder, CarrierCall } from '../carrier.port.ts';
import { insertCalls } from './carrier-calls.repository.ts';

/** How long a call waits for others of its batch. */
const GATHER_MS = 500;
/** Calls of a company that are written by one statement. */
const MAX_BATCH = 200;
/** Calls that wait to be written, some 10 kB each at most. While the database is down, further ones are dropped. */
const MAX_WAITING = 2_000;
/** How often a call is retried that the database rejects for its content. */
const RETRY_MS = 2_000;

/**
 * Writes calls to carriers in batches, outside of the calls. Nobody waits for it, and no call fails because of it:
 * records that cannot be written are dropped and counted.
 */
class StoredCalls implements CallRecorder {
  readonly #database: Database;
  readonly #log: Log;
  readonly #dropped: (count: number) => void;
  #waiting: CarrierCall[] = [];
  /** Calls whose records are made in this turn of the event loop. */
  #unmade = 0;
  #timer: NodeJS.Timeout | undefined;
  #writing: Promise<void> = Promise.resolve();
  #isClosed = false;

  constructor(database: Database, metrics: Metrics, log: Log) {
    this.#database = database;
    this.#log = log;
    this.#dropped = count => metrics.carrierCallsDropped.inc(count);
  }

  record(make: () => readonly CarrierCall[]): void {
    if (this.#waiting.length + this.#unmade >= MAX_WAITING) {
      this.#dropped(1);
      return;
    }
    this.#unmade++;
    // Runs after the code that waits for the response.
    setImmediate(() => {
      this.#unmade--;
      try {
        this.#waiting.push(...make());
        this.#writeIn(GATHER_MS);
      } catch (error) {
        this.#dropped(1);
        this.#log.warn({ reason: (error as Error).name }, 'a call to a carrier cannot be recorded');
      }
    });
  }

  /** Writes the waiting calls, once, and records no more. */
  async close(): Promise<void> {
    await nextTurn();
    this.#isClosed = true;
    clearTimeout(this.#timer);
    await this.#writing;
    await this.#write();
  }

  #writeIn(ms: number): void {
    if (this.#timer !== undefined || this.#isClosed || this.#waiting.length === 0) return;
    this.#timer = setTimeout(() => {
      this.#writing = this.#write().then(isAgain => {
        this.#timer = undefined;
        this.#writeIn(isAgain ? RETRY_MS : GATHER_MS);
      });
    }, ms);
    this.#timer.unref();
  }

  /** Returns whether the database is down, so that the rest must be written later. */
  async #write(): Promise<boolean> {
    const calls = this.#waiting;
    this.#waiting = [];
    const byCompany = [...Map.groupBy(calls, ({ companyId }) => companyId)].flatMap(([companyId, of]) =>
      chunksOf(of).map(batch => ({ companyId, batch })),
    );
    for (const [n, { companyId, batch }] of byCompany.entries()) {
      try {
        await insertCalls(new Tenant(companyId, this.#database), batch);
      } catch (error) {
        if (isAway(error)) {
          const left = byCompany.slice(n).flatMap(one => one.batch);
          this.#waiting = [...left, ...this.#waiting];
          this.#dropped(this.#waiting.splice(this.#isClosed ? 0 : MAX_WAITING).length);
          return true;
        }
        this.#dropped(batch.length);
        this.#log.warn(
          { companyId, calls: batch.length, reason: (error as Error).name },
          'calls to carriers not recorded',
        );
      }
    }
    return false;
  }
}

/** Undefined if the retention of calls is zero days. */
export function openCallRecorder(
  database: Database,
  { carrierCallDays }: Pick<Retention, 'carrierCallDays'>,
  metrics: Metrics,
  log: Log,
): StoredCalls | undefined {
  return carrierCallDays === 0 ? undefined : new StoredCalls(database, metrics, log);
}

function chunksOf(calls: readonly CarrierCall[]): (readonly CarrierCall[])[] {
  return Array.from({ length: Math.ceil(calls.length / MAX_BATCH) }, (_, n) =>
    calls.slice(n * MAX_BATCH, (n + 1) * MAX_BATCH),
  );
}
