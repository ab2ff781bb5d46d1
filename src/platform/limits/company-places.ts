import type { CompanyId } from '../database/tenancy.ts';
import type { Fault } from '../fault.ts';

/** How many places a company has, and what becomes of requests that find none. */
export interface PlacesOptions {
  /** Places of each company just now. */
  readonly places: () => number;
  readonly waitMs: number;
  readonly maxWaiting: number;
  /** The error for those that waited too long, or that too many wait before. */
  readonly refuse: () => Fault;
}

interface Waiting {
  readonly places: number;
  readonly go: () => void;
  readonly stop: (reason: unknown) => void;
}

interface Queue {
  taken: number;
  readonly waiting: Waiting[];
}

/** Companies whose queues are kept though nothing is in them: making one anew for each request would cost more. */
const MAX_EMPTY = 10_000;

/**
 * Places of each company in something that all companies share, so that none has it to itself: who finds no place waits
 * for one that another request of the same company gives back. Counted in this process alone.
 */
export class CompanyPlaces {
  readonly #options: PlacesOptions;
  readonly #queues = new Map<CompanyId, Queue>();

  constructor(options: PlacesOptions) {
    this.#options = options;
  }

  /**
   * Takes places. Undefined where they are free, as they nearly always are.
   *
   * @param places who needs more than there are gets them all
   * @throws Fault where they do not become free in time
   */
  enter(companyId: CompanyId, places = 1): Promise<void> | undefined {
    const queue = this.#queueOf(companyId);
    if (queue.waiting.length === 0 && this.#hasRoom(queue, places)) {
      queue.taken += places;
      return undefined;
    }
    if (queue.waiting.length >= this.#options.maxWaiting) throw this.#options.refuse();
    return this.#wait(queue, places);
  }

  /** Whether a company would get a place at once. */
  hasRoom(companyId: CompanyId): boolean {
    const queue = this.#queues.get(companyId);
    return queue === undefined || (queue.waiting.length === 0 && this.#hasRoom(queue, 1));
  }

  /** Places that a company has taken. */
  taken(companyId: CompanyId): number {
    return this.#queues.get(companyId)?.taken ?? 0;
  }

  /** Takes places without waiting, for what is under way already. */
  reenter(companyId: CompanyId, places = 1): void {
    this.#queueOf(companyId).taken += places;
  }

  leave(companyId: CompanyId, places = 1): void {
    const queue = this.#queueOf(companyId);
    queue.taken -= places;
    if (queue.waiting.length === 0) {
      if (queue.taken === 0 && this.#queues.size > MAX_EMPTY) this.#queues.delete(companyId);
      return;
    }
    for (
      let next = queue.waiting[0];
      next !== undefined && this.#hasRoom(queue, next.places);
      next = queue.waiting[0]
    ) {
      queue.waiting.shift();
      queue.taken += next.places;
      next.go();
    }
  }

  /** Ends the waiting of all requests of a company: what they wait for is not to be had. */
  stopWaiting(companyId: CompanyId, reason: unknown): void {
    for (const { stop } of this.#queues.get(companyId)?.waiting.splice(0) ?? []) stop(reason);
  }

  #queueOf(companyId: CompanyId): Queue {
    let queue = this.#queues.get(companyId);
    if (queue === undefined) {
      queue = { taken: 0, waiting: [] };
      this.#queues.set(companyId, queue);
    }
    return queue;
  }

  #hasRoom({ taken }: Queue, places: number): boolean {
    return taken === 0 || taken + places <= this.#options.places();
  }

  #wait(queue: Queue, places: number): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const { waitMs, refuse } = this.#options;
    const waiting: Waiting = {
      places,
      go: () => {
        clearTimeout(late);
        resolve();
      },
      stop: reason => {
        clearTimeout(late);
        reject(reason);
      },
    };
    const late = setTimeout(() => {
      queue.waiting.splice(queue.waiting.indexOf(waiting), 1);
      reject(refuse());
    }, waitMs);
    queue.waiting.push(waiting);
    return promise;
  }
}
