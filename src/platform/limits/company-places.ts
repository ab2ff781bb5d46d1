import type { CompanyId } from '../database/tenancy/company-id.ts';
import type { Fault } from '../fault.ts';

/** How many places a company has, and how requests without a place are rejected. */
interface PlacesOptions {
  readonly places: number;
  /**
   * Places of all companies together. If it is left out there is no limit, and a request that needs more places than
   * its company has gets all of them. If it is set, a request that needs more than the total is rejected.
   */
  readonly total?: number;
  readonly waitMs: number;
  /** Requests of one company that may wait. */
  readonly maxWaiting: number;
  /**
   * The error for requests that waited too long, or that found too many waiting.
   *
   * @param lacking `total` only if the company had room and all companies together had none
   * @param units of work that the company did meanwhile; infinite if too many wait
   */
  readonly reject: (lacking: 'company' | 'total', units: number) => Fault;
}

interface Waiting {
  readonly places: number;
  readonly hadPlaces: boolean;
  readonly go: () => void;
  readonly stop: (reason: unknown) => void;
}

interface Queue {
  taken: number;
  /** Units of work that were reported. */
  worked: number;
  readonly waiting: Waiting[];
}

/** A timer is this late only if the whole process was blocked. */
const STOOD_STILL_MS = 500;

/** Queues that are kept while they are empty, because creating one for each request would cost more. */
const MAX_EMPTY = 10_000;

/**
 * Divides something that all companies share, such as database connections, requests in progress or bytes of memory, so
 * that no company takes all of it. A request without a place waits until another one returns its place. Places are
 * counted in this process alone.
 */
export class CompanyPlaces {
  readonly #options: PlacesOptions;
  readonly #queues = new Map<CompanyId, Queue>();
  /** Queues with waiting requests, if companies wait for each other's places. */
  readonly #waiting = new Set<Queue>();
  #taken = 0;

  constructor(options: PlacesOptions) {
    this.#options = options;
  }

  /**
   * Takes places. Returns undefined if they are free, as they nearly always are.
   *
   * @throws Fault if they do not become free in time
   */
  enter(companyId: CompanyId, places = 1): Promise<void> | undefined {
    const queue = this.#queueOf(companyId);
    if (queue.waiting.length === 0 && this.#lacking(queue, places) === undefined) {
      this.#take(queue, places);
      return undefined;
    }
    if (queue.waiting.length >= this.#options.maxWaiting)
      throw this.#options.reject('company', Number.POSITIVE_INFINITY);
    return this.#wait(queue, places);
  }

  /**
   * Exchanges places for another number of places. If these are not free, the request waits ahead of those that have
   * none, and has none meanwhile: two requests that kept a place while they wait for more could wait for each other.
   *
   * @throws Fault if they do not become free in time
   */
  change(companyId: CompanyId, from: number, to: number): Promise<void> | undefined {
    const queue = this.#queueOf(companyId);
    this.#take(queue, -from);
    if (queue.waiting[0]?.hadPlaces || this.#lacking(queue, to) !== undefined) {
      const waiting = this.#wait(queue, to, true);
      this.#admit(queue);
      return waiting;
    }
    this.#take(queue, to);
    this.#admit(queue);
    return undefined;
  }

  /** Records work that a request with places has done. */
  noteWork(companyId: CompanyId, units: number): void {
    this.#queueOf(companyId).worked += units;
  }

  /** Whether a company would get a place at once. */
  hasRoom(companyId: CompanyId): boolean {
    const queue = this.#queueOf(companyId);
    return queue.waiting.length === 0 && this.#lacking(queue, 1) === undefined;
  }

  taken(companyId: CompanyId): number {
    return this.#queues.get(companyId)?.taken ?? 0;
  }

  /** Takes places without waiting, for work in progress. */
  reenter(companyId: CompanyId, places = 1): void {
    this.#take(this.#queueOf(companyId), places);
  }

  leave(companyId: CompanyId, places = 1): void {
    const queue = this.#queueOf(companyId);
    this.#take(queue, -places);
    if (this.#options.total === undefined) {
      this.#admit(queue);
    } else {
      // The company has just had its turn, so the others that wait come first.
      if (this.#waiting.delete(queue)) this.#waiting.add(queue);
      this.#admitInRounds();
    }
    if (queue.taken === 0 && queue.waiting.length === 0 && this.#queues.size > MAX_EMPTY)
      this.#queues.delete(companyId);
  }

  /** Rejects all waiting requests of a company, because their resource has become unavailable. */
  stopWaiting(companyId: CompanyId, reason: unknown): void {
    for (const { stop } of this.#queues.get(companyId)?.waiting.splice(0) ?? []) stop(reason);
  }

  #queueOf(companyId: CompanyId): Queue {
    let queue = this.#queues.get(companyId);
    if (queue === undefined) {
      queue = { taken: 0, worked: 0, waiting: [] };
      this.#queues.set(companyId, queue);
    }
    return queue;
  }

  #take(queue: Queue, places: number): void {
    queue.taken += places;
    this.#taken += places;
  }

  /** Admits waiting requests of a company for which there is room, in their order. */
  #admit(queue: Queue): void {
    while (this.#admitOne(queue));
    if (queue.waiting.length === 0) this.#waiting.delete(queue);
  }

  /** Admits one request of each company at a time, as long as there is room. */
  #admitInRounds(): void {
    // A queue that is added again during the loop is visited again.
    for (const queue of this.#waiting) {
      if (!this.#admitOne(queue)) continue;
      this.#waiting.delete(queue);
      if (queue.waiting.length > 0) this.#waiting.add(queue);
    }
  }

  #admitOne(queue: Queue): boolean {
    const [next] = queue.waiting;
    if (next === undefined || this.#lacking(queue, next.places) !== undefined) return false;
    queue.waiting.shift();
    this.#take(queue, next.places);
    next.go();
    return true;
  }

  /** Returns which share has no room for the places, the company's or the total; undefined if there is room. */
  #lacking({ taken }: Queue, places: number): 'company' | 'total' | undefined {
    const { total } = this.#options;
    const isWhole = total === undefined && taken === 0;
    if (!isWhole && taken + places > this.#options.places) return 'company';
    return total !== undefined && this.#taken + places > total ? 'total' : undefined;
  }

  #wait(queue: Queue, places: number, hadPlaces = false): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const { waitMs, reject: errorOf } = this.#options;
    const { worked } = queue;
    const waiting: Waiting = {
      places,
      hadPlaces,
      go: () => {
        clearTimeout(late);
        resolve();
      },
      stop: reason => {
        clearTimeout(late);
        reject(reason);
      },
    };
    const giveUp = (dueAt: number) => {
      // The process itself was blocked, so nobody could return places.
      if (performance.now() - dueAt > STOOD_STILL_MS) return start();
      queue.waiting.splice(queue.waiting.indexOf(waiting), 1);
      reject(errorOf(this.#lacking(queue, places) ?? 'company', queue.worked - worked));
      // The next request may need fewer places.
      this.#admit(queue);
    };
    const start = (): void => {
      late = setTimeout(giveUp, waitMs, performance.now() + waitMs);
    };
    let late: NodeJS.Timeout | undefined;
    start();
    const behind = hadPlaces ? queue.waiting.findIndex(one => !one.hadPlaces) : -1;
    queue.waiting.splice(behind < 0 ? queue.waiting.length : behind, 0, waiting);
    if (this.#options.total !== undefined) this.#waiting.add(queue);
    return promise;
  }
}
