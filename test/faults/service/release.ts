import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { prepareDatabase } from '../fault-tools.ts';
import { ROOT } from './fleet.ts';

/** A version of the service, in a folder of its own. */
export interface Release {
  readonly root: string;
  /** What it is called in messages. */
  readonly name: string;
  /** Whether its mutations take a list as `input`, as those of 0.1.0 did. */
  readonly takesLists: boolean;
  /** Migrates a database as this release does, and makes a company with a key of all scopes. */
  readonly prepare: (env: Readonly<Record<string, string>>) => Promise<{ companyId: string; apiKey: string }>;
}

export const THIS_RELEASE: Release = {
  root: ROOT,
  name: 'this version',
  takesLists: false,
  prepare: ({ DATABASE_URL = '' }) => prepareDatabase(DATABASE_URL, 'sandbox'),
};

function git(...args: readonly string[]): string | undefined {
  const { status, stdout } = spawnSync('git', ['-C', ROOT, ...args], { encoding: 'utf8' });
  return status === 0 && stdout.trim() !== '' ? stdout.trim() : undefined;
}

/**
 * The commit of the release before: the newest tag; before there was one, where the changelog began to collect what is
 * unreleased; otherwise the commit before this one. Undefined where there is no history.
 */
function previousCommit(): string | undefined {
  const tag = git('describe', '--tags', '--abbrev=0', '--match', 'v*');
  if (tag !== undefined) return tag;
  const [unreleased] =
    git('log', '--reverse', '--format=%H', '-S## Unreleased', '--', 'CHANGELOG.md')?.split('\n') ?? [];
  return git('rev-parse', '--verify', '--quiet', `${unreleased ?? 'HEAD'}^`);
}

/** What the release before stands on, which may have been left since. Nothing of it is compiled or asked for more. */
function installPackages(root: string): void {
  const lockOf = (folder: string) => readFileSync(join(folder, 'package-lock.json'), 'utf8');
  if (lockOf(root) === lockOf(ROOT)) symlinkSync(join(ROOT, 'node_modules'), join(root, 'node_modules'));
  else execFileSync('npm', ['ci', '--omit=dev', '--ignore-scripts', '--no-audit', '--no-fund'], { cwd: root });
}

/** Puts the release before into a folder; undefined where this is no clone with its history. */
export function previousRelease(folder: string): Release | undefined {
  const commit = previousCommit();
  if (commit === undefined) return undefined;
  const root = join(folder, 'previous');
  if (!existsSync(root)) {
    mkdirSync(root);
    const archive = execFileSync('git', ['-C', ROOT, 'archive', commit], { maxBuffer: 2 ** 30 });
    execFileSync('tar', ['x', '-C', root], { input: archive });
    installPackages(root);
  }
  const sdl = readFileSync(join(root, 'schema/schema.graphql'), 'utf8');
  return {
    root,
    name: commit.slice(0, 12),
    takesLists: /upsertOrders\([^)]*\[OrderInput!\]!/.test(sdl),
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
