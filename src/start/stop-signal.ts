/** Work that still hangs then is abandoned: the operator was promised an end within ten seconds. */
const STOP_WITHIN_MS = 9_500;

/** The signals of a supervisor, of Ctrl-C, and of a closed terminal. */
const STOP_SIGNALS = ['SIGTERM', 'SIGINT', 'SIGHUP'] as const;

/** The first of these signals. The process ends within ten seconds of any of them. */
export function stopSignal(): Promise<string> {
  const { promise, resolve } = Promise.withResolvers<string>();
  for (const signal of STOP_SIGNALS) {
    process.on(signal, () => {
      setTimeout(() => process.exit(0), STOP_WITHIN_MS).unref();
      resolve(signal);
    });
  }
  return promise;
}
