import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import type { Finding, Report } from '../report.ts';
import { Cases } from '../support/cases.ts';
import type { SecurityWorld } from '../support/world.ts';

const PART = 'deps';
const ROOT = new URL('../../../', import.meta.url);
const PATIENCE_MS = 60_000;

/** Licences that allow use and redistribution together with derived works. */
const PERMISSIVE = new Set([
  ...['MIT', 'MIT-0', 'ISC', 'BSD-2-Clause', 'BSD-3-Clause', '0BSD', 'Apache-2.0', 'BlueOak-1.0.0', 'CC0-1.0'],
  ...['CC-BY-3.0', 'CC-BY-4.0', 'Python-2.0', 'PSF-2.0', 'Unlicense', 'Zlib', 'WTFPL', 'PostgreSQL'],
]);

/** If there are several licences, one may be chosen, or all hold. */
function isPermissive(licence: string): boolean {
  const bare = licence.replaceAll(/[()]/g, '');
  if (bare.includes(' OR ')) return bare.split(' OR ').some(isPermissive);
  return bare.split(' AND ').every(one => PERMISSIVE.has(one.trim()));
}

interface Locked {
  readonly version?: string;
  readonly license?: string;
  readonly dev?: boolean;
  readonly link?: boolean;
  readonly hasInstallScript?: boolean;
  readonly os?: readonly string[];
  readonly cpu?: readonly string[];
}

/** The dependencies of the service: known vulnerabilities, licences, and scripts that run at installation. */
export async function run(_world: SecurityWorld, report: Report): Promise<void> {
  const add = (name: string, figures: string, bound: string, failures: readonly string[]) =>
    report.add({ part: PART, name, figures, bound, failures });
  report.add({ part: PART, name: 'known vulnerabilities', bound: 'none', ...(await audit()) });
  const locked = await packages();
  const licences = new Cases();
  for (const [name, { license, dev, link }] of locked) {
    if (!dev && !link) licences.check(name, isPermissive(license ?? ''), () => license ?? 'no licence');
  }
  add('licences of what is used when it runs', `${licences.count} packages`, 'all permissive', licences.failures);
  const { allowScripts = {} } = JSON.parse(await readFile(new URL('package.json', ROOT), 'utf8')) as {
    allowScripts?: Record<string, boolean>;
  };
  const scripts = new Cases();
  for (const [name] of locked.filter(([, one]) => one.hasInstallScript && isForHere(one))) {
    const short = name.split('node_modules/').at(-1) ?? name;
    scripts.check(name, short in allowScripts, () => 'package.json does not say whether its script may run');
  }
  add(
    'scripts that run at installation',
    `${scripts.count} packages`,
    'package.json decides on each',
    scripts.failures,
  );
}

/** Whether npm installs it on this kind of machine. */
function isForHere({ os = [process.platform], cpu = [process.arch] }: Locked): boolean {
  return os.includes(process.platform) && cpu.includes(process.arch);
}

async function packages(): Promise<[name: string, locked: Locked][]> {
  const lock = JSON.parse(await readFile(new URL('package-lock.json', ROOT), 'utf8')) as {
    packages: Record<string, Locked>;
  };
  return Object.entries(lock.packages).filter(([name]) => name.includes('node_modules/'));
}

async function audit(): Promise<Pick<Finding, 'figures' | 'failures' | 'isSkipped'>> {
  const options = { cwd: ROOT.pathname, timeout: PATIENCE_MS, maxBuffer: 64 * 1024 * 1024 };
  // It exits with 1 where it finds something, and where nobody answers.
  const { stdout, message } = await promisify(execFile)('npm', ['audit', '--json', '--omit=dev'], options).then(
    ({ stdout: text }) => ({ stdout: text, message: '' }),
    (error: Error & { stdout?: string }) => ({ stdout: error.stdout ?? '', message: error.message }),
  );
  const answer = parsed(stdout);
  if (answer?.vulnerabilities === undefined) {
    const why = answer?.message ?? answer?.error?.summary ?? message;
    return { figures: `the registry did not answer: ${why.slice(0, 120)}`, failures: [], isSkipped: true };
  }
  const found = Object.entries(answer.vulnerabilities);
  return {
    figures: `${found.length} vulnerable packages`,
    failures: found.map(([name, { severity, range }]) => `${name} ${range}: ${severity}`),
  };
}

interface AuditAnswer {
  readonly vulnerabilities?: Readonly<Record<string, { readonly severity: string; readonly range: string }>>;
  readonly message?: string;
  readonly error?: { readonly summary?: string };
}

function parsed(text: string): AuditAnswer | undefined {
  try {
    return JSON.parse(text) as AuditAnswer;
  } catch {
    return undefined;
  }
}
