import { LRUCache } from 'lru-cache';
import type { CallRecorder, CarrierAccount, NoAnswer } from '../domain/shipping/carriers/carrier.port.ts';
import { ACCEPTED_CODINGS } from '../platform/outbound/decoded-answer.ts';
import type { Outbound, OutboundResult } from '../platform/outbound/outbound.ts';
import type { OutboundFailure } from '../platform/outbound/outbound-failure.ts';
import { retryAfterMs } from '../platform/outbound/retry-after.ts';
import type { Metrics } from '../platform/telemetry/metrics.ts';
import { activeSpan, traced } from '../platform/telemetry/tracing.ts';
import type { CarrierAdapter, CarrierRequest, Credentials, TokenGrant } from './adapter.ts';
import { callRecord, type Exchanged } from './call-record.ts';
import type { MeshContext, MeshFetch, MeshResponse } from './mesh.ts';
import { Tokens, tokenKey } from './tokens.ts';

/** The time limit for everything: a token, the response, and one retry. */
export const TOTAL_MS = 8_000;

/** The lifetime of a token that states none. */
const USUAL_LIFETIME_SECONDS = 300;

const MAX_OTHER_WAYS = 10_000;

/** Statuses of a server that did not process the request; a retry may reach one that does. */
const RETRIED_STATUSES: ReadonlySet<number> = new Set([502, 503, 504]);
const RETRIED_FAILURES: ReadonlySet<OutboundFailure> = new Set(['connection_failed', 'protocol_error']);

/**
 * More than any useful response has, by question: bytes, and values in it. A user who sets a base address decides the
 * content, and reading it blocks the event loop.
 */
const LIMITS: Readonly<Record<Purpose, { readonly bytes: number; readonly values: number }>> = {
  address: { bytes: 256 * 1024, values: 5_000 },
  token: { bytes: 64 * 1024, values: 1_000 },
  tracking: { bytes: 256 * 1024, values: 5_000 },
};
/** The limits for several numbers. */
const MANY = { bytes: 2 * 1024 * 1024, values: 30_000 };

type Purpose = 'address' | 'tracking' | 'token';

/** One question to a carrier, during its way through Mesh. */
export interface Call extends MeshContext {
  readonly purpose: Purpose;
  /** Has every credential of the connection, none of which is recorded. */
  readonly account: CarrierAccount;
  /** The credentials of the question. */
  readonly credentials: Credentials;
  readonly adapter: CarrierAdapter;
  /** Whether several things are asked at once. */
  readonly isMany: boolean;
  readonly outbound: Pick<Outbound, 'send'>;
  readonly deadline: AbortSignal;
  /** The reason for a missing response. Stored here, because Mesh replaces an error that passes through it. */
  failure: NoAnswer | null;
  /** The requests that were sent for it, except token requests. */
  readonly exchanged: Exchanged[];
}

/** Runs work within the time limit of a carrier. `AbortSignal.timeout` would leave a timer for each early end. */
export async function withDeadline<Result>(work: (deadline: AbortSignal) => Promise<Result>): Promise<Result> {
  const abort = new AbortController();
  const timer = setTimeout(
    () => abort.abort(new DOMException('The carrier has not responded in time', 'TimeoutError')),
    TOTAL_MS,
  );
  try {
    return await work(abort.signal);
  } finally {
    clearTimeout(timer);
  }
}

/** Ends a call. The reason is in the call and not in the error, which Mesh passes on. */
class Ended extends Error {
  readonly why: NoAnswer;

  constructor(why: NoAnswer) {
    super(why.kind);
    this.why = why;
  }
}

/** The `fetch` for Mesh: credentials, tokens, time limit, one retry, and the meaning of statuses. It logs nothing. */
export class CarrierFetch {
  readonly #tokens = new Tokens();
  /** Accounts whose carrier answers the other way of a request. */
  readonly #otherWays = new LRUCache<string, true>({ max: MAX_OTHER_WAYS });
  readonly #metrics: Metrics;
  readonly #recorder: CallRecorder | undefined;

  /** @param recorder undefined where calls are not recorded */
  constructor(metrics: Metrics, recorder: CallRecorder | undefined) {
    this.#metrics = metrics;
    this.#recorder = recorder;
  }

  /** Records the requests of a call once its finding is known. */
  record(call: Call, finding: NoAnswer['kind'] | 'answered'): void {
    this.#recorder?.record(() => call.exchanged.map(one => callRecord(one, call, finding)));
  }

