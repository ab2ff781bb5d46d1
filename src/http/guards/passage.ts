import { setTimeout } from 'node:timers/promises';
import type { Context } from 'koa';
import type { Place } from '../../graphql/context.ts';
import { Fault } from '../../platform/fault.ts';
import { type Admission, placesOf, UNKNOWN_COST } from '../../platform/limits/admission.ts';
import type { RateLimits } from '../../platform/limits/rate-limits.ts';
import type { RequestClass } from '../../platform/limits/rates.ts';
import { ownTurn } from '../../platform/limits/slices.ts';
import type { OpenedContext } from '../rest/handler.ts';
import { countRequest, showRates } from './rate-limit.ts';

/** A caller who goes on asking beyond a limit waits so long for each response: a flood of them costs little. */
const REJECTION_MS = 100;

/** What counts requests and makes them wait. */
export interface Limiters {
  readonly limits: RateLimits;
  readonly admission: Admission;
}

/** What a request was expected to cost. */
interface Expected {
  readonly cost: number;
  readonly isKnown: boolean;
  readonly kind: string | undefined;
}

/**
 * The way of one request through the limits: it is counted, waits for its company's turn, and at its end is charged for
 * the work that it did. Its places are its own until the response is read or the caller gone; then its work ends too.
 *
 * It keeps neither request nor response: the plugins of the schema remember the context of each operation until the
 * garbage collector looks at their memory, and all that the context leads to would survive with it.
 */
export class Passage implements Place {
  readonly #limiters: Limiters;
  readonly #context: OpenedContext;
  #countedAs: RequestClass | undefined;
  #places = 0;
  #expected: Expected | undefined;
  #isClosed = false;

  constructor(limiters: Limiters, context: OpenedContext) {
    this.#limiters = limiters;
    this.#context = context;
  }

  /**
   * Does what a request is for, within the limits.
   *
   * @param kind what it has in common with those that cost about as much
   * @throws Fault `rate_limited`
   */
  async through(ctx: Context, rateClass: RequestClass, answer: () => Promise<void>, kind?: string): Promise<void> {
    const { principal } = this.#context;
    const { res: response } = ctx;
    // The response of a caller who left while the key was looked up will not close again.
    if (response.destroyed) throw gone();
    response.on('close', () => this.#close(response.writableFinished));
    try {
      await this.#within(ctx, rateClass, answer, kind);
    } catch (thrown) {
      if (thrown instanceof Fault && thrown.code === 'rate_limited') {
        await setTimeout(REJECTION_MS);
        // Of hundreds that are rejected at once, one is answered in each turn of the event loop.
        await ownTurn(principal.companyId);
      }
      throw thrown;
    }
  }

  /**
   * Does something that goes on after the request was answered: it waits for its turn and is charged, and is not counted as
   * a request.
   *
   * @throws Fault `rate_limited`
   */
  async turn<Result>(estimate: number, kind: string, act: () => Promise<Result>): Promise<Result> {
    try {
      await this.reserve(estimate, kind);
      return await act();
    } finally {
      this.#charge();
      this.#close(true);
    }
  }

  /** Gives the places back before the response is over. */
  release(): void {
    this.#giveBack();
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
  reserve(estimate: number, kind?: string): Promise<void> | undefined {
    const { admission } = this.#limiters;
    const { companyId } = this.#context.principal;
    const known = kind === undefined ? undefined : admission.costs.of(companyId, kind);
    this.#expected = { cost: known ?? estimate, isKnown: known !== undefined, kind };
    const places = placesOf(this.#expected.cost);
    if (places === this.#places) return undefined;
    // Given back first: two requests that each hold a place and wait for the rest would wait for each other.
    this.#giveBack();
    admission.note(companyId);
    if (admission.isInLine(places)) this.#context.work.lineUp();
    const waiting = admission.enter(companyId, places);
    if (waiting) return waiting.then(() => this.#hold(places));
    this.#hold(places);
    return undefined;
  }

  /** Gives the places back while the request waits for something outside of the process. */
  async outside<Result>(result: () => Promise<Result>): Promise<Result> {
    const places = this.#places;
    // Fields that wait at the same time have given them back already.
    this.#giveBack();
    try {
      return await result();
    } finally {
      if (places > 0 && !this.#isClosed) {
        this.#places = places;
        this.#limiters.admission.places.reenter(this.#context.principal.companyId, places);
      }
    }
  }

  /** Shows the rates before the wait of a request that is rejected: the next minute may begin meanwhile. */
  async #within(ctx: Context, rateClass: RequestClass, answer: () => Promise<void>, kind?: string): Promise<void> {
    try {
      // Most need not wait.
      const counting = this.count(rateClass);
      if (counting) await counting;
      const reserving = this.reserve(kind === undefined ? 0 : UNKNOWN_COST, kind);
      if (reserving) await reserving;
      await answer();
    } finally {
      this.#charge();
      showRates(ctx, this.#limiters.limits, this.#context.principal, this.#countedAs ?? rateClass);
    }
  }

  #charge(): void {
    const { limits, admission } = this.#limiters;
    const { principal, work } = this.#context;
    limits.spend(principal, work.spent);
    admission.spend(principal.companyId, work.unpaused, limits.limit(principal, 'cost'));
    this.#learn();
  }

  /** Nothing where the request cost what was expected of it, as most do. */
  #learn(): void {
    // What was rejected while it waited for its places says nothing about others of its kind.
    if (this.#expected?.kind === undefined || this.#places === 0) return;
    const { cost, isKnown, kind } = this.#expected;
    const { principal, work } = this.#context;
    const isAsExpected = placesOf(cost) === placesOf(work.spent);
    if (isAsExpected && (!isKnown || placesOf(cost) === 1)) return;
    this.#limiters.admission.costs.learn(principal.companyId, kind, work.spent);
  }

  #hold(places: number): void {
    this.#places = places;
    if (!this.#isClosed) return;
    this.#giveBack();
    throw gone();
  }

  #giveBack(): void {
    if (this.#places > 0) this.#limiters.admission.places.leave(this.#context.principal.companyId, this.#places);
    this.#places = 0;
  }

  #close(isWritten: boolean): void {
    this.#isClosed = true;
    if (this.#places > 0) this.#limiters.admission.leave(this.#context.principal.companyId, this.#places);
    this.#places = 0;
    if (!isWritten) this.#context.work.end(gone());
  }
}

function gone(): Fault {
  return new Fault('unavailable', { detail: 'The caller closed the connection before the response.' });
}
