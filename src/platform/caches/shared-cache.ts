import { LRUCache } from 'lru-cache';

interface Options {
  /** The limit on the weight of all entries. */
  readonly maxWeight: number;
  /** The share of `maxWeight`, above 0 and up to 1, that the entries of one owner may take. */
  readonly ownerShare: number;
}

interface Entry<Value> {
  readonly value: Value;
  readonly owner: string;
  readonly weight: number;
}

interface Owner {
  weight: number;
  /** The least recently used key comes first. */
  readonly keys: Set<string>;
}

/**
 * A cache that many owners, such as companies, fill. Above the limit of all entries the least recently used are
 * evicted; above the share of an owner, its own least recently used entries are evicted first. So one owner can take
 * only its share from the others. An entry heavier than the share is kept as the only one of its owner; an entry
 * heavier than the whole cache is not kept.
 */
export class SharedCache<Value extends NonNullable<unknown>> {
  readonly counts = { hits: 0, misses: 0 };
  readonly #entries: LRUCache<string, Entry<Value>>;
  readonly #owners = new Map<string, Owner>();
  readonly #maxWeight: number;
  readonly #ownerWeight: number;

  constructor({ maxWeight, ownerShare }: Options) {
    this.#maxWeight = maxWeight;
    this.#ownerWeight = maxWeight * ownerShare;
    this.#entries = new LRUCache({ maxSize: maxWeight, dispose: (entry, key) => this.#forget(entry, key) });
  }

  get weight(): number {
    return this.#entries.calculatedSize;
  }

  /** Whether there is an entry, without using it. */
  has(key: string): boolean {
    return this.#entries.has(key);
  }

  get(key: string): Value | undefined {
    const entry = this.#entries.get(key);
    if (entry === undefined) {
      this.counts.misses++;
      return undefined;
    }
    this.counts.hits++;
    const owner = this.#owners.get(entry.owner);
    if (owner?.keys.delete(key)) owner.keys.add(key);
    return entry.value;
  }

  set(key: string, value: Value, { owner, weight }: { readonly owner: string; readonly weight: number }): void {
    this.#entries.delete(key);
    const size = Math.max(1, Math.ceil(weight));
    if (size > this.#maxWeight) return;
    this.#evictOwn(owner, size);
    // This may evict the last entry of the owner, so its record is looked up afterwards.
    this.#entries.set(key, { value, owner, weight: size }, { size });
    const known = this.#owners.get(owner) ?? { weight: 0, keys: new Set() };
    known.weight += size;
    known.keys.add(key);
    this.#owners.set(owner, known);
  }

  /** Makes room for one more entry within the owner's share. */
  #evictOwn(name: string, size: number): void {
    const owner = this.#owners.get(name);
    if (owner === undefined) return;
    for (const key of owner.keys) {
      if (owner.weight + size <= this.#ownerWeight) return;
      this.#entries.delete(key);
    }
  }

  #forget({ owner: name, weight }: Entry<Value>, key: string): void {
    const owner = this.#owners.get(name);
    if (owner === undefined) return;
    owner.weight -= weight;
    owner.keys.delete(key);
    if (owner.keys.size === 0) this.#owners.delete(name);
  }
}
