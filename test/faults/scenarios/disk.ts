import { spawnSync } from 'node:child_process';
import { statfs } from 'node:fs/promises';
import { setTimeout } from 'node:timers/promises';
import type { Scenario } from '../service/scenario.ts';

/** The disk of PostgreSQL has no room, and then has it again. */

const FULL_MS = 5_000;
/** Room for what is written while the disk takes its new size: it cannot become smaller than what it holds. */
const LEFT_BYTES = 1024 * 1024;

/** A file system in memory takes another size at any time; nothing has to be written to fill it. */
function resize(disk: string, size: string): void {
  const { status, stderr } = spawnSync('mount', ['-o', `remount,size=${size}`, disk], { encoding: 'utf8' });
  if (status !== 0) throw new Error(`The file system cannot be made ${size} large: ${stderr}`);
}

export const DISK: readonly Scenario[] = [
  {
    name: 'disk full',
    allows: ['unavailable'],
    impossible: ({ disk }) => (disk === undefined ? 'this user may not mount a small file system' : undefined),
    inflict: async ({ disk = '', postgres, load }) => {
      const { blocks, bfree, bsize } = await statfs(disk);
      resize(disk, `${((blocks - bfree) * bsize + LEFT_BYTES) / 1024}k`);
      await setTimeout(FULL_MS);
      const met = load.seen.troubles.unavailable;
      resize(disk, `${(blocks * bsize) / 1024}k`);
      // It ends where it cannot write its log ahead, and is started again as by a supervisor.
      await postgres.start();
      return { kills: 0, failures: met > 0 ? [] : ['no write met the full disk'] };
    },
  },
];
