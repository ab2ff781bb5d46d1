import type { RequestContext } from '../graphql/context.ts';
import type { Metadata } from './metadata.rules.ts';

/** Metadata for a response, whose texts it counts: a page of records may have megabytes of them. */
export function shownMetadata(metadata: Metadata, { work }: Pick<RequestContext, 'work'>): Metadata | Promise<never> {
  const characters = Object.entries(metadata).reduce((sum, [key, value]) => sum + key.length + value.length, 0);
  if (characters > 0) work.spendText(characters);
  return work.isOver ? work.never : metadata;
}
