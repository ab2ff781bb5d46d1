import type { KeyObject } from 'node:crypto';
import { setImmediate as nextTurn, setTimeout as pause } from 'node:timers/promises';
import type { Database } from '../../../platform/database/database.ts';
import type { Notifications } from '../../../platform/database/notifications.ts';
import type { HeldJob, Jobs } from '../../../platform/jobs/jobs.ts';
import type { Outbound, OutboundRequest, PostResult } from '../../../platform/outbound/outbound.ts';
import type { Log } from '../../../platform/telemetry/log.ts';
import type { Metrics } from '../../../platform/telemetry/metrics.ts';
import { type Tracing, traced } from '../../../platform/telemetry/tracing.ts';
import { holdsBack } from '../endpoints/endpoint-state.rules.ts';
import { signature } from '../secrets/secret.rules.ts';
import type { SigningKeys } from '../secrets/signing.service.ts';
import { type DeliveryJob, DUE_CHANNEL, deliveries, STOPPED_CHANNEL } from '../webhooks.queues.ts';
import { type DueDelivery, dueDeliveries, type SettledRow, type Target, targets } from './dispatch.repository.ts';
import { type Settlement, settle } from './settle.service.ts';
import { judge, waitingStatus } from './verdict.rules.ts';

/** Deliveries in hand at a time: a hundred endpoints that hang leave none to others, until their breakers open. */
const SLOTS = 1_000;
/** Taken at one look. */
const MAX_FETCH = 100;
/** In hand for one endpoint, over all workers: a slow one holds no more. */
const PER_ENDPOINT = 10;
/** Results that are written together. */
const MAX_SETTLE = 500;
/** A look at the queue when nothing has called for one: for what falls due, and for notifications that never came. */
const POLL_MS = 1_000;
/** When few slots are free, a moment's wait fills a look with more. */
const GATHER_MS = 3;
const FEW_SLOTS = 32;
/** Well within the heartbeat that pg-boss expects. */
const TOUCH_MS = 3_000;
const RETRY_MS = 500;
const SPLIT_AFTER = 4;
/** A secret that cannot be opened is an operator's matter: the delivery waits for them, and loses no attempt. */
const UNREADABLE_MS = 60_000;
const FINISH_MS = 1_500;

const USER_AGENT = 'Shipping-Integrations-API/1 (webhooks)';

/** What deliveries are made with. */
interface Tools {
  readonly database: Database;
  readonly jobs: Jobs;
  readonly outbound: Outbound;
  readonly keys: SigningKeys;
  readonly tracing: Tracing | undefined;
}

interface InHand {
  readonly job: HeldJob<DeliveryJob>;
  readonly abort: AbortController;
}

/**
 * Delivers webhooks: takes due jobs, as many as it has slots; prepares a batch, sends each, settles what has come in,
 * many at once. Any number of workers share the work; what one leaves unsettled another takes up.
 */
export class Dispatcher {
  readonly #database: Database;
  readonly #jobs: Jobs;
  readonly #outbound: Outbound;
  readonly #keys: SigningKeys;
  readonly #tracing: Tracing | undefined;
  readonly #metrics: Metrics;
  readonly #log: Log;
  readonly #inHand = new Map<string, InHand>();
  readonly #settlements: Settlement[] = [];
  #settling: Promise<void> | undefined;
  #touching: NodeJS.Timeout | undefined;
  #loop: Promise<void> | undefined;
  #isStopping = false;
  #isCalled = false;
  #call: () => void = () => undefined;

