import type { TenantTransaction } from '../platform/database/tenancy.ts';
import { type ItemResult, portionsOf } from './batch.rules.ts';

/**
 * Writes the items of several calls in portions, within one transaction and in the order of the calls. An item finds what
 * the one before it with the same key has made of the record.
 *
 * @param write writes a portion, and returns the result of each of its items
 * @returns the results of each call, in the order of its items
 */
export async function writeInPortions<Item>(
  tx: TenantTransaction,
  calls: readonly { readonly items: readonly Item[] }[],
  keyOf: (item: Item) => string,
  write: (portion: readonly Item[]) => Promise<ReadonlyMap<Item, ItemResult>>,
): Promise<ItemResult[][]> {
  const all = calls.flatMap(({ items }) => items);
  const resultOf = new Map<Item, ItemResult>();
  for (const portion of portionsOf(all, keyOf)) {
    for (const [item, result] of await write(portion)) resultOf.set(item, result);
    // What is written is not compared again with the next portion.
    tx.em.clear();
  }
  return calls.map(({ items }) => items.map(item => resultOf.get(item) as ItemResult));
}
