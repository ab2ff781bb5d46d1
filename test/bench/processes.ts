import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, open, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';

/** A server in a process of its own, which says on a line of its output where it listens. */
export interface Running {
  readonly url: string;
  readonly child: ChildProcess;
  /** Highest resident memory so far, in MB. */
  peakMemoryMb(): Promise<number>;
  /** Milliseconds of CPU that it has used so far, in ticks of ten. */
  cpuMs(): Promise<number>;
  stop(): Promise<void>;
}

/** Load comes with one key. What it costs to count it is measured with it. */
const UNLIMITED = {
  RATE_LIMIT_READS: '1000000000',
  RATE_LIMIT_QUOTES: '1000000000',
  RATE_LIMIT_WRITES: '1000000000',
  RATE_LIMIT_COST: '1000000000',
};

/**
 * Its output goes to a file: what reads a pipe would be the load generator's process, and so a server that logs would
 * slow down its own measurement.
 */
export async function startProcess(nodeArguments: readonly string[], env: Record<string, string>): Promise<Running> {
  const folder = await mkdtemp(join(tmpdir(), 'shipping-bench-'));
  const output = await open(join(folder, 'output'), 'w+');
  const child = spawn(process.execPath, [...nodeArguments], {
    env: { ...process.env, ...UNLIMITED, ...env },
    stdio: ['ignore', output.fd, 'inherit'],
  });
  const url = await listeningUrl(child, join(folder, 'output'), nodeArguments);
  return {
    url,
    child,
    peakMemoryMb: async () => {
      const status = await readFile(`/proc/${child.pid}/status`, 'utf8');
      return Math.round(Number(/VmHWM:\s+(\d+)/.exec(status)?.[1]) / 1024);
    },
    cpuMs: async () => {
      const stat = await readFile(`/proc/${child.pid}/stat`, 'utf8');
      const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
      return (Number(fields[11]) + Number(fields[12])) * 10;
    },
    stop: async () => {
      child.kill('SIGTERM');
      if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
      await output.close();
      await rm(folder, { recursive: true });
    },
  };
}

async function listeningUrl(child: ChildProcess, output: string, nodeArguments: readonly string[]): Promise<string> {
  for (;;) {
    // A worker has no page to show and says it in its log.
    const [, url] =
      /(?:listening on |"role":"worker","url":")(http:[^\s"]+)/.exec(await readFile(output, 'utf8')) ?? [];
    if (url) return url;
    if (child.exitCode !== null) throw new Error(`${nodeArguments.join(' ')} ended before it listened`);
    await setTimeout(20);
  }
}

/** The very arguments that `npm start` gives to Node, in a checkout of the service. */
export async function startArguments(root: string): Promise<string[]> {
  const { scripts } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'));
  const words: string[] = scripts.start.split(' ').slice(1);
  return words.map(word => (word.endsWith('.ts') ? join(root, word) : word));
}