  constructor(
    { database, jobs, outbound, keys, tracing }: Tools,
    notifications: Notifications,
    metrics: Metrics,
    log: Log,
  ) {
    this.#database = database;
    this.#jobs = jobs;
    this.#outbound = outbound;
    this.#keys = keys;
    this.#tracing = tracing;
    this.#metrics = metrics;
    this.#log = log;
    notifications.on(DUE_CHANNEL, () => this.#wake());
    notifications.on(STOPPED_CHANNEL, endpointId => this.#breakOff(id => id === endpointId));
    metrics.gauge('webhook_deliveries_in_hand', 'Deliveries a worker holds', () => this.#inHand.size);
  }

  start(): void {
    this.#loop = this.#run();
    this.#touching = setInterval(() => void this.#touch(), TOUCH_MS);
  }

  /** Takes nothing new, waits a moment for what is under way, and gives back the rest. */
  async stop(): Promise<void> {
    this.#isStopping = true;
    this.#wake();
    await this.#loop;
    const deadline = Date.now() + FINISH_MS;
    while (this.#inHand.size > 0 && Date.now() < deadline) await pause(20);
    this.#breakOff(() => true);
    while (this.#inHand.size > 0 && Date.now() < deadline + FINISH_MS) await pause(20);
    clearInterval(this.#touching);
  }

  async #run(): Promise<void> {
    let isAway = false;
    while (!this.#isStopping) {
      const free = SLOTS - this.#inHand.size;
      if (free < FEW_SLOTS) await pause(GATHER_MS);
      const max = Math.min(SLOTS - this.#inHand.size, MAX_FETCH);
      this.#isCalled = false;
      try {
        const taken = max > 0 ? await this.#jobs.fetch(deliveries, { max, perGroup: PER_ENDPOINT }) : [];
        for (const job of taken) this.#inHand.set(holdOf(job), { job, abort: new AbortController() });
        if (taken.length > 0) void this.#deliver(taken);
        isAway = false;
        // Not where some were taken: pg-boss looks at the oldest first and leaves out of those what is beyond a group's
        // share, so that others may stand behind them.
        if (taken.length === 0) await this.#called();
      } catch (error) {
        if (!isAway) this.#log.warn({ reason: (error as Error).message }, 'webhook queue cannot be read, trying on');
        isAway = true;
        await pause(RETRY_MS);
      }
    }
  }

  #wake(): void {
    this.#isCalled = true;
    this.#call();
  }

  async #called(): Promise<void> {
    if (this.#isCalled || this.#isStopping) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    const timer = setTimeout(resolve, POLL_MS);
    this.#call = resolve;
    await promise;
    clearTimeout(timer);
  }

  #breakOff(isMeant: (endpointId: string) => boolean): void {
    for (const { job, abort } of this.#inHand.values()) if (isMeant(job.data.endpointId)) abort.abort();
  }

  /** Goes on holding what is in hand, and breaks off what was stopped without a notification coming through. */
  async #touch(): Promise<void> {
    const held = [...this.#inHand.values()].map(({ job }) => job);
    if (held.length === 0) return;
    try {
      await this.#jobs.touch(deliveries, held);
      const known = await targets(
        this.#database,
        held.map(({ data }) => data),
      );
      this.#breakOff(endpointId => {
        const target = known.get(endpointId);
        return target?.state === 'disabled' || target?.state === 'paused';
      });
    } catch (error) {
      this.#log.warn({ reason: (error as Error).message }, 'webhook deliveries in hand could not be confirmed');
    }
  }

  async #deliver(jobs: readonly HeldJob<DeliveryJob>[]): Promise<void> {
    const data = jobs.map(job => job.data);
    try {
      const [rows, known] = await Promise.all([dueDeliveries(this.#database, data), targets(this.#database, data)]);
      const dueOf = new Map(rows.map(row => [row.position, row]));
      for (const [i, job] of jobs.entries()) void this.#take(job, dueOf.get(i + 1), known.get(job.data.endpointId));
    } catch (error) {
      // Their hold runs out, and they are taken up again.
      this.#log.warn({ reason: (error as Error).message, deliveries: jobs.length }, 'webhook deliveries not prepared');
      for (const job of jobs) this.#inHand.delete(holdOf(job));
    }
  }

  async #take(job: HeldJob<DeliveryJob>, due: DueDelivery | undefined, target: Target | undefined): Promise<void> {
    const isMeant = due !== undefined && due.ticket === job.data.ticket && !due.isParked;
    if (!isMeant || due.status === 'success' || due.status === 'cancelled' || target === undefined) {
      return this.#settled({ job, row: null, finding: null, isOfNote: false });
    }
    // One that was given up and comes again was redriven, and starts anew.
    const tries = due.status === 'failed' ? 0 : due.tries;
    const { companyId, deliveryId, ticket, isProbe = false } = job.data;
    const status = waitingStatus(tries);
    const row = {
      companyId,
      deliveryId,
      ticket,
      tries,
      status,
      nextAt: new Date(),
      isParked: false,
      attempt: null,
    } as const;
    const untried = (change: Partial<SettledRow>) =>
      this.#settled({ job, row: { ...row, ...change }, finding: null, isOfNote: false });
    if (target.state === 'disabled') return untried({ status: 'cancelled', nextAt: null });
    const isProbing = isProbe && target.state === 'backing_off';
    if (holdsBack(target.state) && !isProbing) return untried({ isParked: true });
    const keys = this.#open(companyId, target);
    if (keys === undefined) return untried({ nextAt: new Date(Date.now() + UNREADABLE_MS) });

    const startedAt = new Date();
    const timestamp = Math.floor(startedAt.getTime() / 1000);
    const result = await this.#post(target, due.eventId, {
      headers: {
        'content-type': 'application/json',
        'user-agent': USER_AGENT,
        'webhook-id': due.eventId,
        'webhook-timestamp': String(timestamp),
        'webhook-signature': signature(keys, due.eventId, timestamp, due.body),
      },
      body: due.body,
      // Endpoints of many companies may lie behind one name.
      pool: target.endpointId,
      signal: this.#inHand.get(holdOf(job))?.abort.signal,
    });
    const { finding, ...verdict } = judge(result, tries, isProbe, new Date(), Math.random());
    this.#metrics.webhookAttempts.observe({ outcome: verdict.outcome }, result.durationMs / 1000);
    const [httpStatus, answer] = result.outcome === 'answered' ? [result.status, result.body] : [null, null];
    const { outcome, ...change } = verdict;
    const attempt = { startedAt, durationMs: result.durationMs, outcome, httpStatus, answer };
    const isOfNote = target.isAiling || finding?.result !== 'success';
    this.#settled({ job, row: { ...row, ...change, attempt }, finding, isOfNote });
  }

  #post({ url, endpointId }: Target, eventId: string, request: Omit<OutboundRequest, 'method'>): Promise<PostResult> {
    const attributes = { 'webhook.endpoint.id': endpointId, 'webhook.event.id': eventId };
    return traced(this.#tracing, 'webhook attempt', { kind: 'client', attributes }, async span => {
      const result = await this.#outbound.post(url, request);
      span?.add({ 'webhook.outcome': result.outcome });
      if (result.outcome === 'answered') span?.add({ 'http.response.status_code': result.status });
      else span?.fail(result.outcome);
      return result;
    });
  }

