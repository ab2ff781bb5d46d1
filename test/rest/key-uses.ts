// When keys were last used.
import { expect, vi } from 'vitest';
import type { Caller } from '../support/world.ts';

/** Until the last use of all these keys is known, and at most for a while. */
export async function lastUses(users: readonly Caller[], timeout: number): Promise<string[]> {
  const known = new Map<Caller, string>();
  await vi.waitFor(
    async () => {
      for (const user of users.filter(one => !known.has(one))) {
        const { data } = await user.graphql<{ apiKey: { lastUsedAt: string | null } }>('{ apiKey { lastUsedAt } }');
        if (data.apiKey.lastUsedAt !== null) known.set(user, data.apiKey.lastUsedAt);
      }
      expect(known.size).toBe(users.length);
    },
    { timeout, interval: 100 },
  );
  return users.map(user => known.get(user) ?? '');
}
