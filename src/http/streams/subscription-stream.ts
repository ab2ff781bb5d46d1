import type { ExecutionResult } from 'graphql';
import type { Context } from 'koa';
import type { LiveStream, RequestContext } from '../../graphql/context.ts';
import { publicResult } from '../../graphql/errors.ts';
import type { GraphQLServer } from '../../graphql/graphql-server.ts';
import type { Subscription } from '../../graphql/subscription.ts';
import { Fault } from '../../platform/fault.ts';
import type { LiveRead } from '../../platform/live-read.ts';
import { asFault, faultDetail, faultReport } from '../../platform/problem.ts';
import { logFailure } from '../../platform/telemetry/failure-log.ts';
import type { StreamEnd } from '../../platform/telemetry/metrics.ts';
import { untraced } from '../../platform/telemetry/tracing.ts';
import type { Gate } from '../gate.ts';
import { inTime } from '../graphql-time.ts';
import { Admission } from '../guards/admission.ts';
import { readCredentials } from '../guards/credentials.ts';
import { takenBytes } from '../taken-bytes.ts';
import { EventStream, type ServerSentEvent } from './event-stream.ts';
import type { OpenStream } from './open-streams.ts';

export const EVENTS = 'text/event-stream';

/** Time from one look of a stream to the next: what changes meanwhile comes in one event. */
const LOOK_EVERY_MS = 100;
/** The wait before a failed read is repeated, which doubles each time. */
const RETRY_MS = 500;
const MAX_RETRY_MS = 8_000;
/** The longest timer before an expiry is checked again. */
const DAY_MS = 86_400_000;

/**
 * Answers a subscription with a stream of events. The stream has no place among the requests of its company: each look
 * has one while it runs.
 *
 * Yoga writes streams too, but without an `id` in its events, so that a reader who reconnects could not say what it
 * has, and without a limit for a reader who does not read.
 */
export function openSubscription(
  ctx: Context,
  server: GraphQLServer,
  gate: Gate,
  context: RequestContext,
  subscription: Subscription,
): void {
  if (!ctx.accepts(EVENTS)) {
    throw new Fault('not_acceptable', {
      detail: `A subscription is sent as server-sent events. Allow \`${EVENTS}\` in \`Accept\`.`,
    });
  }
  gate.streams.open.requireRoom(context.principal.apiKeyId);
  ctx.status = 200;
  ctx.set('content-type', `${EVENTS}; charset=utf-8`);
  ctx.set('cache-control', 'no-store');
  // Proxies such as nginx would buffer events up to some KB.
  ctx.set('x-accel-buffering', 'no');
  ctx.set('connection', 'close');
  if (ctx.method !== 'HEAD') ctx.body = new SubscriptionStream(ctx, server, gate, context, subscription).events;
}

interface Look {
  readonly event?: ServerSentEvent;
  readonly isLast?: boolean;
  readonly hasMore?: boolean;
}

/**
 * One stream. It asks its source until there is nothing more, sends events as its reader takes them, and asks again
 * once something of the company may have changed.
 */
class SubscriptionStream implements OpenStream, LiveStream {
  readonly events: EventStream;
  lastEventId: string | undefined;
  context: RequestContext;
  readonly #server: GraphQLServer;
  readonly #gate: Gate;
  readonly #key: string;
  readonly #subscription: Subscription;
  readonly #openedAtMs = performance.now();
  readonly #over = new AbortController();
  readonly #leave: (() => void)[];
  #source: AsyncIterator<LiveRead, void> | undefined;
  #count = 0;
  #keepAlive: LiveRead | undefined;
  #isWoken = false;
  #wake: (() => void) | undefined;
  #expiry: NodeJS.Timeout | undefined;

