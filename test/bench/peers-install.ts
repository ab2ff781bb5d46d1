import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';

const FOLDER = new URL('peers/', import.meta.url).pathname;

/**
 * Installs the packages of peers where they are not there yet: some hundreds, which nobody needs who does not run these
 * benches. They use the project's own graphql, so that a schema of the one is a schema to the other.
 */
export function installPeers(): void {
  if (existsSync(`${FOLDER}node_modules/.package-lock.json`)) return;
  process.stdout.write('Installing the packages of peers …\n');
  const { status } = spawnSync('npm', ['ci', '--silent'], { cwd: FOLDER, stdio: ['ignore', 'inherit', 'inherit'] });
  if (status !== 0) throw new Error(`npm ci in ${FOLDER} failed`);
}
