import type { CallRecorder, CarrierAccount, NoAnswer } from '../domain/carriers/carrier.port.ts';
import type { Outbound, OutboundResult } from '../platform/outbound/outbound.ts';
import type { OutboundFailure } from '../platform/outbound/outbound-failure.ts';
import { retryAfterMs } from '../platform/outbound/retry-after.ts';
import type { Metrics } from '../platform/telemetry/metrics.ts';
import { activeSpan, traced } from '../platform/telemetry/tracing.ts';
import type { CarrierAdapter, CarrierRequest, TokenGrant } from './adapter.ts';
import { callRecord, type Exchanged } from './call-record.ts';
import type { MeshContext, MeshFetch, MeshResponse } from './mesh.ts';
import { Tokens, tokenKey } from './tokens.ts';

/** A carrier has this long for everything: a token, the answer, and once more where there was none. */
export const TOTAL_MS = 8_000;

/** Of a token that comes without one. */
const USUAL_LIFETIME_SECONDS = 300;

/** Answers of a server that did not get to the question; asking again, once, may find one that does. */
const RETRIED_STATUSES: ReadonlySet<number> = new Set([502, 503, 504]);
const RETRIED_FAILURES: ReadonlySet<OutboundFailure> = new Set(['connection_failed', 'protocol_error']);

/**
 * More than any answer worth reading, by what is asked: bytes, and values in it. Whoever names a base address of their own
 * decides what comes, and to look at it takes a time in which nothing else is done.
 */
const LIMITS: Readonly<Record<Purpose, { readonly bytes: number; readonly values: number }>> = {
  address: { bytes: 256 * 1024, values: 5_000 },
  token: { bytes: 64 * 1024, values: 1_000 },
  tracking: { bytes: 256 * 1024, values: 5_000 },
};
/** Of several numbers. */
const MANY = { bytes: 2 * 1024 * 1024, values: 30_000 };

type Purpose = 'address' | 'tracking' | 'token';

/** One question to a carrier, on its way through Mesh. */
export interface Call extends MeshContext {
  readonly purpose: Purpose;
  readonly account: CarrierAccount;
  readonly adapter: CarrierAdapter;
  /** Whether several things are asked at once. */
  readonly isMany: boolean;
  readonly outbound: Outbound;
  readonly deadline: AbortSignal;
  /** Why there is no answer. Kept here, since an error thrown through Mesh comes out as another. */
  failure: NoAnswer | null;
  /** The requests that were sent for it, except those for a token. */
  readonly exchanged: Exchanged[];
}

/**
 * Does something within the time that a carrier has for it. Not by `AbortSignal.timeout`, which would leave a timer behind
 * of every call that is over sooner.
 */
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

/** Ends a call; what it says is in the call, and nothing of it in the error, which Mesh hands on. */
class Ended extends Error {
  readonly why: NoAnswer;

  constructor(why: NoAnswer) {
    super(why.kind);
    this.why = why;
  }
}

/** The `fetch` handed to Mesh: credentials, tokens, time, one retry, and what a status comes to. Nothing of it is logged. */
export class CarrierFetch {
  readonly #tokens = new Tokens();
  readonly #metrics: Metrics;
  readonly #recorder: CallRecorder | undefined;

  /** @param recorder undefined where calls are not recorded */
  constructor(metrics: Metrics, recorder: CallRecorder | undefined) {
    this.#metrics = metrics;
    this.#recorder = recorder;
  }

