/**
 * Numbers out of a stream that fast-check seeds. To generate tariffs node by node would take longer than to price on them; what
 * fails is printed with its seed, and is the same in every run.
 */
export class Dice {
  #state: number;
  constructor(seed: number) {
    this.#state = seed >>> 0;
  }
  /** 0 … `below` − 1. */
  roll(below: number): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), this.#state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below;
  }
  chance(percent: number): boolean {
    return this.roll(100) < percent;
  }
  of<T>(list: readonly T[]): T {
    return list[this.roll(list.length)] as T;
  }
  /** A decimal below `limit` with so many places, often a round one. */
  decimal(limit: number, places: number): number {
    const unit = 10 ** places;
    return this.chance(30) ? this.roll(limit) : this.roll(limit * unit) / unit;
  }
  list<T>(most: number, make: (i: number) => T): T[] {
    return Array.from({ length: this.roll(most + 1) }, (_, i) => make(i));
  }
  some<T>(list: readonly T[], percent: number): T[] {
    return list.filter(() => this.chance(percent));
  }
}

export const maybe = <T>(dice: Dice, percent: number, key: string, value: () => T) =>
  dice.chance(percent) ? { [key]: value() } : {};

/** A random range below about twice a limit. */
export function randomRange(dice: Dice, limit: number, places: number): object {
  const low = dice.decimal(limit, places);
  const high = Math.round((low + 1 + dice.decimal(limit, places)) * 10 ** places) / 10 ** places;
  const lower = dice.of([{}, { from: low }, { over: low }]);
  const upper = dice.of([{}, { upTo: high }, { below: high }]);
  return Object.keys({ ...lower, ...upper }).length > 0 ? { ...lower, ...upper } : { from: low };
}