  constructor(ctx: Context, server: GraphQLServer, gate: Gate, context: RequestContext, subscription: Subscription) {
    const { open, signals, limits } = gate.streams;
    const { apiKeyId, companyId, expiresAtMs } = context.principal;
    this.#server = server;
    this.#gate = gate;
    this.#key = readCredentials(ctx.req.headers).key;
    this.#subscription = subscription;
    this.context = context;
    this.lastEventId = ctx.get('last-event-id') || undefined;
    const { socket } = ctx.req;
    this.events = new EventStream({
      keepAliveMs: limits.keepAliveStreamMs,
      unreadMs: limits.unreadStreamMs,
      taken: () => takenBytes(socket),
    });
    this.events.on('close', () => this.#end('reader'));
    this.#leave = [open.add(apiKeyId, this), signals.on(companyId, () => this.#changed())];
    this.#expireAt(expiresAtMs);
    untraced(() => void this.#run());
  }

  stop(): void {
    const detail = 'The service is shutting down. Subscribe again after the last event that you have.';
    this.#end('stopping', new Fault('stream_interrupted', { detail }));
  }

  checkKey(): void {
    this.#again().catch(thrown => {
      const fault = asFault(thrown);
      // Otherwise the key could not be looked up, which the next look repeats.
      if (fault.code === 'invalid_api_key') this.#end('key', fault);
    });
  }

  async #run(): Promise<void> {
    try {
      while (!this.#isOver) {
        const startedAtMs = performance.now();
        this.#isWoken = false;
        const { event, isLast, hasMore } = await this.#persistently(context => this.#look(context));
        if (event && !(await this.#send(event))) return;
        if (isLast) return this.#end('complete');
        if (hasMore) continue;
        await this.#silence();
        await this.#pause(startedAtMs + LOOK_EVERY_MS - performance.now());
      }
    } catch (thrown) {
      const fault = asFault(thrown);
      if (!this.#isOver && fault.status >= 500) logFailure(this.context.log, this.context.requestId, fault);
      this.#end(fault.code === 'invalid_api_key' ? 'key' : 'error', fault);
    }
  }

  async #look(context: RequestContext): Promise<Look> {
    if (this.#source === undefined) {
      const source = await this.#subscription.source(context);
      if (!('next' in source)) return { event: { json: resultText(source, context) }, isLast: true };
      this.#source = source;
    }
    const { value: read, done } = await this.#source.next();
    if (done || read === undefined) return { isLast: true };
    const { value, id = this.lastEventId, isKeepAlive, hasMore } = read;
    this.#keepAlive = isKeepAlive ? read : value === undefined ? this.#keepAlive : undefined;
    const event = value === undefined || isKeepAlive ? undefined : await this.#eventOf(context, read);
    // Set only now, because a failed look is repeated from there.
    this.lastEventId = id;
    return event ? { event, hasMore } : { hasMore };
  }

  async #eventOf(context: RequestContext, read: LiveRead): Promise<ServerSentEvent> {
    return { id: read.id, json: resultText(await this.#subscription.event(context, read), context) };
  }

  /** Returns false if that ended the stream. */
  async #send(event: ServerSentEvent): Promise<boolean> {
    this.#count++;
    this.#gate.streams.metrics.streamEvents.inc();
    if (await this.events.send(event)) return true;
    const detail = 'You did not read the events fast enough. Subscribe again after the last event that you have.';
    this.#end('unread', new Fault('stream_interrupted', { detail }));
    return false;
  }

  /** Waits for a change. After a silence, the position of the source is sent. */
  async #silence(): Promise<void> {
    const keepAlive = this.#keepAlive;
    await this.#woken(keepAlive && this.#gate.streams.limits.keepAliveStreamMs);
    if (this.#isWoken || this.#isOver || keepAlive === undefined) return;
    this.#keepAlive = undefined;
    await this.#send(await this.#persistently(context => this.#eventOf(context, keepAlive)));
    await this.#woken();
  }

  #woken(withinMs?: number): Promise<void> {
    if (this.#isWoken || this.#isOver) return Promise.resolve();
    const { promise, resolve } = Promise.withResolvers<void>();
    const timer = withinMs === undefined ? undefined : setTimeout(resolve, withinMs);
    this.#wake = () => {
      clearTimeout(timer);
      resolve();
    };
    return promise;
  }

