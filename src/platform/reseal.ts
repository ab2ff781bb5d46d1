import type { SecretBox } from './secret-box.ts';

const AT_ONCE = 500;

/** Sealed boxes of one kind, in order of their ids. */
export interface SealedRows<Row extends { readonly id: number; readonly box: Buffer }> {
  after(id: number, max: number): Promise<readonly Row[]>;
  contextOf(row: Row): string;
  /** Puts a box in the place of the row's; answers whether that was still there. */
  replace(row: Row, sealed: Buffer): Promise<boolean>;
}

/** Seals every box with the first key of `SECRETS_KEY`; answers how many there are and how many were sealed anew. */
export async function reseal<Row extends { readonly id: number; readonly box: Buffer }>(
  box: SecretBox,
  { after, contextOf, replace }: SealedRows<Row>,
): Promise<{ secrets: number; resealed: number }> {
  let [secrets, resealed, last] = [0, 0, 0];
  for (;;) {
    const rows = await after(last, AT_ONCE);
    for (const row of rows) {
      secrets++;
      last = row.id;
      if (box.isCurrent(row.box)) continue;
      const context = contextOf(row);
      if (await replace(row, box.seal(box.open(row.box, context), context))) resealed++;
    }
    if (rows.length < AT_ONCE) return { secrets, resealed };
  }
}
