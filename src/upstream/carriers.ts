import { setTimeout as pause } from 'node:timers/promises';
import type {
  AddressFinding,
  AskedAddress,
  CarrierAccount,
  CarrierPort,
  NoAnswer,
  TrackingFinding,
} from '../domain/carriers/carrier.port.ts';
import type { CarrierCode } from '../domain/carriers/carriers.catalog.ts';
import type { Log } from '../platform/log.ts';
import type { Metrics } from '../platform/metrics.ts';
import { Outbound } from '../platform/outbound.ts';
import type { OutboundPolicy } from '../platform/outbound-url.ts';
import type { Asking, CarrierAdapter } from './adapter.ts';
import { Breaker } from './breaker.ts';
import { brt } from './brt.ts';
import { type Call, CarrierFetch, deadline, MAX_ANSWER_BYTES } from './carrier-fetch.ts';
import { dhl } from './dhl.ts';
import { fedex } from './fedex.ts';
import { gls } from './gls.ts';
import type { CarrierSchema } from './mesh.ts';
import { ups } from './ups.ts';

const ADAPTERS: Readonly<Partial<Record<CarrierCode, CarrierAdapter>>> = {
  GLS: gls,
  BRT: brt,
  DHL: dhl,
  UPS: ups,
  FEDEX: fedex,
};

/** Of one account. */
const CONNECTIONS = 128;
const CONNECT_MS = 2_000;
const TOTAL_MS = 8_000;

/** Tracking requests of one account that are under way, where the carrier sets no pace. */
const TRACKED_AT_ONCE = 16;

const MINUTE_MS = 60_000;

/** Public addresses over TLS, and nothing else. */
const PUBLIC: OutboundPolicy = { allowPrivate: [], allowHttp: false };
/** Used for the sandbox's own address only, which an operator has named. */
const ANYWHERE: OutboundPolicy = { allowPrivate: ['0.0.0.0/0', '::/0'], allowHttp: true };

/** The carriers, each through the schema that Mesh makes of its document, which is loaded when it is first asked. */
export class Carriers implements CarrierPort {
  readonly #sandboxUrl: string | undefined;
  readonly #fetch: CarrierFetch;
  readonly #log: Log;
  readonly #outbound: Readonly<Record<CarrierAccount['environment'], Outbound>>;
  readonly #closing = new AbortController();
  readonly #breaker = new Breaker();
  readonly #schemas = new Map<string, Promise<CarrierSchema<Call>>>();

  /** @param sandboxUrl where accounts of the sandbox are asked; undefined where there is none */
  constructor(sandboxUrl: string | undefined, metrics: Metrics, log: Log) {
    const limits = {
      totalTimeoutMs: TOTAL_MS,
      connectTimeoutMs: CONNECT_MS,
      connectionsPerOrigin: CONNECTIONS,
      maxResponseBytes: MAX_ANSWER_BYTES,
      keptResponseBytes: MAX_ANSWER_BYTES,
    };
    this.#sandboxUrl = sandboxUrl;
    this.#fetch = new CarrierFetch(metrics);
    this.#log = log;
    this.#outbound = { live: new Outbound(PUBLIC, limits), sandbox: new Outbound(ANYWHERE, limits) };
    metrics.gauge('carrier_connections_left_alone', 'Carrier connections that are not asked for a while', () =>
      this.#breaker.open(Date.now()),
    );
  }

  checkAddress(account: CarrierAccount, asked: AskedAddress): Promise<AddressFinding> {
    return this.#ask('address', account, adapter => adapter.address, asked);
  }

