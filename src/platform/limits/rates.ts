/** What requests are counted as, with how many of each a key may make a minute unless settings or the key say otherwise. */
export const RATE_CLASSES = {
  reads: { perMinute: 6000, what: 'reads' },
  quotes: { perMinute: 1200, what: 'quotes and address checks' },
  writes: { perMinute: 600, what: 'writes' },
  cost: { perMinute: 3_000_000, what: 'units of cost' },
} as const satisfies Record<string, { perMinute: number; what: string }>;

export type RateClass = keyof typeof RATE_CLASSES;

/** What a request can be counted as; its cost is counted beside it. */
export type RequestClass = Exclude<RateClass, 'cost'>;

export const ALL_RATE_CLASSES = Object.keys(RATE_CLASSES) as readonly RateClass[];

export const RATE_WINDOW_SECONDS = 60;
export const MAX_RATE = 1_000_000_000;

/** Requests and units of cost a minute, by class. */
export type Rates = Readonly<Record<RateClass, number>>;

/** Rates of a key to change: what is left out stays, null is the service's own. */
export type RatesPatch = { readonly [Class in RateClass]?: number | null | undefined };

/** How a key stands in one class. */
export interface RateState {
  readonly rateClass: RateClass;
  readonly limit: number;
  readonly remaining: number;
  /** Whose limit leaves less: the key's, or that of all keys of its company together. */
  readonly isOfCompany: boolean;
  /** Until all is given anew. */
  readonly resetSeconds: number;
}
