import { setTimeout as pause } from 'node:timers/promises';
import { LRUCache } from 'lru-cache';
import type {
  AddressFinding,
  AskedAddress,
  CallRecorder,
  CarrierAccount,
  CarrierPort,
  NoAnswer,
  NotAsked,
  TrackingFinding,
} from '../domain/shipping/carriers/carrier.port.ts';
import { Outbound } from '../platform/outbound/outbound.ts';
import type { OutboundPolicy } from '../platform/outbound/outbound-url.ts';
import type { Log } from '../platform/telemetry/log.ts';
import type { Metrics } from '../platform/telemetry/metrics.ts';
import type { Asking, CarrierAdapter } from './adapter.ts';
import { ADAPTERS } from './adapters.ts';
import { Batch, chunks, noAnswerIn, paced } from './batch.ts';
import { Breaker } from './breaker.ts';
import { type Call, CarrierFetch, TOTAL_MS, withDeadline } from './carrier-fetch.ts';
import type { CarrierSchema } from './mesh.ts';

const CONNECTIONS = 256;
const CONNECT_MS = 2_000;

/** Accounts whose carrier has asked to wait. */
const MAX_PUT_OFF = 10_000;

const MINUTE_MS = 60_000;

/** Only public addresses over TLS. */
const PUBLIC: OutboundPolicy = { allowPrivate: [], allowHttp: false };
/** For the sandbox's own address only, which an operator has set. */
const ANYWHERE: OutboundPolicy = { allowPrivate: ['0.0.0.0/0', '::/0'], allowHttp: true };

/** The carriers, each through the schema that Mesh makes of its document, which is loaded with the first question. */
export class Carriers implements CarrierPort {
  readonly #sandboxUrl: string | undefined;
  readonly #fetch: CarrierFetch;
  readonly #log: Log;
  readonly #outbound: Readonly<Record<CarrierAccount['environment'], Outbound>>;
  readonly #closing = new AbortController();
  /** The time until which carriers do not want to be asked about shipments, by account. */
  readonly #putOffUntil = new LRUCache<string, number>({ max: MAX_PUT_OFF });
  readonly #breaker = new Breaker();
  readonly #schemas = new Map<string, Promise<CarrierSchema<Call>>>();

