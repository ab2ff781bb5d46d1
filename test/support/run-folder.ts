import { execFileSync } from 'node:child_process';
import { appendFileSync, chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';

// The folder of a run of the tests, in which all of its temporary files are. However the run ends, its programs end and the
// folder is removed: by the end of its process, or after `kill -9` by the next run.

const PREFIX = 'shipping-test-';
/** The programs that tests have started, by their process numbers. */
const PROGRAMS = 'programs';
const END_MS = 10_000;
const LOOK_MS = 20;

/** Makes the folder of this run, in which programs and workers find it as `TMPDIR`, and clears what earlier runs have left. */
export function openRunFolder(): string {
  clearAbandoned();
  const folder = mkdtempSync(join(tmpdir(), `${PREFIX}${process.pid}-`));
  chmodSync(folder, 0o755); // for the account that PostgreSQL runs as when we are root
  process.env.TMPDIR = folder;
  // Within it nothing can be awaited: vitest ends the process a millisecond after a signal.
  process.once('exit', () => clear(folder));
  process.once('SIGHUP', () => process.exit(129));
  return folder;
}

/** Has a program end with the run, if there is one. */
export function noteProgram(pid: number | undefined): void {
  const isRun = basename(tmpdir()).startsWith(PREFIX);
  if (isRun && pid !== undefined) appendFileSync(join(tmpdir(), PROGRAMS), `${pid}\n`);
}

function clearAbandoned(): void {
  for (const name of readdirSync(tmpdir())) {
    const [, pid] = new RegExp(`^${PREFIX}(\\d+)-`).exec(name) ?? [];
    if (pid !== undefined && !isAlive(Number(pid))) clear(join(tmpdir(), name));
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
