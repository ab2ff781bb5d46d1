import { performance } from 'node:perf_hooks';
import type { CompanyId } from '../database/tenancy.ts';
import { Fault } from '../fault.ts';
import { CompanyPlaces } from './company-places.ts';
import { LearnedCosts } from './learned-costs.ts';
import { Paces } from './paces.ts';
import { RATE_WINDOW_SECONDS } from './rates.ts';
import { atTurn } from './slices.ts';
import { type Pause, SHARED_TURN_UNITS, TURN_UNITS } from './work.ts';

/** Requests of a company that are carried out at once while no other company asks. */
const ALONE = 64;
/** And while others do: what one company sends at once delays the others by no more than these take. */
const SHARED = 8;
/** Companies may have as many times what the modest ones among them want at once. */
const TIMES_MODEST = 2;
/** How long a company counts as asking after its last request. */
const RECENT_MS = 1_000;
/** How long a request waits for its company's turn, and how many of a company may wait. */
const WAIT_MS = 3_000;
const MAX_WAITING = 1_000;
/**
 * Rest between two turns of a request's work while other companies ask: it has about a third of the event loop's time, and
 * less once its company is ahead of the pace at which its rate of cost lasts a minute.
 */
const REST_MS = 2;
/** Rest of a place between two requests while others ask and the process is busy: a flood of small requests has a share. */
const PLACE_REST_MS = 10;
/** The share of its time that the event loop computes in a busy process. */
const BUSY_SHARE = 0.7;
/** How often the load of the event loop, and what companies want, is measured. */
const MEASURE_EVERY_MS = 100;

/** Cost for which a request takes a place. The most expensive ones take all places of their company. */
const COST_OF_PLACE = 2_000;

/** While others ask, the costliest request has so long at its company's pace, however low the company's rate of cost is. */
const COSTLIEST_MS = 4_000;
/**
 * The share of the work at that pace by which a company fills its places itself. Where it did less while a request waited
 * for its turn, the server was slow.
 */
const OWN_SHARE = 0.5;
/** And so long a request waits at most because of what its company did before it. */
const MAX_AHEAD_MS = 2_000;

/** Work that is not counted for a company's pace: that of one record, as most requests are. */
const SMALL_COST = 200;

/** What a request counts as until one of its kind was answered: two at once while other companies ask. */
export const UNKNOWN_COST = 6_000;

/**
 * Admits requests by company: each company has a number of places in the process, a request takes one, or more where its
 * cost is high, and what finds none waits a moment for its turn.
 */
