import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import { setTimeout } from 'node:timers/promises';
import type { Running } from '../../bench/processes.ts';

/** The kernel counts CPU time in ticks of so many milliseconds. */
const TICK_MS = 10;
/** A process is idle that uses less than this share of a processor; the others' requests continue meanwhile. */
const IDLE_SHARE = 0.25;
const IDLE_WINDOW_MS = 400;
const IDLE_LOOKS = 8;

/** When the process became idle, and the processor time that it used. */
export interface Idleness {
  readonly seconds: number | undefined;
  readonly cpuSeconds: number;
}

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
    // A process that has ended has no files.
    return readFile(`/proc/${this.#running.child.pid}/${file}`, 'utf8').catch(() => '');
  }

  /** Milliseconds that its main thread was ready to compute and had to wait for a processor. */
  async #waitedMs(): Promise<number> {
    return Number((await this.#read('schedstat')).split(' ')[1] ?? 0) / 1e6;
  }

  /**
   * Waits until the process has nothing to do, neither itself nor in a transaction in the database; the seconds that
   * took, or undefined where it never came to that.
   */
  async idleAfter(limitSeconds: number, hasTransaction: () => Promise<boolean>): Promise<Idleness> {
    const startedAt = performance.now();
    const cpuAtStart = await this.cpuMs();
    const busyMs = async () => (await this.cpuMs()) + (await this.#waitedMs());
    while (this.isAlive) {
      const windowAt = performance.now();
      const busyBefore = await busyMs();
      let transactions = 0;
      for (let look = 0; look < IDLE_LOOKS; look++) {
        await setTimeout(IDLE_WINDOW_MS / IDLE_LOOKS);
        if (await hasTransaction()) transactions++;
      }
      const share = ((await busyMs()) - busyBefore) / (performance.now() - windowAt);
      const cpuSeconds = ((await this.cpuMs()) - cpuAtStart) / 1000;
      const isIdle = share < IDLE_SHARE && transactions <= IDLE_LOOKS / 2;
      if (isIdle) return { seconds: (windowAt - startedAt) / 1000, cpuSeconds };
      if (performance.now() - startedAt > limitSeconds * 1000) return { seconds: undefined, cpuSeconds };
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

  /** Stops it, and returns all that it has logged. */
  async stopped(): Promise<string> {
    const { child } = this.#running;
    const ended = once(child, 'exit');
    child.kill('SIGTERM');
    await ended;
    return this.#running.output();
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
