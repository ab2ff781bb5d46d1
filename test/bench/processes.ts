import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createInterface } from 'node:readline';

/** A server in a process of its own, which says on a line of its output where it listens. */
export interface Running {
  readonly url: string;
  readonly child: ChildProcess;
  /** Highest resident memory so far, in MB. */
  peakMemoryMb(): Promise<number>;
  stop(): Promise<void>;
}

export async function startProcess(nodeArguments: readonly string[], env: Record<string, string>): Promise<Running> {
  const child = spawn(process.execPath, [...nodeArguments], {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  createInterface({ input: child.stdout }).on('line', line => {
    const [, url] = /listening on (http:\S+)/.exec(line) ?? [];
    if (url) resolve(url);
  });
  child.once('exit', code => reject(new Error(`${nodeArguments.join(' ')} ended with ${code} before it listened`)));
  const url = await promise;
  return {
    url,
    child,
    peakMemoryMb: async () => {
      const status = await readFile(`/proc/${child.pid}/status`, 'utf8');
      return Math.round(Number(/VmHWM:\s+(\d+)/.exec(status)?.[1]) / 1024);
    },
    stop: async () => {
      child.kill('SIGTERM');
      if (child.exitCode === null) await once(child, 'exit');
    },
  };
}
