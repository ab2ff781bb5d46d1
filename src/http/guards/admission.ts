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

/** A caller who goes on asking beyond a limit waits so long for each response: a flood of them costs little. */
const REJECTION_MS = 100;

/** What counts requests and makes them wait. */
export interface Limiters {
  readonly limits: RateLimits;
  readonly places: CompanyPlaces;
}

/**
 * Admits one request: counts it, waits for a place among the requests of its company, and charges the work that it did.
 * The request has its places until the response is read or the caller gone; then its work ends too.
 *
 * It keeps neither request nor response: the plugins of the schema remember the context of each operation until the
 * garbage collector looks at their memory, and all that the context leads to would survive with it.
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
   * Does what a request is for, within the limits. It begins with one place.
   *
   * @throws Fault `rate_limited`
   */
  async request(ctx: Context, rateClass: RequestClass, answer: () => Promise<void>): Promise<void> {
    const { res: response } = ctx;
    // The response of a caller who left while the key was looked up will not close again.
    if (response.destroyed) throw gone();
    response.on('close', () => this.#close(response.writableFinished));
    try {
      await this.#within(ctx, rateClass, answer);
    } catch (thrown) {
      if (thrown instanceof Fault && thrown.code === 'rate_limited') {
        await setTimeout(REJECTION_MS);
        // Of hundreds that are rejected at once, one is answered in each turn of the event loop.
        await ownTurn(this.#companyId);
      }
      throw thrown;
    }
  }

  /**
   * Does a part of a stream, which waits for a place and is charged, and is not counted as a request.
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

  /** Gives the places back before the response is over. */
  release(): void {
    if (this.#places > 0) this.#limiters.places.leave(this.#companyId, this.#places);
    this.#places = 0;
  }

  /** Counts the request as a class, in place of what it was counted as before. @throws Fault `rate_limited` */
  count(rateClass: RequestClass, count = 1): Promise<void> | undefined {
    const { limits } = this.#limiters;
    const { principal } = this.#context;
    if (this.#countedAs === rateClass && count === 1) return undefined;
    if (this.#countedAs !== undefined) limits.giveBack(principal, this.#countedAs);
    this.#countedAs = rateClass;
    return countRequest(limits, principal, rateClass, count);
  }

  /** Waits for the places that a request takes, in place of those it has. @throws Fault `rate_limited` */
  reserve(price: number): Promise<void> | undefined {
    const places = placesOf(price);
    if (places === this.#places) return undefined;
    const had = this.#places;
    this.#places = 0;
    const { places: all } = this.#limiters;
    const waiting = had > 0 ? all.change(this.#companyId, had, places) : all.enter(this.#companyId, places);
    if (waiting) return waiting.then(() => this.#hold(places));
    this.#hold(places);
    return undefined;
  }

  /** Gives the places back while the request waits for something outside of the process. */
  async outside<Result>(result: () => Promise<Result>): Promise<Result> {
    const places = this.#places;
    // Fields that wait at the same time have given them back already.
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

  /** Shows the rates before the wait of a request that is rejected: the next minute may begin meanwhile. */
  async #within(ctx: Context, rateClass: RequestClass, answer: () => Promise<void>): Promise<void> {
    try {
      // Most need not wait.
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

  #hold(places: number): void {
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