  /**
   * @param sandboxUrl the address for accounts of the sandbox; undefined if there is none
   * @param recorder undefined if calls are not recorded
   */
  constructor(sandboxUrl: string | undefined, metrics: Metrics, log: Log, recorder?: CallRecorder) {
    const limits = {
      totalTimeoutMs: TOTAL_MS,
      connectTimeoutMs: CONNECT_MS,
      connectionsPerOrigin: CONNECTIONS,
    };
    this.#sandboxUrl = sandboxUrl;
    this.#fetch = new CarrierFetch(metrics, recorder);
    this.#log = log;
    this.#outbound = { live: new Outbound(PUBLIC, limits), sandbox: new Outbound(ANYWHERE, limits) };
    const help = 'Carrier connections that are not asked for a while';
    metrics.gauge('shipping_carrier_connections_paused', help, () => this.#breaker.open(Date.now()));
  }

  checkAddress(account: CarrierAccount, asked: AskedAddress): Promise<AddressFinding> {
    return this.#ask('address', account, adapter => adapter.address, asked);
  }

  numbersPerMinute(account: CarrierAccount): number {
    const { numbersPerRequest, requestsPerMinute } = paceOf(account);
    return numbersPerRequest * requestsPerMinute;
  }

  async track(account: CarrierAccount, trackingNumbers: readonly string[]): Promise<readonly TrackingFinding[]> {
    const { numbersPerRequest, requestsPerMinute } = paceOf(account);
    const spacingMs = MINUTE_MS / requestsPerMinute;
    const batch = new Batch(spacingMs, this.#putOffUntil.get(account.key));
    const findings = await paced(
      chunks(trackingNumbers, numbersPerRequest),
      spacingMs,
      this.#closing.signal,
      async numbers => ({ findings: await this.#track(account, numbers, batch), isOver: batch.halt !== undefined }),
    );
    // An aborted call says nothing about the carrier.
    if (this.#closing.signal.aborted) throw new Error('The carriers are being closed');
    return findings;
  }

  async #track(account: CarrierAccount, numbers: readonly string[], batch: Batch): Promise<readonly TrackingFinding[]> {
    const { halt } = batch;
    if (halt) return numbers.map(() => halt);
    const answer = await this.#ask('tracking', account, ({ tracking }) => tracking, numbers);
    const findings = 'kind' in answer ? numbers.map(() => answer) : answer;
    if (findings.length === 0 && numbers.length > 1) return this.#trackHalves(account, numbers, batch);
    const none = noAnswerIn(findings);
    batch.note(none, this.#breaker.waitMs(account.key, Date.now()));
    if (none?.retryAfterMs) this.#putOffUntil.set(account.key, Date.now() + none.retryAfterMs);
    return findings;
  }

  /** Splits a request that a carrier rejects because of one number that it does not name. */
  async #trackHalves(account: CarrierAccount, numbers: readonly string[], batch: Batch) {
    const findings: TrackingFinding[] = [];
    for (const half of chunks(numbers, Math.ceil(numbers.length / 2))) {
      if (batch.spacingMs > 0) await pause(batch.spacingMs);
      findings.push(...(await this.#track(account, half, batch)));
    }
    return findings;
  }

  /** Aborts all calls. */
  async close(): Promise<void> {
    this.#closing.abort();
    await Promise.all([this.#outbound.live.close(), this.#outbound.sandbox.close()]);
  }

  async #ask<Question, Finding extends object>(
    purpose: 'address' | 'tracking',
    account: CarrierAccount,
    pick: (adapter: CarrierAdapter) => Asking<Question, Finding> | undefined,
    question: Question,
  ): Promise<Finding | NoAnswer | NotAsked> {
    const adapter = ADAPTERS[account.carrierCode];
    const asking = adapter && pick(adapter);
    const baseUrl = asking && this.#baseUrl(account, adapter, asking);
    if (!baseUrl) return { kind: 'unavailable' };
    // Loading takes seconds on a busy machine, which must not count as the carrier's time.
    const schema = await this.#schema(adapter.document);
    const startedMs = Date.now();
    if (!this.#breaker.enter(account.key, startedMs)) {
      return { kind: 'not_asked', retryAfterMs: this.#breaker.waitMs(account.key, startedMs) };
    }
    const outbound = this.#outbound[account.environment];
    const isMany = Array.isArray(question) && question.length > 1;
    return withDeadline(async deadline => {
      const call: Call = {
        purpose,
        account,
        credentials: asking.account?.(account.credentials) ?? account.credentials,
        adapter,
        isMany,
        baseUrl,
        outbound,
        deadline,
        failure: null,
        exchanged: [],
      };
      const finding = await answer(schema, call, asking, question);
      this.#note(call, finding, startedMs);
      return finding;
    });
  }

  /** Records the result of a call, and reports it to the breaker. A carrier that asks to wait is alive. */
  #note(call: Call, finding: object, startedMs: number): void {
    const { account, purpose } = call;
    const { kind, retryAfterMs } = noAnswerIn([finding].flat()) ?? { kind: 'answered' };
    this.#fetch.record(call, kind);
    // An unreadable response costs as much as none; a carrier that complains is alive.
    const isFailure = kind === 'unreadable' || (kind === 'unavailable' && retryAfterMs === undefined);
    if (isFailure) {
      this.#breaker.failed(account.key, startedMs, Date.now());
    } else this.#breaker.succeeded(account.key);
    this.#log.debug({ carrier: account.carrierCode, connection: account.key, purpose, kind }, 'carrier asked');
  }

  #baseUrl(
    { environment, baseUrl, credentials }: CarrierAccount,
    adapter: CarrierAdapter,
    { url }: Pick<Asking<unknown, unknown>, 'url'>,
  ) {
    if (environment === 'live') return baseUrl ?? (typeof url === 'string' ? url : url(credentials));
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

/** Runs the operation of a question, and reads its response. */
export async function answer<Question, Finding extends object>(
  schema: CarrierSchema<Call>,
  call: Call,
  { operation, variables, read }: Asking<Question, Finding>,
  question: Question,
): Promise<Finding | NoAnswer> {
  const { data, errors } = await schema.run(operation, variables(question), call);
  if (call.failure) return call.failure;
  // A partial timeline is useful; half an address would be another address.
  if (!data || (errors > 0 && call.purpose === 'address')) return { kind: 'unreadable' };
  return read(data, question);
}

/** The pace of an account for shipments: its carrier's, and none for our own stand-ins. */
function paceOf({ carrierCode, environment }: CarrierAccount) {
  const { numbersPerRequest = 1, requestsPerMinute = 1 } = ADAPTERS[carrierCode]?.tracking ?? {};
  return {
    numbersPerRequest,
    requestsPerMinute: environment === 'live' ? requestsPerMinute : Number.POSITIVE_INFINITY,
  };
}
