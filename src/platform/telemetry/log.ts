import { type Logger, type LoggerOptions, pino } from 'pino';

export type Log = Logger;

/** Bytes that a pipe takes whole or not at all, whoever else writes to it (`PIPE_BUF`). */
const PIPE_BYTES = 4096;

const DESTINATIONS = {
  own: { minLength: 4096 },
  // Never more in one write than a pipe takes whole; a line is whole in it as well, unless it alone is longer.
  shared: { minLength: 3072, maxWrite: PIPE_BYTES },
};

/**
 * The log of a service: lines to read where standard output is a terminal, JSON lines otherwise.
 *
 * @param output whether other processes write there as well
 */
export async function openLog(level: string, output: keyof typeof DESTINATIONS): Promise<Log> {
  if (!process.stdout.isTTY) return createLog(level, output);
  // Loaded here: no service in production needs it.
  const { prettyFactory } = await import('pino-pretty');
  const pretty = prettyFactory({
    colorize: process.stdout.hasColors(),
    singleLine: true,
    translateTime: 'SYS:HH:MM:ss.l',
  });
  // A terminal that is closed takes nothing more. The process still has to stop in order.
  process.stdout.on('error', () => undefined);
  return pino(optionsOf(level, output), { write: line => process.stdout.write(pretty(line)) });
}

/**
 * JSON lines on standard output, written in batches off the request's path, at the latest after a second; `flush` them before the process ends.
 * No line holds a key, a secret, a recipient or an address: log ids and codes.
 *
 * @param output whether other processes write there as well: then lines have the `pid` and are not cut by those of others
 */
export function createLog(level: string, output: keyof typeof DESTINATIONS = 'own'): Log {
  return pino(
    optionsOf(level, output),
    pino.destination({ dest: 1, sync: false, periodicFlush: 1000, ...DESTINATIONS[output] }),
  );
}

function optionsOf(level: string, output: keyof typeof DESTINATIONS): LoggerOptions {
  const base = output === 'shared' ? { pid: process.pid } : null;
  return { level, base, timestamp: pino.stdTimeFunctions.isoTime, formatters: { level: label => ({ level: label }) } };
}
