import type { Fault } from '../fault.ts';
import { atTurn, inTurns, ownTurn } from './turns.ts';

/**
 * Units of work that a request does before others get the event loop: half a millisecond to a millisecond. A request of
 * another company has about five turns of the event loop.
 */
export const TURN_UNITS = 250;

/** Units of the first turn. There are more, because a list that arrives in portions is read by as many statements. */
export const FIRST_TURN_UNITS = 1_000;

/** Characters whose reading or writing costs as much as a value. */
export const CHARACTERS_PER_UNIT = 32;

/** How long a statement may outlast its work. Cancelling costs the connection, which a short statement is not worth. */
const CANCEL_AFTER_MS = 100;

/** A statement or transaction in progress; `cancel` ends it on the server. */
export interface Cancellable {
  cancel(): void;
}

/** The limits of one request. */
export interface Allowance {
  /** Units: a value of the response is one; more costly things have a stated price. */
  readonly units: number;
  /** Characters of text in the response. */
  readonly characters: number;
}

/**
 * The work of one request, counted while it is done. It ends when the allowance is used up, when the response is late,
 * or when the caller has disconnected: then no further resolver runs, and statements in progress are cancelled.
 */
export class Work {
  /** Units so far. */
  spent = 0;
  isOver = false;
  readonly #allowance: Allowance;
  readonly #tooMuch: (allowance: Allowance) => Fault;
  readonly #owner: string;
  // Created on demand, because most requests need neither. A list is enough for the few statements that run at once.
  #cancellables: Cancellable[] | undefined;
  #waiting: { readonly units: number; readonly go: () => void }[] | undefined;
  /** How many waiting items have been resumed. Removing each of tens of thousands would move all behind it. */
  #gone = 0;
  #characters = 0;
  #unitsOfTurn = 0;
  #turnLimit = FIRST_TURN_UNITS;
  #stop: ((reason: Fault) => void) | undefined;
  #reason: Fault | undefined;
  #never: Promise<never> | undefined;

  /** @param owner the company for which the work is done */
  constructor(owner: string, allowance: Allowance, tooMuch: (allowance: Allowance) => Fault) {
    if (!Number.isFinite(allowance.units + allowance.characters))
      throw new Error('Work needs an allowance with an end');
    this.#owner = owner;
    this.#allowance = allowance;
    this.#tooMuch = tooMuch;
  }

  /** The result, or the reason for which the work ended before the result came. */
  within<Result>(result: Promise<Result> | Result): Promise<Result> {
    const { promise, resolve, reject } = Promise.withResolvers<Result>();
    if (this.#reason) reject(this.#reason);
    else this.#stop = reject;
    // Released early, because it leads to the result and the context of a request outlives it for a while.
    const forget = (): void => {
      this.#stop = undefined;
    };
    promise.then(forget, forget);
    if (result instanceof Promise) result.then(resolve, reject);
    else resolve(result);
    return promise;
  }

  /** The result of a resolver whose work is over. It suspends the execution, which is then garbage-collected. */
  get never(): Promise<never> {
    this.#never ??= new Promise<never>(() => undefined);
    return this.#never;
  }

  /** Nothing is counted after the end: a caller pays for the work that was done. */
  spend(units: number): void {
    if (this.isOver) return;
    this.spent += units;
    if (this.spent > this.#allowance.units) this.end(this.#tooMuch(this.#allowance));
  }

  spendText(characters: number): void {
    this.#characters += characters;
    const isTooLong = this.#characters > this.#allowance.characters;
    // Units are counted first, so that the text that was read is paid for.
    this.spend(Math.min(characters / CHARACTERS_PER_UNIT, this.#allowance.units - this.spent + 1));
    if (isTooLong) this.end(this.#tooMuch(this.#allowance));
  }

  /** Undefined while the current turn of the event loop has room; otherwise resolves in the next turn. */
  turn(units: number): Promise<void> | undefined {
    if (this.#waiting === undefined && this.#unitsOfTurn < this.#turnLimit) {
      this.#unitsOfTurn += units;
      return undefined;
    }
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#waiting ??= [];
    this.#waiting.push({ units, go: resolve });
    if (this.#waiting.length === 1) atTurn(this.#owner, () => this.#beginTurn());
    return promise;
  }

  /** Resolves in the company's next turn of the event loop, between two long steps. */
  nextTurn(): Promise<void> {
    return ownTurn(this.#owner);
  }

  /** Yields the items of a long list, between which other work gets the event loop. */
  inTurns<Item>(items: Iterable<Item>): AsyncIterable<Item> {
    return inTurns(this.#owner, items);
  }

  /** Ends the work with a reason, which `within` throws. The first reason stays. */
  end(reason: Fault): void {
    if (this.isOver) return;
    this.isOver = true;
    this.#reason = reason;
    this.#waiting = undefined;
    this.#gone = 0;
    this.#stop?.(reason);
    this.#cancelSoon();
  }

  /** @throws Fault the reason for which the work ended */
  throwIfOver(): void {
    if (this.#reason) throw this.#reason;
  }

  /** Cancels a statement when the work ends, until it is unregistered. */
  register(one: Cancellable): void {
    this.#cancellables ??= [];
    this.#cancellables.push(one);
    if (this.isOver) this.#cancelSoon();
  }

  unregister(one: Cancellable): void {
    const index = this.#cancellables?.indexOf(one) ?? -1;
    if (index >= 0) this.#cancellables?.splice(index, 1);
  }

  #cancelSoon(): void {
    if (!this.#cancellables?.length) return;
    setTimeout(() => {
      for (const one of this.#cancellables?.splice(0) ?? []) one.cancel();
    }, CANCEL_AFTER_MS);
  }

  #beginTurn(): void {
    this.#unitsOfTurn = 0;
    this.#turnLimit = TURN_UNITS;
    const waiting = this.#waiting ?? [];
    while (this.#gone < waiting.length && this.#unitsOfTurn < TURN_UNITS) {
      const next = waiting[this.#gone++];
      this.#unitsOfTurn += next?.units ?? 0;
      next?.go();
    }
    if (this.#gone < waiting.length) {
      atTurn(this.#owner, () => this.#beginTurn());
    } else {
      this.#waiting = undefined;
      this.#gone = 0;
    }
  }
}
