import { readFile, writeFile } from 'node:fs/promises';
import { setTimeout } from 'node:timers/promises';
import type { Running } from '../../bench/processes.ts';

/** The kernel counts CPU time in ticks of so many milliseconds. */
const TICK_MS = 10;
/** A process is idle that uses less than this share of a processor; the others' questions go on meanwhile. */
const IDLE_SHARE = 0.25;
const IDLE_WINDOW_MS = 400;

export interface Blocks {
  /** The longest block of the event loop. */
  readonly longestMs: number;
  /** The longest, counting only what the thread computed. */
  readonly computingMs: number;
}

/** A service under attack, and what can be seen of its process from outside. */
export class Service {
  readonly #running: Running;
  readonly #blocks: string;

  constructor(running: Running, blocks: string) {
    this.#running = running;
    this.#blocks = blocks;
  }

  get url(): string {
    return this.#running.url;
  }

  get isAlive(): boolean {
    const { exitCode, signalCode } = this.#running.child;
    return exitCode === null && signalCode === null;
  }

  /** Resident memory now, in MB; 0 of a process that ended. */
  memoryMb(): Promise<number> {
    return this.#memoryMb('VmRSS');
  }

  /** Highest resident memory since `forgetPeak`, in MB. */
  peakMemoryMb(): Promise<number> {
    return this.#memoryMb('VmHWM');
  }

  async forgetPeak(): Promise<void> {
    await writeFile(`/proc/${this.#running.child.pid}/clear_refs`, '5');
  }

  async #memoryMb(field: string): Promise<number> {
    const status = await this.#read('status');
    return Math.round(Number(new RegExp(`${field}:\\s+(\\d+)`).exec(status)?.[1] ?? 0) / 1024);
  }

  /** Milliseconds of CPU that the process has used. */
  async cpuMs(): Promise<number> {
    const stat = await this.#read('stat');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return (Number(fields[11] ?? 0) + Number(fields[12] ?? 0)) * TICK_MS;
  }

  #read(file: string): Promise<string> {
    // What ended has no files any more.
    return readFile(`/proc/${this.#running.child.pid}/${file}`, 'utf8').catch(() => '');
  }

  /** Waits until the process has nothing to do; the seconds that took, or undefined where it never came to that. */
  async idleAfter(limitSeconds: number): Promise<{ seconds: number | undefined; cpuSeconds: number }> {
    const startedAt = performance.now();
    const cpuAtStart = await this.cpuMs();
    for (let cpu = cpuAtStart; this.isAlive; ) {
      const windowAt = performance.now();
      await setTimeout(IDLE_WINDOW_MS);
      const now = await this.cpuMs();
      const cpuSeconds = (now - cpuAtStart) / 1000;
      const share = (now - cpu) / (performance.now() - windowAt);
      if (share < IDLE_SHARE) return { seconds: (windowAt - startedAt) / 1000, cpuSeconds };
      if (performance.now() - startedAt > limitSeconds * 1000) return { seconds: undefined, cpuSeconds };
      cpu = now;
    }
    return { seconds: undefined, cpuSeconds: 0 };
  }

  /** Blocks of the event loop since a moment of `Date.now()`. */
  async blocks(since: number): Promise<Blocks> {
    const lines = (await readFile(this.#blocks, 'utf8').catch(() => '')).split('\n').map(line => line.split(' '));
    const found = lines.map(line => line.map(Number)).filter(([at = 0]) => at >= since);
    const longest = (column: number) => found.reduce((most, line) => Math.max(most, line[column] ?? 0), 0);
    return { longestMs: longest(1), computingMs: longest(2) };
  }

  stop(): Promise<void> {
    return this.#running.stop();
  }

  /** At once: what hangs could not stop itself. */
  kill(): Promise<void> {
    this.#running.child.kill('SIGKILL');
    return this.#running.stop();
  }
}
