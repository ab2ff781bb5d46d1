import type { Database, Statement } from './database.ts';
import type { Log } from './log.ts';
import type { Metrics } from './metrics.ts';
import { RATE_WINDOW_SECONDS, type RateClass, type RateState, type Rates } from './rates.ts';
import type { CompanyId } from './tenancy.ts';

const WINDOW_MS = RATE_WINDOW_SECONDS * 1000;
/** How often processes tell each other what they let through. */
const AGREE_EVERY_MS = 200;
/** How long requests wait for that where they must, and how long they then do without. */
const PATIENCE_MS = 250;
const ALONE_MS = 1000;
/** What a process may let through of a limit, or of what is left of it, that the others don't know of. */
const UNTOLD_OF_LIMIT = 1 / 20;
const UNTOLD_OF_REST = 1 / 4;

/** Whose requests are counted. */
export interface Limited {
  readonly companyId: CompanyId;
  readonly apiKeyId: string;
  /** Where they differ from the service's own. */
  readonly rates: Partial<Rates>;
}

/** Requests of a key and a class in the present window. */
interface Counter {
  readonly companyId: CompanyId;
  readonly apiKeyId: string;
  readonly rateClass: RateClass;
  /** Over all processes, as far as known. */
  told: number;
  /** Let through here and not yet among those. */
  untold: number;
}

// For many companies at once: every row names its key's own company, which authentication found.
const ADD_USE: Statement = {
  name: 'rate-use-add',
  text: `insert into rate_use as kept (company_id, api_key_id, rate_class, time_window, used)
    select company_id, api_key_id, rate_class, $1, used
      from unnest($2::uuid[], $3::uuid[], $4::text[], $5::integer[]) as each (company_id, api_key_id, rate_class, used)
      order by company_id, api_key_id, rate_class
    on conflict (company_id, api_key_id, rate_class) do update set
      used = case when kept.time_window = excluded.time_window then kept.used + excluded.used
        when kept.time_window < excluded.time_window then excluded.used else kept.used end,
      time_window = greatest(kept.time_window, excluded.time_window)
    returning api_key_id as "apiKeyId", rate_class as "rateClass", time_window as "timeWindow", used`,
};

/**
 * Requests per key and class in windows of a minute, over all processes. A process counts in memory and adds what it
 * counted, of all keys in one statement, to a table where it also reads what the others did: five times a second, and at
 * once where it let through more untold than it may, which the requests of that key then wait for. So N processes let
 * through at most N − 1 times a twentieth of a limit too much. Without the database each counts alone.
 */
export class RateLimits {
  readonly #database: Database;
  readonly #metrics: Metrics;
  readonly #log: Log;
  readonly #rates: Rates;
  #window = 0;
  #counters = new Map<string, Counter>();
  readonly #untold = new Set<Counter>();
  #agreement: Promise<void> | undefined;
  #timer: NodeJS.Timeout | undefined;
  #aloneUntilMs = 0;
  #isStopped = false;

  constructor(database: Database, rates: Rates, metrics: Metrics, log: Log) {
    this.#database = database;
    this.#rates = rates;
    this.#metrics = metrics;
    this.#log = log;
  }

  /** How a key stands, without counting. */
  state(limited: Limited, rateClass: RateClass): RateState {
    return this.#state(this.#counter(limited, rateClass, Date.now()), limited, false);
  }

  /** Counts a request, unless the limit is reached. */
  async take(limited: Limited, rateClass: RateClass): Promise<RateState> {
    let counter = this.#counter(limited, rateClass, Date.now());
    while (this.#mustAgree(counter, limited)) {
      await this.#agree();
      counter = this.#counter(limited, rateClass, Date.now());
    }
    if (counter.told + counter.untold >= this.#limit(limited, rateClass)) {
      this.#metrics.rateLimited(rateClass);
      return this.#state(counter, limited, true);
    }
    counter.untold++;
    this.#untold.add(counter);
    this.#agreeSoon();
    return this.#state(counter, limited, false);
  }

