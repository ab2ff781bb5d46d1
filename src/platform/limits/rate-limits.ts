import type { Database } from '../database/database.ts';
import { serviceStatement } from '../database/statements/statements.ts';
import type { CompanyId } from '../database/tenancy/company-id.ts';
import { isoTime } from '../iso-time.ts';
import { logRepeated } from '../telemetry/failure-log.ts';
import type { Log } from '../telemetry/log.ts';
import type { Metrics } from '../telemetry/metrics.ts';
import {
  MAX_RATE,
  RATE_WINDOW_SECONDS,
  type RateClass,
  type RateState,
  type Rates,
  type RequestClass,
} from './rates.ts';

const WINDOW_MS = RATE_WINDOW_SECONDS * 1000;
/** How often processes share counts that are far below their limits. */
const SHARE_EVERY_MS = 1_000;
/** How long requests wait for a count to be shared, and how long a process counts alone after a failure. */
const SHARE_TIMEOUT_MS = 250;
const ALONE_MS = 1000;
/** The part of a limit, or of its remainder, that a process may use before it shares its count. */
const UNSHARED_OF_LIMIT = 1 / 20;
const UNSHARED_OF_REST = 1 / 4;

/** A caller whose requests are counted. */
export interface Limited {
  readonly companyId: CompanyId;
  /** The key whose counters are used. */
  readonly rateKeyId: string;
  /** Rates that differ from the service's own. */
  readonly rates: Partial<Rates>;
}

/** The use of one class by a key, or by all keys of a company, in the current window. */
interface Counter {
  readonly companyId: CompanyId;
  /** `WHOLE_COMPANY` for the counter of all keys. */
  readonly rateKeyId: string;
  readonly rateClass: RateClass;
  /** The use over all processes, as last read. */
  known: number;
  /** The use of this process that is not shared yet. */
  unshared: number;
}

type Counters = Readonly<Record<RateClass, Counter>>;

/** The counters of a key and of all keys of its company. */
interface CountersOf {
  readonly ofKey: Counters;
  readonly ofCompany: Counters;
}

/** The key id under which all keys of a company are counted. */
const WHOLE_COMPANY = '00000000-0000-0000-0000-000000000000';

// One statement for many companies: each row has the company of its own key, which authentication found.
const ADD_USE = serviceStatement(
  'rate-use-add',
  `insert into rate_use as kept (company_id, api_key_id, rate_class, time_window, used)
    select company_id, api_key_id, rate_class, $1, used
      from unnest($2::uuid[], $3::uuid[], $4::text[], $5::integer[]) as each (company_id, api_key_id, rate_class, used)
      where exists (select from company c where c.id = each.company_id)
      order by company_id, api_key_id, rate_class
    on conflict (company_id, api_key_id, rate_class) do update set
      used = case when kept.time_window = excluded.time_window then kept.used + excluded.used
        when kept.time_window < excluded.time_window then excluded.used else kept.used end,
      time_window = greatest(kept.time_window, excluded.time_window)
    returning company_id as "companyId", api_key_id as "rateKeyId", rate_class as "rateClass", time_window as "timeWindow", used`,
);

/**
 * Limits requests and cost by key and by company in windows of a minute, over all processes.
 *
 * A process counts in memory. Each second, one statement adds the counts of all keys to a table and reads the counts of
 * the other processes. With 20 companies and 300 requests a second, sharing five times a second changed 480 rows a
 * second, and 190 with this. When a process has used its unshared part of a limit, it shares at once and requests of
 * that key wait: N processes exceed a limit by at most N − 1 times a twentieth. Without the database each process
 * counts alone. All keys of a company share the service's rates; a key with a higher rate of its own has that rate.
 *
 * rate-limiter-flexible over PostgreSQL sends a statement for each counter. Measured with the four counters of a
 * request (class and cost, of the key and of its company): 155 to 185 µs of CPU and 4 statements a request there, 1 to
 * 2 µs here and a statement a second.
 */
export class RateLimits {
  readonly #database: Database;
  readonly #metrics: Metrics;
  readonly #log: Log;
  readonly #rates: Rates;
  #window = 0;
  /** Counters by the id of a key or a company. */
  #counters = new Map<string, Counters>();
  readonly #unshared = new Set<Counter>();
  #sharing: Promise<void> | undefined;
  #timer: NodeJS.Timeout | undefined;
  #aloneUntilMs = 0;
  #isStopped = false;

  constructor(database: Database, rates: Rates, metrics: Metrics, log: Log) {
    this.#database = database;
    this.#rates = rates;
    this.#metrics = metrics;
    this.#log = log;
  }

