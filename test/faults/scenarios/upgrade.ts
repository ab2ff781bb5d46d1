import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { Arena } from '../service/arena.ts';
import { THIS_RELEASE } from '../service/release.ts';
import type { Scenario } from '../service/scenario.ts';

/** The release before is replaced by this version, process by process, as the guide to upgrades says. */

/** In a process of its own, as an operator runs it: the load goes on meanwhile. */
async function run(databaseUrl: string, ...command: string[]): Promise<string[]> {
  const child = spawn(process.execPath, [join(THIS_RELEASE.root, 'src/cli.ts'), ...command], {
    env: { ...process.env, DATABASE_URL: databaseUrl },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const [code] = await once(child, 'exit');
  return code === 0 ? [] : [`${command.join(' ')} ended with ${code}`];
}

async function replace({ fleet, load, release }: Arena, name: string, root: string): Promise<void> {
  await fleet.stop(name);
  const front = fleet.frontOf(name);
  if (front !== undefined) load.takesLists(front.url, root === release.root && release.takesLists);
  await fleet.start(name, { root });
}

export const UPGRADE: Scenario = {
  name: 'rolling upgrade, back and forth',
  allows: ['unavailable', 'disconnected'],
  inflict: async arena => {
    const { fleet, postgres, release } = arena;
    const failures = await run(postgres.url, 'migrate');
    const names = fleet.names();
    for (const name of names) await replace(arena, name, THIS_RELEASE.root);
    // Back to the release before, which runs on the migrated database beside the new one.
    const half = names.filter((_, i) => i % 2 === 0);
    for (const name of half) await replace(arena, name, release.root);
    for (const name of half) await replace(arena, name, THIS_RELEASE.root);
    failures.push(...(await run(postgres.url, 'changes', 'expire', '--yes')));
    return { kills: 0, failures };
  },
};
