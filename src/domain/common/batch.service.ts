import type { z } from 'zod';
import type { CompanyId } from '../../platform/database/tenancy/company-id.ts';
import type { TenantTransaction } from '../../platform/database/tenancy/tenant-transaction.ts';
import { invalid, NOTHING_STORED } from '../../platform/fault.ts';
import { checkInput } from '../../platform/input.ts';
import { inTurns } from '../../platform/limits/turns.ts';
import { type ItemResult, MAX_BATCH, portionsOf, rejected } from './batch.rules.ts';

interface CheckedBatch<Checked> {
  readonly items: (Checked & { readonly index: number })[];
  readonly rejections: ItemResult[];
}

/** Reads each item by itself: returns the valid items, and the results of the rejected ones. */
export async function checkEach<Schema extends z.ZodType, Checked extends object>(
  companyId: CompanyId,
  inputs: readonly z.input<Schema>[],
  schema: Schema,
  checkedOf: (input: z.output<Schema>) => Checked,
): Promise<CheckedBatch<Checked>> {
  if (inputs.length > MAX_BATCH) {
    const message = `must have at most ${MAX_BATCH} items, has ${inputs.length}`;
    throw invalid([{ path: [], code: 'too_many', message }], NOTHING_STORED);
  }
  const items: (Checked & { readonly index: number })[] = [];
  const rejections: ItemResult[] = [];
  for await (const [index, input] of inTurns(companyId, inputs.entries())) {
    const { data, issues } = checkInput(schema, input);
    if (issues.length === 0) items.push({ index, ...checkedOf(data as z.output<Schema>) });
    else
      rejections.push(
        rejected(
          index,
          issues.map(issue => ({ ...issue, path: [index, ...issue.path] })),
        ),
      );
  }
  return { items, rejections };
}

/**
 * Writes the items of several calls in portions, within one transaction and in the order of the calls. An item sees the
 * record as the item before it with that key left it.
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
    // Written records are not compared again with the next portion.
    tx.em.clear();
  }
  return calls.map(({ items }) => items.map(item => resultOf.get(item) as ItemResult));
}
