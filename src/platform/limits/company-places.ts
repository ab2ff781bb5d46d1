import type { CompanyId } from '../database/tenancy/company-id.ts';
import type { Fault } from '../fault.ts';

/** How many places a company has, and what becomes of requests that find none. */
export interface PlacesOptions {
  /** Places of each company. */
  readonly places: number;
  /**
   * Places of all companies together; as many as they have where left out, and then who needs more places than its
   * company has gets them all. With it, who needs more than there can be gets an error.
   */
  readonly total?: number;
  readonly waitMs: number;
  /** Of one company. */
  readonly maxWaiting: number;
  /**
   * The error for those that waited too long, or that too many wait before.
   *
   * @param lacking `total` where only all lack the places
   * @param units of work that the company did meanwhile, as far as it was noted; infinite where too many wait
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
  /** Units of work that were noted. */
  worked: number;
  readonly waiting: Waiting[];
}

/** How late a timer is only where the whole process stood still. */
const STOOD_STILL_MS = 500;

/** Companies whose queues are kept though nothing is in them: making one anew for each request would cost more. */
const MAX_EMPTY = 10_000;

/**
 * Places of each company in something that all companies share, so that none has it to itself: connections to the
 * database, requests at work, bytes of memory. Who finds no place waits until others give theirs back. Counted in
 * this process alone.
 */
export class CompanyPlaces {
  readonly #options: PlacesOptions;
  readonly #queues = new Map<CompanyId, Queue>();
  /** Those that have somebody waiting, where companies wait for each other's places. */
  readonly #waiting = new Set<Queue>();
  #taken = 0;

  constructor(options: PlacesOptions) {
    this.#options = options;
  }

  /**
   * Takes places. Undefined where they are free, as they nearly always are.
   *
   * @throws Fault where they do not become free in time
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
   * Takes other places in the place of those that one has. Where they are not free it waits before all that have none yet,
   * and has none meanwhile: two that each hold a place and wait for more would wait for each other.
   *
   * @throws Fault where they do not become free in time
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

  /** Notes work of one that had places. */
  noteWork(companyId: CompanyId, units: number): void {
    this.#queueOf(companyId).worked += units;
  }

  /** Whether a company would get a place at once. */
  hasRoom(companyId: CompanyId): boolean {
    const queue = this.#queueOf(companyId);
    return queue.waiting.length === 0 && this.#lacking(queue, 1) === undefined;
  }

  /** Places that a company has taken. */
  taken(companyId: CompanyId): number {
    return this.#queues.get(companyId)?.taken ?? 0;
  }

  /** Takes places without waiting, for what is under way already. */
  reenter(companyId: CompanyId, places = 1): void {
    this.#take(this.#queueOf(companyId), places);
  }

  leave(companyId: CompanyId, places = 1): void {
    const queue = this.#queueOf(companyId);
    this.#take(queue, -places);
    if (this.#options.total === undefined) this.#admit(queue);
    else this.#admitInRounds();
    if (queue.taken === 0 && queue.waiting.length === 0 && this.#queues.size > MAX_EMPTY)
      this.#queues.delete(companyId);
  }

  /** Ends the waiting of all requests of a company: what they wait for is not to be had. */
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

  /** Lets those of a company go that wait and have room by now, in their order. */
  #admit(queue: Queue): void {
    while (this.#admitOne(queue));
    if (queue.waiting.length === 0) this.#waiting.delete(queue);
  }

  /** Lets one of each company go, and again one of each, as long as there is room. */
  #admitInRounds(): void {
    // A queue that is added again is looked at again.
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

  /** Where there is no room for so many places: in the company's share, or in all; undefined where there is. */
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
      // The process itself stood still, so that nobody could give places back.
      if (performance.now() - dueAt > STOOD_STILL_MS) return start();
      queue.waiting.splice(queue.waiting.indexOf(waiting), 1);
      reject(errorOf(this.#lacking(queue, places) ?? 'company', queue.worked - worked));
      // What waits behind it may need less.
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
