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

/** The same for lists of which a field asks a part: of each part a loader, since one statement reads it of many parents. */
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
