import { type Logger, pino } from 'pino';

export type Log = Logger;

/** Bytes that a pipe takes whole or not at all, whoever else writes to it (`PIPE_BUF`). */
const PIPE_BYTES = 4096;

const DESTINATIONS = {
  own: { minLength: 4096 },
  // Never more in one write than a pipe takes whole; a line is whole in it as well, unless it alone is longer.
  shared: { minLength: 3072, maxWrite: PIPE_BYTES },
};

/**
 * JSON lines on standard output, written in batches off the request's path, at the latest after a second; `flush` them before the process ends.
 * No line holds a key, a secret, a recipient or an address: log ids and codes.
 *
 * @param output whether other processes write there as well: then lines have the `pid` and are not cut by those of others
 */
export function createLog(level: string, output: keyof typeof DESTINATIONS = 'own'): Log {
  const base = output === 'shared' ? { pid: process.pid } : null;
  return pino(
    { level, base, timestamp: pino.stdTimeFunctions.isoTime, formatters: { level: label => ({ level: label }) } },
    pino.destination({ dest: 1, sync: false, periodicFlush: 1000, ...DESTINATIONS[output] }),
  );
}
