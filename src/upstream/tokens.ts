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
  readonly #cache = new LRUCache<string, string, () => Promise<Token>>({
    max: MAX_TOKENS,
    // One that was asked for is worth having, though there be no room to keep it.
    ignoreFetchAbort: true,
    fetchMethod: async (_key, _stale, { options, context: ask }) => {
      const { value, lifetimeMs } = await ask();
      // A TTL of 0 would be none.
      options.ttl = Math.max(1, Math.floor(Math.max(lifetimeMs - MARGIN_MS, lifetimeMs / 2)));
      return value;
    },
  });

  /** @param ask asks the carrier for one; what it throws reaches all who wait for it */
  get(key: string, ask: () => Promise<Token>): Promise<string> {
    return this.#cache.forceFetch(key, { context: ask });
  }

  /** Invalidates one that the carrier no longer accepts; not another that has taken its place. */
  invalidate(key: string, value: string): void {
    if (this.#cache.peek(key) === value) this.#cache.delete(key);
  }
}

/** What a token is known by: it is of these credentials, and was given out at this address. */
export function tokenKey(account: string, url: URL, credentials: object): string {
  return createHash('sha256')
    .update(JSON.stringify([account, url.href, credentials]))
    .digest('base64');
}
