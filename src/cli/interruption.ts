import { constants } from 'node:os';

/** The signals of Ctrl-C, of a supervisor, and of a closed terminal. */
export const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** The command was stopped by a signal, such as Ctrl-C. */
export class Interrupted extends Error {
  readonly exitCode: number;

  constructor(signal: NodeJS.Signals) {
    super('Interrupted. Completed work stays.');
    this.name = 'Interrupted';
    this.exitCode = exitCodeOf(signal);
  }
}

/** The exit code that a shell reports for a program that a signal has ended. */
export function exitCodeOf(signal: NodeJS.Signals): number {
  return 128 + constants.signals[signal];
}

/** For work that takes itself back at a signal, which it rejects for. */
export async function untilInterrupted<Result>(work: (signal: AbortSignal) => Promise<Result>): Promise<Result> {
  const interrupted = new AbortController();
  const stop = (signal: NodeJS.Signals) => interrupted.abort(new Interrupted(signal));
  for (const signal of SIGNALS) process.on(signal, stop);
  try {
    return await work(interrupted.signal);
  } finally {
    for (const signal of SIGNALS) process.removeListener(signal, stop);
  }
}

/** Rejects at the first signal. A second one ends the process at once. */
export async function unlessInterrupted<Result>(work: () => Promise<Result>): Promise<Result> {
  const { promise, reject } = Promise.withResolvers<never>();
  const stop = (signal: NodeJS.Signals) => {
    forget();
    reject(new Interrupted(signal));
  };
  const forget = () => {
    for (const signal of SIGNALS) process.removeListener(signal, stop);
  };
  for (const signal of SIGNALS) process.on(signal, stop);
  try {
    return await Promise.race([work(), promise]);
  } finally {
    forget();
  }
}
