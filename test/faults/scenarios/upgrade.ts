import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { THIS_RELEASE } from '../service/release.ts';
import type { Scenario } from '../service/scenario.ts';

/** The release before is replaced by this version, as the guide to upgrades says: its processes stop before the migration. */

/** In a process of its own, as an operator runs it: the load goes on meanwhile. */
async function run(databaseUrl: string, ...command: string[]): Promise<string[]> {
  const child = spawn(process.execPath, [join(THIS_RELEASE.root, 'src/cli.ts'), ...command], {
    env: { ...process.env, DATABASE_URL: databaseUrl },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const [code] = await once(child, 'exit');
  return code === 0 ? [] : [`${command.join(' ')} ended with ${code}`];
}

export const UPGRADE: Scenario = {
  name: 'upgrade',
  allows: ['unavailable', 'disconnected'],
  inflict: async ({ fleet, load, postgres }) => {
    for (const name of fleet.names()) await fleet.stop(name);
    const failures = await run(postgres.url, 'migrate');
    for (const name of fleet.names()) {
      const front = fleet.frontOf(name);
      if (front !== undefined) load.takesLists(front.url, THIS_RELEASE.takesLists);
      await fleet.start(name, { root: THIS_RELEASE.root });
    }
    return { kills: 0, failures };
  },
};