  readonly fetch: MeshFetch<Call> = async (url, init, call) => {
    try {
      const request = {
        method: init.method ?? 'GET',
        url: new URL(url),
        headers: { ...(init.headers as Record<string, string>), accept: 'application/json' },
        body: typeof init.body === 'string' ? init.body : null,
      };
      return meshResponse(await this.#ask(request, call));
    } catch (error) {
      call.failure = error instanceof Ended ? error.why : { kind: 'unreadable' };
      throw new Error(call.failure.kind);
    }
  };

  async #ask(request: CarrierRequest, call: Call): Promise<{ status: number; text: string }> {
    const { adapter } = call;
    const { status, bytes } = await this.#askedInItsWay(request, call);
    if (status === 401 || status === 403) throw new Ended({ kind: adapter.authorize ? 'refused' : 'rejected' });
    if (status >= 300 && !adapter.statuses.includes(status)) throw new Ended({ kind: 'unreadable' });
    return { status, text: adapter.json ? JSON.stringify(adapter.json(bytes, request)) : bytes.toString('utf8') };
  }

  /** A carrier with two ways is asked in the one that answered last; while none has, in both. */
  async #askedInItsWay(request: CarrierRequest, call: Call): Promise<{ status: number; bytes: Buffer }> {
    const other = call.adapter.otherWay?.(request);
    if (!other) return this.#authorized(request, call);
    const key = `${call.account.key} ${call.baseUrl}`;
    const isOther = this.#otherWays.has(key);
    const first = await this.#authorized(isOther ? other : request, call);
    if (first.status < 300 || first.status === 401 || first.status === 403) return first;
    const second = await this.#authorized(isOther ? request : other, call);
    if (second.status >= 300) return first;
    if (isOther) this.#otherWays.delete(key);
    else this.#otherWays.set(key, true);
    return second;
  }

  /** Sends a request with a token, if the carrier has tokens, and once more with a new one if it rejects that. */
  async #authorized(request: CarrierRequest, call: Call): Promise<{ status: number; bytes: Buffer }> {
    const { adapter, credentials } = call;
    const token = adapter.grant ? await this.#token(adapter.grant, call) : null;
    const authorized = (value: string | null) => adapter.authorize?.(request, credentials, value) ?? request;
    let result = await this.#send(authorized(token?.value ?? null), call);
    if (token && adapter.grant && (adapter.grant.endedStatuses ?? [401]).includes(result.status)) {
      // The token was revoked early: one more is fetched, and its rejection means that the credentials are rejected.
      this.#tokens.invalidate(token.key, token.value);
      const another = await this.#token(adapter.grant, call);
      result = await this.#send(authorized(another.value), call);
    }
    return result;
  }

  async #token(grant: TokenGrant, call: Call): Promise<{ key: string; value: string }> {
    const { account, credentials, baseUrl } = call;
    const origin = account.environment === 'live' ? grant.origin : undefined;
    const url = new URL(`${origin ?? baseUrl}${grant.path}`);
    const key = tokenKey(account.key, url, credentials);
    // The token has its own time limit, because others may wait for it; this call waits for the rest of its own.
    const asking = this.#tokens.get(key, () =>
      withDeadline(deadline => this.#recordedGrant(grant, url, { ...call, purpose: 'token', deadline, exchanged: [] })),
    );
    return { key, value: await within(call.deadline, asking) };
  }

  async #recordedGrant(grant: TokenGrant, url: URL, call: Call): Promise<{ value: string; lifetimeMs: number }> {
    let finding: NoAnswer['kind'] | 'answered' = 'unreadable';
    try {
      const token = await this.#grant(grant, url, call);
      finding = 'answered';
      return token;
    } catch (error) {
      if (error instanceof Ended) finding = error.why.kind;
      throw error;
    } finally {
      this.record(call, finding);
    }
  }

  async #grant(grant: TokenGrant, url: URL, call: Call): Promise<{ value: string; lifetimeMs: number }> {
    const { status, bytes } = await this.#send(grant.request(url, call.credentials), call);
    if (status === 400 || status === 401 || status === 403) throw new Ended({ kind: 'refused' });
    const {
      access_token: value,
      expires_in: lifetime,
      error,
    }: Record<string, unknown> = status === 200 ? JSON.parse(bytes.toString('utf8')) : {};
    // Poste says with status 200, too, that it rejects the credentials.
    if (value === undefined && typeof error === 'string') throw new Ended({ kind: 'refused' });
    if (typeof value !== 'string' || !isHeaderValue(value)) throw new Ended({ kind: 'unreadable' });
    // A number, or a string from UPS.
    return { value, lifetimeMs: (Number(lifetime) || USUAL_LIFETIME_SECONDS) * 1000 };
  }

  /** All questions only read, so a retry is harmless. */
  async #send(request: CarrierRequest, call: Call): Promise<{ status: number; bytes: Buffer }> {
    // The carrier cannot have issued credentials that do not fit a header.
    if (!Object.values(request.headers).every(isHeaderValue)) throw new Ended({ kind: 'refused' });
    const first = await this.#once(request, call);
    const result =
      isWorthRetrying(first, limitsOf(call).bytes) && !call.deadline.aborted ? await this.#once(request, call) : first;
    if (result.outcome !== 'answered') throw new Ended({ kind: 'unavailable' });
    const { status, bytes, isWhole } = result;
    if (status === 429 || status >= 500) {
      throw new Ended({ kind: 'unavailable', retryAfterMs: retryAfterMs(result.retryAfter, Date.now()) });
    }
    const limits = limitsOf(call);
    if (!isWhole) throw new Ended({ kind: isCutShort(result, limits.bytes) ? 'unavailable' : 'unreadable' });
    if (valuesIn(bytes) > limits.values) throw new Ended({ kind: 'unreadable' });
    return { status, bytes };
  }

  async #once(sent: CarrierRequest, call: Call): Promise<OutboundResult> {
    const { account, purpose } = call;
    const { method, url, body } = sent;
    const headers = { ...sent.headers, 'accept-encoding': ACCEPTED_CODINGS };
    const at = new Date();
    const attributes = { 'carrier.code': account.carrierCode, 'carrier.purpose': purpose };
    const name = `carrier ${account.carrierCode} ${purpose}`;
    return traced(activeSpan(), name, { kind: 'client', attributes }, async span => {
      const maxResponseBytes = limitsOf(call).bytes;
      const request = { method, headers, body, pool: account.key, signal: call.deadline, maxResponseBytes };
      const result = withoutMark(await call.outbound.send(url.href, request));
      call.exchanged.push({ at, request: sent, result });
      const outcome = result.outcome === 'answered' ? `${result.status}` : result.outcome;
      this.#metrics.carrierRequests.labels(account.carrierCode, purpose, outcome).observe(result.durationMs / 1000);
      span?.add({ 'carrier.outcome': outcome });
      if (result.outcome !== 'answered') span?.fail(outcome);
      return result;
    });
  }
}

