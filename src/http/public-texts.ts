import type { Context } from 'koa';
import { LRUCache } from 'lru-cache';

/** The pages, the contracts and the carriers' badges, of which there are fewer; what else is public is made anew. */
const MAX_TEXTS = 500;

/** Whether a response is the same for everybody, as its `Cache-Control` says. */
export function isForAll(ctx: Context): boolean {
  return String(ctx.response.get('cache-control')).startsWith('public');
}

/** Makes something of a text once, as long as the text is among those that were asked for lately. */
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
