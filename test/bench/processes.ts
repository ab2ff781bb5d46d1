import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, open, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';

/** A server in a process of its own, which says on a line of its output where it listens. */
export interface Running {
  readonly url: string;
  readonly child: ChildProcess;
  /** Highest resident memory so far, in MB. */
  peakMemoryMb(): Promise<number>;
  /** Resident memory, in MB. */
  memoryMb(): Promise<number>;
  /** Milliseconds of CPU that it has used so far, in ticks of ten. */
  cpuMs(): Promise<number>;
  /** Its output so far. */
  output(): Promise<string>;
  stop(): Promise<void>;
}

/** Ends the processes that a piece of work keeps, the last first, whatever becomes of it. */
export async function running(work: (keep: (process: Running) => Running) => Promise<void>): Promise<void> {
  const kept: Running[] = [];
  try {
    await work(one => {
      kept.push(one);
      return one;
    });
  } finally {
    for (const one of kept.toReversed()) await one.stop();
  }
}

/** Load comes with one key. The cost of counting is part of the measurement. */
const UNLIMITED = {
  RATE_LIMIT_READS: '1000000000',
  RATE_LIMIT_QUOTES: '1000000000',
  RATE_LIMIT_WRITES: '1000000000',
  RATE_LIMIT_COST: '1000000000',
};

/** The cache of `npm start`. Without it, Node keeps in memory what strips the types of TypeScript. */
const CODE_CACHE = { NODE_COMPILE_CACHE: new URL('../../node_modules/.cache/code', import.meta.url).pathname };

/**
 * Its output goes to a file: what reads a pipe would be the load generator's process, and so a server that logs would
 * slow down its own measurement.
 */
export async function startProcess(nodeArguments: readonly string[], env: Record<string, string>): Promise<Running> {
  const folder = await mkdtemp(join(tmpdir(), 'shipping-bench-'));
  const output = await open(join(folder, 'output'), 'w+');
  const child = spawn(process.execPath, [...nodeArguments], {
    env: { ...process.env, ...UNLIMITED, ...CODE_CACHE, ...env },
    stdio: ['ignore', output.fd, 'inherit'],
  });
  const url = await listeningUrl(child, join(folder, 'output'), nodeArguments);
  return {
    url,
    child,
    peakMemoryMb: () => memoryMb(child, 'VmHWM'),
    memoryMb: () => memoryMb(child, 'VmRSS'),
    cpuMs: async () => (await statOf(child.pid ?? 0)).ownMs,
    output: () => readFile(join(folder, 'output'), 'utf8'),
    stop: async () => {
      child.kill('SIGTERM');
      if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
      await output.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

async function memoryMb({ pid }: ChildProcess, figure: 'VmHWM' | 'VmRSS'): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8');
  return Math.round(Number(new RegExp(`${figure}:\\s+(\\d+)`).exec(status)?.[1]) / 1024);
}

/** Milliseconds of CPU that the embedded PostgreSQL in a data folder has used so far, with all its processes that were and are. */
export async function postgresCpuMs(dataDir: string): Promise<number> {
  const [postmaster] = (await readFile(join(dataDir, 'postgres/postmaster.pid'), 'utf8')).split('\n').map(Number);
  const processes = (await readdir('/proc')).filter(name => /^\d+$/.test(name));
  // One that ends meanwhile is counted with the postmaster's at the next look.
  const stats = await Promise.all(processes.map(pid => statOf(Number(pid)).catch(() => undefined)));
  return stats.reduce((sum, stat) => {
    if (stat === undefined) return sum;
    if (stat.pid === postmaster) return sum + stat.ownMs + stat.endedMs;
    return stat.parent === postmaster ? sum + stat.ownMs : sum;
  }, 0);
}

interface Stat {
  readonly pid: number;
  readonly parent: number;
  /** CPU time, in ticks of ten milliseconds. */
  readonly ownMs: number;
  /** The processor time of its children that have ended. */
  readonly endedMs: number;
}

async function statOf(pid: number): Promise<Stat> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const ticks = (...positions: number[]) => positions.reduce((sum, i) => sum + Number(fields[i]), 0) * 10;
  return { pid, parent: Number(fields[1]), ownMs: ticks(11, 12), endedMs: ticks(13, 14) };
}

async function listeningUrl(child: ChildProcess, output: string, nodeArguments: readonly string[]): Promise<string> {
  const deadline = Date.now() + 120_000;
  for (;;) {
    // Without a demo there is no page: its log says it. The sandbox says that it "listens on" its address.
    const [, url] =
      /(?:listen(?:ing|s) on |"role":"\w+","url":")(http:[^\s"]+)/.exec(await readFile(output, 'utf8')) ?? [];
    if (url) return url;
    if (child.exitCode !== null) throw new Error(`${nodeArguments.join(' ')} ended before it listened`);
    if (Date.now() > deadline) throw new Error(`${nodeArguments.join(' ')} does not listen`);
    await setTimeout(20);
  }
}

/** The very arguments that `npm start` gives to Node, in a checkout of the service. */
export async function startArguments(root: string): Promise<string[]> {
  const { scripts } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'));
  const words: string[] = scripts.start.replace(/^.*?\bnode /, '').split(' ');
  return words.map(word => (word.endsWith('.ts') ? join(root, word) : word));
}
