import { Piscina } from 'piscina';
import type { CompanyId } from '../database/tenancy/company-id.ts';
import { Fault } from '../fault.ts';
import { CompanyPlaces } from '../limits/company-places.ts';
import type { Work } from '../limits/work.ts';
import type { Outcome } from './task.ts';

/**
 * Runs heavy computations in a thread, so that the event loop stays free. The thread starts with the first task and
 * ends after an idle time. A thread that runs out of memory ends with an error for its caller, and the next task gets a
 * new one.
 */

/** One thread: its work is short, and the memory that several threads take is not returned while they live. */
const THREADS = 1;
const IDLE_MS = 30_000;
/** The heap limit of a thread. The largest tariff takes a third of this limit. */
const HEAP_MB = 192;
/** How long a task waits for earlier ones, and how many tasks of a company may wait. */
const WAIT_MS = 10_000;
const MAX_WAITING = 1_000;

/** The company, and the request, that a task runs for. */
export interface TaskOwner {
  readonly companyId: CompanyId;
  /** The task is stopped when this work ends. */
  readonly work?: Work | undefined;
}

/** Tasks wait here and not in the pool, whose queue does not know companies and stops when a thread has died. */
const places = new CompanyPlaces({
  places: 1,
  total: THREADS,
  waitMs: WAIT_MS,
  maxWaiting: MAX_WAITING,
  reject: () => new Fault('unavailable', { headers: { 'retry-after': '2' } }),
});

let pool: Piscina | undefined;

/**
 * Runs a task in a thread.
 *
 * @param file the module whose exports are tasks
 * @param name the name of an export
 * @throws Fault that the task has thrown, and `request_too_expensive` if it takes too much memory
 */
export async function inThread<Result>(
  { companyId, work }: TaskOwner,
  file: URL,
  name: string,
  parameters: readonly unknown[],
): Promise<Result> {
  const waiting = places.enter(companyId);
  if (waiting) await waiting;
  const stop = new AbortController();
  const task = { cancel: () => stop.abort() };
  work?.register(task);
  try {
    pool ??= openPool();
    const outcome: Outcome<Result> = await pool.run(parameters, { filename: file.href, name, signal: stop.signal });
    if ('fault' in outcome) throw new Fault(outcome.fault.code, outcome.fault.options);
    return outcome.result;
  } catch (error) {
    work?.throwIfOver();
    if ((error as NodeJS.ErrnoException).code === 'ERR_WORKER_OUT_OF_MEMORY') throw tooMuchMemory();
    throw error;
  } finally {
    work?.unregister(task);
    places.leave(companyId);
  }
}

function openPool(): Piscina {
  const opened = new Piscina({
    minThreads: 0,
    maxThreads: THREADS,
    idleTimeout: IDLE_MS,
    resourceLimits: { maxOldGenerationSizeMb: HEAP_MB },
  });
  // A thread that ends between two tasks is replaced; without a listener the error would end the process.
  return opened.on('error', () => undefined);
}

export async function closeThreads(): Promise<void> {
  await pool?.destroy();
  pool = undefined;
}

function tooMuchMemory(): Fault {
  const detail = `The work for the request takes more than ${HEAP_MB} MB of memory. Send less at once.`;
  return new Fault('request_too_expensive', { detail });
}
