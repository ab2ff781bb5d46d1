import type { Fault } from '../fault.ts';
import { atTurn, inTurns, ownTurn } from './turns.ts';

/**
 * Work of a request that is done before others get the event loop, half a millisecond to a millisecond: a request of theirs
 * has some five turns of the event loop.
 */
export const TURN_UNITS = 250;

/** The same of its first turn. More, since a list that comes in portions is read by as many statements. */
export const FIRST_TURN_UNITS = 1_000;

/** Characters whose reading or writing costs as much as a value. */
export const CHARACTERS_PER_UNIT = 32;

/** What a statement may still take when its work is over: to cancel it costs its connection, which a short one is not worth. */
const CANCEL_AFTER_MS = 100;

/** A statement or transaction that is under way; to cancel it ends it on the server. */
export interface Cancellable {
  cancel(): void;
}

/** What one request may use. */
export interface Allowance {
  /** Units: a value of the response is one, what costs more has a stated price. */
  readonly units: number;
  /** Characters of texts in the response. */
  readonly characters: number;
}

/**
 * The work of one request, counted while it is done. It ends when the allowance is used up, when the response is too
 * late, or when the caller is gone: then no further resolver runs and statements under way are cancelled.
 */
export class Work {
  /** Units so far. */
  spent = 0;
  isOver = false;
  readonly #allowance: Allowance;
  readonly #tooMuch: (allowance: Allowance) => Fault;
  readonly #owner: string;
  // Made when they are needed, since most requests need neither. A list, for the few statements that are under way at once.
  #cancellables: Cancellable[] | undefined;
  #waiting: { readonly units: number; readonly go: () => void }[] | undefined;
  /** How many of those have gone: to take each out would move all behind it, and there may be tens of thousands. */
  #gone = 0;
  #characters = 0;
  #inTurn = 0;
  #turnHas = FIRST_TURN_UNITS;
  #stop: ((reason: Fault) => void) | undefined;
  #reason: Fault | undefined;
  #never: Promise<never> | undefined;

  /** @param owner the company that it is done for */
  constructor(owner: string, allowance: Allowance, tooMuch: (allowance: Allowance) => Fault) {
    if (!Number.isFinite(allowance.units + allowance.characters))
      throw new Error('Work needs an allowance with an end');
    this.#owner = owner;
    this.#allowance = allowance;
    this.#tooMuch = tooMuch;
  }

  /** The result, or the reason for which the work ended before it came. */
  within<Result>(result: Promise<Result> | Result): Promise<Result> {
    const { promise, resolve, reject } = Promise.withResolvers<Result>();
    if (this.#reason) reject(this.#reason);
    else this.#stop = reject;
    // Not kept any longer than needed: it leads to the result, and the context of a request outlives it for a while.
    const forget = (): void => {
      this.#stop = undefined;
    };
    promise.then(forget, forget);
    if (result instanceof Promise) result.then(resolve, reject);
    else resolve(result);
    return promise;
  }

  /** Of a resolver whose work is over. It holds up the rest of the execution, which is then garbage with the request. */
  get never(): Promise<never> {
    this.#never ??= new Promise<never>(() => undefined);
    return this.#never;
  }

  /** Nothing more is counted once the work is over: a caller pays for what was done. */
  spend(units: number): void {
    if (this.isOver) return;
    this.spent += units;
    if (this.spent > this.#allowance.units) this.end(this.#tooMuch(this.#allowance));
  }

  /** Counts texts of the response. */
  spendText(characters: number): void {
    this.#characters += characters;
    const isTooLong = this.#characters > this.#allowance.characters;
    // Units first, so that what was read is paid for.
    this.spend(Math.min(characters / CHARACTERS_PER_UNIT, this.#allowance.units - this.spent + 1));
    if (isTooLong) this.end(this.#tooMuch(this.#allowance));
  }

  /** Undefined while the turn of the event loop has room for more; else when the next turn has come. */
  turn(units: number): Promise<void> | undefined {
    if (this.#waiting === undefined && this.#inTurn < this.#turnHas) {
      this.#inTurn += units;
      return undefined;
    }
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#waiting ??= [];
    this.#waiting.push({ units, go: resolve });
    if (this.#waiting.length === 1) atTurn(this.#owner, () => this.#nextTurn());
    return promise;
  }

  /** Resolves in the next turn of the event loop that the company has: for what comes between two long steps. */
  rest(): Promise<void> {
    return ownTurn(this.#owner);
  }

  /** Items of a long list, between which others have the event loop. */
  inTurns<Item>(items: Iterable<Item>): AsyncIterable<Item> {
    return inTurns(this.#owner, items);
  }

  /** Ends the work for a reason, which `within` throws. The first reason stays. */
  end(reason: Fault): void {
    if (this.isOver) return;
    this.isOver = true;
    this.#reason = reason;
    this.#waiting = undefined;
    this.#gone = 0;
    this.#stop?.(reason);
    this.#cancelSoon();
  }

  /** @throws Fault the reason for which the work is over */
  throwIfOver(): void {
    if (this.#reason) throw this.#reason;
  }

  /** Cancels something when the work ends, until it is let go of. */
  hold(one: Cancellable): void {
    this.#cancellables ??= [];
    this.#cancellables.push(one);
    if (this.isOver) this.#cancelSoon();
  }

  letGo(one: Cancellable): void {
    const index = this.#cancellables?.indexOf(one) ?? -1;
    if (index >= 0) this.#cancellables?.splice(index, 1);
  }

  #cancelSoon(): void {
    if (!this.#cancellables?.length) return;
    setTimeout(() => {
      for (const one of this.#cancellables?.splice(0) ?? []) one.cancel();
    }, CANCEL_AFTER_MS);
  }

  #nextTurn(): void {
    this.#inTurn = 0;
    this.#turnHas = TURN_UNITS;
    const waiting = this.#waiting ?? [];
    while (this.#gone < waiting.length && this.#inTurn < TURN_UNITS) {
      const next = waiting[this.#gone++];
      this.#inTurn += next?.units ?? 0;
      next?.go();
    }
    if (this.#gone < waiting.length) {
      atTurn(this.#owner, () => this.#nextTurn());
    } else {
      this.#waiting = undefined;
      this.#gone = 0;
    }
  }
}