  #open(companyId: string, { endpointId, boxes }: Target): KeyObject[] | undefined {
    try {
      return this.#keys.of(companyId, endpointId, boxes);
    } catch (error) {
      this.#log.error({ companyId, endpointId, reason: (error as Error).message }, 'webhook secret cannot be opened');
      return undefined;
    }
  }

  #settled(settlement: Settlement): void {
    this.#settlements.push(settlement);
    this.#settling ??= this.#settleAll();
  }

  /** Writes results for as long as there are some: while one batch is written the next comes together. */
  async #settleAll(): Promise<void> {
    // What comes in during this turn of the event loop is of the first batch.
    await nextTurn();
    while (this.#settlements.length > 0) {
      const batch = this.#nextBatch();
      await this.#write(batch);
      for (const { job } of batch) this.#inHand.delete(holdOf(job));
      // Slots are free, and so may be those of an endpoint that had all of its.
      this.#wake();
    }
    this.#settling = undefined;
  }

  /** One result of a delivery at a time: a second, of a redelivery, counts after what the first makes of it. */
  #nextBatch(): Settlement[] {
    const ids = new Set<string>();
    const batch: Settlement[] = [];
    const rest: Settlement[] = [];
    for (const settlement of this.#settlements.splice(0)) {
      const { deliveryId } = settlement.job.data;
      if (batch.length === MAX_SETTLE || ids.has(deliveryId)) rest.push(settlement);
      else {
        ids.add(deliveryId);
        batch.push(settlement);
      }
    }
    this.#settlements.push(...rest);
    return batch;
  }

  /** Results are tried to be written for as long as they may count: what is lost of them is sent again. */
  async #write(batch: readonly Settlement[]): Promise<void> {
    for (let tries = 0; ; tries++) {
      try {
        return await settle(this.#database, this.#jobs, batch);
      } catch (error) {
        this.#log.warn({ reason: (error as Error).message, results: batch.length }, 'webhook results not written');
        if (tries >= 100 || (this.#isStopping && tries >= 2)) return;
        await pause(RETRY_MS);
        // One that can't be written shall not keep the others from it.
        if (tries >= SPLIT_AFTER && batch.length > 1) {
          const half = Math.ceil(batch.length / 2);
          await this.#write(batch.slice(0, half));
          return this.#write(batch.slice(half));
        }
      }
    }
  }
}

/** A hold of a job: the same job taken again is another. */
function holdOf({ id, retryCount }: HeldJob<unknown>): string {
  return `${id} ${retryCount}`;
}
