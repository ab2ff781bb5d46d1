import { hash as digest } from 'node:crypto';
import type { Tenant } from '../../../platform/database/tenancy/tenancy.ts';
import { type CursorExpired, changesSince } from './changes.service.ts';
import { proofLine } from './changes-proof.rules.ts';

/** Changes that one statement reads; hashing yields the event loop in between. */
const AT_ONCE = 1_000;

export const FIRST_HASH = '0'.repeat(64);

/** The proof that a consumer compares with its copy of a part of the change log. */
export interface ChangesProof {
  readonly count: number;
  readonly hash: string;
}

/**
 * Calculates the hash chain over the changes of a range, up to the end of the log. Each hash covers a change and the
 * hash before it, so one hash stands for all changes up to a number, and neighbouring ranges can be joined.
 *
 * @param previous the hash before the first change
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
