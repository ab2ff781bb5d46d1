import { createHash } from 'node:crypto';
import { LRUCache } from 'lru-cache';

interface Token {
  readonly value: string;
  readonly lifetimeMs: number;
}

const MAX_TOKENS = 10_000;
/** Tokens are renewed early, so that they do not expire during a request. */
const MARGIN_MS = 60_000;

/** OAuth2 tokens by account. Callers that wait for one token share its request. */
export class Tokens {
  readonly #cache = new LRUCache<string, string, () => Promise<Token>>({
    max: MAX_TOKENS,
    // A fetched token is returned even if there is no room to cache it.
    ignoreFetchAbort: true,
    fetchMethod: async (_key, _stale, { options, context: ask }) => {
      const { value, lifetimeMs } = await ask();
      // A TTL of 0 would mean no limit.
      options.ttl = Math.max(1, Math.floor(Math.max(lifetimeMs - MARGIN_MS, lifetimeMs / 2)));
      return value;
    },
  });

  /** @param ask requests a token from the carrier; its error reaches all who wait */
  get(key: string, ask: () => Promise<Token>): Promise<string> {
    return this.#cache.forceFetch(key, { context: ask });
  }

  /** Invalidates a token that the carrier no longer accepts, unless another one has replaced it. */
  invalidate(key: string, value: string): void {
    if (this.#cache.peek(key) === value) this.#cache.delete(key);
  }
}

/** The cache key of a token: its account, its credentials, and the address that issued it. */
export function tokenKey(account: string, url: URL, credentials: object): string {
  return createHash('sha256')
    .update(JSON.stringify([account, url.href, credentials]))
    .digest('base64');
}
