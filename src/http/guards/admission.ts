import { setTimeout } from 'node:timers/promises';
import type { Context } from 'koa';
import type { Place } from '../../graphql/context.ts';
import { Fault } from '../../platform/fault.ts';
import type { CompanyPlaces } from '../../platform/limits/company-places.ts';
import type { RateLimits } from '../../platform/limits/rate-limits.ts';
import type { RequestClass } from '../../platform/limits/rates.ts';
import { placesOf } from '../../platform/limits/request-places.ts';
import { ownTurn } from '../../platform/limits/turns.ts';
import type { OpenedContext } from '../request-state.ts';
import { countRequest, showRates } from './rate-limit.ts';

/** The delay of a rejection, so that a flood of requests beyond a limit costs little. */
const REJECTION_MS = 100;

/** Counts requests and makes them wait. */
export interface Limiters {
  readonly limits: RateLimits;
  readonly places: CompanyPlaces;
}

/**
 * Admits one request: counts it, waits for a place among the requests of its company, and charges its work. The request
 * keeps its places until the response is read or the caller has disconnected; then its work ends too. It does not keep
 * the request or the response: the plugins of the schema remember the context of each operation until a garbage
 * collection, and everything that the context refers to would survive with it.
 */
export class Admission implements Place {
  readonly #limiters: Limiters;
  readonly #context: OpenedContext;
  #countedAs: RequestClass | undefined;
  #places = 0;
  #isClosed = false;

  constructor(limiters: Limiters, context: OpenedContext) {
    this.#limiters = limiters;
    this.#context = context;
  }

  /**
   * Handles a request within the limits, starting with one place.
   *
   * @throws Fault `rate_limited`
   */
  async request(ctx: Context, rateClass: RequestClass, answer: () => Promise<void>): Promise<void> {
    const { res: response } = ctx;
    // If the caller disconnected during the look-up of the key, the response will not close again.
    if (response.destroyed) throw gone();
    response.on('close', () => this.#close(response.writableFinished));
    try {
      await this.#within(ctx, rateClass, answer);
    } catch (thrown) {
      if (thrown instanceof Fault && thrown.code === 'rate_limited') {
        await setTimeout(REJECTION_MS);
        // One of many simultaneous rejections is sent in each turn of the event loop.
        await ownTurn(this.#companyId);
      }
      throw thrown;
    }
  }

  /**
   * Handles a look of a stream, which waits for a place and is charged, but not counted as a request.
   *
   * @throws Fault `rate_limited`
   */
  async look<Result>(price: number, act: () => Promise<Result>): Promise<Result> {
    try {
      await this.reserve(price);
      return await act();
    } finally {
      this.#charge();
      this.#close(true);
    }
  }

  /** Returns the places before the response is over. */
  release(): void {
    if (this.#places > 0) this.#limiters.places.leave(this.#companyId, this.#places);
    this.#places = 0;
  }

  /** Counts the request in a class, which replaces an earlier one. @throws Fault `rate_limited` */
  count(rateClass: RequestClass, count = 1): Promise<void> | undefined {
    const { limits } = this.#limiters;
    const { principal } = this.#context;
    if (this.#countedAs === rateClass && count === 1) return undefined;
    if (this.#countedAs !== undefined) limits.giveBack(principal, this.#countedAs);
    this.#countedAs = rateClass;
    return countRequest(limits, principal, rateClass, count);
  }

  /** Waits for the places of a request, which replace its earlier ones. @throws Fault `rate_limited` */
  reserve(price: number): Promise<void> | undefined {
    const places = placesOf(price);
    if (places === this.#places) return undefined;
    const had = this.#places;
    this.#places = 0;
    const { places: all } = this.#limiters;
    const waiting = had > 0 ? all.change(this.#companyId, had, places) : all.enter(this.#companyId, places);
    if (waiting) return waiting.then(() => this.#occupy(places));
    this.#occupy(places);
    return undefined;
  }

  /** Returns the places while the request waits for another server. */
  async outside<Result>(result: () => Promise<Result>): Promise<Result> {
    const places = this.#places;
    // Fields that wait at that time have returned them already.
    this.release();
    try {
      return await result();
    } finally {
      if (places > 0 && !this.#isClosed) {
        this.#places = places;
        this.#limiters.places.reenter(this.#companyId, places);
      }
    }
  }

  get #companyId() {
    return this.#context.principal.companyId;
  }

  /** Shows the rates before the delay of a rejected request, because the next minute may begin during it. */
  async #within(ctx: Context, rateClass: RequestClass, answer: () => Promise<void>): Promise<void> {
    try {
      // Most requests need not wait.
      const counting = this.count(rateClass);
      if (counting) await counting;
      const reserving = this.reserve(0);
      if (reserving) await reserving;
      await answer();
    } finally {
      this.#charge();
      showRates(ctx, this.#limiters.limits, this.#context.principal, this.#countedAs ?? rateClass);
    }
  }

  #charge(): void {
    const { limits, places } = this.#limiters;
    const { principal, work } = this.#context;
    limits.spend(principal, work.spent);
    places.noteWork(principal.companyId, work.spent);
  }

  #occupy(places: number): void {
    this.#places = places;
    if (!this.#isClosed) return;
    this.release();
    throw gone();
  }

  #close(isWritten: boolean): void {
    this.#isClosed = true;
    this.release();
    if (!isWritten) this.#context.work.end(gone());
  }
}

function gone(): Fault {
  return new Fault('unavailable', { detail: 'The caller closed the connection before the response.' });
}
