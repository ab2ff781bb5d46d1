import type { Context } from 'koa';
import { LRUCache } from 'lru-cache';

/** More than the pages, the contracts and the carriers' badges; other public texts are made again. */
const MAX_TEXTS = 500;

/** Whether a response is public, by its `Cache-Control`. */
export function isForAll(ctx: Context): boolean {
  return String(ctx.response.get('cache-control')).startsWith('public');
}

/** Derives a value from a text once, while the text was requested recently. */
export function onceForAll<Made extends object | string>(make: (text: string) => Made): (text: string) => Made {
  const made = new LRUCache<string, Made>({ max: MAX_TEXTS });
  return text => {
    const known = made.get(text);
    if (known !== undefined) return known;
    const anew = make(text);
    made.set(text, anew);
    return anew;
  };
}
