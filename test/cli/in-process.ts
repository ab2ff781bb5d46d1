import type { EventEmitter } from 'node:events';
import { Readable } from 'node:stream';
import { vi } from 'vitest';
import { run } from '../../src/cli/run.ts';
import '../support/entity-discovery.ts';
import type { Ended, Env } from './processes.ts';

let earlier: Promise<unknown> = Promise.resolve();

/** Somebody at a terminal, who types a line once a question was asked. */
interface Terminal {
  readonly columns: number;
  readonly types?: string;
}

/**
 * Does the work of `processes.cli` in this process, without the time of a start. Commands follow each other: each has
 * the settings and the output of the process for itself. It is for the results and rejections of a command; another
 * test shows that each works as a program and ends by itself.
 */
export function inProcess(args: readonly string[], env: Env, terminal?: Terminal): Promise<Ended> {
  const ended = earlier.then(() => perform(args, env, terminal));
  earlier = ended.catch(() => {});
  return ended;
}

async function perform(args: readonly string[], env: Env, terminal: Terminal | undefined): Promise<Ended> {
  const { env: ownEnv, exitCode: ownExitCode } = process;
  const { PATH = '', TMPDIR } = ownEnv;
  const forget = rememberListeners();
  const said = { stdout: '', stderr: '' };
  const leaveTerminal = terminal ? enterTerminal(terminal) : () => undefined;
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
    leaveTerminal();
    forget();
  }
}

/** Returns what ends it. */
function enterTerminal({ columns, types = '' }: Terminal): () => void {
  const input = Object.assign(Readable.from([`${types}\n`]), { isTTY: true });
  const stdin = vi.spyOn(process, 'stdin', 'get').mockReturnValue(input as unknown as typeof process.stdin);
  const outputs = [process.stdout, process.stderr] as { isTTY: boolean | undefined; columns: number | undefined }[];
  const before = outputs.map(({ isTTY, columns: width }) => ({ isTTY, columns: width }));
  for (const output of outputs) Object.assign(output, { isTTY: true, columns });
  return () => {
    stdin.mockRestore();
    for (const [i, output] of outputs.entries()) Object.assign(output, before[i]);
  };
}

/** Returns what removes those that a command adds, and leaves to the end of its process. */
function rememberListeners(): () => void {
  const events: [EventEmitter, string][] = [
    [process, 'SIGTERM'],
    [process, 'SIGINT'],
    [process, 'SIGHUP'],
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
