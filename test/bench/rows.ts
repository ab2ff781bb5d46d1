/**
 * The requirements of the service: the rows of RESULTS.md, in its order. Benches record their figures under these
 * names.
 */

export interface Row {
  /** Where it is measured, `BENCH` or `BENCH PART`. */
  readonly bench: string;
  readonly what: string;
  /** The peer in the same run. */
  readonly peer: string;
  readonly measure: Measure;
  readonly asked: { readonly atLeast: number } | { readonly atMost: number } | { readonly below: number };
}

/** The unit of a value, and the digits after the point that it is shown with. Ratios are taken in each round. */
const MEASURES = {
  rate: { unit: "requests/s ÷ the peer's", digits: 2 },
  p99: { unit: "p99 ÷ the peer's", digits: 2 },
  /** The time of one request, the inverse of the rate. */
  time: { unit: "time ÷ the smallest's", digits: 2 },
  perSecond: { unit: 'deliveries/s', digits: 0 },
  milliseconds: { unit: 'ms', digits: 1 },
  growth: { unit: 'memory ÷ the earlier', digits: 2 },
  megabytes: { unit: 'MB', digits: 0 },
  /** A share in percent. */
  points: { unit: 'points from what is stated', digits: 2 },
  loss: { unit: "pinball loss ÷ the peer's", digits: 2 },
  seconds: { unit: 's', digits: 1 },
} as const;

export type Measure = keyof typeof MEASURES;

export const unitOf = ({ measure }: Row): string => MEASURES[measure].unit;
export const shown = ({ measure }: Row, figure: number): string => figure.toFixed(MEASURES[measure].digits);

const FASTIFY = 'Fastify + pg, two statements, no logging or metrics';
const POSTGRAPHILE = 'PostGraphile 5 on the same tables';
const p99 = (what: string): Row => ({
  bench: 'tracking load',
  what: `tracking by number, REST, ${what}`,
  peer: FASTIFY,
  measure: 'p99',
  asked: { atMost: 1.1 },
});
const size = (shipments: string): Row => ({
  bench: 'sizes',
  what: `tracking at ${shipments} shipments, random numbers`,
  peer: 'itself at 10,000',
  measure: 'time',
  asked: { atMost: 1.6 },
});