  #changed(): void {
    this.#isWoken = true;
    this.#wake?.();
  }

  async #pause(ms: number): Promise<void> {
    if (ms <= 0 || this.#isOver) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    const timer = setTimeout(resolve, ms);
    const stop = () => {
      clearTimeout(timer);
      resolve();
    };
    this.#over.signal.addEventListener('abort', stop, { once: true });
    await promise;
    this.#over.signal.removeEventListener('abort', stop);
  }

  /** Runs a look, repeating it while the database is down or the company has no free place. */
  async #persistently<Result>(act: (context: RequestContext) => Promise<Result>): Promise<Result> {
    for (let waitMs = RETRY_MS; ; ) {
      let hasBegun = false;
      const begin = (context: RequestContext) => {
        hasBegun = true;
        return act(context);
      };
      try {
        return await this.#runLook(begin);
      } catch (thrown) {
        const { code } = asFault(thrown);
        if (this.#isOver || (code !== 'unavailable' && code !== 'rate_limited')) throw thrown;
        // A source that has thrown has ended.
        if (hasBegun) this.#source = undefined;
        // A look that found no place has waited long enough.
        await this.#pause(code === 'rate_limited' ? LOOK_EVERY_MS : waitMs);
        if (code !== 'rate_limited') waitMs = Math.min(2 * waitMs, MAX_RETRY_MS);
      }
    }
  }

  async #runLook<Result>(act: (context: RequestContext) => Promise<Result>): Promise<Result> {
    const opened = await this.#again();
    const { principal, tenant, work } = opened;
    // Used-up rates are available again with the next minute.
    for (let [, cost] = this.#costs(principal); cost.remaining < 1; [, cost] = this.#costs(principal)) {
      await this.#pause(cost.resetSeconds * 1000);
      if (this.#isOver) break;
    }
    const admission = new Admission(this.#gate, opened);
    const context = { ...opened, place: admission, tenant: tenant.fresh(), live: this };
    this.context = context;
    if (this.#isOver) work.end(gone());
    return admission.look(this.#subscription.load, () => inTime(this.#server, work, () => act(context)));
  }

  #costs(principal: RequestContext['principal']) {
    return this.#gate.limits.states(principal, 'reads');
  }

  /** A new context for the caller, with its own work. @throws Fault `invalid_api_key` */
  async #again() {
    const { authScheme, requestId } = this.context;
    const opened = await this.#gate.open(this.#key, authScheme, requestId);
    this.#expireAt(opened.principal.expiresAtMs);
    return opened;
  }

  #expireAt(expiresAtMs: number | null): void {
    clearTimeout(this.#expiry);
    if (expiresAtMs === null || this.#isOver) return;
    this.#expiry = setTimeout(() => this.checkKey(), Math.min(DAY_MS, Math.max(0, expiresAtMs - Date.now())));
  }

  get #isOver(): boolean {
    return this.#over.signal.aborted;
  }

  #end(reason: StreamEnd, fault?: Fault): void {
    if (this.#isOver) return;
    this.#over.abort();
    const { log, requestId, principal, work } = this.context;
    const { companyId, apiKeyId } = principal;
    for (const leave of this.#leave) leave();
    clearTimeout(this.#expiry);
    work.end(fault ?? gone());
    this.#wake?.();
    this.events.finish(fault && { json: faultText(fault, requestId) });
    this.#gate.streams.metrics.streamEnded(reason);
    const durationMs = Math.round(performance.now() - this.#openedAtMs);
    log.info({ requestId, companyId, apiKeyId, events: this.#count, durationMs, reason }, 'stream ended');
  }
}

function resultText(result: ExecutionResult, context: RequestContext): string {
  return JSON.stringify(publicResult(result, context));
}

function faultText(fault: Fault, requestId: string): string {
  return JSON.stringify({ errors: [{ message: faultDetail(fault), extensions: faultReport(fault, requestId) }] });
}

function gone(): Fault {
  return new Fault('unavailable', { detail: 'The stream has ended.' });
}
