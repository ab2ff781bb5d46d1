import { spawnSync } from 'node:child_process';
import { statfs } from 'node:fs/promises';
import { setTimeout } from 'node:timers/promises';
import type { Scenario } from '../service/scenario.ts';

/** The disk of PostgreSQL has no room, and then has it again. */

const FULL_MS = 5_000;
const FILL_TRIES = 100;

/** A file system in memory takes another size at any time; nothing has to be written to fill it. */
function resized(disk: string, bytes: number): boolean {
  return spawnSync('mount', ['-o', `remount,size=${bytes / 1024}k`, disk]).status === 0;
}

/** Gives the disk the size of what it holds. That is refused if more was written since the size was read. */
async function fill(disk: string): Promise<void> {
  for (let i = 0; i < FILL_TRIES; i++) {
    const { blocks, bfree, bsize } = await statfs(disk);
    if (resized(disk, (blocks - bfree) * bsize)) return;
  }
  throw new Error('The disk cannot be made as small as what it holds');
}

export const DISK: readonly Scenario[] = [
  {
    name: 'disk full',
    allows: ['unavailable'],
    impossible: ({ disk }) => (disk === undefined ? 'this user may not mount a small file system' : undefined),
    inflict: async ({ disk = '', postgres, load }) => {
      const { blocks, bsize } = await statfs(disk);
      await fill(disk);
      await setTimeout(FULL_MS);
      const met = load.seen.troubles.unavailable;
      resized(disk, blocks * bsize);
      // It ends where it cannot write its log ahead, and is started again as by a supervisor.
      await postgres.start();
      return { kills: 0, failures: met > 0 ? [] : ['no write met the full disk'] };
    },
  },
];
