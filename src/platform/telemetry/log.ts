import { type Logger, pino } from 'pino';

export type Log = Logger;

/**
 * JSON lines on standard output, written in batches off the request's path, at the latest after a second; `flush` them before the process ends.
 * No line holds a key, a secret, a recipient or an address: log ids and codes.
 */
export function createLog(level: string): Log {
  return pino(
    { level, base: null, timestamp: pino.stdTimeFunctions.isoTime, formatters: { level: label => ({ level: label }) } },
    pino.destination({ dest: 1, sync: false, minLength: 4096, periodicFlush: 1000 }),
  );
}