  /** Returns the rates of a key in a class and in cost, without counting. */
  states(limited: Limited, rateClass: RequestClass): readonly [RateState, RateState] {
    const nowMs = Date.now();
    const counters = this.#countersOf(limited, nowMs);
    return [this.#state(limited, counters, rateClass, nowMs), this.#state(limited, counters, 'cost', nowMs)];
  }

  /**
   * Counts requests of a class, unless they exceed its limit or earlier costs have used up the limit of cost.
   *
   * @param count how many requests this one counts as
   * @returns the exceeded rate; undefined if there is none. A promise only if the counters must be shared first
   */
  take(limited: Limited, rateClass: RequestClass, count = 1): Promise<RateState | undefined> | RateState | undefined {
    const counters = this.#countersOf(limited, Date.now());
    if (this.#mustShare(limited, counters, rateClass) || this.#mustShare(limited, counters, 'cost')) {
      return this.#share().then(() => this.take(limited, rateClass, count));
    }
    const exceeded =
      this.#remaining(limited, counters, rateClass) < count
        ? rateClass
        : this.#remaining(limited, counters, 'cost') < 1
          ? 'cost'
          : undefined;
    if (exceeded !== undefined) {
      this.#metrics.rateLimited(exceeded);
      return this.#state(limited, counters, exceeded, Date.now());
    }
    this.#add(counters, rateClass, count);
    return undefined;
  }

  /** Whether a key may make one more request of a class. */
  hasRoom(limited: Limited, rateClass: RequestClass): boolean {
    return this.#remaining(limited, this.#countersOf(limited, Date.now()), rateClass) > 0;
  }

  /** The cost that a key has left in the window once more units are spent, and the end of the window. */
  costLeft(limited: Limited, units: number): { readonly remaining: number; readonly resetAt: string } {
    const nowMs = Date.now();
    const remaining = Math.max(0, this.#remaining(limited, this.#countersOf(limited, nowMs), 'cost') - units);
    return { remaining, resetAt: isoTime(nowMs - (nowMs % WINDOW_MS) + WINDOW_MS) };
  }

  /** Adds a cost even if it exceeds the limit: the next request is then rejected. */
  spend(limited: Limited, units: number): void {
    if (units > 0) this.#add(this.#countersOf(limited, Date.now()), 'cost', Math.ceil(units));
  }

  /** Returns the count of a request that turned out to be of another class. */
  giveBack(limited: Limited, rateClass: RequestClass): void {
    this.#add(this.#countersOf(limited, Date.now()), rateClass, -1);
  }

  /** The most that a key may use of a class in a window. */
  limit({ rates }: Limited, rateClass: RateClass): number {
    return rates[rateClass] ?? this.#rates[rateClass];
  }

  /** Shares the remaining counts. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    if (this.#unshared.size > 0) await this.#share();
    clearTimeout(this.#timer);
  }

  /** The limit of all keys of the company together, as far as the rates of this key show it. */
  #companyLimit(limited: Limited, rateClass: RateClass): number {
    return Math.max(this.#rates[rateClass], this.limit(limited, rateClass));
  }

  #add({ ofKey, ofCompany }: CountersOf, rateClass: RateClass, count: number): void {
    for (const counter of [ofKey[rateClass], ofCompany[rateClass]]) {
      counter.unshared += count;
      this.#unshared.add(counter);
    }
    this.#shareSoon();
  }

  #countersOf({ companyId, rateKeyId }: Limited, nowMs: number): CountersOf {
    const window = Math.floor(nowMs / WINDOW_MS);
    if (window !== this.#window) {
      this.#window = window;
      this.#counters = new Map();
      this.#unshared.clear();
    }
    return {
      ofKey: this.#counters.get(rateKeyId) ?? this.#begin(rateKeyId, companyId, rateKeyId),
      ofCompany: this.#counters.get(companyId) ?? this.#begin(companyId, companyId, WHOLE_COMPANY),
    };
  }