/** The byte order mark of UTF-8, which servers on Windows put before JSON. */
const MARK = Buffer.from('\uFEFF');

function withoutMark(result: OutboundResult): OutboundResult {
  const isMarked = result.outcome === 'answered' && result.bytes.subarray(0, MARK.length).equals(MARK);
  return isMarked ? { ...result, bytes: result.bytes.subarray(MARK.length) } : result;
}

const NO_HEADERS = new Headers();

/** The part of a `Response` that Mesh uses: a real one costs more than the rest of a call. */
function meshResponse({ status, text }: { status: number; text: string }): MeshResponse {
  return { status, statusText: '', headers: NO_HEADERS, text: async () => text };
}

/** The awaited result, or a rejection when the time is over. */
function within<Result>(signal: AbortSignal, waited: Promise<Result>): Promise<Result> {
  const { promise, reject } = Promise.withResolvers<never>();
  const end = () => reject(new Ended({ kind: 'unavailable' }));
  signal.addEventListener('abort', end);
  return Promise.race([waited, promise]).finally(() => signal.removeEventListener('abort', end));
}

/** Whether the server did not process the request, or did not send the whole response. */
function isWorthRetrying(result: OutboundResult, maxBytes: number): boolean {
  if (result.outcome !== 'answered') return RETRIED_FAILURES.has(result.outcome);
  // A server with `Retry-After` must not be asked before that time.
  return (RETRIED_STATUSES.has(result.status) && result.retryAfter === null) || isCutShort(result, maxBytes);
}

/** Not merely longer than the limit. */
function isCutShort({ isWhole, bytes }: { readonly isWhole: boolean; readonly bytes: Buffer }, max: number): boolean {
  return !isWhole && bytes.length < max;
}

function limitsOf({ purpose, isMany }: Call) {
  return isMany && purpose === 'tracking' ? MANY : LIMITS[purpose];
}

const COMMA = ','.charCodeAt(0);
const LESS_THAN = '<'.charCodeAt(0);

/** An estimate of the values: commas in JSON, and XML elements. */
function valuesIn(bytes: Buffer): number {
  let count = 0;
  for (let at = 0; at < bytes.length; at++) if (bytes[at] === COMMA || bytes[at] === LESS_THAN) count++;
  return count;
}

/** Printable Latin-1, which headers allow. */
function isHeaderValue(value: string): boolean {
  return /^[\x20-\x7e\xa0-\xff]+$/.test(value);
}
