import type { EventEmitter } from 'node:events';
import { vi } from 'vitest';
import { run } from '../../src/cli/run.ts';
import type { Ended, Env } from './processes.ts';

let earlier: Promise<unknown> = Promise.resolve();

/**
 * What `processes.cli` does, in this process and so without the time that starting one takes. Commands follow each other:
 * each has the settings and the output of the process for itself. For what a command answers and refuses; that it works as
 * a program, and ends by itself, is seen of each by one of its own.
 */
export function inProcess(args: readonly string[], env: Env): Promise<Ended> {
  const ended = earlier.then(() => perform(args, env));
  earlier = ended.catch(() => {});
  return ended;
}

async function perform(args: readonly string[], env: Env): Promise<Ended> {
  const { env: ownEnv, exitCode: ownExitCode } = process;
  const { PATH = '', TMPDIR } = ownEnv;
  const forget = rememberListeners();
  const said = { stdout: '', stderr: '' };
  const spies = (['stdout', 'stderr'] as const).map(name =>
    vi.spyOn(process[name], 'write').mockImplementation(text => {
      said[name] += text;
      return true;
    }),
  );
  process.env = { PATH, ...(TMPDIR && { TMPDIR }), ...env };
  process.exitCode = undefined;
  try {
    const code = await run(args);
    return { code, signal: null, ...said };
  } finally {
    process.env = ownEnv;
    process.exitCode = ownExitCode;
    for (const spy of spies) spy.mockRestore();
    forget();
  }
}

/** Answers what removes those that a command adds, and leaves to the end of its process. */
function rememberListeners(): () => void {
  const events: [EventEmitter, string][] = [
    [process, 'SIGTERM'],
    [process, 'SIGINT'],
    [process.stdout, 'error'],
  ];
  const known = new Set(events.flatMap(([emitter, event]) => emitter.listeners(event)));
  return () => {
    for (const [emitter, event] of events) {
      for (const listener of emitter.listeners(event) as (() => void)[]) {
        if (!known.has(listener)) emitter.removeListener(event, listener);
      }
    }
  };
}