export const ROWS = {
  'rest-fastify': {
    bench: 'tracking rest',
    what: 'tracking by number, REST',
    peer: FASTIFY,
    measure: 'rate',
    asked: { atLeast: 1.3 },
  },
  'rest-duties': {
    bench: 'tracking rest',
    what: 'tracking by number, REST',
    peer: 'Fastify + pg with equal duties: rate-limit, etag, compress, metrics, pino',
    measure: 'rate',
    asked: { atLeast: 1.6 },
  },
  'rest-bare': {
    bench: 'tracking rest',
    what: 'tracking by number, REST',
    peer: 'bare `node:http`, one statement that builds the JSON',
    measure: 'rate',
    asked: { atLeast: 0.9 },
  },
  'graphql-postgraphile': {
    bench: 'tracking graphql',
    what: 'tracking by number, GraphQL',
    peer: POSTGRAPHILE,
    measure: 'rate',
    asked: { atLeast: 1.7 },
  },
  'page-postgraphile': {
    bench: 'tracking graphql',
    what: 'GraphQL page of 50 shipments with order, warehouse, timeline',
    peer: POSTGRAPHILE,
    measure: 'rate',
    asked: { atLeast: 1 },
  },
  sofa: {
    bench: 'tracking sofa',
    what: 'five reads of the REST contract',
    peer: 'the same five over SOFA on Yoga, on the same schema',
    measure: 'rate',
    asked: { atLeast: 1.5 },
  },
  quotes: {
    bench: 'quotes http',
    what: 'quotes on 8 carrier connections',
    peer: 'Fastify + the same engine',
    measure: 'rate',
    asked: { atLeast: 0.75 },
  },
  address: {
    bench: 'address overhead',
    what: 'address check',
    peer: 'Fastify + undici',
    measure: 'rate',
    asked: { atLeast: 0.5 },
  },
  'webhooks-bare': {
    bench: 'webhooks sustained',
    what: 'webhooks, durable',
    peer: 'bare undici loop that signs and posts',
    measure: 'rate',
    asked: { atLeast: 0.45 },
  },
  'webhooks-rate': {
    bench: 'webhooks sustained',
    what: 'webhooks, durable',
    peer: '',
    measure: 'perSecond',
    asked: { atLeast: 6_000 },
  },
  'events-one': {
    bench: 'events singles',
    what: 'single events with a webhook, 16 connections, one company',
    peer: 'Fastify + pg that does the same by hand',
    measure: 'rate',
    asked: { atLeast: 1 },
  },
  'events-twenty': {
    bench: 'events singles',
    what: 'single events with a webhook, 16 connections, twenty companies',
    peer: 'Fastify + pg that does the same by hand',
    measure: 'rate',
    asked: { atLeast: 1 },
  },
  'events-batch-100': {
    bench: 'events batches',
    what: 'events in batches of 100',
    peer: 'Fastify + pg that does the same by hand',
    measure: 'rate',
    asked: { atLeast: 0.8 },
  },
  'events-batch-1000': {
    bench: 'events batches',
    what: 'events in batches of 1,000',
    peer: 'Fastify + pg that does the same by hand',
    measure: 'rate',
    asked: { atLeast: 0.8 },
  },
  'events-latency': {
    bench: 'events latency',
    what: 'from a call to the receiver of its webhook, p99 at 100 calls/s of one company',
    peer: '',
    measure: 'milliseconds',
    asked: { below: 50 },
  },
  'streams-wake': {
    bench: 'streams spread',
    what: 'from a call to the readers of 1,000 live streams, p99 at 100 changes/s of 100 companies',
    peer: '',
    measure: 'milliseconds',
    asked: { below: 500 },
  },
  'streams-memory': {
    bench: 'streams spread',
    what: 'memory of the process with those streams',
    peer: '',
    measure: 'megabytes',
    asked: { below: 400 },
  },
  'load-16': p99('16 connections'),
  'load-64': p99('64 connections'),
  'load-256': p99('256 connections'),
  'load-paced': p99('at 70 % of the greatest rate that both reach'),
  'size-1m': size('1,000,000'),
  'size-10m': size('10,000,000'),
  'soak-growth': {
    bench: 'soak',
    what: 'memory after 20 minutes of mixed load',
    peer: 'itself after 2 minutes',
    measure: 'growth',
    asked: { atMost: 1.1 },
  },
  'soak-memory': {
    bench: 'soak',
    what: 'memory after 20 minutes of mixed load',
    peer: '',
    measure: 'megabytes',
    asked: { below: 300 },
  },
  'soak-long': {
    bench: 'soak',
    what: 'memory after two hours of mixed load (`--minutes 120`)',
    peer: 'itself after 20 minutes',
    measure: 'growth',
    asked: { atMost: 1.1 },
  },
  'promise-80': {
    bench: 'promise backtest',
    what: 'parcels that came by the 80 % date, over a drift, a strike and a peak season',
    peer: '',
    measure: 'points',
    asked: { atMost: 2 },
  },
  'promise-95': {
    bench: 'promise backtest',
    what: 'parcels that came by the 95 % date, over the same',
    peer: '',
    measure: 'points',
    asked: { atMost: 2 },
  },
  'promise-level': {
    bench: 'promise backtest',
    what: 'the worse of both at the worst level with 1,000 parcels or more',
    peer: '',
    measure: 'points',
    asked: { atMost: 2 },
  },
  'promise-no-weight': {
    bench: 'promise backtest',
    what: 'the same of parcels without a weight',
    peer: '',
    measure: 'points',
    asked: { atMost: 2 },
  },
  'promise-sparse': {
    bench: 'promise backtest',
    what: 'the same of parcels to places with fewer than 30 deliveries',
    peer: '',
    measure: 'points',
    asked: { atMost: 2 },
  },
  'promise-abroad': {
    bench: 'promise backtest',
    what: 'the same of parcels abroad',
    peer: '',
    measure: 'points',
    asked: { atMost: 2 },
  },
  'promise-silent': {
    bench: 'promise backtest',
    what: 'the same of parcels of which nothing was heard for a working day or longer, of those that got lost too',
    peer: '',
    measure: 'points',
    asked: { atMost: 2 },
  },
  'promise-tariff': {
    bench: 'promise backtest',
    what: 'the 80 % date, as a quantile',
    peer: "the tariff's days",
    measure: 'loss',
    asked: { atMost: 1 },
  },
  'promise-carrier': {
    bench: 'promise backtest',
    what: 'the 80 % date, as a quantile',
    peer: "the carrier's own date",
    measure: 'loss',
    asked: { atMost: 1 },
  },
  'promise-nightly': {
    bench: 'promise nightly',
    what: 'the nightly job of a company with 3,000,000 shipments in 90 days',
    peer: '',
    measure: 'seconds',
    asked: { below: 60 },
  },
  'invoice-check': {
    bench: 'invoices',
    what: 'an invoice of 100,000 lines, imported and checked; every planted mistake is found, and nothing else',
    peer: '',
    measure: 'seconds',
    asked: { below: 30 },
  },
  'start-first': {
    bench: 'start',
    what: '`npm start` in an empty folder, until it prints what to try',
    peer: '',
    measure: 'seconds',
    asked: { below: 10 },
  },
  'start-later': {
    bench: 'start',
    what: 'the next start on the same data',
    peer: '',
    measure: 'seconds',
    asked: { below: 3 },
  },
} as const satisfies Readonly<Record<string, Row>>;

export type RowId = keyof typeof ROWS;

export const rowOf = (id: RowId): Row => ROWS[id];

export function askedOf({ asked }: Row): string {
  if ('atLeast' in asked) return `≥ ${asked.atLeast.toLocaleString('en')}`;
  return 'atMost' in asked ? `≤ ${asked.atMost.toLocaleString('en')}` : `< ${asked.below.toLocaleString('en')}`;
}

export function holds({ asked }: Row, figure: number): boolean {
  if ('atLeast' in asked) return figure >= asked.atLeast;
  return 'atMost' in asked ? figure <= asked.atMost : figure < asked.below;
}
