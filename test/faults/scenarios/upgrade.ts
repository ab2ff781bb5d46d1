import type { ChangeCopy } from '../service/change-copy.ts';
import { type Release, runCommand, runsOn } from '../service/release.ts';
import type { Scenario } from '../service/scenario.ts';

/**
 * One release is replaced by the next as the guide to upgrades says: process by process where it says that both run on
 * the migrated database, and otherwise after all processes have stopped.
 */
export function upgrade(from: Release, to: Release, copy: ChangeCopy): Scenario {
  const isRolling = runsOn(from.version, to.version);
  return {
    name: `upgrade from ${from.version} to ${to.version}, ${isRolling ? 'process by process' : 'with a stop'}`,
    allows: ['unavailable', 'disconnected'],
    inflict: async ({ fleet, postgres }) => {
      const env = { DATABASE_URL: postgres.url };
      if (!isRolling) for (const name of fleet.names()) await fleet.stop(name);
      const failures = await runCommand(to, env, 'migrate');
      for (const name of [...fleet.names('worker'), ...fleet.names('api')]) {
        if (isRolling) await fleet.stop(name);
        await fleet.start(name, { root: to.root });
      }
      return { kills: 0, failures };
    },
    check: ({ postgres }) => copy.compare(postgres.url),
  };
}
