import { createContextCache } from '@pothos/core';
import DataLoader from 'dataloader';
import type { RequestContext } from './context.ts';

/**
 * DataLoaders for a request, kept where Pothos keeps its own: of each part of a list one, since one statement reads the same
 * part for many parents. For fields whose parent may have the value already: they answer it at once, which Pothos' loadable
 * fields, always asynchronous, can't.
 */
export function listLoaderPerRequest<Key, Part extends object, Value>(
  load: (keys: readonly Key[], part: Part, context: RequestContext) => Promise<readonly Value[]>,
): (context: RequestContext, part: Part) => DataLoader<Key, Value> {
  const loadersOf = createContextCache((_context: RequestContext) => new Map<string, DataLoader<Key, Value>>());
  return (context, part) => {
    const loaders = loadersOf(context);
    const name = JSON.stringify(part);
    const loader = loaders.get(name) ?? new DataLoader((keys: readonly Key[]) => load(keys, part, context));
    loaders.set(name, loader);
    return loader;
  };
}
