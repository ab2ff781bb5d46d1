import { hash as digest } from 'node:crypto';
import type { Tenant } from '../../../platform/database/tenancy/tenancy.ts';
import { type CursorExpired, changesSince } from './changes.service.ts';
import { proofLine } from './changes-proof.rules.ts';

/** Changes that are read by one statement, and hashed while others wait for the event loop. */
const AT_ONCE = 1_000;

/** The hash before the first change. */
export const FIRST_HASH = '0'.repeat(64);

/** What a consumer's copy of a part of the change log must come to. */
export interface ChangesProof {
  readonly count: number;
  readonly hash: string;
}

/**
 * Calculates the hash chain over the changes of a range, as far as the log goes. Each hash covers a change and the hash before
 * it: one hash stands for all changes up to a number, and the hashes of neighbouring ranges can be joined.
 *
 * @param previous the hash before the first of them
 */
export async function proveChanges(
  tenant: Tenant,
  { from, to }: { readonly from: number; readonly to: number },
  previous: string,
): Promise<ChangesProof | CursorExpired> {
  let hash = previous;
  let number = from - 1;
  while (number < to) {
    const page = await changesSince(tenant, { number }, Math.min(AT_ONCE, to - number), {});
    if (!('changes' in page)) return page;
    for (const change of page.changes) hash = digest('sha256', `${hash}\n${proofLine(change)}\n`);
    number = page.upTo;
    if (!page.hasMore) break;
  }
  return { count: number - from + 1, hash };
}