  async track(account: CarrierAccount, trackingNumbers: readonly string[]): Promise<readonly TrackingFinding[]> {
    const { numbersPerRequest = 1, requestsPerMinute = 1 } = ADAPTERS[account.carrierCode]?.tracking ?? {};
    const spacingMs = account.environment === 'live' ? MINUTE_MS / requestsPerMinute : 0;
    let halt: NoAnswer | undefined;
    return paced(chunks(trackingNumbers, numbersPerRequest), spacingMs, this.#closing.signal, async numbers => {
      if (this.#closing.signal.aborted) halt = { kind: 'unavailable' };
      const answer = halt ?? (await this.#ask('tracking', account, ({ tracking }) => tracking, numbers));
      if ('kind' in answer && (answer.kind === 'refused' || answer.retryAfterMs !== undefined)) halt = answer;
      return { findings: 'kind' in answer ? numbers.map(() => answer) : answer, isOver: halt !== undefined };
    });
  }

  /** Breaks off what is under way. */
  async close(): Promise<void> {
    this.#closing.abort();
    await Promise.all([this.#outbound.live.close(), this.#outbound.sandbox.close()]);
  }

  async #ask<Question, Finding extends object>(
    purpose: 'address' | 'tracking',
    account: CarrierAccount,
    pick: (adapter: CarrierAdapter) => Asking<Question, Finding>,
    question: Question,
  ): Promise<Finding | NoAnswer> {
    const adapter = ADAPTERS[account.carrierCode];
    const baseUrl = adapter && this.#baseUrl(account, adapter, pick(adapter));
    if (!baseUrl || this.#breaker.isOpen(account.key, Date.now())) return { kind: 'unavailable' };
    const outbound = this.#outbound[account.environment];
    const call: Call = { purpose, account, adapter, baseUrl, outbound, deadline: deadline(), failure: null };
    const finding = await this.#answer(call, pick(adapter), question);
    this.#note(call, finding);
    return finding;
  }

  async #answer<Question, Finding extends object>(
    call: Call,
    { operation, variables, read }: Asking<Question, Finding>,
    question: Question,
  ): Promise<Finding | NoAnswer> {
    const schema = await this.#schema(call.adapter.document);
    const { data, errors } = await schema.run(operation, variables(question), call);
    if (call.failure) return call.failure;
    // Of a timeline what can be read is worth having; half an address would be another one.
    if (!data || (errors > 0 && call.purpose === 'address')) return { kind: 'unreadable' };
    return read(data, question);
  }

  /** What a call came to, for the breaker. One that puts us off is alive. */
  #note({ account, purpose }: Call, finding: object): void {
    const { kind, retryAfterMs } = finding as Partial<NoAnswer>;
    if (kind === 'unavailable' && retryAfterMs === undefined) this.#breaker.failed(account.key, Date.now());
    else this.#breaker.succeeded(account.key);
    this.#log.debug({ carrier: account.carrierCode, connection: account.key, purpose, kind }, 'carrier asked');
  }

  #baseUrl({ environment, baseUrl }: CarrierAccount, adapter: CarrierAdapter, asking: { url: string }) {
    if (environment === 'live') return baseUrl ?? asking.url;
    return this.#sandboxUrl && `${this.#sandboxUrl}/${adapter.document}`;
  }

  #schema(document: string): Promise<CarrierSchema<Call>> {
    const known = this.#schemas.get(document);
    if (known) return known;
    const loading = import('./mesh.ts').then(({ CarrierSchema }) => CarrierSchema.load(document, this.#fetch.fetch));
    this.#schemas.set(document, loading);
    loading.catch(() => this.#schemas.delete(document));
    return loading;
  }
}

function chunks<Item>(items: readonly Item[], size: number): Item[][] {
  return Array.from({ length: Math.ceil(items.length / size) }, (_, n) => items.slice(n * size, (n + 1) * size));
}

/**
 * Findings of requests in their order, started at least so far apart, and a few at a time. Once one is the last to make
 * sense the others are not waited for.
 */
async function paced<Request, Finding>(
  requests: readonly Request[],
  spacingMs: number,
  closing: AbortSignal,
  ask: (request: Request) => Promise<{ findings: readonly Finding[]; isOver: boolean }>,
): Promise<Finding[]> {
  const found: Finding[][] = requests.map(() => []);
  let next = 0;
  let startMs = performance.now();
  let isOver = false;
  const asker = async () => {
    for (let n = next++; n < requests.length; n = next++) {
      const waitMs = startMs - performance.now();
      startMs = Math.max(startMs, performance.now()) + spacingMs;
      if (waitMs > 0 && !isOver) await pause(waitMs, undefined, { signal: closing }).catch(() => undefined);
      const answer = await ask(requests[n] as Request);
      found[n] = [...answer.findings];
      isOver ||= answer.isOver;
    }
  };
  await Promise.all(Array.from({ length: TRACKED_AT_ONCE }, asker));
  return found.flat();
}
