import { setFlagsFromString } from 'node:v8';
import { Piscina } from 'piscina';
import type { CompanyId } from '../database/tenancy/company-id.ts';
import { Fault } from '../fault.ts';
import { CompanyPlaces } from '../limits/company-places.ts';
import type { Work } from '../limits/work.ts';
import type { Outcome } from './task.ts';
import { type TaskTime, timeOf } from './thread-time.ts';

/**
 * Runs heavy computations in threads, so that the event loop stays free. A thread starts with the first task and ends
 * after an idle time. A thread that runs out of memory ends with an error for its caller, and the next task gets a new
 * one.
 */

/** Two, so that one company's task does not hold the tasks of all others; a company has one of them at a time. */
const THREADS = 2;
const IDLE_MS = 30_000;
/** The limits on the old and the young heap of a thread. The largest tariff takes a third of the old one. */
const HEAP_MB = 192;
const YOUNG_HEAP_MB = 48;
/** How long a task waits for earlier ones, and how many tasks of a company may wait. */
const WAIT_MS = 10_000;
const MAX_WAITING = 1_000;
/**
 * The processor time of a task. The largest table of a request takes 2.7 s. By the time of the clock, a task would be
 * rejected because others use the processor.
 */
const TASK_MS = 4_000;

/** The company, and the request, that a task runs for. */
export interface TaskOwner {
  readonly companyId: CompanyId;
  /** Pays for the time of the task, which is stopped when this work ends. */
  readonly work?: Work | undefined;
  /** The processor time of a task, where it may be longer: an operator's command delays no company. */
  readonly taskMs?: number;
}

/** Tasks wait here and not in the pool, whose queue does not know companies and stops when a thread has died. */
const places = new CompanyPlaces({
  places: 1,
  total: THREADS,
  waitMs: WAIT_MS,
  maxWaiting: MAX_WAITING,
  reject: () => new Fault('unavailable', { headers: { 'retry-after': '2' } }),
});

/** Pools of one thread each, so that a task knows its thread: those without a task, and all of them. */
const idle: Piscina[] = [];
const opened = new Set<Piscina>();

/**
 * Runs a task in a thread.
 *
 * @param file the module whose exports are tasks
 * @param name the name of an export
 * @throws Fault that the task has thrown, and `request_too_expensive` if it takes too much memory or time
 */
export async function inThread<Result>(
  { companyId, work, taskMs = TASK_MS }: TaskOwner,
  file: URL,
  name: string,
  parameters: readonly unknown[],
): Promise<Result> {
  const waiting = places.enter(companyId);
  if (waiting) await waiting;
  const pool = idle.pop() ?? openPool();
  const stop = new AbortController();
  const task = { cancel: () => stop.abort() };
  let time: TaskTime | undefined;
  try {
    work?.throwIfOver();
    work?.register(task);
    const running: Promise<Outcome<Result>> = pool.run(parameters, { filename: file.href, name, signal: stop.signal });
    time = timeOf(pool.threads[0], { work, limitMs: taskMs, stop: task.cancel });
    const outcome = await running;
    if ('fault' in outcome) throw new Fault(outcome.fault.code, outcome.fault.options);
    return outcome.result;
  } catch (error) {
    work?.throwIfOver();
    if (time?.isOver) throw tooMuch(`${taskMs / 1000} s of processor time`);
    if ((error as NodeJS.ErrnoException).code === 'ERR_WORKER_OUT_OF_MEMORY') throw tooMuch(`${HEAP_MB} MB of memory`);
    throw error;
  } finally {
    await time?.end();
    work?.unregister(task);
    if (opened.has(pool)) idle.push(pool);
    places.leave(companyId);
  }
}

function openPool(): Piscina {
  // V8 sets a thread's limit by the flag of the command line, if there is one, and not by the thread's own. The flag has
  // set the limit of the main heap by now, which stays.
  setFlagsFromString('--max-old-space-size=0');
  const pool = new Piscina({
    minThreads: 0,
    maxThreads: 1,
    idleTimeout: IDLE_MS,
    resourceLimits: { maxOldGenerationSizeMb: HEAP_MB, maxYoungGenerationSizeMb: YOUNG_HEAP_MB },
  });
  opened.add(pool);
  // A thread that ends between two tasks is replaced; without a listener the error would end the process.
  return pool.on('error', () => undefined);
}

export async function closeThreads(): Promise<void> {
  const closing = [...opened];
  opened.clear();
  idle.length = 0;
  await Promise.all(closing.map(pool => pool.destroy()));
}

function tooMuch(what: string): Fault {
  return new Fault('request_too_expensive', {
    detail: `The work for the request takes more than ${what}. Send less at once.`,
  });
}
