/** Whatever still hangs then is left: the operator was promised an end within ten seconds. */
const STOP_WITHIN_MS = 9_500;

/** The first SIGTERM or SIGINT of this process, which ends within ten seconds of any of them. */
export function stopSignal(): Promise<string> {
  const { promise, resolve } = Promise.withResolvers<string>();
  for (const signal of ['SIGTERM', 'SIGINT']) {
    process.on(signal, () => {
      setTimeout(() => process.exit(0), STOP_WITHIN_MS).unref();
      resolve(signal);
    });
  }
  return promise;
}