export class Admission {
  readonly places = new CompanyPlaces({
    places: () => (this.#isShared() ? Math.min(ALONE, Math.max(SHARED, this.#usual())) : ALONE),
    waitMs: WAIT_MS,
    maxWaiting: MAX_WAITING,
    reject: (_lacking, units) => (units >= this.#leastPerMs * WAIT_MS * OWN_SHARE ? tooManyAtOnce() : tooSlow()),
  });
  readonly costs = new LearnedCosts();
  readonly #paces = new Paces();
  readonly #leastPerMs: number;
  #lastCompany: CompanyId | undefined;
  #sharedAt = Number.NEGATIVE_INFINITY;
  #loop = performance.eventLoopUtilization();
  #loopAt = performance.now();
  #isBusy = false;
  #usualPlaces = 0;
  #usualAt = Number.NEGATIVE_INFINITY;

  /** @param maxCost units that a request may cost */
  constructor(maxCost: number) {
    this.#leastPerMs = maxCost / COSTLIEST_MS;
  }

  /** Gives places back when a request is over, after a rest where that keeps room for others. */
  leave(companyId: CompanyId, places: number): void {
    const isFlood = this.places.taken(companyId) > SHARED / 2;
    if (isFlood && this.#isShared() && this.places.taken(companyId) > this.#usual() && this.#computesMuch()) {
      setTimeout(() => this.places.leave(companyId, places), PLACE_REST_MS);
    } else {
      this.places.leave(companyId, places);
    }
  }

  /** Notes that a company asks: while several do, each has fewer places. What others have under way counts as asking. */
  note(companyId: CompanyId): void {
    const isFirst = this.#lastCompany === undefined;
    if (!isFirst && (companyId !== this.#lastCompany || this.places.takenByOthers(companyId) > 0)) {
      this.#sharedAt = performance.now();
    }
    this.#lastCompany = companyId;
  }

  /**
   * Takes places of a company; undefined where they are free. What takes several waits with them for its company's pace
   * while other companies ask.
   *
   * @throws Fault where they do not become free in time
   */
  enter(companyId: CompanyId, places: number): Promise<void> | undefined {
    const entering = this.places.enter(companyId, places);
    if (places === 1 || !this.#isShared()) return entering;
    if (entering) return entering.then(() => this.#onPace(companyId));
    return this.#paces.aheadMs(companyId) > 0 ? this.#onPace(companyId) : undefined;
  }

  /** Whether a request that takes several places runs one statement at a time: while other companies ask. */
  isInLine(places: number): boolean {
    return places > 1 && this.#isShared();
  }

  #onPace(companyId: CompanyId): Promise<void> {
    return new Promise(resolve => setTimeout(resolve, Math.min(this.#paces.aheadMs(companyId), MAX_AHEAD_MS)));
  }

  /**
   * The turns of a request's work: how others have the event loop between two of them, and what each has.
   *
   * @param rate units of cost a minute that the company has
   */
  turnsOf(companyId: CompanyId, rate: number): readonly [pause: Pause, turnUnits: number] {
    const pause: Pause = (go, units) => {
      this.places.noteWork(companyId, units);
      if (!this.#isShared()) return atTurn(companyId, go);
      this.#paces.spend(companyId, units, this.#unitsPerMs(rate));
      setTimeout(atTurn, Math.max(REST_MS, this.#paces.aheadMs(companyId)), companyId, go);
    };
    return [pause, this.#isShared() ? SHARED_TURN_UNITS : TURN_UNITS];
  }

  /** Counts work that was done without a pause after it. */
  spend(companyId: CompanyId, units: number, rate: number): void {
    this.places.noteWork(companyId, units);
    if (units > SMALL_COST && this.#isShared()) this.#paces.spend(companyId, units, this.#unitsPerMs(rate));
  }

  #unitsPerMs(rate: number): number {
    return Math.max(this.#leastPerMs, rate / (RATE_WINDOW_SECONDS * 1000));
  }

  #computesMuch(): boolean {
    const now = performance.now();
    if (now - this.#loopAt >= MEASURE_EVERY_MS) {
      const loop = performance.eventLoopUtilization();
      this.#isBusy = performance.eventLoopUtilization(loop, this.#loop).utilization > BUSY_SHARE;
      this.#loop = loop;
      this.#loopAt = now;
    }
    return this.#isBusy;
  }

  /**
   * Places that are nothing unusual just now: where all companies send many requests at once, none of them is a flood
   * that others need protection from.
   */
  #usual(): number {
    const now = performance.now();
    if (now - this.#usualAt >= MEASURE_EVERY_MS) {
      this.#usualPlaces = TIMES_MODEST * this.places.modestDemand();
      this.#usualAt = now;
    }
    return this.#usualPlaces;
  }

  #isShared(): boolean {
    return performance.now() - this.#sharedAt < RECENT_MS;
  }
}

/** Places that a request of an estimated cost takes. */
export function placesOf(cost: number): number {
  return Math.min(ALONE, 1 + Math.floor(cost / COST_OF_PLACE));
}

function tooSlow(): Fault {
  return new Fault('unavailable', {
    detail: 'The service is slow and did not get to the request in time. Send the request again in 2 s.',
    headers: { 'retry-after': '2' },
  });
}

function tooManyAtOnce(): Fault {
  return new Fault('rate_limited', {
    detail: 'The company has too many requests in progress. Send fewer at a time, and send this one again in 1 s.',
    headers: { 'retry-after': '1' },
  });
}