  /** @param id the id of the key or the company, which is unique over both */
  #begin(id: string, companyId: CompanyId, rateKeyId: string): Counters {
    const counter = (rateClass: RateClass) => ({ companyId, rateKeyId, rateClass, known: 0, unshared: 0 });
    const counters = {
      reads: counter('reads'),
      quotes: counter('quotes'),
      writes: counter('writes'),
      cost: counter('cost'),
    };
    this.#counters.set(id, counters);
    return counters;
  }

  #remaining(limited: Limited, { ofKey, ofCompany }: CountersOf, rateClass: RateClass): number {
    return Math.min(
      leftOf(ofKey[rateClass], this.limit(limited, rateClass)),
      leftOf(ofCompany[rateClass], this.#companyLimit(limited, rateClass)),
    );
  }

  #state(limited: Limited, { ofKey, ofCompany }: CountersOf, rateClass: RateClass, nowMs: number): RateState {
    const [keyLimit, companyLimit] = [this.limit(limited, rateClass), this.#companyLimit(limited, rateClass)];
    const [left, leftOfCompany] = [leftOf(ofKey[rateClass], keyLimit), leftOf(ofCompany[rateClass], companyLimit)];
    const isOfCompany = leftOfCompany < left;
    return {
      rateClass,
      limit: isOfCompany ? companyLimit : keyLimit,
      remaining: Math.max(0, Math.min(left, leftOfCompany)),
      isOfCompany,
      resetSeconds: Math.ceil((WINDOW_MS - (nowMs % WINDOW_MS)) / 1000),
    };
  }

  #mustShare(limited: Limited, { ofKey, ofCompany }: CountersOf, rateClass: RateClass): boolean {
    const isMuch =
      hasMuchUnshared(ofKey[rateClass], this.limit(limited, rateClass)) ||
      hasMuchUnshared(ofCompany[rateClass], this.#companyLimit(limited, rateClass));
    return isMuch && Date.now() >= this.#aloneUntilMs;
  }

  #shareSoon(): void {
    // Counts that arrive during a statement are shared after it.
    if (this.#isStopped || this.#sharing) return;
    const waitMs = Math.max(SHARE_EVERY_MS, this.#aloneUntilMs - Date.now());
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      if (this.#unshared.size > 0) void this.#share();
    }, waitMs).unref();
  }

  /** Resolves once the counters are shared, or after a timeout. */
  #share(): Promise<void> {
    if (this.#sharing) return this.#sharing;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#sharing = promise;
    const goAlone = () => {
      // Until the statement ends: the promise has resolved, so requests that waited for it again would never wait.
      this.#aloneUntilMs = Number.POSITIVE_INFINITY;
      resolve();
    };
    const late = setTimeout(goAlone, SHARE_TIMEOUT_MS).unref();
    this.#send()
      .catch(error => {
        const message = 'rate limits are counted by each process alone';
        logRepeated(this.#log, { level: 'warn', message, fields: { reason: error.message } });
        goAlone();
      })
      .finally(() => {
        clearTimeout(late);
        if (this.#aloneUntilMs === Number.POSITIVE_INFINITY) this.#aloneUntilMs = Date.now() + ALONE_MS;
        this.#sharing = undefined;
        if (this.#unshared.size > 0) this.#shareSoon();
        resolve();
      });
    return promise;
  }

  async #send(): Promise<void> {
    const [window, counters] = [this.#window, this.#counters];
    const sent = [...this.#unshared].map(counter => ({ counter, used: counter.unshared }));
    this.#unshared.clear();
    const column = <T>(of: (one: (typeof sent)[number]) => T) => sent.map(of);
    try {
      const rows = await this.#database.rows<{
        companyId: CompanyId;
        rateKeyId: string;
        rateClass: RateClass;
        timeWindow: number;
        used: number;
      }>(ADD_USE, [
        window,
        column(({ counter }) => counter.companyId),
        column(({ counter }) => counter.rateKeyId),
        column(({ counter }) => counter.rateClass),
        // The column is an integer; a larger value is far above any limit anyway.
        column(({ used }) => Math.min(used, MAX_RATE)),
      ]);
      for (const { counter, used } of sent) {
        counter.unshared -= used;
        counter.known += used;
      }
      for (const { companyId, rateKeyId, rateClass, timeWindow, used } of rows) {
        const counter = counters.get(rateKeyId === WHOLE_COMPANY ? companyId : rateKeyId)?.[rateClass];
        // A row of another window was written by a process whose clock is ahead.
        if (counter && timeWindow === window) counter.known = used;
      }
    } catch (error) {
      if (window === this.#window) for (const { counter } of sent) this.#unshared.add(counter);
      throw error;
    }
    // Counts that arrived during the statement.
    if (window === this.#window)
      for (const { counter } of sent) if (counter.unshared !== 0) this.#unshared.add(counter);
  }
}

function leftOf({ known, unshared }: Counter, limit: number): number {
  return limit - known - unshared;
}

/** Whether the counter must be shared before more requests are admitted. */
function hasMuchUnshared({ known, unshared }: Counter, limit: number): boolean {
  const mayBeUnshared = Math.max(1, Math.min(limit * UNSHARED_OF_LIMIT, (limit - known) * UNSHARED_OF_REST));
  return limit - known - unshared > 0 && unshared >= mayBeUnshared;
}
