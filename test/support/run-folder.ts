import { execFileSync } from 'node:child_process';
import { appendFileSync, chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';

// The folder of a run of the tests, in which all of its temporary files are. However the run ends, its programs end and the
// folder is removed: by the end of its process, or after `kill -9` by the next run.

const PREFIX = 'shipping-test-';
/** The programs that tests have started, by their process numbers. */
const PROGRAMS = 'programs';
const END_MS = 10_000;
const LOOK_MS = 20;
/** Linux keeps the files of this folder in memory. */
const MEMORY = '/dev/shm';
/** Several times what the databases of a run take. */
const ENOUGH_BYTES = 2 ** 31;

interface RunFolder {
  readonly folder: string;
  /** A folder for databases: copies of a template are files by the hundred, which a disk makes ten times as slowly as memory. */
  readonly databases: string;
}

/** Makes the folder of this run, in which programs and workers find it as `TMPDIR`, and clears what earlier runs have left. */
export function openRunFolder(): RunFolder {
  // A folder that somebody has chosen is used for everything.
  const roots = [tmpdir(), ...(process.env.TMPDIR === undefined && hasMemory() ? [MEMORY] : [])];
  for (const root of roots) clearAbandoned(root);
  const folders = roots.map(root => mkdtempSync(join(root, `${PREFIX}${process.pid}-`)));
  const [folder = '', databases = folder] = folders;
  for (const made of folders) chmodSync(made, 0o755); // for the account that PostgreSQL runs as when we are root
  process.env.TMPDIR = folder;
  // Within it nothing can be awaited: vitest ends the process a millisecond after a signal.
  process.once('exit', () => folders.forEach(clear));
  process.once('SIGHUP', () => process.exit(129));
  return { folder, databases };
}

function hasMemory(): boolean {
  try {
    const { bavail, bsize } = statfsSync(MEMORY);
    return bavail * bsize > ENOUGH_BYTES;
  } catch {
    return false;
  }
}

/** Has a program end with the run, if there is one. */
export function noteProgram(pid: number | undefined): void {
  const isRun = basename(tmpdir()).startsWith(PREFIX);
  if (isRun && pid !== undefined) appendFileSync(join(tmpdir(), PROGRAMS), `${pid}\n`);
}

function clearAbandoned(root: string): void {
  for (const name of readdirSync(root)) {
    const [, pid] = new RegExp(`^${PREFIX}(\\d+)-`).exec(name) ?? [];
    if (pid !== undefined && !isAlive(Number(pid))) clear(join(root, name));
  }
}

function clear(folder: string): void {
  const deadline = Date.now() + END_MS;
  // PostgreSQL ends in order, or the system would keep its shared memory.
  for (let left = programsOf(folder); left.length > 0 && Date.now() < deadline; left = programsOf(folder)) {
    for (const { pid, args } of left) end(pid, /\bpostgres -D /.test(args) ? 'SIGQUIT' : 'SIGKILL');
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, LOOK_MS);
  }
  rmSync(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
}

/** The workers of this run, the programs that tests have started, and those that were started with a path in the folder. */
function programsOf(folder: string): { pid: number; args: string }[] {
  const noted = new Set(readIfThere(join(folder, PROGRAMS)).split('\n').filter(Boolean).map(Number));
  const listed = execFileSync('ps', ['-A', '-ww', '-o', 'pid=,ppid=,args='], { encoding: 'utf8' }).split('\n');
  return listed.flatMap(line => {
    const [, pid, parent, args = ''] = /^ *(\d+) +(\d+) (.*)$/.exec(line) ?? [];
    const isWorker = Number(parent) === process.pid && !args.startsWith('ps ');
    const isProgram = noted.has(Number(pid)) && /\bnode\b|\bnpm\b|\bscript\b/.test(args);
    return isWorker || isProgram || args.includes(folder) ? [{ pid: Number(pid), args }] : [];
  });
}

function end(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // It has ended meanwhile.
  }
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

function readIfThere(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}
