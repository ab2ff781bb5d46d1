/** Work that still hangs then is abandoned: the operator was promised an end within ten seconds. */
const STOP_WITHIN_MS = 9_500;

/** The signals of a supervisor, of Ctrl-C, and of a closed terminal. */
const STOP_SIGNALS = ['SIGTERM', 'SIGINT', 'SIGHUP'] as const;

export interface Stop {
  /** Resolves to the first of the signals. */
  readonly stopped: Promise<string>;
  /** Aborted by it. */
  readonly signal: AbortSignal;
}

/** Listens to the signals that stop the service. The process ends within ten seconds of any of them. */
export function stopSignal(): Stop {
  const { promise: stopped, resolve } = Promise.withResolvers<string>();
  const stopping = new AbortController();
  for (const name of STOP_SIGNALS) {
    process.on(name, () => {
      setTimeout(() => process.exit(0), STOP_WITHIN_MS).unref();
      resolve(name);
      stopping.abort();
    });
  }
  return { stopped, signal: stopping.signal };
}