  /** Records the requests of a call once it is known what came of it. */
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
    const { adapter, account } = call;
    const token = adapter.grant ? await this.#token(adapter.grant, call) : null;
    let result = await this.#send(adapter.authorize(request, account.credentials, token?.value ?? null), call);
    if (token && adapter.grant && result.status === 401) {
      // Revoked before its time: one more, and if the carrier rejects that one too it rejects the credentials.
      this.#tokens.invalidate(token.key, token.value);
      const another = await this.#token(adapter.grant, call);
      result = await this.#send(adapter.authorize(request, account.credentials, another.value), call);
    }
    const { status, bytes } = result;
    if (status === 401 || status === 403) throw new Ended({ kind: 'refused' });
    if (status >= 300 && !adapter.statuses.includes(status)) throw new Ended({ kind: 'unreadable' });
    return { status, text: adapter.json ? JSON.stringify(adapter.json(bytes, request)) : bytes.toString('utf8') };
  }

  async #token(grant: TokenGrant, call: Call): Promise<{ key: string; value: string }> {
    const { account, baseUrl } = call;
    const url = new URL(`${baseUrl}${grant.path}`);
    const key = tokenKey(account.key, url, account.credentials);
    // With a clock of its own, since others may wait for the same one; this call waits as long as it has.
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
    const { status, bytes } = await this.#send(grant.request(url, call.account.credentials), call);
    if (status === 400 || status === 401 || status === 403) throw new Ended({ kind: 'refused' });
    const { access_token: value, expires_in: lifetime }: Record<string, unknown> =
      status === 200 ? JSON.parse(bytes.toString('utf8')) : {};
    if (typeof value !== 'string' || !isHeaderValue(value)) throw new Ended({ kind: 'unreadable' });
    // A number, or a text as UPS has it.
    return { value, lifetimeMs: (Number(lifetime) || USUAL_LIFETIME_SECONDS) * 1000 };
  }

  /** Whatever is asked here only reads, so that asking again does no harm. */
  async #send(request: CarrierRequest, call: Call): Promise<{ status: number; bytes: Buffer }> {
    // Credentials that no header can hold are none that the carrier gave out.
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
    const { method, url, headers, body } = sent;
    const at = new Date();
    const attributes = { 'carrier.code': account.carrierCode, 'carrier.purpose': purpose };
    const name = `carrier ${account.carrierCode} ${purpose}`;
    return traced(activeSpan(), name, { kind: 'client', attributes }, async span => {
      const maxResponseBytes = limitsOf(call).bytes;
      const request = { method, headers, body, pool: account.key, signal: call.deadline, maxResponseBytes };
      const result = await call.outbound.send(url.href, request);
      call.exchanged.push({ at, request: sent, result });
      const outcome = result.outcome === 'answered' ? `${result.status}` : result.outcome;
      this.#metrics.carrierRequests.labels(account.carrierCode, purpose, outcome).observe(result.durationMs / 1000);
      span?.add({ 'carrier.outcome': outcome });
      if (result.outcome !== 'answered') span?.fail(outcome);
      return result;
    });
  }
}

const NO_HEADERS = new Headers();

/** As much of a `Response` as Mesh looks at: a real one costs more than all the rest of a call. */
function meshResponse({ status, text }: { status: number; text: string }): MeshResponse {
  return { status, statusText: '', headers: NO_HEADERS, text: async () => text };
}

/** What is waited for, or the end of the call's time. */
function within<Result>(signal: AbortSignal, waited: Promise<Result>): Promise<Result> {
  const { promise, reject } = Promise.withResolvers<never>();
  const end = () => reject(new Ended({ kind: 'unavailable' }));
  signal.addEventListener('abort', end);
  return Promise.race([waited, promise]).finally(() => signal.removeEventListener('abort', end));
}

/** What a server did not get to, or did not get to the end of. */
function isWorthRetrying(result: OutboundResult, maxBytes: number): boolean {
  if (result.outcome !== 'answered') return RETRIED_FAILURES.has(result.outcome);
  // One that says when to come back means it.
  return (RETRIED_STATUSES.has(result.status) && result.retryAfter === null) || isCutShort(result, maxBytes);
}

/** And not merely more than anyone reads. */
function isCutShort({ isWhole, bytes }: { readonly isWhole: boolean; readonly bytes: Buffer }, max: number): boolean {
  return !isWhole && bytes.length < max;
}

function limitsOf({ purpose, isMany }: Call) {
  return isMany && purpose === 'tracking' ? MANY : LIMITS[purpose];
}

const COMMA = ','.charCodeAt(0);
const LESS_THAN = '<'.charCodeAt(0);

/** About as many values as JSON has commas, and XML elements. */
function valuesIn(bytes: Buffer): number {
  let count = 0;
  for (let at = 0; at < bytes.length; at++) if (bytes[at] === COMMA || bytes[at] === LESS_THAN) count++;
  return count;
}

/** Printable Latin-1, without which a request can't be written. */
function isHeaderValue(value: string): boolean {
  return /^[\x20-\x7e\xa0-\xff]+$/.test(value);
}
