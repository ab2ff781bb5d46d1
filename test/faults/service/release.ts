import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import packageJson from '../../../package.json' with { type: 'json' };
import { prepareDatabase } from '../fault-tools.ts';
import { ROOT } from './fleet.ts';

type Env = Readonly<Record<string, string>>;

/** A version of the service, in a folder of its own. */
export interface Release {
  readonly root: string;
  readonly version: string;
  /** Migrates a database as this release does, and makes a company with a key of all scopes. */
  readonly prepare: (env: Env) => Promise<{ companyId: string; apiKey: string }>;
}

export const THIS_RELEASE: Release = {
  root: ROOT,
  version: packageJson.version.replace(/-.*/, ''),
  prepare: ({ DATABASE_URL = '' }) => prepareDatabase(DATABASE_URL, 'sandbox'),
};

/** Runs a command of a release as an operator does, in a process of its own; returns what went wrong. */
export async function runCommand({ root, version }: Release, env: Env, ...command: string[]): Promise<string[]> {
  const child = spawn(process.execPath, [join(root, 'src/cli.ts'), ...command], {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const [code] = await once(child, 'exit');
  return code === 0 ? [] : [`${command.join(' ')} of ${version} ended with ${code}`];
}

/** Whether the guide to upgrades says that a version runs on a database that another one has migrated. */
export function runsOn(version: string, migratedBy: string): boolean {
  const guide = readFileSync(join(ROOT, 'src/docs/upgrades.md'), 'utf8');
  const rows = guide.split('\n').filter(line => line.startsWith('| '));
  const cells = (row = '') => row.split('|').map(cell => cell.trim());
  const column = cells(rows.find(row => row.startsWith('| Database migrated by'))).indexOf(version);
  const cell = cells(rows.find(row => row.startsWith(`| ${migratedBy} |`)))[column];
  if (column < 0 || cell === undefined)
    throw new Error(`The guide does not say whether ${version} runs on ${migratedBy}`);
  return cell.startsWith('yes');
}

/** Puts the earlier releases of the changelog into a folder, oldest first; those whose commits are not here are left out. */
export function earlierReleases(folder: string): readonly Release[] {
  const changelog = readFileSync(join(ROOT, 'CHANGELOG.md'), 'utf8');
  return changelog
    .split(/^## /m)
    .toReversed()
    .flatMap(section => {
      const [version] = /^\d+\.\d+\.\d+/.exec(section) ?? [];
      const commit = version && (commitOf(`v${version}`) ?? commitOf(/commit ([0-9a-f]{7,40})/.exec(section)?.[1]));
      return version && commit ? [unpacked(version, commit, join(folder, version))] : [];
    });
}

function commitOf(name: string | undefined): string | undefined {
  if (name === undefined) return undefined;
  const args = ['-C', ROOT, 'rev-parse', '--verify', '--quiet', `${name}^{commit}`];
  const { status, stdout } = spawnSync('git', args, { encoding: 'utf8' });
  return status === 0 ? stdout.trim() : undefined;
}

function unpacked(version: string, commit: string, root: string): Release {
  mkdirSync(root);
  const archive = execFileSync('git', ['-C', ROOT, 'archive', commit], { maxBuffer: 2 ** 30 });
  execFileSync('tar', ['x', '-C', root], { input: archive });
  installPackages(root);
  return {
    root,
    version,
    prepare: async env => {
      const cli = (...args: readonly string[]) =>
        execFileSync(process.execPath, [join(root, 'src/cli.ts'), ...args], {
          env: { ...process.env, ...env },
          encoding: 'utf8',
          stdio: ['ignore', 'pipe', 'inherit'],
        });
      cli('migrate');
      const [companyId = ''] =
        /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/.exec(cli('company', 'create', '--name', 'Upgrade')) ?? [];
      const made = cli('key', 'create', '--company', companyId, '--label', 'Upgrade', '--scopes', 'all');
      const [apiKey = ''] = /sk_live_\w+/.exec(made) ?? [];
      return { companyId, apiKey };
    },
  };
}

/**
 * Installs the packages of an earlier release, since this version may have dropped some. No script of a package runs.
 */
function installPackages(root: string): void {
  const lockOf = (folder: string) => readFileSync(join(folder, 'package-lock.json'), 'utf8');
  if (lockOf(root) === lockOf(ROOT)) symlinkSync(join(ROOT, 'node_modules'), join(root, 'node_modules'));
  else execFileSync('npm', ['ci', '--omit=dev', '--ignore-scripts', '--no-audit', '--no-fund'], { cwd: root });
}
