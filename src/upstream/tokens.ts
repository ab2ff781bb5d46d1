import { createHash } from 'node:crypto';
import { LRUCache } from 'lru-cache';

export interface Token {
  readonly value: string;
  readonly lifetimeMs: number;
}

const MAX_TOKENS = 10_000;
/** Renewed before it ends, so that it does not end on its way. */
const MARGIN_MS = 60_000;

/** OAuth2 tokens by account. Those who wait for the same share one request. */
export class Tokens {
  readonly #known = new LRUCache<string, string>({ max: MAX_TOKENS });
  readonly #asked = new Map<string, Promise<string>>();

  /** @param ask asks the carrier for one; what it throws reaches all who wait for it */
  async get(key: string, ask: () => Promise<Token>): Promise<string> {
    return this.#known.get(key) ?? this.#asked.get(key) ?? this.#ask(key, ask);
  }

  /** Forgets one that the carrier no longer takes; not another that has taken its place. */
  forget(key: string, value: string): void {
    if (this.#known.peek(key) === value) this.#known.delete(key);
  }

  #ask(key: string, ask: () => Promise<Token>): Promise<string> {
    const asking = ask()
      .then(({ value, lifetimeMs }) => {
        const ttl = Math.floor(Math.max(lifetimeMs - MARGIN_MS, lifetimeMs / 2));
        if (ttl > 0) this.#known.set(key, value, { ttl });
        return value;
      })
      .finally(() => this.#asked.delete(key));
    this.#asked.set(key, asking);
    return asking;
  }
}

/** What a token is known by: it is of these credentials, and was given out at this address. */
export function tokenKey(account: string, url: URL, credentials: object): string {
  return createHash('sha256')
    .update(JSON.stringify([account, url.href, credentials]))
    .digest('base64');
}
