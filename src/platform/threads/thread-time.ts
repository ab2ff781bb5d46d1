import type { Worker } from 'node:worker_threads';
import type { Work } from '../limits/work.ts';

/** Measures the processor time of a task while it runs, charges its company, and stops it at a limit. */

/**
 * The price of a millisecond. A company that holds a thread for a whole minute uses up its cost of this minute, and a
 * request may hold it for four seconds.
 */
const UNITS_PER_MS = 50;
const LOOK_MS = 100;

export interface TaskTime {
  /** Whether the task has been stopped for its time. */
  readonly isOver: boolean;
  /** Charges the time since the last charge, and stops measuring. */
  end(): Promise<void>;
}

interface TimeOptions {
  readonly work: Work | undefined;
  readonly limitMs: number;
  readonly stop: () => void;
}

/** @param worker the thread, which has just been given the task */
export function timeOf(worker: Worker | undefined, { work, limitMs, stop }: TimeOptions): TaskTime {
  const startedAt = performance.now();
  const gone = Promise.withResolvers<undefined>();
  const onExit = () => gone.resolve(undefined);
  worker?.once('exit', onExit);
  /** Undefined for a thread that has ended, or ends before it answers. */
  const used = async () => {
    const usage = await Promise.race([worker?.cpuUsage().catch(() => undefined), gone.promise]);
    return usage && (usage.user + usage.system) / 1000;
  };
  const before = used();
  let charged = 0;
  let isOver = false;
  const charge = async (): Promise<void> => {
    const [from = 0, to] = [await before, await used()];
    // A stopped thread cannot report its time: its last moments are charged by the clock.
    const ms = to === undefined ? Math.min(charged + LOOK_MS, performance.now() - startedAt) : to - from;
    if (ms <= charged) return;
    work?.spend((ms - charged) * UNITS_PER_MS);
    charged = ms;
    isOver ||= charged > limitMs;
  };
  const timer = setInterval(() => charge().then(() => isOver && stop()), LOOK_MS);
  return {
    get isOver() {
      return isOver;
    },
    async end() {
      await charge();
      // Only now, because this timer keeps the process alive until the thread has answered.
      clearInterval(timer);
      worker?.off('exit', onExit);
    },
  };
}
