/** The classes of requests, with the default limit per key and minute. */
export const RATE_CLASSES = {
  reads: { perMinute: 6000, what: 'reads' },
  quotes: { perMinute: 1200, what: 'quotes and address checks' },
  writes: { perMinute: 600, what: 'writes' },
  cost: { perMinute: 3_000_000, what: 'units of cost' },
} as const satisfies Record<string, { perMinute: number; what: string }>;

export type RateClass = keyof typeof RATE_CLASSES;

/** The classes of a request; its cost is counted in addition. */
export type RequestClass = Exclude<RateClass, 'cost'>;

export const ALL_RATE_CLASSES = Object.keys(RATE_CLASSES) as readonly RateClass[];

export const RATE_WINDOW_SECONDS = 60;
export const MAX_RATE = 1_000_000_000;

/** Requests and units of cost a minute, by class. */
export type Rates = Readonly<Record<RateClass, number>>;

/** A change of the rates of a key: a class that is left out stays, null restores the service's rate. */
export type RatesPatch = { readonly [Class in RateClass]?: number | null | undefined };

/** The state of a key in one class. */
export interface RateState {
  readonly rateClass: RateClass;
  readonly limit: number;
  readonly remaining: number;
  /** Whether the limit of all keys of the company leaves less than the key's own. */
  readonly isOfCompany: boolean;
  /** Seconds until the window ends. */
  readonly resetSeconds: number;
}