  /** Tells what is still untold. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    if (this.#untold.size > 0) await this.#agree();
    clearTimeout(this.#timer);
  }

  #limit({ rates }: Limited, rateClass: RateClass): number {
    return rates[rateClass] ?? this.#rates[rateClass];
  }

  #counter({ companyId, apiKeyId }: Limited, rateClass: RateClass, nowMs: number): Counter {
    const window = Math.floor(nowMs / WINDOW_MS);
    if (window !== this.#window) {
      this.#window = window;
      this.#counters = new Map();
      this.#untold.clear();
    }
    const name = `${apiKeyId} ${rateClass}`;
    let counter = this.#counters.get(name);
    if (counter === undefined) {
      counter = { companyId, apiKeyId, rateClass, told: 0, untold: 0 };
      this.#counters.set(name, counter);
    }
    return counter;
  }

  #state({ rateClass, told, untold }: Counter, limited: Limited, isExceeded: boolean): RateState {
    const limit = this.#limit(limited, rateClass);
    const remaining = Math.max(0, limit - told - untold);
    const resetSeconds = Math.ceil((WINDOW_MS - (Date.now() % WINDOW_MS)) / 1000);
    return { rateClass, limit, remaining, resetSeconds, isExceeded };
  }

  #mustAgree({ rateClass, told, untold }: Counter, limited: Limited): boolean {
    const limit = this.#limit(limited, rateClass);
    const rest = limit - told - untold;
    const mayBeUntold = Math.max(1, Math.min(limit * UNTOLD_OF_LIMIT, (limit - told) * UNTOLD_OF_REST));
    return rest > 0 && untold >= mayBeUntold && Date.now() >= this.#aloneUntilMs;
  }

  #agreeSoon(): void {
    if (this.#isStopped) return;
    const waitMs = Math.max(AGREE_EVERY_MS, this.#aloneUntilMs - Date.now());
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      if (this.#untold.size > 0) void this.#agree();
    }, waitMs).unref();
  }

  /** Resolves once the processes agree, or when that takes too long. */
  #agree(): Promise<void> {
    if (this.#agreement) return this.#agreement;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#agreement = promise;
    const goAlone = () => {
      this.#aloneUntilMs = Date.now() + ALONE_MS;
      resolve();
    };
    const late = setTimeout(goAlone, PATIENCE_MS).unref();
    this.#tell()
      .catch(error => {
        this.#log.warn({ reason: error.message }, 'rate limits are counted by each process alone');
        goAlone();
      })
      .finally(() => {
        clearTimeout(late);
        this.#agreement = undefined;
        if (this.#untold.size > 0) this.#agreeSoon();
        resolve();
      });
    return promise;
  }

  async #tell(): Promise<void> {
    const [window, counters] = [this.#window, this.#counters];
    const telling = [...this.#untold].map(counter => ({ counter, used: counter.untold }));
    this.#untold.clear();
    const column = <T>(of: (one: (typeof telling)[number]) => T) => telling.map(of);
    try {
      const rows = await this.#database.rows<{
        apiKeyId: string;
        rateClass: RateClass;
        timeWindow: number;
        used: number;
      }>(ADD_USE, [
        window,
        column(({ counter }) => counter.companyId),
        column(({ counter }) => counter.apiKeyId),
        column(({ counter }) => counter.rateClass),
        column(({ used }) => used),
      ]);
      for (const { counter, used } of telling) {
        counter.untold -= used;
        counter.told += used;
      }
      for (const { apiKeyId, rateClass, timeWindow, used } of rows) {
        const counter = counters.get(`${apiKeyId} ${rateClass}`);
        // Another window is of a process whose clock is ahead.
        if (counter && timeWindow === window) counter.told = used;
      }
    } catch (error) {
      if (window === this.#window) for (const { counter } of telling) this.#untold.add(counter);
      throw error;
    }
    // What came in meanwhile.
    if (window === this.#window) for (const { counter } of telling) if (counter.untold > 0) this.#untold.add(counter);
  }
}
