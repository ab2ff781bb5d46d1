import { createContextCache } from '@pothos/core';
import DataLoader from 'dataloader';
import type { RequestContext } from './context.ts';

/**
 * A DataLoader for a request, kept where Pothos keeps its own. For fields whose parent may have the value already:
 * they answer it at once, which Pothos' loadable fields, always asynchronous, can't.
 */
export function loaderPerRequest<Key, Value>(
  load: (keys: readonly Key[], context: RequestContext) => Promise<readonly Value[]>,
): (context: RequestContext) => DataLoader<Key, Value> {
  return createContextCache((context: RequestContext) => new DataLoader((keys: readonly Key[]) => load(keys, context)));
}
