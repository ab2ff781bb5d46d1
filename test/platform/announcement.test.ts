import { expect, test } from 'vitest';
import { Announcement, type Handler } from '../../src/platform/announcement.ts';
import type { TenantTransaction } from '../../src/platform/database/tenancy/tenant-transaction.ts';

function handleWith<Change>(announcement: Announcement<Change>, ...handlers: readonly Handler<Change>[]): void {
  announcement.open();
  for (const handler of handlers) announcement.handledBy(handler)();
}

const tx = { in: () => tx } as unknown as TenantTransaction;

test('An announcement without handlers fails, so that no change is lost in silence', async () => {
  const changed = new Announcement<number>('number changed');
  await expect(changed.announce(tx, 1)).rejects.toThrow('"number changed" has no handlers');
});

test('Handlers run in the order in which they were registered, each after the one before', async () => {
  const seen: string[] = [];
  const changed = new Announcement<number>('number changed');
  handleWith(
    changed,
    async (within, change) => {
      await Promise.resolve();
      seen.push(`first ${change} ${within === tx}`);
    },
    async (within, change) => void seen.push(`second ${change} ${within === tx}`),
  );
  await changed.announce(tx, 7);
  expect(seen).toEqual(['first 7 true', 'second 7 true']);
});

test('An error of a handler fails the announcement, and later handlers do not run', async () => {
  const changed = new Announcement<number>('number changed');
  const seen: number[] = [];
  handleWith(
    changed,
    async () => Promise.reject(new Error('no room')),
    async (_tx, change) => void seen.push(change),
  );
  await expect(changed.announce(tx, 1)).rejects.toThrow('no room');
  expect(seen).toEqual([]);
});

test('Handlers that are registered anew replace the former, so that none runs twice', async () => {
  const changed = new Announcement<number>('number changed');
  const seen: number[] = [];
  const handle = async (_tx: TenantTransaction, change: number) => void seen.push(change);
  handleWith(changed, handle);
  handleWith(changed, handle);
  await changed.announce(tx, 1);
  expect(seen).toEqual([1]);
});
