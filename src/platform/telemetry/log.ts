import { type Logger, type LoggerOptions, pino } from 'pino';
import { activeSpan } from './tracing.ts';

export type Log = Logger;

/** Bytes that a pipe takes atomically, whichever other process writes to it (`PIPE_BUF`). */
const PIPE_BYTES = 4096;

const DESTINATIONS = {
  // Each write goes through a thread. With 4 KB, writes took 3.4 to 4.7 % of the CPU of quotes; with 12 KB, 1.0 to 1.7 %.
  own: { minLength: 12_288 },
  // A write never exceeds the atomic size of a pipe, so a line stays whole unless it alone is longer.
  shared: { minLength: 3072, maxWrite: PIPE_BYTES },
};

/**
 * The log of a service: readable lines if standard output is a terminal, JSON lines otherwise.
 *
 * @param output whether other processes write there as well
 */
export async function openLog(level: string, output: keyof typeof DESTINATIONS): Promise<Log> {
  if (!process.stdout.isTTY) return createLog(level, output);
  // Loaded here, because a service in production does not need it.
  const { prettyFactory } = await import('pino-pretty');
  const pretty = prettyFactory({
    colorize: process.stdout.hasColors(),
    singleLine: true,
    translateTime: 'SYS:HH:MM:ss.l',
  });
  // A closed terminal rejects writes, but the process must still stop in order.
  process.stdout.on('error', () => undefined);
  return pino(optionsOf(level, output), { write: line => process.stdout.write(pretty(line)) });
}

/**
 * JSON lines on standard output, written in batches outside of requests, within a second; call `flush` before the
 * process ends. Lines hold ids and codes, never a key, a secret, a recipient or an address.
 *
 * @param output whether other processes write there as well: then lines have the `pid` and are never split
 */
export function createLog(level: string, output: keyof typeof DESTINATIONS = 'own'): Log {
  return pino(
    optionsOf(level, output),
    pino.destination({ dest: 1, sync: false, periodicFlush: 1000, ...DESTINATIONS[output] }),
  );
}

function optionsOf(level: string, output: keyof typeof DESTINATIONS): LoggerOptions {
  const base = output === 'shared' ? { pid: process.pid } : null;
  const timestamp = pino.stdTimeFunctions.isoTime;
  return { level, base, timestamp, mixin: traceOf, formatters: { level: label => ({ level: label }) } };
}

/** The fields of every line: the trace of the request or job that logs. */
export function traceOf(): { readonly traceId?: string } {
  const span = activeSpan();
  return span === undefined ? {} : { traceId: span.traceId };
}
